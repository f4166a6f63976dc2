//! `qtool lock`

use super::workspace::{self, Data, block_on, count};
use super::{Global, Outcome, terminal};
use crate::diagnostic::render::{Format, render};

/// Read the tables' schemas, the allowed values of queries and the columns of statements from the data again and lock them
#[derive(clap::Args)]
pub(super) struct Lock {
    /// The tables, with the queries of allowed values over them [default: all]
    tables: Vec<String>,
}

impl Lock {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let mut workspace = match workspace::open(global, Data::MayBeRead) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let known = &workspace.project.file.tables;
        if let Some(unknown) = self.tables.iter().find(|table| !known.contains_key(*table)) {
            terminal::error(&format!("there is no table `{unknown}`"), &[]);
            return Outcome::CouldNotRun;
        }
        let is_all = self.tables.is_empty();
        let names: Vec<String> = if self.tables.is_empty() { known.keys().cloned().collect() } else { self.tables };
        let relocking = block_on(async move {
            let relocked = workspace.relock(&names, terminal::progress).await;
            let values = workspace.relock_values(&names, terminal::progress).await;
            let statements = if is_all { workspace.relock_statements(terminal::progress).await } else { Vec::new() };
            (workspace, names, relocked, [values, statements].concat())
        });
        let Some((workspace, names, relocked, values)) = relocking else {
            terminal::error("the tables' reader failed", &[]);
            return Outcome::CouldNotRun;
        };
        for name in names.iter().filter(|name| !relocked.unreadable.contains(name)) {
            let what = if relocked.changed.contains(name) { "changed" } else { "unchanged" };
            terminal::out(&format!("{name}: {what}\n"));
        }
        for (name, changed) in values {
            terminal::out(&format!("{name}: {}\n", if changed { "changed" } else { "unchanged" }));
        }
        let compilation = workspace.compile();
        for name in &relocked.unreadable {
            let readers = compilation.tools.iter().filter(|tool| tool.contract.tables.contains(name));
            let readers: Vec<&str> = readers.map(|tool| tool.contract.name.as_str()).collect();
            // Without a schema, the tools over it are none.
            let what = match workspace.project.catalog.tables.contains_key(name) {
                true => breaks(&readers),
                false => "and was never locked: no query over it compiles".to_owned(),
            };
            terminal::out(&format!("{name}: cannot be read, {what}\n"));
        }
        terminal::err(&render(&compilation.diagnostics, &workspace.project.sources, Format::Text, true));
        if compilation.errors > 0 { Outcome::Problems } else { Outcome::Fine }
    }
}

/// Which tools a table breaks that cannot be read.
fn breaks(tools: &[&str]) -> String {
    match tools {
        [] => "which breaks no tool".to_owned(),
        tools => format!("which breaks {}: {}", count(tools.len(), "tool"), tools.join(", ")),
    }
}
