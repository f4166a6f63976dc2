//! Makes a server of an application and the engine that runs its tools.

use super::{Application, Opened, OpenedTables, Workspace, tables};
use crate::diagnostic::render::{Format, render};
use crate::diagnostic::{Diagnostic, Severity};
use crate::emit::profile::Profile;
use crate::engine::Engine;
use crate::load::LoadFailed;
use crate::serve::audit::Audit;
use crate::serve::setup::SetupError;
use crate::serve::{Publication, Quarantined, Server};
use crate::source::Sources;
use std::{fmt, io};

/// Why a project is not served.
pub enum StartError {
    /// It has errors, or its data is not what its tools were compiled for.
    Problems {
        /// All there is to say of it.
        diagnostics: Vec<Diagnostic>,
        /// The texts that it is said of.
        sources: Sources,
    },
    /// Two tools have this name.
    TwoTools(String),
    /// `auth` cannot be used; why.
    Auth(SetupError),
    /// A tool cannot be published.
    Publication(serde_json::Error),
    /// Calls cannot be recorded.
    Audit(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Problems { diagnostics, sources } => {
                f.write_str(&render(diagnostics, sources, Format::Text, false))
            }
            StartError::TwoTools(name) => write!(f, "there are two tools `{name}`"),
            StartError::Auth(why) => write!(f, "`auth` of qtool.yaml cannot be used: {why}"),
            StartError::Publication(error) => write!(f, "the tools cannot be published: {error}"),
            StartError::Audit(error) => write!(f, "calls cannot be recorded: {error}"),
        }
    }
}

/// As it is shown: `main` prints what it returns so, and a person reads that.
impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for StartError {}

impl From<LoadFailed> for StartError {
    fn from(failed: LoadFailed) -> StartError {
        StartError::Problems { diagnostics: failed.diagnostics.into_sorted(), sources: failed.sources }
    }
}

impl Workspace {
    /// What serves an application of this project, and what there is to warn of. A table of a database that is not what was
    /// locked takes its tools out of service, and the others run: a database is changed by others, at any time.
    ///
    /// Errors: as [`Workspace::engine`], of tables in files, and of those that were never locked.
    pub async fn engine_to_serve(
        &self,
        application: &Application,
    ) -> Result<(Opened, Vec<Diagnostic>), Vec<Diagnostic>> {
        let tools = &application.tools;
        let opened = self.open_tables(&tables::read_by(tools)).await;
        let problems = opened.problems(&self.project);
        if problems.errors() > 0 && !self.are_of_databases(&opened) {
            return Err(problems.into_sorted());
        }
        let unaccepted = self.unaccepted(tools);
        let accepted = |tool: &&crate::tool::Tool| !unaccepted.iter().any(|one| one.tool == tool.contract.name);
        let tools: &Vec<_> = &tools.iter().filter(accepted).cloned().collect();
        let warned = problems.into_sorted().into_iter().map(|one| Diagnostic { severity: Severity::Warning, ..one });
        let is_whole = opened.unopened.is_empty() && opened.changed.is_empty();
        let opened = match opened.tables {
            Some(tables) if is_whole && !application.lacks_a_key(&tables) => {
                let engine = Engine::prepare(tables, tools.clone());
                Opened { engine, quarantined: Vec::new(), notes: Vec::new() }
            }
            _ => application.open(tools).await,
        };
        let quarantined = opened.quarantined.into_iter().chain(unaccepted).collect();
        let opened = Opened { quarantined, ..opened };
        Ok((opened, warned.chain(self.unrunnable_programs(tools)).collect()))
    }

    /// Whether all tables that are not what they were lie in databases, and are locked.
    fn are_of_databases(&self, opened: &OpenedTables) -> bool {
        let is_one = |name: &str| self.project.catalog.tables.get(name).is_some_and(|table| table.native.is_some());
        opened.unopened.iter().all(|failed| is_one(&failed.table))
            && opened.changed.iter().all(|(name, _)| is_one(name))
    }
}

impl Application {
    /// The server of its tools, with the record of calls that the project asks for. The engine reads first what is to be
    /// read again.
    ///
    /// Errors: a tool whose JSON the SDK does not take, which no compiled tool has; a record that cannot be written.
    pub async fn server(
        self,
        engine: Engine,
        quarantined: Vec<Quarantined>,
        profile: Option<Profile>,
    ) -> Result<Server, StartError> {
        let info = self.info();
        let Application { log_dir, file, catalog, tools, prompts, offered, .. } = self;
        let publication = Publication::of(&file, &catalog, tools, prompts).offering(offered);
        let publication = publication.without(quarantined).lowered(profile);
        engine.refresh().await;
        let server = Server::new(engine, publication, info, &file.limits).map_err(StartError::Publication)?;
        Ok(match &file.audit {
            Some(audit) => server.recording(Audit::open(audit, &log_dir).map_err(StartError::Audit)?),
            None => server,
        })
    }
}
