//! `qtool new --from` a database: its tables, with what it says of them, and queries to begin with.

mod entry;
mod left_out;
mod queries;
mod tables;
mod tried;
mod words;

use super::address::Address;
use super::files::{Refused, not_written, refuse_project, write_project};
use crate::catalog::DatabaseKind;
use crate::cli::add::{below_project, yaml};
use crate::cli::workspace::{block_on, count};
use crate::cli::{Outcome, terminal};
use crate::engine::{Surveyed, survey_database, use_address};
use crate::load::write_atomically;
use crate::name::{is_legal, snake_case};
use crate::project::{MysqlConfig, PostgresConfig, ServerAddress, SourceConfig, SqliteConfig};
use queries::{FirstQuery, first_queries};
use serde_json::json;
use std::path::Path;
use tables::PlannedTable;
use tried::{TriedQueries, tried_queries};

/// How many tables are listed.
const SHOWN: usize = 40;

/// A database that a project is made from.
struct Database {
    /// Its name in `sources`.
    name: String,
    /// What is written there.
    entry: String,
    /// What it is, for people: its path.
    shown: String,
    /// The folder that it lies in, where that is none of the project.
    root: Option<String>,
    /// The same as it was typed.
    typed: String,
    /// What it has.
    tables: Vec<Surveyed>,
    /// What is to be done in a shell before anything of the project is run.
    before: Option<String>,
}

/// Makes a project in a folder, with the tables of a file of SQLite.
pub(super) fn project_from_sqlite(dir: &Path, file: &Path) -> Result<Outcome, Refused> {
    refuse_project(dir, "name the database under `sources` there, and its tables under `tables`")?;
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let (Some(folder), Some(own)) = (absolute.parent(), absolute.file_name().and_then(|name| name.to_str())) else {
        return Err((format!("`{}` is no file of SQLite", file.display()), vec![]));
    };
    let name = source_name(own);
    let config = SourceConfig::Sqlite(SqliteConfig { path: own.to_owned(), ..SqliteConfig::default() });
    let tables = survey(folder, &name, config)?;
    let path = below_project(dir, &file.to_string_lossy()).map_err(|why| (why.to_string(), vec![]))?;
    let root = path.starts_with("..").then(|| path.rsplit_once('/').map_or("..", |(root, _)| root).to_owned());
    // What was typed is a path, and none with variables in it.
    let entry = format!("{{ type: sqlite, path: {} }}", yaml(&json!(path.replace("${", "$${"))));
    let typed = file.display().to_string();
    project_from_database(dir, Database { name, entry, shown: path, root, typed, tables, before: None })
}

/// Makes a project in a folder, with the tables of a server. Its address goes into no file.
pub(super) fn project_from_server(dir: &Path, kind: DatabaseKind, address: &Address) -> Result<Outcome, Refused> {
    refuse_project(dir, "name the database under `sources` there, and its tables under `tables`")?;
    let name = source_name(address.database());
    let variable = format!("{}_URL", name.to_ascii_uppercase());
    use_address(&variable, address.secret());
    let own = ServerAddress::of_variable(&variable);
    let config = match kind {
        DatabaseKind::Mysql => SourceConfig::Mysql(MysqlConfig { address: own, ..MysqlConfig::default() }),
        _ => SourceConfig::Postgres(PostgresConfig { address: own, ..PostgresConfig::default() }),
    };
    // Files that the address names are found from where it was typed.
    let here = std::path::absolute(".").unwrap_or_else(|_| dir.to_path_buf());
    let tables = survey(&here, &name, config)?;
    let is_set = std::env::var(&variable).is_ok_and(|set| set == address.secret());
    let typed = address.told_address();
    project_from_database(
        dir,
        Database {
            entry: format!("{{ type: {}, url_env: {variable} }}", kind.as_str()),
            shown: format!("what the variable {variable} names"),
            root: None,
            typed,
            tables,
            before: (!is_set).then(|| address.export_line(&variable)),
            name,
        },
    )
}

