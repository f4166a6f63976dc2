//! The constructors of what is nearly YAML, or nearly a table.

use super::invalid_yaml;
use super::servers::{of_server, server_of_address};
use super::sources::{is_sqlite, of_sqlite};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::ty::Type;

/// Adds the edit that puts a text in quotes, where YAML takes a sign in it for its own.
pub fn quoted_text(diagnostic: Diagnostic, place: Span, written: &str) -> Diagnostic {
    let text = format!("'{}'", written.replace('\'', "''"));
    diagnostic.fix("a text with such signs stands in quotes", place, text)
}

/// Patterns that begin with `*`, which YAML takes for aliases: each with its place, the first at `place`.
pub fn text_of_stars(place: Span, patterns: Vec<(Span, &str)>) -> Diagnostic {
    let edits = patterns.into_iter().map(|(place, text)| (place, format!("'{}'", text.replace('\'', "''")))).collect();
    invalid_yaml(place, "`*` begins an alias of YAML").fixes("a pattern stands in quotes", edits)
}

/// Adds the edit of a table that is a path alone.
pub fn table_of_text(diagnostic: Diagnostic, place: Span, written: &str) -> Diagnostic {
    diagnostic.fix("a table is a mapping with a `path`", place, format!("{{ path: {written} }}"))
}

/// Adds the edit of a parameter that is a text alone: its type, where it is one, and else its description.
pub fn parameter_of_text(diagnostic: Diagnostic, place: Span, written: &str) -> Diagnostic {
    if Type::parse(written).is_ok() {
        return diagnostic.fix("its type stands under `type`", place, format!("{{ type: {written} }}"));
    }
    let is_quoted = written.starts_with(['"', '\'']);
    let needs_quotes = !is_quoted && written.contains([',', '{', '}', '[', ']', '#', ':', '&', '*', '!']);
    let text = if needs_quotes { format!("'{}'", written.replace('\'', "''")) } else { written.to_owned() };
    diagnostic.fix("what it means stands under `description`", place, format!("{{ description: {text} }}"))
}

/// What holds tables and is none, by the ending of its name or the scheme of its address, with what to do.
const HOLDERS: [(&str, &[&str], &str); 3] = [
    (
        "a database",
        &[".sqlite", ".sqlite3", ".db", ".db3", ".duckdb", ".mdb", ".accdb"],
        "write each of its tables to a file, as DuckDB does with `COPY orders TO 'data/orders.parquet'`",
    ),
    (
        "a spreadsheet",
        &[".numbers", ".gsheet", ".123", ".wk1"],
        "save it as `.xlsx`, of which each sheet can be a table",
    ),
    (
        "a file of a statistics program",
        &[".sas7bdat", ".dta", ".sav", ".rds", ".rdata", ".pkl", ".pickle", ".dbf"],
        "write its rows to Parquet or CSV in that program",
    ),
];

/// The schemes of databases that are not read here.
const DATABASES: [&str; 5] = ["duckdb", "mssql", "jdbc", "snowflake", "bigquery"];

/// Whether a text is the address of a database that is a server.
pub fn is_address_of_database(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme.to_lowercase());
    server_of_address(text).is_some() || scheme.is_some_and(|scheme| DATABASES.contains(&scheme.as_str()))
}

/// Adds what to do where a table that cannot be read is a database or a file of another program. `path` is where it lies.
pub fn of_database(diagnostic: Diagnostic, path: &str) -> Diagnostic {
    let path = path.trim_matches(['"', '\'']);
    // One on a web server is none to be opened.
    if is_sqlite(path) {
        return of_sqlite(diagnostic, path);
    }
    if let Some(server) = server_of_address(path) {
        return of_server(diagnostic, server);
    }
    let path = path.to_lowercase();
    let scheme = path.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| DATABASES.contains(scheme));
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
    let held = HOLDERS.iter().find(|(what, endings, _)| ends(endings) || *what == "a database" && scheme.is_some());
    match held {
        Some((what, _, how)) => diagnostic
            .note(format!("{what} is no table: tables are read from Parquet, CSV, JSON, Excel, Arrow and Avro files"))
            .help(*how),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn a_file_of_sqlite_is_told_with_its_declaration() {
        let told = of_database(Diagnostic::nowhere(Code::InvalidSetting, "no"), "'data/Shop.sqlite'");
        let help = told.helps.first().map(|help| help.text.as_str()).unwrap();
        assert!(help.contains("`sources: { shop: { type: sqlite, path: data/Shop.sqlite } }`"), "{help}");
    }

    #[test]
    fn a_server_is_told_with_its_declaration_and_without_its_address() {
        let told = of_database(Diagnostic::nowhere(Code::InvalidSetting, "no"), "postgresql://me@db.example/shop");
        let help = told.helps.first().map(|help| help.text.as_str()).unwrap();
        assert!(help.contains("`sources: { shop: { type: postgres, url_env: SHOP_URL } }`"), "{help}");
        assert!(!help.contains("db.example"), "{help}");
    }

    #[test]
    fn what_holds_tables_is_told_with_what_to_do() {
        let help = |path: &str| {
            let told = of_database(Diagnostic::nowhere(Code::UnreadableTable, "no"), path);
            told.helps.first().map(|help| help.text.clone())
        };
        for path in
            ["data/shop.sqlite", "'data/shop.DuckDB'", "postgres://db/shop", "data/orders.numbers", "a.sas7bdat"]
        {
            assert!(help(path).is_some(), "{path}");
        }
        for path in
            ["data/orders.csv", "https://example.com/a.parquet", "data/db", "s3://b/x.parquet", "a.xlsx", "a.ODS"]
        {
            assert_eq!(help(path), None, "{path}");
        }
    }
}
