//! The constructors of what is said about databases.

use super::servers::{HIDDEN, server_of_address};
use super::{did_you_mean, invalid_setting, invalid_value, list, meant, missing_key, unknown_key};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::{is_legal, nearest, shown_name, snake_case};
use crate::source::Span;

/// The endings of files of SQLite.
const SQLITE: [&str; 4] = [".sqlite", ".sqlite3", ".db", ".db3"];
/// What addresses of such files begin with in other programs.
const SCHEMES: [&str; 3] = ["sqlite:", "sqlite3:", "file:"];

/// The types of databases as others write them, by ours.
const SPELLINGS: [(&str, &[&str]); 3] = [
    ("sqlite", &["sqlite3", "sqlite 3", "sqlite-3", "sqlite_3", "sq3"]),
    ("postgres", &["postgresql", "pg", "pgsql", "psql", "postgre"]),
    ("mysql", &["mariadb", "maria", "mysql2", "mysql8"]),
];
/// Formats of files, which are tables without a database.
const FILES: [&str; 11] =
    ["csv", "tsv", "json", "ndjson", "jsonl", "parquet", "arrow", "avro", "excel", "xlsx", "file"];

/// Databases that are not read, by words for them: none of them is a slip of the pen for one that is.
const FOREIGN: [&str; 8] = ["bigquery", "clickhouse", "db2", "mongodb", "mssql", "oracle", "snowflake", "sqlserver"];

/// What is done with a secret.
const REMOVED: &str = "leave it out, and change the secret where it holds, if others have seen the file";

/// Our word for a type of databases that is written in another way.
pub fn type_meant(written: &str) -> Option<&'static str> {
    let lower = written.trim().to_lowercase();
    let spelt = SPELLINGS.iter().find(|(ours, theirs)| *ours == lower || theirs.contains(&lower.as_str()));
    spelt.map(|(ours, _)| *ours)
}

/// Whether a text is the path, or the address, of a file of SQLite.
pub fn is_sqlite(path: &str) -> bool {
    let lower = path.to_lowercase();
    !path.contains('\n')
        && (lower.starts_with("sqlite:") || SQLITE.iter().any(|ending| lower.ends_with(ending)))
        && !lower.replacen("sqlite:", "", 1).contains("://")
}

/// The path in an address of a file, such as `sqlite:///data/shop.sqlite`; `None` where it is none.
pub fn path_of_address(address: &str) -> Option<&str> {
    let rest = SCHEMES.iter().find_map(|scheme| {
        let (start, rest) = address.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    })?;
    // Behind three slashes a path is relative in the addresses of most programs.
    let path = rest.strip_prefix("///").or_else(|| rest.strip_prefix("//")).unwrap_or(rest);
    let path = path.split('?').next().unwrap_or(path);
    (!path.is_empty() && path != ":memory:").then_some(path)
}

/// The name that a database in a file may have, and its line below `sources`.
fn declaration(path: &str) -> (String, String) {
    let path = path_of_address(path).unwrap_or(path);
    let file = path.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
    let name = Some(snake_case(file)).filter(|name| is_legal(name)).unwrap_or_else(|| "shop".to_owned());
    let needs_quotes = path.contains([',', '{', '}', '[', ']', '#', ':', '&', '*', '!', '\'', '"', ' ']);
    let path = if needs_quotes { format!("'{}'", path.replace('\'', "''")) } else { path.to_owned() };
    let line = format!("{name}: {{ type: sqlite, path: {path} }}");
    (name, line)
}

/// Adds what to write where the path of a table is that of a file of SQLite.
pub(super) fn of_sqlite(diagnostic: Diagnostic, path: &str) -> Diagnostic {
    let (name, line) = declaration(path);
    diagnostic
        .note("a file of SQLite is no table, but a database with tables in it")
        .help(format!("declare it: `sources: {{ {line} }}`; a table of it has `source: {name}` in the place of `path`"))
}

