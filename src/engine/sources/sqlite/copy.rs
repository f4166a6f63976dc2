//! A copy of a file of SQLite, in which tables hold other rows: what tests run statements over that are in its own SQL.

use super::super::fixture_rows::{FixtureCell, FixtureError, FixtureRows};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rusqlite::types::Value as Stored;
use rusqlite::{Connection, OpenFlags, Transaction, params_from_iter};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// What the copy is called in its folder.
pub(super) const COPY: &str = "copy.sqlite";

/// Copies a file, and puts rows in the place of those of its tables. Other tables keep what they have; triggers hear nothing of
/// it. The file is gone with the folder.
///
/// Errors: the file cannot be read or copied, or a row does not fit its table.
pub(super) fn copied(file: &Path, tables: &[FixtureRows]) -> Result<TempDir, FixtureError> {
    let folder = own_folder("qtool-test-").map_err(|error| FixtureError::NoCopy(error.kind().to_string()))?;
    let path = folder.path().join(COPY);
    copy(file, &path)?;
    filled(&mut Connection::open(&path)?, tables)?;
    Ok(folder)
}

/// Makes a file with some tables. It is gone with the folder.
///
/// Errors: it cannot be made.
pub(super) fn made(ddl: &str) -> Result<TempDir, FixtureError> {
    let folder = own_folder("qtool-records-").map_err(|error| FixtureError::NoCopy(error.kind().to_string()))?;
    let file = Connection::open(folder.path().join(COPY))?;
    file.execute_batch(&format!("PRAGMA synchronous = OFF; {ddl}"))?;
    Ok(folder)
}

impl From<rusqlite::Error> for FixtureError {
    fn from(error: rusqlite::Error) -> FixtureError {
        FixtureError::NoCopy(error.to_string())
    }
}

/// A folder that nobody else reads: a copy has what the file has, whatever may be read of that.
fn own_folder(prefix: &str) -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

fn copy(file: &Path, to: &Path) -> rusqlite::Result<()> {
    let from = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    from.execute("VACUUM INTO ?1", [to.to_string_lossy()]).map(drop)
}

fn filled(copy: &mut Connection, tables: &[FixtureRows]) -> Result<(), FixtureError> {
    // Rows of one table may be about rows of another that come later, or never.
    copy.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;")?;
    let transaction = copy.transaction()?;
    let triggers: Vec<(String, String)> = transaction
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, _) in &triggers {
        transaction.execute_batch(&format!("DROP TRIGGER {}", quoted(name)))?;
    }
    for (at, table) in tables.iter().enumerate() {
        transaction.execute(&format!("DELETE FROM {}", quoted(&table.table)), [])?;
        for (row, cells) in table.rows.iter().enumerate() {
            let refused = |error: rusqlite::Error| FixtureError::Row { table: at, row, why: error.to_string() };
            insert(&transaction, &table.table, cells).map_err(refused)?;
        }
    }
    for (_, text) in &triggers {
        transaction.execute_batch(text)?;
    }
    Ok(transaction.commit()?)
}

fn insert(transaction: &Transaction<'_>, table: &str, row: &[FixtureCell]) -> rusqlite::Result<()> {
    let name = quoted(table);
    let columns: Vec<String> = row.iter().map(|cell| quoted(&cell.column)).collect();
    let places = vec!["?"; columns.len()].join(", ");
    let text = match columns.is_empty() {
        true => format!("INSERT INTO {name} DEFAULT VALUES"),
        false => format!("INSERT INTO {name} ({}) VALUES ({places})", columns.join(", ")),
    };
    let values = row.iter().map(|cell| stored(&cell.value, cell.is_binary));
    transaction.execute(&text, params_from_iter(values)).map(drop)
}

/// A value as it is written into a column: SQLite makes of it what the column is for.
fn stored(value: &Value, is_binary: bool) -> Stored {
    match value {
        Value::Null => Stored::Null,
        Value::Bool(value) => Stored::Integer((*value).into()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Stored::Integer(number),
            (None, Some(number)) => Stored::Real(number),
            (None, None) => Stored::Text(number.to_string()),
        },
        Value::String(text) if is_binary => match BASE64_STANDARD.decode(text) {
            Ok(bytes) => Stored::Blob(bytes),
            Err(_) => Stored::Text(text.clone()),
        },
        Value::String(text) => Stored::Text(text.clone()),
        nested => Stored::Text(nested.to_string()),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
