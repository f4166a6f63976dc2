//! The list of SQLite.
//!
//! What its columns hold is of any type. That does no harm: a value that is none of its column's type is an error where it
//! is returned, and sorts before or behind all that are asked for where it is not.

use super::super::bind::{Form, is_text};
use super::super::facts::Facts;
use super::super::remote_query::Comparison;
use super::{Compared, StandIn};
use crate::catalog::{Native, NativeColumn};
use arrow::datatypes::{DataType, TimeUnit};

/// The most digits of which every decimal is another double, in the same order, and far enough from the next.
const EXACT_DIGITS: u8 = 15;

/// What SQLite makes of the values of a column: <https://sqlite.org/datatype3.html#determination_of_column_affinity>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::sources) enum Affinity {
    /// Numbers become texts.
    Text,
    /// Texts become numbers, where they are some.
    Numeric,
    /// The same, and floating-point numbers that are whole become integers.
    Integer,
    /// The same, and integers become floating-point numbers.
    Real,
    /// Values stay what they are.
    Blob,
}

impl Affinity {
    /// That of a column of a table: `ANY` of a strict one takes all as it is.
    pub(in crate::engine::sources) fn of_column(table: &Native, column: &NativeColumn) -> Affinity {
        match table.is_strict && column.declared.eq_ignore_ascii_case("ANY") {
            true => Affinity::Blob,
            false => Affinity::declared(&column.declared),
        }
    }

    /// That of a column declared so.
    pub(in crate::engine::sources) fn declared(declared: &str) -> Affinity {
        let declared = declared.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|word| declared.contains(word));
        if has(&["INT"]) {
            Affinity::Integer
        } else if has(&["CHAR", "CLOB", "TEXT"]) {
            Affinity::Text
        } else if declared.trim().is_empty() || has(&["BLOB"]) {
            Affinity::Blob
        } else if has(&["REAL", "FLOA", "DOUB"]) {
            Affinity::Real
        } else {
            Affinity::Numeric
        }
    }
}

/// Whether a column may hold values that are none of its type: not one that is the number of the row, and not in a strict
/// table, if it is read as what it is declared.
pub(super) fn may_misfit(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return true };
    if facts.is_key(column) && native.declared.eq_ignore_ascii_case("INTEGER") && !facts.native.is_view {
        return *field.data_type() != DataType::Int64;
    }
    let is_plain = match Affinity::of_column(&facts.native, native) {
        Affinity::Integer => *field.data_type() == DataType::Int64,
        Affinity::Real => *field.data_type() == DataType::Float64,
        _ => false,
    };
    !(facts.native.is_strict && is_plain)
}

/// What may stand in a column for a value of its type.
pub(super) fn stand_in(facts: &Facts, column: usize) -> StandIn {
    let Some((_, native)) = facts.column(column) else { return StandIn::Nothing };
    match Affinity::of_column(&facts.native, native) {
        // A text that looks like a number has become it, unless the column is another's: of a union, say.
        Affinity::Numeric | Affinity::Integer if !facts.native.is_view => StandIn::IntegerForText,
        // Where numbers stay texts, comparisons of numbers are not sent.
        Affinity::Text | Affinity::Blob => StandIn::TextForNumber,
        _ => StandIn::Nothing,
    }
}

/// Whether a column that is read as booleans holds 0 and 1 for them.
pub(super) fn has_booleans(native: &NativeColumn) -> bool {
    Affinity::declared(&native.declared) != Affinity::Text
}

