//! Databases of cases. They are committed as statements: `data/shop.sqlite.dump` becomes `data/shop.sqlite`, and
//! `data/setup.postgres.dump` and `data/setup.mysql.dump` are run in the servers. Those of transcripts are databases of their
//! own in the servers, `shop` of `data/shop.postgres.dump`: a project is made of all that is there.

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
    match file.file_name()?.to_str()? {
        "setup.postgres.dump" => Some(servers::run_in_postgres),
        "setup.mysql.dump" => Some(servers::run_in_mariadb),
        _ => None,
    }
}

/// Makes the databases in servers that a transcript has files of. Each is what stands for its address in the steps, and the
/// address.
pub(crate) fn of_transcript(case: &Path) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut made = Vec::new();
    for entry in std::fs::read_dir(case.join("data")).into_iter().flatten().flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let statements = || std::fs::read_to_string(entry.path());
        if let Some(name) = file.strip_suffix(".postgres.dump") {
            made.push(("[postgres]", servers::database_of_postgres(name, &statements()?)?));
        } else if let Some(name) = file.strip_suffix(".mysql.dump") {
            made.push(("[mysql]", servers::database_of_mariadb(name, &statements()?)?));
        }
    }
    Ok(made)
}

/// Makes a database of statements.
pub(crate) fn make(statements: &str, database: &Path) -> std::io::Result<()> {
    let connection = rusqlite::Connection::open(database).map_err(std::io::Error::other)?;
    // What they hold may be wrong on purpose.
    connection.execute_batch("PRAGMA foreign_keys = OFF;").map_err(std::io::Error::other)?;
    connection.execute_batch(statements).map_err(std::io::Error::other)?;
    connection.close().map_err(|(_, error)| std::io::Error::other(error))
}
