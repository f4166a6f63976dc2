//! The list of PostgreSQL.
//!
//! Its columns hold values of their types, but for three that are none here: numbers that are no number, and days and times
//! without end.

use super::super::bind::{Form, is_text};
use super::super::facts::Facts;
use super::super::postgres::{bare, comes_as_text};
use super::super::remote_query::Comparison;
use super::Compared;
use crate::catalog::NativeColumn;
use arrow::datatypes::{DataType, Field, TimeUnit};

/// Types whose texts are equal where their values are, and sort as texts do: those of texts themselves. Those that are filled up
/// with blanks are compared, grouped and sorted without them, as they are read.
const TEXTS: [&str; 5] = ["text", "character varying", "name", "character", "bpchar"];

/// Whether values of a column are compared as texts: those of texts, and those that come as the server writes them, which are
/// compared as what comes.
fn is_compared_as_text(field: &Field, native: &NativeColumn) -> bool {
    TEXTS.contains(&bare(&native.declared).as_str()) || comes_as_text(&native.declared, field.data_type())
}

/// Whether a column may hold values that are none of its type here.
pub(super) fn may_misfit(facts: &Facts, column: usize) -> bool {
    match facts.column(column) {
        // Each of its values is a number.
        Some((_, native)) if bare(&native.declared) == "money" => false,
        Some((field, _)) => {
            matches!(field.data_type(), DataType::Decimal128(..) | DataType::Date32 | DataType::Timestamp(..))
        }
        None => false,
    }
}

/// What a comparison with a value of a type is there.
pub(super) fn compared(facts: &Facts, column: usize, op: Comparison, value: &DataType) -> Option<Compared> {
    use DataType::{Binary, Boolean, Date32, Decimal128, Float64, Int16, Int32, Int64, Timestamp};
    let (field, native) = facts.column(column)?;
    let is_null = *value == DataType::Null;
    let is_equality = matches!(op, Comparison::Eq | Comparison::NotEq);
    match field.data_type() {
        Int16 | Int32 | Int64 if is_number(&native.declared) && (value.is_integer() || is_null) => {
            Some(Compared::Exact(Form::Int))
        }
        Boolean if native.declared == "boolean" && is_equality && (*value == Boolean || is_null) => {
            Some(Compared::Exact(Form::Bool))
        }
        // Minus zero is below zero here, and the same there.
        Float64 if native.declared == "double precision" && *value == Float64 => Some(Compared::Wider(Form::Float)),
        Decimal128(..) if is_number(&native.declared) && (matches!(value, Decimal128(..)) || is_null) => {
            Some(Compared::Exact(Form::Numeric))
        }
        ty if is_text(ty) && (is_text(value) || is_null) => match bare(&native.declared).as_str() {
            "uuid" if is_equality => Some(Compared::Exact(Form::Uuid)),
            // A server in another encoding cannot take all texts.
            _ if is_compared_as_text(field, native) && facts.sorts_bytes => Some(Compared::Exact(Form::Zeroless)),
            _ => None,
        },
        Binary if native.declared == "bytea" && is_equality && (*value == Binary || is_null) => {
            Some(Compared::Exact(Form::Bytes))
        }
        Date32 if native.declared == "date" && (*value == Date32 || is_null) => Some(Compared::Exact(Form::Date)),
        Timestamp(TimeUnit::Microsecond, zone) => {
            let is_same = matches!(value, Timestamp(_, other) if other.is_some() == zone.is_some()) || is_null;
            let (own, form) = match zone {
                Some(_) => ("timestamp with time zone", Form::Instant),
                None => ("timestamp without time zone", Form::Local),
            };
            (is_same && bare(&native.declared) == own).then_some(Compared::Exact(form))
        }
        _ => None,
    }
}

/// Whether the same values are equal when rows are grouped by a column.
pub(super) fn groups(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    let is_own = |own: &[&str]| own.contains(&bare(&native.declared).as_str());
    match field.data_type() {
        ty if is_text(ty) => {
            let is_deterministic =
                native.collation.as_ref().is_none_or(|name| !name.ends_with(super::super::postgres::NONDETERMINISTIC));
            (is_compared_as_text(field, native) && facts.sorts_bytes && is_deterministic) || is_own(&["uuid"])
        }
        DataType::Boolean => is_own(&["boolean"]),
        DataType::Date32 => is_own(&["date"]),
        DataType::Timestamp(TimeUnit::Microsecond, _) => native.declared.starts_with("timestamp"),
        DataType::Decimal128(..) => has_decimals(facts, column),
        _ => has_integers(facts, column),
    }
}

/// Whether columns whose values are grouped alike are also compared alike: texts of one collation, and UUIDs with UUIDs. What
/// comes as the server writes it is compared as what it is where it is joined, and may be equal to other texts there.
pub(super) fn joins(one: (&Facts, usize), other: (&Facts, usize)) -> bool {
    let told = |(facts, at): (&Facts, usize)| {
        let (field, native) = facts.column(at)?;
        let is_joined = !comes_as_text(&native.declared, field.data_type());
        is_joined.then(|| (bare(&native.declared) == "uuid", native.collation.clone()))
    };
    told(one).is_some_and(|one| told(other) == Some(one))
}

/// Whether values of a column are in the same order.
pub(super) fn orders(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    match field.data_type() {
        // The letters of a UUID sort as its bytes do.
        ty if is_text(ty) && bare(&native.declared) == "uuid" => true,
        ty if is_text(ty) => is_compared_as_text(field, native) && facts.sorts_bytes,
        DataType::Boolean => false,
        _ => groups(facts, column),
    }
}

/// Whether a column holds integers.
pub(super) fn has_integers(facts: &Facts, column: usize) -> bool {
    facts.column(column).is_some_and(|(field, native)| {
        let is_integer = matches!(field.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64);
        is_integer && is_number(&native.declared)
    })
}

/// Whether a column holds decimals.
pub(super) fn has_decimals(facts: &Facts, column: usize) -> bool {
    facts
        .column(column)
        .is_some_and(|(field, native)| field.data_type().is_decimal() && bare(&native.declared) == "numeric")
}

fn is_number(declared: &str) -> bool {
    matches!(bare(declared).as_str(), "smallint" | "integer" | "bigint" | "numeric")
}
