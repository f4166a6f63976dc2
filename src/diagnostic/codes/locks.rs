//! The constructors of what is said about locks: the schemas of tables and the allowed values that were read.

use super::unreadable_file;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A table that has no locked schema, where the data may not be touched.
pub fn table_not_locked(place: Span, table: &str) -> Diagnostic {
    Diagnostic::at(Code::TableNotLocked, place, format!("table `{table}` has no locked schema"))
        .note(format!(
            "`snapshots/tables/{table}.snap` is missing, or not what qtool.yaml declares, and this command does not touch the data"
        ))
        .help("`qtool lock` reads it from the data; commit the snapshot")
}

/// A table's lock that is damaged.
pub fn damaged_lock(path: &str, table: &str, why: &str) -> Diagnostic {
    unreadable_file(None, path, why)
        .note(format!("it is the schema that the queries over table `{table}` are compiled against"))
        .help(format!("`qtool lock {table}` reads the schema from the data and writes the file anew"))
        .help(format!("or take the file from where it was whole, e.g. `git checkout -- {path}`"))
}

/// Allowed values of a query that are not locked, where the data may not be touched.
pub fn values_not_locked(place: Span, parameter: &str) -> Diagnostic {
    Diagnostic::at(Code::ValuesNotLocked, place, format!("the allowed values of `{parameter}` are not locked"))
        .note("their file in `snapshots/allowed_values` is missing, unreadable, or of another query, and this command does not touch the data")
        .help("`qtool lock` reads it from the data; commit the snapshot")
}

/// A table whose data differs from its locked schema.
pub fn table_changed(place: Span, table: &str, difference: &str) -> Diagnostic {
    Diagnostic::at(Code::TableChanged, place, format!("table `{table}` has changed since it was locked: {difference}"))
        .note(format!("the tools were compiled for the schema in `snapshots/tables/{table}.snap`"))
        .help(format!("`qtool lock {table}` locks the schema as it is now and compiles against it"))
}