/// What a comparison with a value of a type is there.
pub(super) fn compared(facts: &Facts, column: usize, op: Comparison, value: &DataType) -> Option<Compared> {
    use DataType::{Binary, Boolean, Date32, Decimal128, Float64, Int8, Int16, Int32, Int64, Timestamp};
    let (field, native) = facts.column(column)?;
    let affinity = Affinity::of_column(&facts.native, native);
    let is_null = *value == DataType::Null;
    let is_order = !matches!(op, Comparison::Eq | Comparison::NotEq);
    // In a column of texts, a number becomes a text before it is compared.
    let has_numbers = affinity != Affinity::Text;
    match field.data_type() {
        Int8 | Int16 | Int32 | Int64 if has_numbers && (value.is_integer() || is_null) => {
            Some(Compared::Exact(Form::Int))
        }
        Boolean
            if has_numbers && matches!(op, Comparison::Eq | Comparison::NotEq) && (*value == Boolean || is_null) =>
        {
            Some(Compared::Exact(Form::Int))
        }
        Float64 if has_numbers && (*value == Float64 || is_null) => Some(Compared::Exact(Form::Double)),
        Decimal128(digits, scale) if has_numbers && affinity != Affinity::Blob && *digits <= EXACT_DIGITS => {
            match value {
                Decimal128(_, places) if places <= scale => Some(Compared::Nearly(*digits, *scale)),
                _ => None,
            }
        }
        ty if is_text(ty) && (is_text(value) || is_null) => match affinity {
            Affinity::Text | Affinity::Blob if facts.sorts_bytes => Some(Compared::Exact(Form::Text)),
            // What looks like a number is one there: `'007'` is equal to 7, and so to `'7'`. And in UTF-16 U+FFFE and U+FFFF
            // are U+FFFD, also those of the value.
            Affinity::Text | Affinity::Blob | Affinity::Numeric if op == Comparison::Eq => {
                Some(Compared::Inexact(Form::Text))
            }
            _ => None,
        },
        Binary if !is_order && (*value == Binary || is_null) => Some(Compared::Exact(Form::Bytes)),
        Date32 if is_text_of_times(affinity) && (*value == Date32 || is_null) => Some(Compared::Exact(Form::Day)),
        Timestamp(TimeUnit::Microsecond | TimeUnit::Nanosecond | TimeUnit::Millisecond | TimeUnit::Second, None)
            if is_text_of_times(affinity) && matches!(value, Timestamp(_, None)) =>
        {
            Some(Compared::ByDay)
        }
        _ => None,
    }
}

/// Whether the same values are equal when rows are grouped by a column.
pub(super) fn groups(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    let affinity = Affinity::of_column(&facts.native, native);
    match field.data_type() {
        DataType::Boolean => has_booleans(native),
        ty if is_text(ty) => facts.sorts_bytes && matches!(affinity, Affinity::Text | Affinity::Blob),
        DataType::Date32 => is_text_of_times(affinity),
        _ => has_integers(facts, column),
    }
}

/// Whether columns whose values are grouped alike are also compared alike: by the bytes of texts. In columns of no type, and
/// in those of views, numbers may stand for texts.
pub(super) fn joins(one: (&Facts, usize), other: (&Facts, usize)) -> bool {
    let is_by_bytes = |(facts, at): (&Facts, usize)| {
        facts.column(at).is_some_and(|(field, native)| {
            let is_text = !is_text(field.data_type()) || Affinity::of_column(&facts.native, native) == Affinity::Text;
            is_text && native.collation.is_none() && !facts.native.is_view
        })
    };
    is_by_bytes(one) && is_by_bytes(other) && one.0.native.is_strict == other.0.native.is_strict
}

/// Whether values of a column are in the same order.
pub(super) fn orders(facts: &Facts, column: usize) -> bool {
    let Some((field, native)) = facts.column(column) else { return false };
    let affinity = Affinity::of_column(&facts.native, native);
    match field.data_type() {
        ty if is_text(ty) => facts.sorts_bytes && matches!(affinity, Affinity::Text | Affinity::Blob),
        DataType::Float64 => affinity != Affinity::Text,
        DataType::Decimal128(digits, _) => {
            *digits <= EXACT_DIGITS && !matches!(affinity, Affinity::Text | Affinity::Blob)
        }
        _ => groups(facts, column),
    }
}

/// Whether a column holds integers.
pub(super) fn has_integers(facts: &Facts, column: usize) -> bool {
    facts.column(column).is_some_and(|(field, native)| {
        let is_integer = matches!(field.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64);
        is_integer && Affinity::of_column(&facts.native, native) != Affinity::Text
    })
}

/// Whether texts of times stay texts in a column.
fn is_text_of_times(affinity: Affinity) -> bool {
    // No text of a day is the text of a number, so that columns of numbers keep it too.
    matches!(affinity, Affinity::Text | Affinity::Numeric | Affinity::Blob)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of SQLite's documentation.
    #[test]
    fn affinities_are_those_of_the_documentation() {
        for (declared, affinity) in [
            ("INT", Affinity::Integer),
            ("UNSIGNED BIG INT", Affinity::Integer),
            ("CHARACTER(20)", Affinity::Text),
            ("NVARCHAR(100)", Affinity::Text),
            ("CLOB", Affinity::Text),
            ("BLOB", Affinity::Blob),
            ("", Affinity::Blob),
            ("DOUBLE PRECISION", Affinity::Real),
            ("FLOAT", Affinity::Real),
            ("NUMERIC", Affinity::Numeric),
            ("DECIMAL(10,5)", Affinity::Numeric),
            ("BOOLEAN", Affinity::Numeric),
            ("DATETIME", Affinity::Numeric),
            ("FLOATING POINT", Affinity::Integer),
            ("CHARINT", Affinity::Integer),
            ("STRING", Affinity::Numeric),
        ] {
            assert_eq!(Affinity::declared(declared), affinity, "{declared}");
        }
    }
}
