//! `qtool drift`: whether the data is still what the tools were compiled for.

use super::workspace::{self, Data, Workspace, block_on, count, errors_only};
use super::{Global, Outcome, terminal};
use crate::catalog::Catalog;
use crate::compile::{self, Compilation};
use crate::diagnostic::Diagnostics;
use crate::engine::Tables;
use crate::engine::drift::{Broken, ColumnChange, broken, changes};
use crate::load::{self, Disk};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Compare the locked schemas and allowed values with the data, and name the tools that a difference breaks
#[derive(clap::Args)]
pub(super) struct Drift {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
struct Found {
    unreadable: Vec<Unreadable>,
    changes: Vec<ColumnChange>,
    broken: Vec<Broken>,
    /// Parameters whose allowed values are others.
    values: Vec<OtherValues>,
}

/// What cannot be read.
struct Unreadable {
    /// Whether it is a `table`, or the allowed values of a `parameter`.
    kind: &'static str,
    name: String,
    why: String,
    /// The tools that need it.
    breaks: Vec<String>,
}

/// A parameter's name, the allowed values that are new, and those that are gone.
type OtherValues = (String, Vec<Value>, Vec<Value>);

impl Drift {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let mut workspace = Workspace::open(global, Data::Untouched)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            workspace::print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            return Err(Outcome::Problems);
        }
        let locked = workspace.project.catalog.clone();
        terminal::progress("reading the schemas of the tables");
        let (now, failed) = now(&workspace, &locked)?;
        let changes = changes(&locked, &now);
        let broken = broken(&compilation.tools, &locked, &now, &changes);
        let mut unreadable: Vec<Unreadable> =
            failed.into_iter().map(|(table, why)| unreadable_table(&compilation, &table, why)).collect();
        let values = values(&workspace, &compilation, &mut unreadable)?;
        let found = Found { unreadable, changes, broken, values };
        if self.json {
            terminal::out(&found.json());
        } else {
            found.print();
            if !found.broken.is_empty() {
                // In the compiler's own words, where the query says it.
                workspace.project.catalog = now;
                let Compilation { diagnostics, .. } = compile::compile(&workspace.project, Diagnostics::default());
                workspace::print(&errors_only(&diagnostics), &workspace.project.sources);
            }
        }
        let is_fine = found.broken.is_empty() && found.unreadable.is_empty() && found.values.is_empty();
        Ok(if is_fine && found.changes.is_empty() { Outcome::Fine } else { Outcome::Problems })
    }
}

/// The schemas as the data has them, and the tables that cannot be read.
fn now(workspace: &Workspace, locked: &Catalog) -> Result<(Catalog, Vec<(String, String)>), Outcome> {
    let (dir, file, locked) = (workspace.dir.clone(), workspace.project.file.clone(), locked.clone());
    let read = block_on(async move {
        let (mut now, mut unreadable) = (Catalog::default(), Vec::new());
        for name in locked.tables.keys() {
            let mut opened = Tables::open_whole(&dir, &file, &locked, &[name.as_str()]).await;
            let mut with_lock = Vec::new();
            if let Err(errors) = opened {
                // A schema that does not fit the data any more is no help in reading it.
                opened = Tables::open_whole(&dir, &file, &Catalog::default(), &[name.as_str()]).await;
                with_lock = errors;
            }
            let errors = match opened {
                Ok(tables) => {
                    let is_told = !tables.changes(&locked).is_empty();
                    now.tables.extend(tables.catalog().tables);
                    // Where no column says why calls fail, the error does.
                    if is_told { Vec::new() } else { with_lock }
                }
                Err(errors) => errors,
            };
            unreadable.extend(errors.into_iter().map(|error| (error.table, error.error.message())));
        }
        (now, unreadable)
    });
    read.ok_or_else(|| {
        terminal::error("the tables' reader failed", &[]);
        Outcome::CouldNotRun
    })
}

fn unreadable_table(compilation: &Compilation, table: &str, why: String) -> Unreadable {
    let readers = compilation.tools.iter().filter(|tool| tool.contract.tables.iter().any(|one| one == table));
    Unreadable {
        kind: "table",
        name: table.to_owned(),
        why,
        breaks: readers.map(|tool| tool.contract.name.clone()).collect(),
    }
}

