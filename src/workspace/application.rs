//! A compiled project as it is served and called: compiled just now, or out of an executable.

use super::{Workspace, tables};
use crate::bundle::{Bundle, contract};
use crate::catalog::Catalog;
use crate::engine::drift::{self, ColumnChange, Difference};
use crate::engine::tables::Embedded;
use crate::engine::{Engine, OpenError, Tables};
use crate::project::{ProjectFile, VariableFlaw, Variables};
use crate::prompts::Prompt;
use crate::serve::{Quarantined, ServerInfo};
use crate::tool::{Offered, Tool};
use std::path::PathBuf;
use std::sync::Arc;

/// What is served and called.
#[derive(Clone)]
pub struct Application {
    /// What the paths of tables are relative to.
    pub dir: PathBuf,
    /// What the file of the audit is relative to.
    pub log_dir: PathBuf,
    /// `qtool.yaml`.
    pub file: ProjectFile,
    /// The schemas that the tools were compiled for.
    pub catalog: Catalog,
    /// The tools, sorted by name.
    pub tools: Vec<Tool>,
    /// The prompts, sorted by name.
    pub prompts: Vec<Prompt>,
    /// What is passed on of other servers beside their tools; of a project, what somebody has accepted of it.
    pub offered: Vec<Offered>,
    /// The hash of all that callers rely on.
    pub contract: String,
    /// The files that need no folder.
    pub embedded: Arc<Embedded>,
}

/// An application whose data was looked at.
pub struct Opened {
    /// What runs the tools that fit the data.
    pub engine: Engine,
    /// The tools that do not.
    pub quarantined: Vec<Quarantined>,
    /// What else is not as it was, and breaks nothing.
    pub notes: Vec<String>,
}

impl Application {
    /// That of a project that was compiled just now. What of other servers nobody has accepted is left out.
    pub fn of_project(
        workspace: &Workspace,
        tools: Vec<Tool>,
        (prompts, offered): (Vec<Prompt>, Vec<Offered>),
    ) -> Application {
        Application {
            dir: workspace.dir.clone(),
            log_dir: workspace.dir.clone(),
            file: workspace.project.file.clone(),
            catalog: workspace.project.catalog.clone(),
            contract: contract::contract_hash(&tools, &prompts, &offered),
            tools,
            prompts,
            offered: workspace.accepted_offers(offered).0,
            embedded: Arc::default(),
        }
    }

    /// That of an executable, over the data below a folder, with the variables of the environment that it is started in.
    ///
    /// Errors: what is wrong with them.
    pub fn of_bundle(bundle: Bundle, dir: PathBuf, variables: Variables<'_>) -> Result<Application, Vec<VariableFlaw>> {
        let Bundle { manifest, file, tools, prompts, offered, catalog, files } = bundle;
        let mut file = file.with_variables(variables)?;
        // A root that is not there has no tables: those that lie below it will say so.
        file.roots.retain(|root| dir.join(root).is_dir());
        let embedded = files.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
        let contract = manifest.contract;
        // The data may be read-only; where a server is started it writes.
        let log_dir = PathBuf::from(".");
        let embedded = Arc::new(embedded);
        Ok(Application { dir, log_dir, file, catalog, tools, prompts, offered, contract, embedded })
    }

    /// Whether a table lies in files that are not in the executable.
    pub fn needs_data(&self) -> bool {
        let is_read = |name: &&String| self.tools.iter().any(|tool| tool.contract.tables.contains(name));
        let mut read = self.file.tables.keys().filter(is_read).filter_map(|name| self.file.local_path(name));
        let mut asked = self.tools.iter().filter_map(|tool| self.file.sources.get(tool.source()?)?.local_path());
        read.any(|path| !self.embedded.contains_key(path)) || asked.next().is_some()
    }

    /// What clients are told of the server itself.
    pub fn info(&self) -> ServerInfo {
        ServerInfo {
            name: self.file.name.clone(),
            version: self.file.version.clone().unwrap_or_else(|| "0.0.0".to_owned()),
            description: self.file.description.clone(),
            icons: self.file.icons.clone(),
            contract: self.contract.clone(),
        }
    }

    /// What is not as it was compiled for. A key that the project declares holds by its author's word.
    fn changes(&self, now: &Catalog) -> Vec<ColumnChange> {
        let is_declared = |table: &str| self.file.tables.get(table).is_some_and(|one| !one.primary_key().is_empty());
        let mut changes = drift::changes(&self.catalog, now);
        changes.retain(|change| change.difference != Difference::NoKey || !is_declared(&change.table));
        changes
    }

    /// Whether a table has not the key that was locked, which no schema tells.
    pub(super) fn lacks_a_key(&self, tables: &Tables) -> bool {
        self.changes(&tables.catalog()).iter().any(|change| change.difference == Difference::NoKey)
    }

    /// Opens the tables that these tools read, and takes out of service the tools that the data no longer fits.
    pub async fn open(&self, tools: &[Tool]) -> Opened {
        let (opened, missing) = self.open_what_can_be(tables::read_by(tools)).await;
        let now = opened.catalog();
        let changes = self.changes(&now);
        let broken = drift::broken(tools, &self.catalog, &now, &changes);
        let breaks = |tool: &Tool| {
            let unreadable = missing.iter().find(|error| tool.contract.tables.contains(&error.table));
            // Where a file lies is nothing for an agent.
            let unreadable = unreadable.map(|error| format!("its table `{}` cannot be read", error.table));
            let change = || broken.iter().find(|one| one.tool == tool.contract.name).map(|one| one.change.words());
            unreadable.or_else(change).map(|reason| Quarantined { tool: tool.contract.name.clone(), reason })
        };
        let quarantined: Vec<Quarantined> = tools.iter().filter_map(breaks).collect();
        let mut notes: Vec<String> =
            missing.iter().map(|error| format!("table `{}`: {}", error.table, error.error.message())).collect();
        if !missing.is_empty() {
            notes.push("`--data-dir DIR` says where the tables are".to_owned());
        }
        let is_harmless = |change: &&drift::ColumnChange| !broken.iter().any(|one| one.change == **change);
        notes.extend(changes.iter().filter(is_harmless).map(|change| format!("{}; no tool minds", change.words())));
        let is_fine = |tool: &&Tool| !quarantined.iter().any(|one| one.tool == tool.contract.name);
        let engine = Engine::prepare(opened, tools.iter().filter(is_fine).cloned().collect());
        Opened { engine, quarantined, notes }
    }

    /// Opens those of the named tables that can be read, whatever is locked of them; the others, with the reason.
    async fn open_what_can_be(&self, mut names: Vec<&str>) -> (Tables, Vec<OpenError>) {
        let mut locked = self.catalog.clone();
        let mut missing: Vec<OpenError> = Vec::new();
        loop {
            match Tables::open_with(&self.dir, &self.file, &locked, &names, &self.embedded).await {
                Ok(tables) => return (tables, missing),
                Err(errors) => {
                    for error in errors {
                        // The data may be readable, and not as it was: then it tells its schema itself.
                        if locked.tables.shift_remove(&error.table).is_none() {
                            names.retain(|name| *name != error.table);
                            missing.push(error);
                        }
                    }
                }
            }
        }
    }
}
