//! The SQL of PostgreSQL.

use super::super::bind::Form;
use super::super::postgres::{bare, comes_as_text};
use super::super::remote_query::Comparison;
use super::{ComparedAs, Sides, quoted};
use crate::catalog::NativeColumn;
use arrow::datatypes::{DataType, Field};

/// A column in a list of what is selected: types that nobody else reads come as texts.
pub(super) fn item(field: &Field, column: &NativeColumn) -> String {
    own_text(field, column).unwrap_or_else(|| quoted(&column.name))
}

/// The text that the server writes, where that is what is read of a column.
fn own_text(field: &Field, column: &NativeColumn) -> Option<String> {
    let name = quoted(&column.name);
    match column.declared.as_str() {
        // Cast to a text, an address has its mask behind it, which the server does not write otherwise.
        "inet" => Some(format!("pg_catalog.abbrev({name})")),
        declared if comes_as_text(declared, field.data_type()) => Some(format!("{name}::text")),
        _ => None,
    }
}

/// A column as its values are equal here: what comes as a text is equal where its bytes are, whatever the server says of it.
pub(super) fn grouped(field: &Field, column: &NativeColumn) -> String {
    own_text(field, column).map_or_else(|| quoted(&column.name), by_bytes)
}

/// A column of which the least or the largest value is asked for.
pub(super) fn extreme(field: &Field, column: &NativeColumn) -> String {
    // Servers before version 18 have none of UUIDs.
    match bare(&column.declared).as_str() {
        "uuid" => by_bytes(format!("{}::text", quoted(&column.name))),
        _ => ordered(field, column),
    }
}

/// Types that every server knows by the same number, so that nobody asks what they are.
const OWN: [&str; 16] = [
    "bigint",
    "boolean",
    "bytea",
    "character varying",
    "character",
    "date",
    "double precision",
    "integer",
    "name",
    "numeric",
    "real",
    "smallint",
    "text",
    "timestamp with time zone",
    "timestamp without time zone",
    "uuid",
];

/// A column that stands in the rows without its values, by its type and its collation.
pub(super) fn witness(column: &NativeColumn) -> Option<String> {
    let is_own = OWN.contains(&bare(&column.declared).as_str());
    is_own.then(|| format!("CASE WHEN false THEN {} END", quoted(&column.name)))
}

fn by_bytes(text: String) -> String {
    format!("{text} COLLATE \"C\"")
}

/// How many values of a column are none of its type here: what is no number, and days and times without end.
pub(super) fn guard(field: &Field, column: &NativeColumn) -> Option<String> {
    let name = quoted(&column.name);
    let is_other = match field.data_type() {
        DataType::Decimal128(..) => format!("{name} = 'NaN'::numeric"),
        DataType::Date32 | DataType::Timestamp(..) => format!("NOT isfinite({name})"),
        _ => return None,
    };
    Some(format!("count(*) FILTER (WHERE {is_other})"))
}

/// A column as it is sorted here: texts by their bytes.
pub(super) fn ordered(field: &Field, column: &NativeColumn) -> String {
    match (field.data_type(), &column.collation) {
        (DataType::Utf8, Some(_)) => by_bytes(quoted(&column.name)),
        _ => grouped(field, column),
    }
}

/// A column as it is compared here with a value in a form. In a deterministic collation, texts are equal where their bytes
/// are, and an index of the column finds them; what is above another is told by the bytes.
pub(super) fn compared((field, column): (&Field, &NativeColumn), op: Comparison, form: Form) -> ComparedAs {
    let name = quoted(&column.name);
    if form != Form::Zeroless {
        return ComparedAs { exact: Sides::bare(name), found_by: None };
    }
    if is_padded(column) {
        // There, blanks at the end of the value are none of it either: an index finds more than what is equal here.
        let around = (String::new(), "::pg_catalog.bpchar".to_owned());
        let found_by = Some(Sides { column: name.clone(), around });
        return ComparedAs { exact: Sides::bare(by_bytes(format!("{name}::text"))), found_by };
    }
    let is_order = !matches!(op, Comparison::Eq | Comparison::NotEq);
    let is_by_bytes = match &column.collation {
        Some(collation) => is_order || !is_deterministic(collation),
        None => false,
    };
    ComparedAs { exact: Sides::bare(if is_by_bytes { by_bytes(name) } else { grouped(field, column) }), found_by: None }
}

/// Whether the texts of a column are filled up with blanks.
fn is_padded(column: &NativeColumn) -> bool {
    matches!(bare(&column.declared).as_str(), "character" | "bpchar")
}

/// Whether equal texts have equal bytes in a collation.
fn is_deterministic(collation: &str) -> bool {
    !collation.ends_with(super::super::postgres::NONDETERMINISTIC)
}
