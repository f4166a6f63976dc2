//! Records that lie in a database, for the commands over them: they are read and written as calls are.

use super::call::ended;
use super::workspace::{self, Data, block_on};
use super::{Global, Outcome, terminal};
use crate::engine::Engine;
use crate::engine::error::CallError;
use crate::project::RecordsConfig;
use crate::records::change::{Record, Records, Refused};
use crate::records::folder::{HISTORY, RECORDS};
use crate::records::history::{self, Event};
use crate::records::lines::lines_of_records;
use crate::tool::Tool;
use std::path::PathBuf;
use tempfile::TempDir;

/// Records as a folder has them, for as long as this is there.
pub(super) struct Copied {
    folder: TempDir,
}

impl Copied {
    /// The folder.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().to_path_buf()
    }
}

/// Copies records, and what was done to them, into a folder.
pub(super) fn copied(global: &Global, (name, config): (&str, &RecordsConfig)) -> Result<Copied, Outcome> {
    let records = name.to_owned();
    let read = with_engine(global, (name, config), async move |engine| engine.stored_records(&records).await)?;
    let (records, events): (Vec<Record>, Vec<Event>) = read.unwrap_or_default();
    let written = || {
        let folder = tempfile::Builder::new().prefix("qtool-records-").tempdir()?;
        std::fs::write(folder.path().join(RECORDS), lines_of_records(&records))?;
        std::fs::write(folder.path().join(HISTORY), history::lines(&events))?;
        Ok(Copied { folder })
    };
    written().map_err(|error: std::io::Error| {
        terminal::error(&format!("there is no place for a copy of the records: {error}"), &[]);
        Outcome::CouldNotRun
    })
}

/// Writes those of many records that fit the contract: how many are new, how many were there, and what is wrong with the others.
pub(super) fn import(
    global: &Global,
    (name, config): (&str, &RecordsConfig),
    sent: Vec<Record>,
    (actor, at, is_dry): (&str, &str, bool),
) -> Result<((usize, usize), Vec<Refused>), Outcome> {
    let (records, actor, at) = (name.to_owned(), actor.to_owned(), at.to_owned());
    let written = with_engine(global, (name, config), async move |engine| {
        engine.import_records(&records, &sent, (&actor, &at, is_dry)).await
    });
    Ok(written?.unwrap_or_default())
}

/// Writes records and what was done to them into tables that have none.
pub(super) fn load(
    global: &Global,
    (name, config): (&str, &RecordsConfig),
    records: Records,
    events: Vec<Event>,
) -> Result<(), Outcome> {
    let table = name.to_owned();
    with_engine(global, (name, config), async move |engine| engine.load_records(&table, &records, &events).await)?;
    Ok(())
}

/// Does something with what runs the tools over some records.
fn with_engine<T: Send + 'static, F: Future<Output = Result<Option<T>, CallError>> + Send>(
    global: &Global,
    (name, config): (&str, &RecordsConfig),
    work: impl FnOnce(Engine) -> F + Send + 'static,
) -> Result<Option<T>, Outcome> {
    let workspace = workspace::open(global, Data::MayBeRead)?;
    let names: Vec<String> = config.tool_names(name).collect();
    let compiled = workspace.compile();
    let is_over = |tool: &&Tool| tool.record_set().is_some() && names.contains(&tool.contract.name);
    let Some(tool) = compiled.tools.iter().find(is_over).cloned() else {
        workspace::print(&compiled.diagnostics, &workspace.project.sources);
        terminal::error(&format!("there is no tool over the records `{name}`, and they are read by one"), &[]);
        return Err(Outcome::CouldNotRun);
    };
    ended(block_on(async move {
        let engine = workspace::engine(&workspace, vec![tool]).await?;
        Ok(work(engine).await)
    }))
}
