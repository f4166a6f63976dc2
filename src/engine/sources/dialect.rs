//! How a database's SQL says what all of them can say.

pub(super) mod mysql;
mod postgres;
mod sqlite;

use super::bind::{Bind, Form, Sent};
use super::facts::Facts;
use super::remote_query::{Comparison, Function, SortKey};
use crate::catalog::DatabaseKind;
use crate::syntax::native::pieces;

/// How a column is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ComparedAs {
    /// As it is compared here.
    pub exact: Sides,
    /// As an index finds it, where that is another way, and equal values are equal in it too.
    pub found_by: Option<Sides>,
}

/// Both sides of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sides {
    /// The column.
    pub column: String,
    /// What stands before each value, and behind it.
    pub around: (String, String),
}

impl Sides {
    /// A column beside the bare values.
    fn bare(column: String) -> Sides {
        Sides { column, around: (String::new(), String::new()) }
    }

    /// A value, as it stands beside the column.
    pub(super) fn value(&self, place: &str) -> String {
        let (before, behind) = &self.around;
        format!("{before}{place}{behind}")
    }
}

/// An identifier in quotes, as most databases have it. It comes from the database, which would take any other as well.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// An identifier in the quotes of a database.
pub(in crate::engine) fn identifier(kind: DatabaseKind, name: &str) -> String {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => quoted(name),
        DatabaseKind::Mysql => mysql::quoted(name),
    }
}

/// The placeholder of a value, in the place of that number.
pub(super) fn placeholder(kind: DatabaseKind, number: usize, bind: &Bind) -> String {
    let place = pieces::placeholder(kind, number);
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => place,
        DatabaseKind::Mysql => mysql::typed(place, bind),
    }
}

/// Whether placeholders are counted by where they stand, so that a value has one for each place.
pub(super) fn counts_placeholders(kind: DatabaseKind) -> bool {
    kind == DatabaseKind::Mysql
}

/// What becomes of a value that a database may not be able to hold.
pub(super) fn fitting(kind: DatabaseKind, sent: Sent) -> Sent {
    match kind {
        DatabaseKind::Sqlite | DatabaseKind::Postgres => sent,
        DatabaseKind::Mysql => mysql::fitting(sent),
    }
}

/// A column of an order.
pub(super) fn sort_key(facts: &Facts, key: &SortKey) -> Option<String> {
    let (field, column) = facts.column(key.column)?;
    let (name, ordered) = (identifier(facts.native.kind, &column.name), ordered(facts, key.column)?);
    let direction = if key.is_descending { " DESC" } else { "" };
    let is_moved = key.nulls_first == key.is_descending;
    Some(match (facts.native.kind, field.is_nullable(), key.nulls_first) {
        (_, false, _) => format!("{ordered}{direction}"),
        // There, NULL is below everything, and nothing else is said of it.
        (DatabaseKind::Mysql, true, _) if is_moved => format!("{name} IS NULL{direction}, {ordered}{direction}"),
        (DatabaseKind::Mysql, true, _) => format!("{ordered}{direction}"),
        (_, true, true) => format!("{ordered}{direction} NULLS FIRST"),
        (_, true, false) => format!("{ordered}{direction} NULLS LAST"),
    })
}

/// What follows a column of booleans that is to be true, or to be false.
pub(super) fn truth(kind: DatabaseKind, value: bool) -> &'static str {
    match (kind, value) {
        (DatabaseKind::Sqlite, true) => " = 1",
        (DatabaseKind::Sqlite, false) => " = 0",
        (DatabaseKind::Postgres, true) => " = true",
        (DatabaseKind::Postgres, false) => " = false",
        (DatabaseKind::Mysql, true) => " <> 0",
        (DatabaseKind::Mysql, false) => " = 0",
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
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => quoted(&column.name),
        DatabaseKind::Postgres => postgres::item(field, column),
        DatabaseKind::Mysql => mysql::item(field, column),
    })
}

/// A column in a list of what is selected that shows its type and its collation alone; `None` where it has a type that the
/// server has to be asked for.
pub(super) fn witness(facts: &Facts, at: usize) -> Option<String> {
    let (_, column) = facts.column(at)?;
    match facts.native.kind {
        DatabaseKind::Postgres => postgres::witness(column),
        DatabaseKind::Sqlite | DatabaseKind::Mysql => None,
    }
}

/// A column in a list of what is selected where it is what groups are made by.
pub(super) fn key_item(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    match facts.native.kind {
        DatabaseKind::Postgres => Some(postgres::grouped(field, column)),
        DatabaseKind::Sqlite | DatabaseKind::Mysql => item(facts, at),
    }
}

/// A column of which the least or the largest value is asked for.
pub(super) fn extreme(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    match facts.native.kind {
        DatabaseKind::Postgres => Some(postgres::extreme(field, column)),
        DatabaseKind::Sqlite | DatabaseKind::Mysql => ordered(facts, at),
    }
}

/// A column beside itself: what is the same for all of its values, and NULL where it is.
pub(super) fn itself(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        // Not all types have an operator for it.
        DatabaseKind::Postgres => postgres::grouped(field, column),
        kind @ (DatabaseKind::Sqlite | DatabaseKind::Mysql) => identifier(kind, &column.name),
    })
}

/// What follows a column that is to hold no value.
pub(super) fn is_null(facts: &Facts, at: usize) -> &'static str {
    match (facts.native.kind, facts.column(at)) {
        (DatabaseKind::Mysql, Some((_, column))) => mysql::is_null(column),
        _ => " IS NULL",
    }
}

/// How many values of a column are none of its type.
pub(super) fn guard(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    match facts.native.kind {
        DatabaseKind::Sqlite => Some(sqlite::guard(field, column)),
        DatabaseKind::Postgres => postgres::guard(field, column),
        DatabaseKind::Mysql => Some(mysql::guard(field, column)),
    }
}

/// A column as it is sorted here.
pub(super) fn ordered(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::ordered(field, column),
        DatabaseKind::Postgres => postgres::ordered(field, column),
        DatabaseKind::Mysql => mysql::ordered(field, column),
    })
}

/// A column as its values are equal here.
pub(super) fn grouped(facts: &Facts, at: usize) -> Option<String> {
    let (field, column) = facts.column(at)?;
    Some(match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::ordered(field, column),
        DatabaseKind::Postgres => postgres::grouped(field, column),
        DatabaseKind::Mysql => mysql::ordered(field, column),
    })
}

/// A column as it is compared here with a value in a form.
pub(super) fn compared(facts: &Facts, at: usize, op: Comparison, form: Form) -> ComparedAs {
    let nothing = || ComparedAs { exact: Sides::bare(String::new()), found_by: None };
    let Some((field, column)) = facts.column(at) else { return nothing() };
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::compared(column, form),
        DatabaseKind::Postgres => postgres::compared((field, column), op, form),
        DatabaseKind::Mysql => mysql::compared(column, form),
    }
}
