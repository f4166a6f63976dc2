//! `qtool describe`

mod database;
mod personal;
mod statistics;

use super::aligned::aligned;
use super::draft::Draft;
use super::workspace::{self, Data, count, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::catalog::Table;
use crate::name::nearest;
use crate::project::{ResultLimit, TableFormat, TableSource};
use crate::workspace::Workspace;
use std::num::NonZeroU64;

/// Describe a table: its columns and their types; without a name, list the tables
#[derive(clap::Args)]
pub(super) struct Describe {
    /// The table's name [default: list the tables]
    table: Option<String>,
    /// Ask a database of `sources` instead, for all of its tables; TABLE is its name there
    #[arg(long, value_name = "SOURCE", conflicts_with_all = ["sample", "stats"])]
    source: Option<String>,
    /// Show that many rows too
    #[arg(long, value_name = "ROWS", requires = "table", value_parser = rows)]
    sample: Option<NonZeroU64>,
    /// Show how many values every column has, how many different ones, and the smallest and the largest; reads all rows
    #[arg(long, requires = "table")]
    stats: bool,
}

/// Reads a number of rows.
fn rows(text: &str) -> Result<NonZeroU64, &'static str> {
    text.parse().map_err(|_| "expected a number of at least 1")
}

impl Describe {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        if let Some(source) = &self.source {
            return database::describe_source(global, source, self.table.as_deref());
        }
        let workspace = workspace::open(global, Data::MayBeRead)?;
        let Some(name) = &self.table else { return Ok(list(&workspace)) };
        let project = &workspace.project;
        let found = project.catalog.tables.get(name).zip(project.file.tables.get(name));
        let Some((table, source)) = found else {
            let compiled = workspace.compile();
            print(&errors_only(&compiled.diagnostics), &project.sources);
            if compiled.tools.iter().any(|tool| tool.contract.name == *name) {
                let help = format!("`qtool show {name}` says what it takes and returns");
                terminal::error(&format!("`{name}` is a tool, and no table"), &[help.as_str()]);
                return Err(Outcome::CouldNotRun);
            }
            let names: Vec<&str> = project.catalog.tables.keys().map(String::as_str).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(near) => format!("a table with a similar name exists: `{near}`"),
                None => format!("the tables are {}", names.join(", ")),
            };
            terminal::error(&format!("there is no table `{name}`"), &[help.as_str()]);
            return Err(Outcome::CouldNotRun);
        };
        terminal::out_data(&columns(name, table, source));
        if self.stats {
            terminal::out_data(&format!("\n{}", statistics::of_table(global, name, table)?));
            let personal = personal::lines_of_table(global, name, (table, source))?;
            if !personal.is_empty() {
                terminal::out_data(&format!("\n{personal}"));
            }
        }
        if let Some(rows) = self.sample {
            terminal::out_data(&format!("\n{}", sample(global, name, rows)?));
        }
        Ok(Outcome::Fine)
    }
}

/// Lists the tables: how many columns each has, where it lies, and what it is.
fn list(workspace: &Workspace) -> Outcome {
    let project = &workspace.project;
    let problems = errors_only(&workspace.compile().diagnostics);
    let unread = |name: &&String| !project.catalog.tables.contains_key(*name);
    let has_unread = project.file.tables.keys().any(|name| unread(&name));
    if has_unread {
        print(&problems, &project.sources);
    }
    if project.file.tables.is_empty() {
        terminal::err("the project has no tables: `tables` of qtool.yaml says where they lie\n");
    }
    let row = |(name, source): (&String, &TableSource)| {
        let columns = project.catalog.tables.get(name).map(|table| count(table.columns.len(), "column"));
        let said = source.description().and_then(|text| text.trim().lines().next()).unwrap_or_default();
        let columns = columns.unwrap_or_else(|| "cannot be read".to_owned());
        vec![name.clone(), columns, source.place().into_owned(), said.to_owned()]
    };
    terminal::out_data(&aligned(project.file.tables.iter().map(row).collect(), ""));
    if has_unread { Outcome::Problems } else { Outcome::Fine }
}

/// What is known of a table without its rows.
fn columns(name: &str, table: &Table, source: &TableSource) -> String {
    let mut out = format!("{name}\n");
    if let Some(description) = source.description() {
        out.push_str(&format!("{description}\n"));
    }
    out.push('\n');
    let row = |column: &crate::catalog::Column| {
        let ty = column.ty().map_or_else(|| column.arrow.to_string(), |ty| ty.to_string());
        let null = if column.nullable { "" } else { "not null" };
        let said = source.columns().get(&column.name).and_then(|declared| declared.description());
        vec![column.name.clone(), ty, null.to_owned(), said.unwrap_or_default().to_owned()]
    };
    out.push_str(&aligned(table.columns.iter().map(row).collect(), "  "));
    let key = source.known_key(Some(table));
    if !key.is_empty() {
        out.push_str(&format!("\nprimary key: {}\n", key.join(", ")));
    }
    out
}

/// The first rows of a table, as it gives them.
fn sample(global: &Global, name: &str, rows: NonZeroU64) -> Result<String, Outcome> {
    let limit = Some(ResultLimit::Rows(rows.get()));
    let sql = format!("SELECT * FROM {}", quoted(name));
    let mut result = Draft::to_look(global, limit)?.compile(&sql)?.rows()?;
    result.rewrite(TableFormat::Markdown);
    for note in &result.notes {
        terminal::err(&format!("{note}\n"));
    }
    Ok(format!("{}\n", result.table().trim_end()))
}

/// A name in SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
