//! The SQL of SQLite.

use super::super::bind::{Form, TOLERANCE};
use super::{ComparedAs, Sides, quoted};
use crate::catalog::NativeColumn;
use arrow::datatypes::{DataType, Field};

/// How texts are compared in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Collation {
    /// Byte by byte.
    Binary,
    /// So that more texts are equal.
    Coarser,
    /// By a rule that the database has from a program.
    Unknown,
}

/// How many values of a column are none of its type.
pub(super) fn guard(field: &Field, column: &NativeColumn) -> String {
    let name = quoted(&column.name);
    let is_none = |kinds: &str| format!("typeof({name}) NOT IN ({kinds}, 'null')");
    let is_other = match field.data_type() {
        DataType::Int16 => format!("{} OR {name} NOT BETWEEN -32768 AND 32767", is_none("'integer'")),
        DataType::Int32 => format!("{} OR {name} NOT BETWEEN -2147483648 AND 2147483647", is_none("'integer'")),
        DataType::Int64 => is_none("'integer'"),
        DataType::Boolean => format!("{name} NOT IN (0, 1)"),
        // An integer that is no double would be rounded.
        DataType::Float64 | DataType::Float32 => {
            let kinds = is_none("'integer', 'real'");
            format!("{kinds} OR typeof({name}) = 'integer' AND CAST(CAST({name} AS REAL) AS INTEGER) <> {name}")
        }
        DataType::Decimal128(digits, scale) => {
            let (whole, kinds) = (i32::from(*digits) - i32::from(*scale), is_none("'integer', 'real'"));
            let is_far = format!("abs({name} - round({name}, {scale})) > abs({name}) * {TOLERANCE:e}");
            format!("{kinds} OR abs({name}) >= 1e{whole} OR {is_far}")
        }
        DataType::Binary => is_none("'blob'"),
        // The day as SQLite writes it; of what is no day, or one with a time behind it, that is another text.
        DataType::Date32 => format!("{name} IS NOT date({name})"),
        _ => is_none("'text'"),
    };
    format!("sum({is_other})")
}

/// A column as it is sorted and grouped here.
pub(super) fn ordered(field: &Field, column: &NativeColumn) -> String {
    let name = quoted(&column.name);
    match field.data_type() {
        // Doubles that stand for one decimal are made one.
        DataType::Decimal128(_, scale) => format!("round({name}, {scale})"),
        DataType::Utf8 | DataType::Date32 if collation(column, Form::Text) != Collation::Binary => {
            format!("{name} COLLATE BINARY")
        }
        _ => name,
    }
}

/// A column as it is compared here with a value in a form.
pub(super) fn compared(column: &NativeColumn, form: Form) -> ComparedAs {
    let name = quoted(&column.name);
    let by_bytes = || Sides::bare(format!("{name} COLLATE BINARY"));
    match collation(column, form) {
        Collation::Binary => ComparedAs { exact: Sides::bare(name), found_by: None },
        Collation::Coarser => ComparedAs { exact: by_bytes(), found_by: Some(Sides::bare(name)) },
        Collation::Unknown => ComparedAs { exact: by_bytes(), found_by: None },
    }
}

/// How texts of a column are compared there, where a value in this form is one.
fn collation(column: &NativeColumn, form: Form) -> Collation {
    let is_text = matches!(form, Form::Text | Form::Day | Form::FirstOfDay | Form::NextDay);
    let Some(name) = column.collation.as_ref().filter(|_| is_text) else { return Collation::Binary };
    match name.to_ascii_uppercase().as_str() {
        "BINARY" => Collation::Binary,
        // Equal texts are equal in these too, and an index of the column is in this order.
        "NOCASE" | "RTRIM" => Collation::Coarser,
        _ => Collation::Unknown,
    }
}
