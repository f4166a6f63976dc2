//! `qtool drift`: whether the data, and what other servers say, is still what the tools were compiled for.

use super::workspace::{self, Data, block_on, count, errors_only};
use super::{Global, Outcome, terminal};
use crate::catalog::{Catalog, StatementAnswer, StatementColumn, Table};
use crate::compile::{self, Compilation};
use crate::diagnostic::Diagnostics;
use crate::engine::OpenError;
use crate::engine::drift::{Broken, ColumnChange, broken, changes};
use crate::project::{LockedChange, LockedDifference, RefusedStatement};
use crate::workspace::{ListNow, StatementNow, UpstreamNow, ValuesNow, Workspace};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Compare what is locked of data and other servers with what it is now, and name the tools that a difference breaks
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
    /// Queries in a database's own SQL whose columns are others: the name of the query, and how.
    statements: Vec<(String, String)>,
    /// Databases that have other tables.
    lists: Vec<ListNow>,
    /// What of other servers is not what is locked.
    upstreams: Vec<OtherUpstream>,
    /// Whether there are other servers.
    has_servers: bool,
}

/// Something of another server that is not what is locked.
struct OtherUpstream {
    server: String,
    difference: LockedDifference,
    /// The tools that are out of service by it.
    breaks: Vec<String>,
}

/// What cannot be read.
struct Unreadable {
    /// Whether it is a `table`, a `statement`, the allowed values of a `parameter`, or another `server`.
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
        let workspace = workspace::open(global, Data::Untouched)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            workspace::print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            return Err(Outcome::Problems);
        }
        let locked = workspace.project.catalog.clone();
        let (mut workspace, read) = read(workspace)?;
        let Now { schemas: now, unreadable: failed, values: values_now, statements, lists, upstreams } = read;
        let changes = changes(&locked, &now);
        let broken = broken(&compilation.tools, &locked, &now, &changes);
        let mut unreadable: Vec<Unreadable> =
            failed.into_iter().map(|failed| unreadable_table(&compilation, failed)).collect();
        let values = values(&compilation, values_now, &mut unreadable);
        let statements = self::statements(&compilation, statements, &mut unreadable);
        let has_servers = !upstreams.is_empty();
        let upstreams = self::upstreams(&compilation, upstreams, &mut unreadable);
        let found = Found { unreadable, changes, broken, values, statements, lists, upstreams, has_servers };
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
        // What is broken is so by a change.
        Ok(if found.differences() == 0 { Outcome::Fine } else { Outcome::Problems })
    }
}

/// What the data is now.
struct Now {
    schemas: Catalog,
    /// The tables that cannot be read.
    unreadable: Vec<OpenError>,
    /// The allowed values that are locked.
    values: Vec<ValuesNow>,
    /// The queries in a database's own SQL.
    statements: Vec<StatementNow>,
    /// The databases that have other tables than are locked.
    lists: Vec<ListNow>,
    /// The other servers.
    upstreams: Vec<UpstreamNow>,
}

/// Reads the data.
fn read(workspace: Workspace) -> Result<(Workspace, Now), Outcome> {
    terminal::progress("reading the schemas of the tables");
    let read = block_on(async move {
        let (schemas, unreadable) = workspace.schemas_now().await;
        let values = workspace.locked_values_now(terminal::progress).await;
        let statements = workspace.statements_now(terminal::progress).await;
        let lists = workspace.lists_now(terminal::progress).await;
        let upstreams = workspace.upstreams_now(terminal::progress).await;
        (workspace, Now { schemas, unreadable, values, statements, lists, upstreams })
    });
    read.ok_or_else(|| {
        terminal::error("the tables' reader failed", &[]);
        Outcome::CouldNotRun
    })
}

fn unreadable_table(compilation: &Compilation, failed: OpenError) -> Unreadable {
    let readers = compilation.tools.iter().filter(|tool| tool.contract.tables.contains(&failed.table));
    let breaks = readers.map(|tool| tool.contract.name.clone()).collect();
    Unreadable { kind: "table", name: failed.table, why: failed.error.message(), breaks }
}