/// The parameters whose allowed values are others than those that are locked. Those that cannot be read go to the others,
/// where no table says why.
fn values(
    workspace: &Workspace,
    compilation: &Compilation,
    unreadable: &mut Vec<Unreadable>,
) -> Result<Vec<OtherValues>, Outcome> {
    let mut found = Vec::new();
    for of in compile::allowed_queries(&workspace.project) {
        let Some(locked) = load::locked_values(&Disk::new(&workspace.dir), &of) else { continue };
        let name = format!("{}.{}", of.name, of.key.1);
        terminal::progress(&format!("reading the allowed values of {name}"));
        let (dir, file, catalog) =
            (workspace.dir.clone(), workspace.project.file.clone(), workspace.project.catalog.clone());
        let is_told = of.tables.iter().any(|table| unreadable.iter().any(|one| one.name == *table));
        let tool = of.name.clone();
        let read = block_on(async move { Tables::read_allowed_values(&dir, &file, &catalog, &of).await });
        let now = match read.unwrap_or_else(|| Err("the query failed inside the engine".to_owned())) {
            Ok(now) => now,
            Err(why) => {
                let breaks = compilation
                    .tools
                    .iter()
                    .filter(|one| one.contract.name == tool)
                    .map(|one| one.contract.name.clone());
                let breaks = breaks.collect();
                unreadable.extend((!is_told).then_some(Unreadable { kind: "parameter", name, why, breaks }));
                continue;
            }
        };
        let missing = |of: &[Value], from: &[Value]| -> Vec<Value> {
            of.iter().filter(|value| !from.contains(value)).cloned().collect()
        };
        let (new, gone) = (missing(&now, &locked), missing(&locked, &now));
        if !new.is_empty() || !gone.is_empty() {
            found.push((name, new, gone));
        }
    }
    Ok(found)
}

/// The most values that a line tells.
const TOLD: usize = 8;

impl Found {
    fn print(&self) {
        for Unreadable { kind, name, why, breaks } in &self.unreadable {
            let breaks = if breaks.is_empty() {
                "it breaks no tool".to_owned()
            } else {
                format!("it breaks {}", breaks.join(", "))
            };
            let what = if *kind == "table" { "table" } else { "the allowed values of" };
            terminal::error(&format!("{what} `{name}` cannot be read: {why}"), &[&breaks]);
        }
        for change in &self.changes {
            let mut tools: Vec<&str> =
                self.broken.iter().filter(|one| one.change == *change).map(|one| one.tool.as_str()).collect();
            tools.dedup();
            match tools.as_slice() {
                [] => terminal::warning(&change.words(), &["no tool minds; `qtool lock` takes it over"]),
                tools => terminal::error(&change.words(), &[&format!("it breaks {}", tools.join(", "))]),
            }
        }
        for (name, new, gone) in &self.values {
            let list = |values: &[Value]| {
                let told: Vec<String> = values.iter().take(TOLD).map(Value::to_string).collect();
                let more = values.len().saturating_sub(TOLD);
                if more > 0 { format!("{} and {more} more", told.join(", ")) } else { told.join(", ") }
            };
            let mut what = Vec::new();
            if !new.is_empty() {
                what.push(format!("{} new", list(new)));
            }
            if !gone.is_empty() {
                what.push(format!("{} gone", list(gone)));
            }
            let message = format!("the allowed values of `{name}` are others: {}", what.join("; "));
            terminal::warning(&message, &["`qtool lock` takes them over"]);
        }
        let unread = self.unreadable.iter().flat_map(|one| &one.breaks);
        let tools: BTreeSet<&String> = self.broken.iter().map(|one| &one.tool).chain(unread).collect();
        let said = match (self.changes.len(), tools.len()) {
            (0, _) if self.unreadable.is_empty() => "the schemas are as locked".to_owned(),
            (changes, tools) => format!("{}, {} broken", count(changes, "change"), count(tools, "tool")),
        };
        terminal::err(&format!("{said}\n"));
    }

    fn json(&self) -> String {
        let changes: Vec<Value> = self
            .changes
            .iter()
            .map(|change| {
                let tools: Vec<&str> =
                    self.broken.iter().filter(|one| one.change == *change).map(|one| one.tool.as_str()).collect();
                json!({"table": change.table, "column": change.column, "change": change.words(), "breaks": tools})
            })
            .collect();
        let unreadable = |one: &Unreadable| json!({one.kind: one.name, "why": one.why, "breaks": one.breaks});
        let unreadable: Vec<Value> = self.unreadable.iter().map(unreadable).collect();
        let values: Vec<Value> =
            self.values.iter().map(|(name, new, gone)| json!({"parameter": name, "new": new, "gone": gone})).collect();
        let all = json!({"unreadable": unreadable, "changes": changes, "allowed_values": values});
        serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
    }
}