/// Adds the edit of a database that is a path alone.
pub fn source_of_text(diagnostic: Diagnostic, place: Span, written: &str) -> Diagnostic {
    let bare = written.trim_matches(['"', '\'']);
    let help = "a database is a mapping with a `type`";
    if let Some((ty, _)) = server_of_address(bare) {
        return diagnostic
            .help(format!("{help}: `{{ type: {ty}, url_env: SHOP_URL }}`, where the variable has the address"));
    }
    match is_sqlite(bare) && path_of_address(bare).is_none() {
        true => diagnostic.fix(help, place, format!("{{ type: sqlite, path: {written} }}")),
        false => diagnostic.help(help),
    }
}

/// A database that `sources` does not have. `place` is the name's.
pub fn unknown_source(place: Span, name: &str, known: &[&str]) -> Diagnostic {
    if name.contains("://") {
        return invalid_setting(place, "`source` is a name of `sources`, and this is an address")
            .note(HIDDEN)
            .hides_line();
    }
    let message = format!("source `{}` not found", shown_name(name));
    let diagnostic = Diagnostic::at(Code::UnknownSource, place, message).label("no database of this name");
    if is_sqlite(name) {
        let (short, line) = declaration(name);
        return diagnostic.help(format!("declare it: `sources: {{ {line} }}`, and name it here: `source: {short}`"));
    }
    match nearest(name, known.iter().copied()) {
        Some(near) => did_you_mean(diagnostic, Some(name), Some(near)),
        None if known.is_empty() => {
            let name = Some(name).filter(|name| is_legal(name)).unwrap_or("shop");
            diagnostic.help(format!(
                "declare it in `qtool.yaml`: `sources: {{ {name}: {{ type: sqlite, path: data/{name}.sqlite }} }}`"
            ))
        }
        None => diagnostic.note(format!("the sources are {}", list(known.iter().copied()))),
    }
}

/// A database that cannot be opened, or asked what is in it.
pub fn unreadable_source(place: Span, source: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnreadableSource, place, format!("cannot read source `{source}`: {why}"))
}

/// A column of numbers of a database that does not say how many digits they have. `declared` is what it says.
pub fn lossy_number(place: Span, table: &str, column: &str, declared: &str) -> Diagnostic {
    let (table, column, declared) = (shown_name(table), shown_name(column), shown_name(declared));
    let message = format!("column `{column}` of table `{table}` is `{declared}` without digits, and is read as double");
    Diagnostic::at(Code::LossyType, place, message).note("a double has no exact cents").help(format!(
        "say what it holds under `columns`: `{column}: \"decimal(12,2)\"`, or `{column}: double` where that is meant"
    ))
}

/// A column of places of a database, which are read as texts. `declared` is what it says of it.
pub fn lossy_place(place: Span, table: &str, column: &str, declared: &str) -> Diagnostic {
    let (table, column, declared) = (shown_name(table), shown_name(column), shown_name(declared));
    let message = format!("column `{column}` of table `{table}` is `{declared}`, and is read as its text");
    Diagnostic::at(Code::LossyType, place, message).note("the server rounds the numbers in it").help(format!(
        "say under `columns` what it is to be: `{column}: bytea` for all of it in the well-known binary form, or \
         `{column}: text` where the text will do"
    ))
}

/// A database whose name cannot be one. `uses` are the places where tables name it.
pub fn invalid_source_name(place: Span, raw: &str, uses: &[Span], known: &[&str]) -> Diagnostic {
    let message = format!("`{}` cannot be the name of a source", shown_name(raw));
    let diagnostic = Diagnostic::at(Code::InvalidName, place, message)
        .note("names of sources are a letter a to z first, then letters a to z, digits and `_`, 64 at most");
    let snake = snake_case(raw);
    if !is_legal(&snake) || known.contains(&snake.as_str()) {
        return diagnostic;
    }
    let places = std::iter::once(&place).chain(uses);
    diagnostic.fixes("write it in snake_case", places.map(|place| (*place, snake.clone())).collect())
}

