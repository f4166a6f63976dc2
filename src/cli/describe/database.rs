//! What a database has, whether its tables are some of the project or not.

use super::super::workspace::{self, Data, block_on, count};
use super::super::{Global, Outcome, terminal};
use super::aligned;
use crate::engine::{Surveyed, SurveyedColumn, SurveyedKind, survey_database};
use crate::name::nearest;
use crate::project::{ProjectFile, TableSource};
use crate::workspace::Workspace;

/// Asks the database. Nothing that is locked is needed.
pub(super) fn describe_source(global: &Global, source: &str, table: Option<&str>) -> Result<Outcome, Outcome> {
    let workspace = workspace::open(global, Data::Untouched)?;
    let tables = surveyed(&workspace, source)?;
    let file = &workspace.project.file;
    match table {
        None => terminal::out_data(&listed(&tables, source, file)),
        Some(name) => terminal::out_data(&described(found(&tables, source, name)?, source, file)),
    }
    Ok(Outcome::Fine)
}

/// What the database has that a table of a project may be.
fn surveyed(workspace: &Workspace, source: &str) -> Result<Vec<Surveyed>, Outcome> {
    let sources = &workspace.project.file.sources;
    let Some(config) = sources.get(source).cloned() else {
        let help = match nearest(source, sources.keys().map(String::as_str)) {
            Some(near) => format!("a source with a similar name exists: `{near}`"),
            None if sources.is_empty() => "databases are declared under `sources` in qtool.yaml".to_owned(),
            None => format!("the sources are {}", sources.keys().cloned().collect::<Vec<_>>().join(", ")),
        };
        terminal::error(&format!("there is no source `{source}`"), &[help.as_str()]);
        return Err(Outcome::CouldNotRun);
    };
    let (dir, roots, name) = (workspace.dir.clone(), workspace.project.file.roots.clone(), source.to_owned());
    let surveyed = block_on(async move { survey_database(&dir, &roots, &name, &config).await });
    let failed = |why: &str| {
        terminal::error(why, &[]);
        Outcome::CouldNotRun
    };
    let tables = surveyed.ok_or_else(|| failed("the database's reader failed"))?;
    let tables = tables.map_err(|error| failed(&error.to_string()))?;
    Ok(tables.into_iter().filter(|table| table.kind != SurveyedKind::Shadow).collect())
}

/// A table by its name in the database, or by the one that it has in the project.
fn found<'a>(tables: &'a [Surveyed], source: &str, name: &str) -> Result<&'a Surveyed, Outcome> {
    let titles: Vec<String> = tables.iter().map(Surveyed::title).collect();
    let by_title = tables.iter().zip(&titles).find(|(_, title)| title.eq_ignore_ascii_case(name));
    let found = by_title.map(|(table, _)| table);
    if let Some(table) = found.or_else(|| tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))) {
        return Ok(table);
    }
    let help = match nearest(name, titles.iter().map(String::as_str)) {
        Some(near) => format!("a table with a similar name exists: `{near}`"),
        None => format!("`qtool describe --source {source}` lists its tables"),
    };
    terminal::error(&format!("source `{source}` has no table `{name}`"), &[help.as_str()]);
    Err(Outcome::CouldNotRun)
}

/// The table of the project that a table of the database is.
fn name_here<'a>(table: &Surveyed, source: &str, file: &'a ProjectFile) -> Option<&'a str> {
    let is_it = |(name, known): &(&String, &TableSource)| match known {
        TableSource::Database(database) if database.source == source => {
            let is_schema = |schema: Option<&String>| match (schema, &table.schema) {
                (Some(schema), Some(own)) => schema.eq_ignore_ascii_case(own),
                _ => table.is_in_default_schema(),
            };
            match database.native_name(name).as_slice() {
                [before @ .., there] => there.eq_ignore_ascii_case(&table.name) && is_schema(before.last()),
                [] => false,
            }
        }
        _ => false,
    };
    file.tables.iter().find(is_it).map(|(name, _)| name.as_str())
}

fn kind(table: &Surveyed) -> String {
    match &table.kind {
        SurveyedKind::View => "view".to_owned(),
        SurveyedKind::Virtual(module) => format!("virtual table of {module}"),
        SurveyedKind::Table | SurveyedKind::Shadow => "table".to_owned(),
    }
}

fn listed(tables: &[Surveyed], source: &str, file: &ProjectFile) -> String {
    let row = |table: &Surveyed| {
        let columns = match table.unreadable {
            Some(_) => "cannot be read".to_owned(),
            None => count(table.columns.len(), "column"),
        };
        let rows = table.rows.map(|rows| rows.to_string()).unwrap_or_default();
        let here = name_here(table, source, file).map(|name| format!("here {name}")).unwrap_or_default();
        vec![table.title(), kind(table), columns, rows, here]
    };
    aligned(tables.iter().map(row).collect(), "")
}

fn described(table: &Surveyed, source: &str, file: &ProjectFile) -> String {
    let here = name_here(table, source, file).map(|name| format!(", here {name}")).unwrap_or_default();
    let rows = table.rows.map(|rows| format!(", {rows}")).unwrap_or_default();
    let mut out = format!("{}\na {} of {source}{rows}{here}\n", table.title(), kind(table));
    if let Some(why) = &table.unreadable {
        out.push_str(&format!("\ncannot be read: {why}\n"));
        return out;
    }
    out.push('\n');
    out.push_str(&aligned(table.columns.iter().map(column_line).collect(), "  "));
    let mut keys = Vec::new();
    if !table.key.is_empty() {
        keys.push(format!("primary key: {}", table.key.join(", ")));
    }
    for key in &table.foreign_keys {
        keys.push(format!("{} -> {} {}", key.columns.join(", "), key.table, key.others.join(", ")));
    }
    if !keys.is_empty() {
        out.push_str(&format!("\n{}\n", keys.join("\n")));
    }
    out
}

/// The name of a column, its type there and here, and what is known of its values.
fn column_line(column: &SurveyedColumn) -> Vec<String> {
    let here = column.ty.as_ref().map_or_else(|| "no type".to_owned(), |ty| ty.to_string());
    let proposed = column.proposal.as_ref().filter(|proposal| Some(&proposal.ty) != column.ty.as_ref());
    let mut said = Vec::new();
    said.extend(column.comment.clone());
    if !column.allowed.is_empty() {
        said.push(format!("one of {}", column.allowed.join(", ")));
    }
    said.extend(proposed.map(|proposal| format!("its first rows are {}", proposal.ty)));
    let null = if column.is_not_null { "not null" } else { "" };
    vec![column.name.clone(), column.declared.clone(), here, null.to_owned(), said.join("; ")]
}
