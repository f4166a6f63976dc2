//! The SQL of MySQL and MariaDB.

use super::super::bind::Form;
use super::super::remote_query::Comparison;
use super::ComparedAs;
use crate::catalog::NativeColumn;
use arrow::datatypes::Field;

/// An identifier in its quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A column in a list of what is selected.
pub(super) fn item(column: &NativeColumn) -> String {
    quoted(&column.name)
}

/// How many values of a column are none of its type here.
pub(super) fn guard(_field: &Field, _column: &NativeColumn) -> Option<String> {
    None
}

/// A column as it is sorted here.
pub(super) fn ordered(_field: &Field, column: &NativeColumn) -> String {
    quoted(&column.name)
}

/// A column as it is compared here with a value in a form.
pub(super) fn compared(column: &NativeColumn, _op: Comparison, _form: Form) -> ComparedAs {
    ComparedAs { exact: quoted(&column.name), found_by: None }
}