/// A type that no database here has. `known` are those that there are.
pub fn unknown_type_of_source(place: Span, written: &str, known: &[&str]) -> Diagnostic {
    let found = format!("`{}`", shown_name(written));
    let diagnostic = invalid_value(place, &format!("the type of a database: {}", list(known.iter().copied())), &found);
    let lower = written.trim().to_lowercase();
    let spelt = type_meant(written);
    if let Some(ours) = spelt.filter(|ours| known.contains(ours)) {
        return meant(diagnostic, written, Some(ours));
    }
    if FILES.contains(&lower.as_str()) {
        return diagnostic
            .note("a file is a table by itself, and lies in no database")
            .help("declare it under `tables`: `orders: { path: data/orders.csv }`");
    }
    let is_known = spelt.is_some() || FOREIGN.contains(&lower.as_str());
    let near = if is_known { None } else { nearest(&lower, known.iter().copied()) };
    match (near, lower.as_str()) {
        (Some(near), _) => did_you_mean(diagnostic, Some(written), Some(near)),
        (None, "duckdb" | "motherduck") => diagnostic
            .note("qtool does not read databases of DuckDB")
            .help("write each of its tables to Parquet: `COPY orders TO 'data/orders.parquet'`"),
        (None, _) => diagnostic
            .note("qtool reads no other databases")
            .help("write each of its tables to Parquet, as DuckDB does with `COPY orders TO 'data/orders.parquet'`"),
    }
}

/// A database that does not say what it is. `edit` puts that in front of what is said of it.
pub fn missing_type_of_source(place: Span, known: &[&str], edit: Option<(Span, String)>) -> Diagnostic {
    let diagnostic = missing_key(place, "type");
    match edit {
        Some((at, text)) => diagnostic.fix("say what the database is", at, text),
        None => diagnostic.note(format!("the types of databases are {}", list(known.iter().copied()))),
    }
}

/// A setting of a database that cannot be.
pub fn invalid_source_option(place: Span, source: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidSetting, place, format!("invalid setting of source `{}`: {why}", shown_name(source)))
}

/// A key that holds a secret, which is shown nowhere. `instead` is how a database of that kind is opened, and the edit that
/// removes the key where it is opened without it.
pub fn secret_in_project(
    place: Span,
    key: &str,
    (instead, edit): (Option<String>, Option<(Span, String)>),
) -> Diagnostic {
    let diagnostic = unknown_key(place, key, &[], &|_| false);
    let diagnostic = Diagnostic { notes: Vec::new(), helps: Vec::new(), ..diagnostic };
    let diagnostic = diagnostic.note(HIDDEN).hides_line();
    match (instead, edit) {
        (Some(instead), Some((place, left))) => diagnostic.fix(format!("leave it out: {instead}"), place, left),
        (Some(instead), None) => diagnostic.help(instead),
        (None, _) => diagnostic.help(REMOVED),
    }
}

/// A value with a secret in it. `what` is where it stands.
pub fn secret_in_value(place: Span, what: &str) -> Diagnostic {
    let diagnostic = invalid_setting(place, &format!("{what} holds an address or a password"));
    diagnostic.note(HIDDEN).hides_line().help(REMOVED)
}

/// A table in files and in a database at once. `edits` remove what is said of the database.
pub fn path_and_source(place: Span, table: &str, edits: Option<Vec<(Span, String)>>) -> Diagnostic {
    let why = "it has both `path` and `source`: its rows lie in files, or in a database";
    let diagnostic = super::invalid_table_option(place, table, why);
    let help = "leave out what is said of the database, where the rows lie in files";
    match edits {
        Some(edits) => diagnostic.fixes(help, edits),
        None => diagnostic.help(help),
    }
}

