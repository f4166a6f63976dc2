//! The SQL of PostgreSQL.

use super::super::bind::Form;
use super::super::postgres::is_read_as_text;
use super::super::remote_query::Comparison;
use super::{ComparedAs, Sides, quoted};
use crate::catalog::NativeColumn;
use arrow::datatypes::{DataType, Field};

/// A column in a list of what is selected: types that nobody else reads come as texts.
pub(super) fn item(column: &NativeColumn) -> String {
    let name = quoted(&column.name);
    match column.declared.as_str() {
        // Cast to a text, an address has its mask behind it, which the server does not write otherwise.
        "inet" => format!("pg_catalog.abbrev({name})"),
        declared if is_read_as_text(declared) => format!("{name}::text"),
        _ => name,
    }
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
    let name = quoted(&column.name);
    match (field.data_type(), &column.collation) {
        (DataType::Utf8, Some(_)) => format!("{name} COLLATE \"C\""),
        _ => name,
    }
}

/// A column as it is compared here with a value in a form. In a deterministic collation, texts are equal where their bytes
/// are, and an index of the column finds them; what is above another is told by the bytes.
pub(super) fn compared(column: &NativeColumn, op: Comparison, form: Form) -> ComparedAs {
    let name = quoted(&column.name);
    let is_order = !matches!(op, Comparison::Eq | Comparison::NotEq);
    let is_by_bytes = match &column.collation {
        Some(collation) if form == Form::Zeroless => is_order || !is_deterministic(collation),
        _ => false,
    };
    let exact = if is_by_bytes { format!("{name} COLLATE \"C\"") } else { name };
    ComparedAs { exact: Sides::bare(exact), found_by: None }
}

/// Whether equal texts have equal bytes in a collation.
fn is_deterministic(collation: &str) -> bool {
    !collation.ends_with(super::super::postgres::NONDETERMINISTIC)
}
