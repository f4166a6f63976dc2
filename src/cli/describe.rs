//! `qtool describe`

use super::workspace::{self, Data, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::name::nearest;

/// Describe a table: its columns and their types
#[derive(clap::Args)]
pub(super) struct Describe {
    /// The table's name
    table: String,
}

impl Describe {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let workspace = match workspace::open(global, Data::MayBeRead) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let project = &workspace.project;
        let found = project.catalog.tables.get(&self.table).zip(project.file.tables.get(&self.table));
        let Some((table, source)) = found else {
            print(&errors_only(&workspace.compile().diagnostics), &project.sources);
            let names: Vec<&str> = project.catalog.tables.keys().map(String::as_str).collect();
            let help = match nearest(&self.table, names.iter().copied()) {
                Some(near) => format!("a table with a similar name exists: `{near}`"),
                None => format!("the tables are {}", names.join(", ")),
            };
            terminal::error(&format!("there is no table `{}`", self.table), &[help.as_str()]);
            return Outcome::CouldNotRun;
        };
        let mut out = format!("{}\n", self.table);
        if let Some(description) = source.description() {
            out.push_str(&format!("{description}\n"));
        }
        out.push('\n');
        let rows: Vec<(String, String, &str, &str)> = table
            .columns
            .iter()
            .map(|column| {
                let ty = column.ty().map_or_else(|| column.arrow.to_string(), |ty| ty.to_string());
                let null = if column.nullable { "" } else { "not null" };
                let said = source.columns().get(&column.name).and_then(|declared| declared.description());
                (column.name.clone(), ty, null, said.unwrap_or_default())
            })
            .collect();
        let width = |of: fn(&(String, String, &str, &str)) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let (names, types, nulls) =
            (width(|row| row.0.chars().count()), width(|row| row.1.len()), width(|row| row.2.len()));
        for (name, ty, null, said) in &rows {
            let line = format!("  {name:names$}  {ty:types$}  {null:nulls$}  {said}");
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if !source.primary_key().is_empty() {
            out.push_str(&format!("\nprimary key: {}\n", source.primary_key().join(", ")));
        }
        terminal::out(&out);
        Outcome::Fine
    }
}
