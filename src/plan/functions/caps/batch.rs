//! How the rows of one call count against the limits.

use super::bytes::{array_bytes, value_bytes};
use super::{MAX_RESULT, MAX_TOGETHER, MAX_VALUE, constants, too_large};
use crate::plan::stop;
use arrow::array::Array;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};

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

    /// What all arguments need together. What stands between several of them is an argument itself: it is there as often as
    /// they are.
    pub(super) fn put_together(&self, args: &[ColumnarValue]) -> Result<()> {
        let rows = if self.columns { self.rows as u64 } else { self.copies };
        let bytes = |arg: &ColumnarValue| match arg {
            ColumnarValue::Scalar(value) => value_bytes(value).saturating_mul(rows),
            ColumnarValue::Array(array) => array_bytes(array.as_ref()),
        };
        let between = match args.first().filter(|_| self.function == "concat_ws") {
            Some(between) => bytes(between).saturating_mul(args.len() as u64),
            None => 0,
        };
        let total = args.iter().map(bytes).fold(between, u64::saturating_add);
        if total > MAX_TOGETHER {
            return Err(too_large(self.function, MAX_TOGETHER));
        }
        if !self.columns {
            constants::add(self.function, total)?;
        }
        Ok(())
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
        if largest > MAX_VALUE {
            return Err(too_large(self.function, MAX_VALUE));
        }
        if self.columns { Ok(()) } else { constants::add(self.function, largest) }
    }
}