/// A table that says not where its rows lie. `missing` is the key that was probably forgotten, and `edit` puts the only
/// database in front of what is said of the table.
pub fn neither_path_nor_source(place: Span, missing: &str, edit: Option<(Span, String)>) -> Diagnostic {
    let diagnostic =
        missing_key(place, missing).note("a table has the `path` of its files, or the `source` that it lies in");
    match edit.filter(|_| missing == "source") {
        Some((at, text)) => diagnostic.fix("name the database", at, text),
        None => diagnostic,
    }
}

/// A key of tables of the other kind. `edit` removes it.
pub fn key_of_other_kind(
    (place, key): (Span, &str),
    table: &str,
    why: &str,
    edit: Option<(Span, String)>,
) -> Diagnostic {
    let diagnostic = super::invalid_table_option(place, table, &format!("`{}` {why}", shown_name(key)));
    match edit {
        Some((at, left)) => diagnostic.fix(format!("leave out `{}`", shown_name(key)), at, left),
        None => diagnostic.help(format!("leave out `{}`", shown_name(key))),
    }
}

/// A key by which other programs name the database that a table lies in.
pub fn source_by_another_key(place: Span, key: &str) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key)));
    diagnostic.label("unknown key").fix("here it is called `source`", place, "source")
}

/// A key for the schema, or for the database, that a table lies in. `whole` is the table's name with its schema.
pub fn schema_of_table(place: Span, key: &str, whole: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key))).label("unknown key");
    match whole {
        Some(whole) => diagnostic.note(format!("`table: {}` names the schema too", shown_name(whole))),
        None => diagnostic.note("the database is named by `source`, which is set already"),
    }
}

/// A setting of a session that is no one's own.
pub fn no_own_setting(place: Span, setting: &str) -> Diagnostic {
    invalid_setting(
        place,
        &format!("`{setting}` is no setting that rules of a database are made by: those have a point in their names"),
    )
    .help("name it as the rules read it: `app.tenant` of `current_setting('app.tenant')`")
}

/// A setting that is there before in other letters.
pub fn setting_twice(place: Span, setting: &str) -> Diagnostic {
    invalid_setting(
        place,
        &format!("`{setting}` is there twice: the database does not tell capitals from small letters"),
    )
}

/// A query whose rows are read when nobody calls, over a source whose rows are a caller's.
pub fn rows_of_a_caller(place: Span, table: &str, source: &str) -> Diagnostic {
    invalid_setting(
        place,
        &format!("the rows of `{table}` are a caller's, and nobody calls when the project is checked"),
    )
    .note(format!("source `{source}` has `session`: it gives rows to callers alone"))
    .help("write the values down as `allowed_values`, or read them from another table")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_sqlite_are_told_by_their_names() {
        for path in ["data/shop.sqlite", "A.DB", "sqlite:shop", "sqlite:///data/shop.x", "a.sqlite3"] {
            assert!(is_sqlite(path), "{path}");
        }
        for path in ["data/shop.duckdb", "postgres://db/a.db", "https://host/a.sqlite", "orders.csv", "db"] {
            assert!(!is_sqlite(path), "{path}");
        }
    }

    #[test]
    fn addresses_of_files_are_paths() {
        for (address, path) in [
            ("sqlite:data/a.db", Some("data/a.db")),
            ("sqlite:///data/a.db?mode=ro", Some("data/a.db")),
            ("SQLite:////srv/a.db", Some("/srv/a.db")),
            ("file:data/a.db", Some("data/a.db")),
            ("sqlite::memory:", None),
            ("data/a.db", None),
            ("https://host/a.db", None),
        ] {
            assert_eq!(path_of_address(address), path, "{address}");
        }
    }

    #[test]
    fn a_declaration_has_a_name_of_the_file() {
        assert_eq!(declaration("data/My Shop.db").1, "my_shop: { type: sqlite, path: 'data/My Shop.db' }");
        assert_eq!(declaration("sqlite:2024.db").0, "shop");
    }
}
