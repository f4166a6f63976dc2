//! What `--from` names: a folder of files, or a database.

use super::address::Address;
use super::files::Refused;
use crate::catalog::DatabaseKind;
use crate::load::io_reason;
use crate::name::{holds_secret, nearest};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where the data of a new project lies.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In the files of that folder.
    Folder,
    /// In a file of SQLite.
    Sqlite(PathBuf),
    /// In a server of that kind.
    Server(DatabaseKind, Address),
}

/// What a file of SQLite begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// What stands behind the first eight bytes of a file of DuckDB.
const DUCKDB: &[u8] = b"DUCK";

/// Finds out what is meant. An address may hold a password, and is not repeated.
pub(super) fn origin_of(from: &Path) -> Result<Origin, Refused> {
    let text = from.to_string_lossy();
    let sqlite = text.strip_prefix("sqlite:").map(|path| path.strip_prefix("//").unwrap_or(path));
    if let Some(path) = sqlite {
        return database(Path::new(path));
    }
    if let Some((address, kind)) = from.to_str().and_then(Address::parse) {
        return Ok(Origin::Server(kind, address));
    }
    if text.contains("://") {
        return Err(no_origin());
    }
    match from.metadata() {
        Ok(found) if found.is_dir() => Ok(Origin::Folder),
        Ok(_) if begins_as(from)?.is_database() => database(from),
        Ok(_) => {
            let help = "name the folder that the data lies in; `qtool add table` takes files too".to_owned();
            Err((format!("`{text}` is neither a folder nor a database"), vec![help]))
        }
        // An address that is written wrongly may hold a password too.
        Err(_) if text.contains('@') || holds_secret(&text) => Err(no_origin()),
        Err(_) => {
            Err(missing(from, "folder or database", "name the folder that the data lies in, or a file of SQLite"))
        }
    }
}

/// What is neither. It may hold a password, and is not repeated.
fn no_origin() -> Refused {
    let help = "`--from` takes a folder of files, or a database: `--from sqlite:shop.sqlite`, \
                `--from postgres://reader@db.example/shop`, or `--from mysql://reader@db.example/shop`";
    ("what `--from` names is neither a folder nor a database".to_owned(), vec![help.to_owned()])
}

/// How a file begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Sqlite,
    DuckDb,
    Empty,
    Other,
}

impl Beginning {
    fn is_database(self) -> bool {
        matches!(self, Beginning::Sqlite | Beginning::DuckDb)
    }
}

fn begins_as(file: &Path) -> Result<Beginning, Refused> {
    let mut head = Vec::new();
    let read = std::fs::File::open(file).and_then(|open| open.take(16).read_to_end(&mut head));
    read.map_err(|error| (format!("`{}` cannot be read: {}", file.display(), io_reason(&error)), vec![]))?;
    Ok(match head.as_slice() {
        [] => Beginning::Empty,
        head if head == SQLITE => Beginning::Sqlite,
        head if head.get(8..12) == Some(DUCKDB) => Beginning::DuckDb,
        _ => Beginning::Other,
    })
}

/// A file that is said to be a database.
fn database(file: &Path) -> Result<Origin, Refused> {
    let shown = file.display();
    if file.is_dir() {
        return Err((format!("`{shown}` is a folder, and no file of SQLite"), vec![]));
    }
    if !file.exists() {
        return Err(missing(file, "file", "name a file of SQLite: `--from sqlite:shop.sqlite`"));
    }
    let help = |help: &str| vec![help.to_owned()];
    match begins_as(file)? {
        Beginning::Sqlite => Ok(Origin::Sqlite(file.to_path_buf())),
        Beginning::DuckDb => {
            let write = help("write its tables with `COPY orders TO 'data/orders.parquet'`, and name their folder");
            Err((format!("`{shown}` is a database of DuckDB, which is not read"), write))
        }
        Beginning::Empty => Err((format!("`{shown}` is empty: there are no tables in it"), vec![])),
        Beginning::Other => {
            let help = help("a file of SQLite begins with `SQLite format 3`; one that is encrypted does not");
            Err((format!("`{shown}` is no database of SQLite"), help))
        }
    }
}

/// Nothing is there; what is there has a similar name perhaps.
fn missing(path: &Path, what: &str, otherwise: &str) -> Refused {
    let shown = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let wanted = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let near = nearest(&wanted, names.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("there is `{}`", path.with_file_name(near).display()),
        None => otherwise.to_owned(),
    };
    (format!("there is no {what} `{shown}`"), vec![help])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_repeated() {
        for address in [
            "Postgres://u:geheim@h/db",
            "MySQL://u:geheim@h",
            "sqlserver://u:geheim@h",
            "odd://geheim",
            "postgres//u:geheim@h/db",
            "host=h password=geheim",
        ] {
            let (message, helps) = origin_of(Path::new(address)).unwrap_err();
            assert!(!message.contains("geheim") && !helps.iter().any(|help| help.contains("geheim")), "{message}");
        }
    }

    #[test]
    fn a_database_is_told_by_how_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let shop = file("shop", b"SQLite format 3\0 and more");
        assert_eq!(origin_of(&shop), Ok(Origin::Sqlite(shop.clone())));
        assert_eq!(origin_of(folder.path()), Ok(Origin::Folder));
        let typed = PathBuf::from(format!("sqlite:{}", shop.display()));
        assert_eq!(origin_of(&typed), Ok(Origin::Sqlite(shop)));
        assert!(origin_of(&file("duck.db", b"12345678DUCK1234")).unwrap_err().0.contains("DuckDB"));
        assert!(origin_of(&file("a.csv", b"id,name\n1,a\n")).unwrap_err().0.contains("neither"));
        let (message, helps) = origin_of(&folder.path().join("shpo")).unwrap_err();
        assert!(message.contains("there is no folder or database") && helps[0].ends_with("shop`"), "{helps:?}");
    }
}
