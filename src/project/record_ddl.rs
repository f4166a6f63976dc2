//! The tables of records in a database, in its own SQL: one with a column for each field, and one of what was done to them.

use super::{LogicalType, Property, RecordContract, RecordsConfig};
use crate::catalog::DatabaseKind;

/// The columns of what was done to records, beside `line`, which orders them. The last may be null.
pub const HISTORY: [&str; 6] = ["record_id", "field", "source", "actor", "at", "more"];

/// The statements that make both tables. `table` is the name of the first by its parts.
///
/// What the contract says beside types and the key is checked where records are written: it may change, and the table stays.
pub fn create_tables(contract: &RecordContract, table: &[String], database: DatabaseKind) -> String {
    let column = |property: &Property| {
        let key = if property.primary_key { " NOT NULL PRIMARY KEY" } else { "" };
        format!("  {} {}{key}", quoted(&property.name), type_in(database, property.logical_type))
    };
    let columns: Vec<String> = contract.properties().iter().map(column).collect();
    let history = RecordsConfig::history_table(table);
    let line = match database {
        DatabaseKind::Postgres => "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        DatabaseKind::Sqlite | DatabaseKind::Mysql => "INTEGER PRIMARY KEY",
    };
    let (more, told) = HISTORY.split_last().unwrap_or((&"more", &[]));
    let texts: Vec<String> = told.iter().map(|name| format!("  \"{name}\" text NOT NULL,\n")).collect();
    let index = format!("{}_record", history.last().map(String::as_str).unwrap_or_default());
    format!(
        "CREATE TABLE {} (\n{}\n);\nCREATE TABLE {history} (\n  \"line\" {line},\n{}  \"{more}\" text\n);\nCREATE INDEX {} ON {history} (\"record_id\");\n",
        whole(table),
        columns.join(",\n"),
        texts.concat(),
        quoted(&index),
        history = whole(&history),
    )
}

/// How much of a contract the table of an image holds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Image {
    /// All that a database can hold to: what statements are compiled against.
    Strict,
    /// Types and the key: what there is may not fit, and what is written is looked at as everywhere.
    Lenient,
}

/// The statement that makes the table of records of a folder in SQLite, where statements change them.
pub fn create_image(contract: &RecordContract, name: &str, image: Image) -> String {
    let column = |property: &Property| {
        let mut column =
            format!("  {} {}", quoted(&property.name), type_in(DatabaseKind::Sqlite, property.logical_type));
        let is_required = property.required && !property.derived && image == Image::Strict;
        if property.primary_key || is_required {
            column.push_str(" NOT NULL");
        }
        if property.primary_key {
            column.push_str(" PRIMARY KEY");
        }
        if let (Some(allowed), Image::Strict) = (&property.allowed, image) {
            let texts: Vec<String> = allowed.iter().map(|text| format!("'{}'", text.replace('\'', "''"))).collect();
            column.push_str(&format!(" CHECK ({} IN ({}))", quoted(&property.name), texts.join(", ")));
        }
        column
    };
    let columns: Vec<String> = contract.properties().iter().map(column).collect();
    format!("CREATE TABLE {} (\n{}\n);\n", quoted(name), columns.join(",\n"))
}

/// The type that a field has in SQLite.
pub fn type_in_sqlite(ty: LogicalType) -> &'static str {
    type_in(DatabaseKind::Sqlite, ty)
}

fn whole(parts: &[String]) -> String {
    parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(".")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The type of a field in a database.
fn type_in(database: DatabaseKind, ty: LogicalType) -> &'static str {
    use LogicalType::{Array, Boolean, Date, Integer, Number, Object, String, Timestamp};
    match (database, ty) {
        (_, String) => "text",
        (_, Integer) => "bigint",
        (_, Boolean) => "boolean",
        (_, Date) => "date",
        (_, Timestamp) => "timestamp",
        (DatabaseKind::Postgres, Number) => "double precision",
        (_, Number) => "double",
        (DatabaseKind::Postgres, Array | Object) => "jsonb",
        (_, Array | Object) => "json",
    }
}
