//! Databases of cases. They are committed as statements: `data/shop.sqlite.dump` becomes `data/shop.sqlite`, and
//! `data/shop.postgres.dump` and `data/shop.mysql.dump` are run in the servers.

use std::path::{Path, PathBuf};

/// The database that a file of statements becomes; `None` of any other file.
pub(crate) fn of_dump(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?.strip_suffix(".dump")?;
    name.ends_with(".sqlite").then(|| file.with_file_name(name))
}

/// Whether a file holds statements for PostgreSQL.
pub(crate) fn is_for_postgres(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".postgres.dump")
}

/// Whether a file holds statements for MySQL.
pub(crate) fn is_for_mysql(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".mysql.dump")
}

/// Makes a database of statements.
pub(crate) fn make(statements: &str, database: &Path) -> std::io::Result<()> {
    let connection = rusqlite::Connection::open(database).map_err(std::io::Error::other)?;
    // What they hold may be wrong on purpose.
    connection.execute_batch("PRAGMA foreign_keys = OFF;").map_err(std::io::Error::other)?;
    connection.execute_batch(statements).map_err(std::io::Error::other)?;
    connection.close().map_err(|(_, error)| std::io::Error::other(error))
}
