//! Databases of cases. They are committed as statements: `data/shop.sqlite.dump` becomes `data/shop.sqlite`, and
//! `data/shop.postgres.dump` and `data/shop.mysql.dump` are run in the servers.

use crate::servers;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The database that a file of statements becomes; `None` of any other file.
pub(crate) fn of_dump(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?.strip_suffix(".dump")?;
    name.ends_with(".sqlite").then(|| file.with_file_name(name))
}

/// Runs statements in a server, as its administrator.
pub(crate) type Run = fn(&str) -> Result<(), Box<dyn Error>>;

/// What runs the statements of a file in the server that they are for; `None` of any other file.
pub(crate) fn server_of(file: &Path) -> Option<Run> {
    match file.file_name()?.to_str()?.strip_suffix(".dump")?.rsplit_once('.')?.1 {
        "postgres" => Some(servers::run_in_postgres),
        "mysql" => Some(servers::run_in_mariadb),
        _ => None,
    }
}

/// Makes a database of statements.
pub(crate) fn make(statements: &str, database: &Path) -> std::io::Result<()> {
    let connection = rusqlite::Connection::open(database).map_err(std::io::Error::other)?;
    // What they hold may be wrong on purpose.
    connection.execute_batch("PRAGMA foreign_keys = OFF;").map_err(std::io::Error::other)?;
    connection.execute_batch(statements).map_err(std::io::Error::other)?;
    connection.close().map_err(|(_, error)| std::io::Error::other(error))
}
