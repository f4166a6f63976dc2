//! Makes a server of an application and the engine that runs its tools.

use super::Application;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::{Format, render};
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
        let Application { log_dir, file, catalog, tools, prompts, .. } = self;
        let publication = Publication::of(&file, &catalog, tools, prompts).without(quarantined).lowered(profile);
        engine.refresh().await;
        let server = Server::new(engine, publication, info, &file.limits).map_err(StartError::Publication)?;
        Ok(match &file.audit {
            Some(audit) => server.recording(Audit::open(audit, &log_dir).map_err(StartError::Audit)?),
            None => server,
        })
    }
}
