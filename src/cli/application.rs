//! A compiled project, as commands run it: compiled just now, or out of an executable.

use super::workspace::Workspace;
use super::{Outcome, terminal};
use crate::bundle::{Bundle, contract};
use crate::catalog::Catalog;
use crate::engine::drift;
use crate::engine::tables::Embedded;
use crate::engine::{Engine, OpenError, Tables};
use crate::project::ProjectFile;
use crate::prompts::Prompt;
use crate::serve::Quarantined;
use crate::tool::Tool;
use std::path::PathBuf;
use std::sync::Arc;

/// What is served and called.
#[derive(Clone)]
pub(crate) struct Application {
    /// What the paths of tables are relative to.
    pub(crate) dir: PathBuf,
    /// What the file of the audit is relative to.
    pub(crate) log_dir: PathBuf,
    /// `qtool.yaml`.
    pub(crate) file: ProjectFile,
    /// The schemas that the tools were compiled for.
    pub(crate) catalog: Catalog,
    /// The tools, sorted by name.
    pub(crate) tools: Vec<Tool>,
    /// The prompts, sorted by name.
    pub(crate) prompts: Vec<Prompt>,
    /// The hash of all that callers rely on.
    pub(crate) contract: String,
    /// The files that need no folder.
    pub(crate) embedded: Arc<Embedded>,
}

/// An application whose data was looked at.
pub(crate) struct Opened {
    /// What runs the tools that fit the data.
    pub(crate) engine: Engine,
    /// The tools that do not.
    pub(crate) quarantined: Vec<Quarantined>,
    /// What else is not as it was, and breaks nothing.
    pub(crate) notes: Vec<String>,
}

impl Application {
    /// That of a project that was compiled just now.
    pub(crate) fn of_project(workspace: &Workspace, tools: Vec<Tool>, prompts: Vec<Prompt>) -> Application {
        Application {
            dir: workspace.dir.clone(),
            log_dir: workspace.dir.clone(),
            file: workspace.project.file.clone(),
            catalog: workspace.project.catalog.clone(),
            contract: contract::of(&tools, &prompts),
            tools,
            prompts,
            embedded: Arc::default(),
        }
    }

    /// That of an executable, over the data below a folder.
    pub(crate) fn of_bundle(bundle: Bundle, dir: PathBuf) -> Application {
        let Bundle { manifest, mut file, tools, prompts, catalog, files } = bundle;
        // A root that is not there has no tables: those that lie below it will say so.
        file.roots.retain(|root| dir.join(root).is_dir());
        let embedded = files.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
        let contract = manifest.contract;
        // The data may be read-only; where a server is started it writes.
        let log_dir = PathBuf::from(".");
        Application { dir, log_dir, file, catalog, tools, prompts, contract, embedded: Arc::new(embedded) }
    }

    /// Whether a table lies in files that are not in the executable.
    pub(crate) fn needs_data(&self) -> bool {
        let is_read = |name: &&String| self.tools.iter().any(|tool| tool.contract.tables.contains(name));
        let mut read =
            self.file.tables.iter().filter(|(name, _)| is_read(name)).filter_map(|(_, source)| source.local_path());
        read.any(|path| !self.embedded.contains_key(path))
    }

    /// The tool of that name; that there is none is printed.
    pub(crate) fn tool(&self, name: &str) -> Result<&Tool, Outcome> {
        self.tools.iter().find(|tool| tool.contract.name == name).ok_or_else(|| {
            let help = match crate::name::nearest(name, self.tools.iter().map(|tool| tool.contract.name.as_str())) {
                Some(near) => format!("a tool with a similar name exists: `{near}`"),
                None => "`list` shows the tools".to_owned(),
            };
            terminal::error(&format!("there is no tool `{name}`"), &[help.as_str()]);
            Outcome::CouldNotRun
        })
    }

    /// What runs one tool; why it cannot run is printed.
    pub(crate) async fn engine_of(&self, tool: Tool) -> Result<Engine, Outcome> {
        let Opened { engine, quarantined, notes } = self.open(&[tool]).await;
        match quarantined.first() {
            None => Ok(engine),
            Some(Quarantined { tool, reason }) => {
                // Who is at the terminal may know where files lie.
                let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
                terminal::error(&format!("tool `{tool}` is out of service: {reason}"), &notes);
                Err(Outcome::Problems)
            }
        }
    }

    /// Opens the tables that these tools read, and takes out of service the tools that the data no longer fits.
    pub(crate) async fn open(&self, tools: &[Tool]) -> Opened {
        let mut names: Vec<&str> = tools.iter().flat_map(|tool| &tool.contract.tables).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let mut locked = self.catalog.clone();
        let mut missing: Vec<OpenError> = Vec::new();
        let tables = loop {
            match Tables::open_with(&self.dir, &self.file, &locked, &names, &self.embedded).await {
                Ok(tables) => break tables,
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
        };
        let now = tables.catalog();
        let changes = drift::changes(&self.catalog, &now);
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
        let engine = Engine::prepare(tables, tools.iter().filter(is_fine).cloned().collect());
        Opened { engine, quarantined, notes }
    }
}
