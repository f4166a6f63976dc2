//! The list of MySQL.

use super::super::facts::Facts;
use super::super::remote_query::Comparison;
use super::Compared;
use crate::catalog::NativeColumn;
use arrow::datatypes::DataType;

/// Whether a column may hold values that are none of its type here.
pub(super) fn may_misfit(_facts: &Facts, _column: usize) -> bool {
    true
}

/// What a comparison with a value of a type is there.
pub(super) fn compared(_facts: &Facts, _column: usize, _op: Comparison, _value: &DataType) -> Option<Compared> {
    None
}

/// Whether the same values are equal when rows are grouped by a column.
pub(super) fn groups(_facts: &Facts, _column: usize) -> bool {
    false
}

/// Whether values of a column are in the same order.
pub(super) fn orders(_facts: &Facts, _column: usize) -> bool {
    false
}

/// Whether a column holds integers.
pub(super) fn has_integers(_facts: &Facts, _column: usize) -> bool {
    false
}

/// Whether a column holds truth values.
pub(super) fn has_booleans(_native: &NativeColumn) -> bool {
    false
}
