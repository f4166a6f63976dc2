//! Which functions have a limit, and how the rows of one call count against it.

use super::bytes::value_bytes;
use super::lists::{array_repeat, array_resize, array_to_string};
use super::patterns::Search;
use super::ranges::range;
use super::texts::{pad, regexp_replace, repeat, replace};
use super::{MAX_RESULT, MAX_VALUE, too_large};
use crate::plan::stop;
use arrow::array::Array;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

/// How the size of a result, or the time that it takes, follows from the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cap {
    Repeat,
    Pad,
    Replace,
    Pattern(Search),
    ArrayRepeat,
    ArrayResize,
    ArrayToString,
    Range,
    Levenshtein,
    Trim,
    Find,
    HasAll,
}

impl Cap {
    pub(super) fn of(function: &str) -> Option<Cap> {
        match function {
            "repeat" => Some(Cap::Repeat),
            "lpad" | "rpad" => Some(Cap::Pad),
            "replace" => Some(Cap::Replace),
            "regexp_like" | "regexp_match" => Some(Cap::Pattern(Search::First)),
            "regexp_instr" => Some(Cap::Pattern(Search::Nth)),
            "regexp_count" => Some(Cap::Pattern(Search::Count)),
            "regexp_replace" => Some(Cap::Pattern(Search::Replace)),
            "array_repeat" => Some(Cap::ArrayRepeat),
            "array_resize" => Some(Cap::ArrayResize),
            "array_to_string" => Some(Cap::ArrayToString),
            "range" | "generate_series" => Some(Cap::Range),
            "levenshtein" => Some(Cap::Levenshtein),
            "btrim" | "ltrim" | "rtrim" => Some(Cap::Trim),
            "strpos" => Some(Cap::Find),
            "array_has_all" | "array_has_any" => Some(Cap::HasAll),
            _ => None,
        }
    }

    pub(super) fn check(self, batch: &Batch, args: &[ColumnarValue]) -> Result<()> {
        match (self, args) {
            (Cap::Repeat, [text, count]) => repeat(batch, text, count),
            (Cap::Pad, [text, length, fill @ ..]) => pad(batch, text, length, fill.first()),
            (Cap::Replace, [text, from, to]) => replace(batch, text, from, to),
            (Cap::Pattern(Search::Replace), [text, pattern, replacement, flags @ ..]) => {
                regexp_replace(batch, text, pattern, replacement, flags.first())
            }
            (Cap::ArrayRepeat, [element, count]) => array_repeat(batch, element, count),
            (Cap::ArrayResize, [list, size, fill @ ..]) => array_resize(batch, list, size, fill.first()),
            (Cap::ArrayToString, [list, delimiter, null @ ..]) => array_to_string(batch, list, delimiter, null.first()),
            (Cap::Range, args) => range(batch, args),
            // The others make no more than they get, and the function itself refuses any other number of arguments.
            _ => Ok(()),
        }
    }
}

/// The rows of one call.
pub(super) struct Batch<'a> {
    function: &'a str,
    /// How many different results there are.
    rows: usize,
    /// How often each of them is in the result: a result of literals stands in every row.
    copies: u64,
    /// Whether an argument has rows: some functions then write the literals out for each row before they begin.
    columns: bool,
}

impl<'a> Batch<'a> {
    pub(super) fn of(function: &'a str, args: &ScalarFunctionArgs) -> Batch<'a> {
        let lengths = args.args.iter().filter_map(|arg| match arg {
            ColumnarValue::Array(array) => Some(array.len()),
            ColumnarValue::Scalar(_) => None,
        });
        match lengths.min() {
            Some(rows) => Batch { function, rows, copies: 1, columns: true },
            None => Batch { function, rows: 1, copies: args.number_rows.max(1) as u64, columns: false },
        }
    }

    pub(super) fn function(&self) -> &'a str {
        self.function
    }

    /// How many different results there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The bytes of the literals written out for one row.
    pub(super) fn literals<'b>(&self, args: impl IntoIterator<Item = &'b ColumnarValue>) -> u64 {
        let literal = |arg: &ColumnarValue| match arg {
            ColumnarValue::Scalar(value) => value_bytes(value),
            ColumnarValue::Array(_) => 0,
        };
        if self.columns { args.into_iter().map(literal).fold(0, u64::saturating_add) } else { 0 }
    }

    /// Adds up what the rows need, given the bytes of each.
    pub(super) fn measure(&self, mut bytes: impl FnMut(usize) -> u64) -> Result<()> {
        let mut total = 0_u64;
        let mut largest = 0_u64;
        for row in 0..self.rows {
            stop::check()?;
            let value = bytes(row);
            largest = largest.max(value);
            total = total.saturating_add(value.saturating_mul(self.copies));
            if total > MAX_RESULT {
                return Err(too_large(self.function, MAX_RESULT));
            }
        }
        if largest > MAX_VALUE { Err(too_large(self.function, MAX_VALUE)) } else { Ok(()) }
    }
}
