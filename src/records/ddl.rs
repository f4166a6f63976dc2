//! The tables of records in a database, in its own SQL: one with a column for each field, and one of what was done to them.

use crate::catalog::DatabaseKind;
use crate::project::{LogicalType, Property, RecordContract, RecordsConfig};

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
    let texts = ["record_id", "field", "source", "actor", "at"].map(|name| format!("  \"{name}\" text NOT NULL,\n"));
    let index = format!("{}_record", history.last().map(String::as_str).unwrap_or_default());
    format!(
        "CREATE TABLE {} (\n{}\n);\nCREATE TABLE {history} (\n  \"line\" {line},\n{}  \"more\" text\n);\nCREATE INDEX {} ON {history} (\"record_id\");\n",
        whole(table),
        columns.join(",\n"),
        texts.concat(),
        quoted(&index),
        history = whole(&history),
    )
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