/// The parameters whose allowed values are others than those that are locked. Those that cannot be read go to the others,
/// where no table says why.
fn values(compilation: &Compilation, all: Vec<ValuesNow>, unreadable: &mut Vec<Unreadable>) -> Vec<OtherValues> {
    let mut found = Vec::new();
    for ValuesNow { name, of, locked, now } in all {
        let is_told = of.tables.iter().any(|table| unreadable.iter().any(|one| one.name == *table));
        let now = match now {
            Ok(now) => now,
            Err(why) => {
                let readers = compilation.tools.iter().filter(|one| one.contract.name == of.name);
                let breaks = readers.map(|one| one.contract.name.clone()).collect();
                unreadable.extend((!is_told).then(|| Unreadable {
                    kind: "parameter",
                    name,
                    why: why.to_string(),
                    breaks,
                }));
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
    found
}

/// The queries in a database's own SQL whose columns are others than those that are locked. Those that cannot be asked about
/// go to the others.
fn statements(
    compilation: &Compilation,
    all: Vec<StatementNow>,
    unreadable: &mut Vec<Unreadable>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for StatementNow { name, locked, now } in all {
        match now {
            Ok(now) => found.extend(statement_difference(&locked, &now).map(|difference| (name, difference))),
            Err(refused) => {
                let why = why(refused);
                let readers = compilation.tools.iter().filter(|one| one.contract.name == name);
                let breaks = readers.map(|one| one.contract.name.clone()).collect();
                unreadable.push(Unreadable { kind: "statement", name, why, breaks });
            }
        }
    }
    found
}

/// What of other servers is not what is locked. Those that cannot be asked go to the others.
fn upstreams(compilation: &Compilation, all: Vec<UpstreamNow>, unreadable: &mut Vec<Unreadable>) -> Vec<OtherUpstream> {
    let broken = |server: &str, tool: Option<&str>| -> Vec<String> {
        let tools = compilation.tools.iter().filter(|one| {
            one.upstream().is_some_and(|call| call.upstream == server && tool.is_none_or(|tool| call.remote == tool))
        });
        tools.map(|one| one.contract.name.clone()).collect()
    };
    let mut found = Vec::new();
    for UpstreamNow { server, now } in all {
        match now {
            Ok(differences) => found.extend(differences.into_iter().map(|difference| {
                let breaks = match (difference.kind, difference.change) {
                    ("tool", LockedChange::Gone | LockedChange::Other) => broken(&server, Some(&difference.name)),
                    _ => Vec::new(),
                };
                OtherUpstream { server: server.clone(), difference, breaks }
            })),
            Err(why) => {
                let breaks = broken(&server, None);
                unreadable.push(Unreadable { kind: "server", name: server, why, breaks });
            }
        }
    }
    found
}

/// Why a database gives no answer.
fn why(refused: RefusedStatement) -> String {
    match refused {
        RefusedStatement::Statement { why, .. } | RefusedStatement::Choices(why) | RefusedStatement::Source(why) => why,
        RefusedStatement::Columns(columns) => {
            let told =
                columns.iter().map(|one| format!("column `{}` is of type {}, which is not read", one.name, one.ty));
            told.collect::<Vec<_>>().join("; ")
        }
    }
}

/// The first difference between two answers, in words.
fn statement_difference(locked: &StatementAnswer, now: &StatementAnswer) -> Option<String> {
    let of_parameters = || {
        let mut pairs = locked.parameters.iter().zip(&now.parameters);
        let (before, after) = pairs.find(|(before, after)| before != after)?;
        let name = &before.column.name;
        Some(match before.column.named() == after.column.named() {
            true if before.labels != after.labels => {
                format!("parameter `{name}` is one of other labels: {}", after.labels.join(", "))
            }
            true => format!("parameter `{name}` is sent as another type"),
            false => format!("parameter `{name}` was {}, and is {}", before.column.named(), after.column.named()),
        })
    };
    column_difference(&locked.columns, &now.columns).or_else(of_parameters)
}

/// The first difference between the columns of two answers, in words.
fn column_difference(locked: &[StatementColumn], now: &[StatementColumn]) -> Option<String> {
    let table = |columns: &[StatementColumn]| Table::of_columns(columns.iter().map(|one| one.column.clone()).collect());
    let difference = table(locked).difference(&table(now));
    let names = |columns: &[StatementColumn]| columns.iter().map(|one| one.column.name.clone()).collect::<Vec<_>>();
    difference.or_else(|| (names(locked) != names(now)).then(|| "its columns are in another order".to_owned()))
}

/// The most values that a line tells.
const TOLD: usize = 8;

impl OtherUpstream {
    fn print(&self) {
        const HELP: &str = "`qtool lock` and `qtool review` show what, and take it over";
        let words = self.difference.words(&self.server);
        match (self.difference.change, self.breaks.as_slice()) {
            (LockedChange::New, _) => terminal::warning(&words, &["`qtool lock` takes it over"]),
            (_, []) => terminal::error(&words, &[HELP]),
            (_, tools) => terminal::error(&words, &[&format!("it is out of service: {}", tools.join(", ")), HELP]),
        }
    }
}

impl Found {
    fn print(&self) {
        for Unreadable { kind, name, why, breaks } in &self.unreadable {
            let breaks = if breaks.is_empty() {
                "it breaks no tool".to_owned()
            } else {
                format!("it breaks {}", breaks.join(", "))
            };
            let what = match *kind {
                "table" => format!("table `{name}` cannot be read"),
                "statement" => format!("the statement of `{name}` cannot be read"),
                "server" => format!("the server `{name}` cannot be asked"),
                _ => format!("the allowed values of `{name}` cannot be read"),
            };
            terminal::error(&format!("{what}: {why}"), &[&breaks]);
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
        for ListNow { source, new } in &self.lists {
            for table in new {
                terminal::warning(
                    &format!("table `{table}` of source `{source}` is new"),
                    &["`qtool lock` takes it over"],
                );
            }
        }
        for (name, difference) in &self.statements {
            let message = format!("the statement of `{name}` gives others than were locked: {difference}");
            terminal::error(&message, &["`qtool lock` takes it over"]);
        }
        self.upstreams.iter().for_each(OtherUpstream::print);
        let of_statements = self.statements.iter().map(|(name, _)| name);
        let of_servers = self.upstreams.iter().flat_map(|one| &one.breaks);
        let unread = self.unreadable.iter().flat_map(|one| &one.breaks).chain(of_statements).chain(of_servers);
        let tools: BTreeSet<&String> = self.broken.iter().map(|one| &one.tool).chain(unread).collect();
        let said = match (self.differences(), tools.len()) {
            (0, _) if self.has_servers => "the schemas and the other servers are as locked".to_owned(),
            (0, _) => "the schemas are as locked".to_owned(),
            (changes, tools) => format!("{}, {} broken", count(changes, "change"), count(tools, "tool")),
        };
        terminal::err(&format!("{said}\n"));
    }

    /// How many things are not as they were locked, each of which is told.
    fn differences(&self) -> usize {
        let of_lists: usize = self.lists.iter().map(|one| one.new.len()).sum();
        self.unreadable.len()
            + self.changes.len()
            + self.values.len()
            + self.statements.len()
            + of_lists
            + self.upstreams.len()
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
        let mut all = json!({"unreadable": unreadable, "changes": changes, "allowed_values": values});
        let statements = self.statements.iter().map(|(name, change)| json!({"statement": name, "change": change}));
        let statements: Vec<Value> = statements.collect();
        if let (Some(all), false) = (all.as_object_mut(), statements.is_empty()) {
            all.insert("statements".to_owned(), statements.into());
        }
        let lists = self.lists.iter();
        let lists = lists.map(|one| json!({"source": one.source, "new": one.new}));
        let lists: Vec<Value> = lists.collect();
        if let (Some(all), false) = (all.as_object_mut(), lists.is_empty()) {
            all.insert("sources".to_owned(), lists.into());
        }
        let upstreams: Vec<Value> = self
            .upstreams
            .iter()
            .map(|OtherUpstream { server, difference, breaks }| {
                let LockedDifference { kind, name, .. } = difference;
                json!({"upstream": server, *kind: name, "change": difference.words(server), "breaks": breaks})
            })
            .collect();
        if let (Some(all), false) = (all.as_object_mut(), upstreams.is_empty()) {
            all.insert("upstreams".to_owned(), upstreams.into());
        }
        serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
    }
}
