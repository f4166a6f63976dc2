//! The queries of TPC-H give over tables of a database what they give over files.

use super::{Compiled, quoted, told};
use crate::cases::block_on;
use crate::tpch::{self, Expected};
use qtool::project::TableSource;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Rows of one statement that writes them.
const AT_ONCE: usize = 500;

/// A table, with the words of both databases for its columns.
struct Table {
    name: String,
    columns: Vec<(String, String)>,
    key: Vec<String>,
}

impl Table {
    fn of_project(name: &str, source: &TableSource) -> Table {
        let columns = source.columns().iter();
        let columns = columns.map(|(name, column)| (name.clone(), column.ty().unwrap_or("text").to_owned())).collect();
        Table { name: name.to_owned(), columns, key: source.primary_key().to_vec() }
    }

    /// What makes it.
    fn made(&self) -> String {
        let columns: Vec<String> = self.columns.iter().map(|(name, ty)| format!("{name} {ty} NOT NULL")).collect();
        format!("CREATE TABLE {} ({}, PRIMARY KEY ({}));\n", self.name, columns.join(", "), self.key.join(", "))
    }

    /// What writes some rows into it, on a server.
    fn filled(&self, rows: &[csv::StringRecord]) -> String {
        let row = |row: &csv::StringRecord| {
            let values: Vec<String> = row.iter().map(|value| quoted(value, '\'')).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        format!("INSERT INTO {} VALUES {};\n", self.name, rows.join(",\n"))
    }

    /// Its rows in a file of the proof over files.
    fn rows(&self, dir: &Path) -> Result<Vec<csv::StringRecord>, Box<dyn Error>> {
        let mut reader = csv::Reader::from_path(dir.join(format!("data/{}.csv", self.name)))?;
        Ok(reader.records().collect::<Result<_, _>>()?)
    }
}

/// Over SQLite.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let project = project_over_sqlite(folder.path())?;
    compare_with(folder.path(), &project)
}

/// Writes the tables into a file of SQLite; the project over it.
pub(super) fn project_over_sqlite(dir: &Path) -> Result<String, Box<dyn Error>> {
    let files = tpch::files()?;
    std::fs::create_dir_all(dir.join("data"))?;
    let connection = rusqlite::Connection::open(dir.join("data/tpch.sqlite"))?;
    connection.execute_batch("BEGIN")?;
    for table in tables()? {
        connection.execute_batch(&table.made())?;
        let places = vec!["?"; table.columns.len()].join(", ");
        let mut insert = connection.prepare(&format!("INSERT INTO {} VALUES ({places})", table.name))?;
        for row in table.rows(files)? {
            insert.execute(rusqlite::params_from_iter(row.iter()))?;
        }
    }
    connection.execute_batch("COMMIT")?;
    project_of("type: sqlite, path: data/tpch.sqlite", "")
}

/// Over PostgreSQL.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    compare_with(folder.path(), &project_over_postgres("tpch")?)
}

/// Writes the tables into a schema of PostgreSQL; the project over it.
pub(super) fn project_over_postgres(schema: &str) -> Result<String, Box<dyn Error>> {
    let files = tpch::files()?;
    let mut statements =
        format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path = {schema};\n");
    for table in tables()? {
        statements.push_str(&table.made());
        for rows in table.rows(files)?.chunks(AT_ONCE) {
            statements.push_str(&table.filled(rows));
        }
        statements.push_str(&format!("ANALYZE {};\n", table.name));
    }
    crate::servers::run_in_postgres(&statements)?;
    project_of("type: postgres, url_env: QTOOL_TEST_POSTGRES", &format!("{schema}."))
}

/// Over MariaDB.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let (files, folder) = (tpch::files()?, tempfile::tempdir()?);
    crate::servers::run_in_mariadb("DROP DATABASE IF EXISTS tpch; CREATE DATABASE tpch CHARACTER SET utf8mb4")?;
    for table in tables()? {
        let mut statements = format!("USE tpch; {}", table.made());
        for rows in table.rows(files)?.chunks(AT_ONCE) {
            statements.push_str(&table.filled(rows));
        }
        statements.push_str(&format!("ANALYZE TABLE {}", table.name));
        crate::servers::run_in_mariadb(&statements)?;
    }
    compare(folder.path(), "type: mysql, url_env: QTOOL_TEST_MARIADB", "tpch.")
}

fn tables() -> Result<Vec<Table>, Box<dyn Error>> {
    let tables = &tpch::project()?.file.tables;
    Ok(tables.iter().map(|(name, source)| Table::of_project(name, source)).collect())
}

/// A project over tables of a database.
fn project_of(source: &str, schema: &str) -> Result<String, Box<dyn Error>> {
    let mut project =
        format!("name: tpch\ndefaults: {{ result_limit: none }}\nsources: {{ tpch: {{ {source} }} }}\ntables:\n");
    for table in tables()? {
        let name = &table.name;
        let columns: Vec<String> = table.columns.iter().map(|(name, ty)| format!("{name}: \"{ty}\"")).collect();
        let columns = columns.join(", ");
        project.push_str(&format!("  {name}: {{ source: tpch, table: {schema}{name}, columns: {{ {columns} }} }}\n"));
    }
    Ok(project)
}

fn compare(dir: &Path, source: &str, schema: &str) -> crate::Outcome {
    compare_with(dir, &project_of(source, schema)?)
}

/// Asks all queries over both.
fn compare_with(dir: &Path, project: &str) -> crate::Outcome {
    let queries = tpch::queries()?;
    let texts = queries.iter().map(|(name, sql, _)| (name.clone(), sql.clone()));
    let engine = Compiled::whole(dir, project, texts)?.engine()?;
    let (mut problems, mut slowest) = (Vec::new(), (0, String::new()));
    for (name, _, Expected { arguments, .. }) in &queries {
        let wanted = block_on(tpch::rows_of_files(name.clone()))?;
        let (engine, tool, sent) = (Arc::clone(&engine), name.clone(), arguments.clone());
        let began = Instant::now();
        let found = block_on(async move { engine.call(&tool, &sent).await });
        slowest = slowest.max((began.elapsed().as_millis(), name.clone()));
        match found {
            Ok(found) => problems.extend(tpch::compare(&found.rows, &wanted).err().map(|why| format!("{name}: {why}"))),
            Err(error) => problems.push(format!("{name}: {} {:?}", error.line(), error.detail)),
        }
    }
    told(&format!("TPC-H over a database: {} queries, the slowest is {slowest:?} ms", queries.len()));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n").into()) }
}
