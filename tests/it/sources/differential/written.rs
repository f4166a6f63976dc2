//! Writes the same rows into a database and into Parquet.

use super::super::quoted;
use super::data::{Column, Datum, EVERYWHERE, IN_MARIADB, array, labels};
use super::keys::Keyed;
use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use datafusion::parquet::arrow::ArrowWriter;
use rusqlite::types::Value as Native;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Columns with an index.
const INDEXED: [&str; 11] =
    ["big", "amount", "label", "folded", "trimmed", "day", "moment", "middle", "level", "token", "instant"];

/// Writes the rows into SQLite and into Parquet, with the tables that they are joined with.
pub(super) fn write(dir: &Path, rows: &[Vec<Datum>], keyed: &[Keyed]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let connection = rusqlite::Connection::open(dir.join("data/rows.sqlite"))?;
    let columns: Vec<String> = EVERYWHERE.iter().map(|column| format!("{} {}", column.name, column.declared)).collect();
    connection.execute_batch(&format!("BEGIN; CREATE TABLE Rows (id INTEGER PRIMARY KEY, {});", columns.join(", ")))?;
    for indexed in INDEXED {
        connection.execute_batch(&format!("CREATE INDEX By_{indexed} ON Rows ({indexed});"))?;
    }
    let places: Vec<String> = (1..=EVERYWHERE.len() + 1).map(|place| format!("?{place}")).collect();
    let insert = format!("INSERT INTO Rows VALUES ({})", places.join(", "));
    for (id, row) in rows.iter().enumerate() {
        let values = row.iter().map(|value| value.native(id));
        let values = std::iter::once(Native::Integer(id as i64)).chain(values);
        connection.execute(&insert, rusqlite::params_from_iter(values))?;
    }
    for table in keyed {
        table.write_sqlite(&connection)?;
    }
    connection.execute_batch("COMMIT")?;
    write_parquet(dir, (EVERYWHERE, rows), keyed)
}

/// Writes the rows into PostgreSQL and into Parquet. What no text can hold there is left out of both.
pub(super) fn write_served(dir: &Path, rows: &mut [Vec<Datum>], keyed: &[Keyed]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    for row in rows.iter_mut() {
        for (column, value) in EVERYWHERE.iter().zip(row) {
            if let Datum::Text(text) = value {
                text.retain(|c| c != '\0');
                // Blanks at the end of a `char` are none of its value.
                if column.name == "loose" {
                    text.truncate(text.trim_end_matches(' ').len());
                }
            }
        }
    }
    let columns: Vec<String> = EVERYWHERE.iter().map(|column| format!("{} {}", column.name, column.served())).collect();
    let mut statements = format!(
        "DROP SCHEMA IF EXISTS differential CASCADE; CREATE SCHEMA differential; \
         CREATE COLLATION differential.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
         CREATE TYPE differential.level AS ENUM ({}); \
         CREATE TABLE differential.rows (id bigint PRIMARY KEY, {});",
        labels("level").iter().map(|label| quoted(label, '\'')).collect::<Vec<_>>().join(", "),
        columns.join(", ")
    );
    for indexed in INDEXED {
        statements.push_str(&format!("CREATE INDEX ON differential.rows ({indexed});"));
    }
    for (id, row) in rows.iter().enumerate() {
        let values: Vec<String> = row.iter().map(Datum::served).collect();
        statements.push_str(&format!("INSERT INTO differential.rows VALUES ({id}, {});\n", values.join(", ")));
    }
    keyed.iter().for_each(|table| statements.push_str(&table.statements()));
    crate::servers::run_in_postgres(&statements)?;
    write_parquet(dir, (EVERYWHERE, rows), keyed)
}

/// Writes the rows into MariaDB and into Parquet. What cannot be held there is another value in both: numbers without end, and
/// blanks at the end of a `char`.
pub(super) fn write_served_by_mariadb(
    dir: &Path,
    rows: &mut [Vec<Datum>],
    keyed: &[Keyed],
) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    for row in rows.iter_mut() {
        for (column, value) in IN_MARIADB.iter().zip(row) {
            match value {
                Datum::Double(number) if number.is_infinite() => *number = 1e308_f64.copysign(*number),
                Datum::Text(text) if column.name == "loose" => *text = text.trim_end_matches(' ').to_owned(),
                _ => {}
            }
        }
    }
    let columns: Vec<String> =
        IN_MARIADB.iter().map(|column| format!("{} {}", column.name, column.served_by_mariadb())).collect();
    let mut statements = format!(
        "DROP DATABASE IF EXISTS differential; CREATE DATABASE differential CHARACTER SET utf8mb4; \
         CREATE TABLE differential.rows (id bigint PRIMARY KEY, {});",
        columns.join(", ")
    );
    for indexed in INDEXED {
        let part = if indexed == "trimmed" { "(20)" } else { "" };
        statements.push_str(&format!("CREATE INDEX by_{indexed} ON differential.rows ({indexed}{part});"));
    }
    for (id, row) in rows.iter().enumerate() {
        let values: Vec<String> = row.iter().map(Datum::served_by_mariadb).collect();
        statements.push_str(&format!("INSERT INTO differential.rows VALUES ({id}, {});\n", values.join(", ")));
    }
    keyed.iter().for_each(|table| statements.push_str(&table.statements_of_mariadb()));
    crate::servers::run_in_mariadb(&statements)?;
    write_parquet(dir, (IN_MARIADB, rows), keyed)
}

fn write_parquet(
    dir: &Path,
    (columns, rows): (&[Column], &[Vec<Datum>]),
    keyed: &[Keyed],
) -> Result<(), Box<dyn Error>> {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows.len() as i64));
    let mut arrays = vec![("id", ids)];
    for (at, column) in columns.iter().enumerate() {
        arrays.push((column.name, array(column.kind, rows.iter().map(|row| &row[at]))?));
    }
    let batch =
        RecordBatch::try_from_iter_with_nullable(arrays.into_iter().map(|(name, array)| (name, array, name != "id")))?;
    let file = std::fs::File::create(dir.join("data/rows.parquet"))?;
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    keyed.iter().try_for_each(|table| table.write_parquet(dir))
}