/// What is in a database, asked before anything is written.
fn survey(folder: &Path, name: &str, config: SourceConfig) -> Result<Vec<Surveyed>, Refused> {
    let (folder, name) = (folder.to_path_buf(), name.to_owned());
    let surveyed = block_on(async move { survey_database(&folder, &[], &name, &config).await });
    let surveyed = surveyed.ok_or_else(|| ("the database's reader failed".to_owned(), vec![]))?;
    surveyed.map_err(|error| (error.to_string(), vec![]))
}

/// The name in `sources` of a file: `Chinook_Sqlite.db` is `chinook_sqlite`.
fn source_name(file: &str) -> String {
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or(file);
    let name: String = snake_case(stem).chars().filter(char::is_ascii).take(60).collect();
    match is_legal(&name) {
        true => name,
        false if !name.is_empty() && is_legal(&format!("db_{name}")) => format!("db_{name}"),
        false => "db".to_owned(),
    }
}

fn project_from_database(dir: &Path, database: Database) -> Result<Outcome, Refused> {
    let (planned, mut left_out) = tables::planned_tables(database.tables);
    if planned.is_empty() {
        let why = left_out.lines().iter().map(|line| format!("left out {line}")).collect();
        return Err((format!("there are no tables in `{}`", database.typed), why));
    }
    let mut text = format!("sources:\n  {}: {}\ntables:\n", database.name, database.entry);
    for table in &planned {
        text.push_str(&entry::table_entry(&database.name, table));
    }
    let shown = dir.display();
    std::fs::create_dir_all(dir).map_err(|error| not_written(&shown.to_string(), &error))?;
    write_project(dir, database.root.as_deref(), &text)?;
    let is_there = |query: &FirstQuery| dir.join(query.path()).exists();
    let (old, new): (Vec<_>, Vec<_>) = first_queries(&planned).into_iter().partition(is_there);
    for query in old {
        left_out.add_query(&query.name, "there is such a file already");
    }
    let TriedQueries { kept, refused, outcome } = tried_queries(dir, new);
    for (name, why) in refused {
        left_out.add_query(&name, &why);
    }
    for query in &kept {
        let path = query.path();
        write_atomically(&dir.join(&path), query.text.as_bytes()).map_err(|error| not_written(&path, &error))?;
    }
    terminal::out_data(&listed(&database.name, &database.shown, &planned));
    let mut told = String::new();
    for query in &kept {
        told.push_str(&format!("wrote {}\n", query.path()));
    }
    for line in left_out.lines() {
        told.push_str(&format!("left out {line}\n"));
    }
    if !told.is_empty() {
        terminal::out_data(&format!("\n{told}"));
    }
    let mut next: String = kept.iter().map(|query| format!("  qtool {}\n", query.next)).collect();
    if let Some(table) = planned.first().filter(|_| kept.is_empty()) {
        next = format!("  qtool describe {} --sample 5\n", table.name);
    }
    let before = database.before.map(|line| format!("  {line}\n")).unwrap_or_default();
    terminal::out(&format!(
        "\nmade a project in {shown}\n\n  cd {shown}\n{before}  qtool check\n  qtool describe\n{next}"
    ));
    Ok(outcome)
}

/// The tables that were added.
fn listed(source: &str, shown: &str, tables: &[PlannedTable]) -> String {
    let added = count(tables.len(), "table");
    let mut out = format!("added source {source}, of {shown}: {added}\n\n");
    let widest = tables.iter().take(SHOWN).map(|table| table.name.chars().count()).max().unwrap_or(0);
    for table in tables.iter().take(SHOWN) {
        let columns = count(table.columns.len(), "column");
        let rows = table.rows.map(|rows| format!(", {rows}")).unwrap_or_default();
        out.push_str(&format!("  {:widest$}  {columns}{rows}\n", table.name));
    }
    if tables.len() > SHOWN {
        out.push_str(&format!("  and {} more\n", tables.len() - SHOWN));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_by_its_file() {
        for (file, name) in [
            ("Chinook_Sqlite.sqlite", "chinook_sqlite"),
            ("shop.v2.db", "shop"),
            ("2024.db", "db_2024"),
            (".hidden.db", "hidden"),
            ("größe.db", "gre"),
            ("日本.db", "db"),
        ] {
            assert_eq!(source_name(file), name, "{file}");
        }
    }
}
