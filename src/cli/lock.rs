//! `qtool lock`

use super::workspace::{self, block_on, count};
use super::{Global, Outcome, terminal};
use crate::diagnostic::render::{Format, render};
use crate::workspace::{Locking, Relisted, Relocked, Workspace};

/// Read the tables' schemas, the allowed values of queries, the columns of statements, what functions and programs take, and the tools
/// of other servers again and lock them
#[derive(clap::Args)]
pub(super) struct Lock {
    /// The tables, with the queries of allowed values over them, and the other servers [default: all]
    tables: Vec<String>,
}

impl Lock {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let loaded = workspace::find(global).and_then(|dir| workspace::load_files(&dir).map_err(workspace::not_loaded));
        let mut workspace = match loaded {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let is_all = self.tables.is_empty();
        let locking = block_on(async move {
            let relisted = if is_all { workspace.relist(terminal::progress).await } else { Relisted::default() };
            let file = &workspace.project.file;
            let is_server = |name: &String| file.upstreams.contains_key(name) && !file.tables.contains_key(name);
            let (servers, tables): (Vec<String>, Vec<String>) = self.tables.into_iter().partition(is_server);
            if let Some(unknown) = tables.iter().find(|table| !file.tables.contains_key(*table)) {
                terminal::error(&format!("there is no table `{unknown}`, and no server of that name"), &[]);
                return None;
            }
            let names: Vec<String> = if is_all { file.tables.keys().cloned().collect() } else { tables };
            let servers = if is_all { file.upstreams.keys().cloned().collect() } else { servers };
            let relocked = workspace.relock(&names, terminal::progress).await;
            let values = workspace.relock_values(&names, terminal::progress).await;
            let statements = if is_all { workspace.relock_statements(terminal::progress).await } else { Vec::new() };
            let functions = if is_all { workspace.relock_signatures(terminal::progress).await } else { Vec::new() };
            let upstreams = workspace.relock_upstreams(servers, terminal::progress).await;
            // What was not asked for, and was never locked.
            workspace.read_data(Locking::Write, terminal::progress).await;
            Some((workspace, names, relisted, relocked, ([values, statements, functions].concat(), upstreams)))
        });
        let Some(locked) = locking else {
            terminal::error("the tables' reader failed", &[]);
            return Outcome::CouldNotRun;
        };
        let Some((workspace, names, relisted, relocked, (values, upstreams))) = locked else {
            return Outcome::CouldNotRun;
        };
        tell_locks(&workspace, &names, &relocked);
        let others = if is_all { workspace.remove_other_statements() } else { Vec::new() };
        for name in relisted.gone.iter().chain(&others) {
            terminal::out(&format!("{name}: gone, and its lock with it\n"));
        }
        for (name, changed) in values {
            terminal::out(&format!("{name}: {}\n", if changed { "changed" } else { "unchanged" }));
        }
        for (name, what) in upstreams {
            terminal::out(&format!("{name}: {what}\n"));
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
        let unaccepted = workspace.unaccepted(&compilation.tools);
        if !unaccepted.is_empty() {
            let tools = count(unaccepted.len(), "tool");
            terminal::out(&format!(
                "{tools} of other servers out of service until `qtool review` accepts what they say\n"
            ));
        }
        let offers = workspace.accepted_offers(compilation.offered.clone()).1;
        if !offers.is_empty() {
            terminal::out(&format!("out of service until `qtool review` accepts it: {}\n", offers.join(", ")));
        }
        terminal::err(&render(&compilation.diagnostics, &workspace.project.sources, Format::Text, true));
        if compilation.errors > 0 { Outcome::Problems } else { Outcome::Fine }
    }
}

/// Says what became of the locks of tables.
fn tell_locks(workspace: &Workspace, names: &[String], relocked: &Relocked) {
    let is_there = |name: &&String| workspace.project.file.tables.contains_key(*name);
    for name in names.iter().filter(is_there).filter(|name| !relocked.unreadable.contains(name)) {
        let what = match (relocked.new.contains(name), relocked.changed.contains(name)) {
            (true, _) => "new",
            (false, true) => "changed",
            (false, false) => "unchanged",
        };
        terminal::out(&format!("{name}: {what}\n"));
    }
}

/// Which tools a table breaks that cannot be read.
fn breaks(tools: &[&str]) -> String {
    match tools {
        [] => "which breaks no tool".to_owned(),
        tools => format!("which breaks {}: {}", count(tools.len(), "tool"), tools.join(", ")),
    }
}
