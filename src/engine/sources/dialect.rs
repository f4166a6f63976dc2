//! How a database's SQL says what all of them can say.

mod postgres;
mod sqlite;

use super::bind::Form;
use super::facts::Facts;
use super::remote_query::{Comparison, Function};
use crate::catalog::DatabaseKind;

/// A column on the left of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ComparedAs {
    /// As it is compared here.
    pub exact: String,
    /// As an index finds it, where that is another way, and equal values are equal in it too.
    pub found_by: Option<String>,
}

/// An identifier in quotes. It comes from the database, which would take any other as well.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// What follows a column of booleans that is to be true, or to be false.
pub(super) fn truth(kind: DatabaseKind, value: bool) -> &'static str {
    match (kind, value) {
        (DatabaseKind::Sqlite, true) => " = 1",
        (DatabaseKind::Sqlite, false) => " = 0",
        (DatabaseKind::Postgres, true) => " = true",
        (DatabaseKind::Postgres, false) => " = false",
    }
}

/// A function of a column of a group.
pub(super) fn call(kind: DatabaseKind, function: Function, column: &str) -> String {
    let call = format!("{}({column})", function.name());
    match (kind, function) {
        // There, large integers add up to a number of another type.
        (DatabaseKind::Postgres, Function::Sum) => format!("{call}::int8"),
        // A sum that does not fit is an error there.
        (DatabaseKind::Postgres, Function::Total(digits, scale)) => format!("{call}::numeric({digits},{scale})"),
        _ => call,
    }
}

/// A column in a list of what is selected.
pub(super) fn item(facts: &Facts, at: usize) -> Option<String> {
    let (_, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => quoted(&column.name),
        DatabaseKind::Postgres => postgres::item(column),
    })
}

/// How many values of a column are none of its type.
pub(super) fn guard(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    match facts.native.kind {
        DatabaseKind::Sqlite => Some(sqlite::guard(field, column)),
        DatabaseKind::Postgres => postgres::guard(field, column),
    }
}

/// A column as it is sorted here.
pub(super) fn ordered(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::ordered(field, column),
        DatabaseKind::Postgres => postgres::ordered(field, column),
    })
}

/// A column as its values are equal here.
pub(super) fn grouped(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::ordered(field, column),
        DatabaseKind::Postgres => quoted(&column.name),
    })
}

/// A column as it is compared here with a value in a form.
pub(super) fn compared(facts: &Facts, at: usize, op: Comparison, form: Form) -> ComparedAs {
    let Some((_, column)) = facts.column(at) else { return ComparedAs { exact: String::new(), found_by: None } };
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::compared(column, form),
        DatabaseKind::Postgres => postgres::compared(column, op, form),
    }
}
