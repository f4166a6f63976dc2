//! The list of MySQL.
//!
//! Its columns hold values of their types, but for days that are none, such as `0000-00-00`, and for what is read as
//! something narrower than it is. Texts are told apart there as letters are in a language: they are compared by their bytes.

use super::super::bind::{Form, is_text};
use super::super::facts::Facts;
use super::super::mysql::{self as types, bare};
use super::super::remote_query::Comparison;
use super::Compared;
use crate::catalog::NativeColumn;
use arrow::datatypes::{DataType, TimeUnit};
use std::ops::RangeInclusive;

/// The places behind the point that a decimal may have there in an expression.
const PLACES: RangeInclusive<i8> = 0..=30;

/// The longest texts that are sorted and grouped there: what a server sorts has to fit into its memory several times, and
/// where it does not, the statement fails.
const LONGEST: usize = 4_000;

/// Whether a column may hold values that are none of its type here.
pub(super) fn may_misfit(facts: &Facts, column: usize) -> bool {
    facts.column(column).is_some_and(|(field, native)| types::may_misfit(&native.declared, field.data_type()))
}

/// What a comparison with a value of a type is there.
pub(super) fn compared(facts: &Facts, column: usize, op: Comparison, value: &DataType) -> Option<Compared> {
    use DataType::{Binary, Boolean, Date32, Decimal128, Float64, Int16, Int32, Int64, Timestamp, UInt64};
    let (field, native) = facts.column(column)?;
    let (is_null, word) = (*value == DataType::Null, bare(&native.declared));
    let is_equality = matches!(op, Comparison::Eq | Comparison::NotEq);
    let has_integers = types::is_of_integers(&native.declared);
    match field.data_type() {
        Int16 | Int32 | Int64 if has_integers && (value.is_integer() || is_null) => Some(Compared::Exact(Form::Int)),
        UInt64 if has_integers && (value.is_integer() || is_null) => Some(Compared::Exact(Form::Unsigned)),
        Boolean if has_booleans(native) && is_equality && (*value == Boolean || is_null) => {
            Some(Compared::Exact(Form::Int))
        }
        // Minus zero is below zero here, and the same there.
        Float64 if word == "double" && *value == Float64 => Some(Compared::Wider(Form::Double)),
        Decimal128(..) if has_integers || is_decimal(word) => match value {
            Decimal128(_, places) if PLACES.contains(places) => Some(Compared::Exact(Form::Numeric)),
            DataType::Null => Some(Compared::Exact(Form::Numeric)),
            _ => None,
        },
        ty if is_text(ty) && (is_text(value) || is_null) => match word {
            "uuid" if is_equality => Some(Compared::Exact(Form::Uuid)),
            _ => types::is_of_texts(&native.declared).then_some(Compared::Exact(Form::Text)),
        },
        Binary if types::is_of_bytes(&native.declared) && is_equality && (*value == Binary || is_null) => {
            Some(Compared::Exact(Form::Bytes))
        }
        Date32 if word == "date" && (*value == Date32 || is_null) => Some(Compared::Exact(Form::Date)),
        Timestamp(TimeUnit::Microsecond, zone) => {
            let is_same = matches!(value, Timestamp(_, other) if other.is_some() == zone.is_some()) || is_null;
            let (own, form) = if zone.is_some() { ("timestamp", Form::Instant) } else { ("datetime", Form::Local) };
            (is_same && word == own).then_some(Compared::Exact(form))
        }
        _ => None,
    }
}

/// Whether the same values are equal when rows are grouped by a column.
pub(super) fn groups(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    let word = bare(&native.declared);
    match field.data_type() {
        ty if is_text(ty) => {
            let is_short = types::longest_text(&native.declared).is_some_and(|longest| longest <= LONGEST);
            word == "uuid" || types::is_of_texts(&native.declared) && is_short
        }
        DataType::Boolean => has_booleans(native),
        DataType::Date32 => word == "date",
        DataType::Timestamp(TimeUnit::Microsecond, _) => matches!(word, "datetime" | "timestamp"),
        DataType::Decimal128(..) => is_decimal(word) || types::is_of_integers(&native.declared),
        DataType::UInt64 => true,
        _ => has_integers(facts, column),
    }
}

/// Whether values of a column are in the same order.
pub(super) fn orders(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    *field.data_type() != DataType::Boolean && bare(&native.declared) != "uuid" && groups(facts, column)
}

/// Whether columns whose values are grouped alike are also compared alike: whole numbers. Texts are so by their bytes alone,
/// which no index finds.
pub(super) fn joins(one: (&Facts, usize), other: (&Facts, usize)) -> bool {
    has_integers(one.0, one.1) && has_integers(other.0, other.1)
}

/// Whether a column holds integers.
pub(super) fn has_integers(facts: &Facts, column: usize) -> bool {
    facts.column(column).is_some_and(|(field, native)| {
        let is_integer = matches!(field.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64);
        is_integer && (types::is_of_integers(&native.declared) || bare(&native.declared) == "year")
    })
}

/// Whether a column holds truth values.
pub(super) fn has_booleans(native: &NativeColumn) -> bool {
    bare(&native.declared) == "tinyint" || native.declared == "bit(1)"
}

fn is_decimal(word: &str) -> bool {
    matches!(word, "decimal" | "numeric")
}
