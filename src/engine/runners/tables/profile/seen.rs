//! What was seen of the values of a column.

use crate::ty::Type;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use arrow::error::ArrowError;
use std::collections::HashMap;

/// What was seen of a column.
#[derive(Debug, Default)]
pub(super) struct Seen {
    rows: usize,
    pub(super) nulls: usize,
    /// Each value as a text, and how many rows have it.
    pub(super) counts: HashMap<String, u64>,
    /// The values that are numbers.
    pub(super) numbers: Vec<f64>,
    /// The smallest and the largest number, as texts.
    pub(super) ends: Option<((f64, String), (f64, String))>,
    pub(super) lengths: Vec<i64>,
    /// Whether values were looked at, and not only whether there are some.
    pub(super) has_values: bool,
}

impl Seen {
    /// Nothing yet; `has_values` says whether values are looked at.
    pub(super) fn of_values(has_values: bool) -> Seen {
        Seen { has_values, ..Seen::default() }
    }

    /// How many rows were seen.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Takes in which values are missing.
    pub(super) fn take_presence(&mut self, is_null: &ArrayRef) -> Result<(), ArrowError> {
        self.rows += is_null.len();
        self.nulls += is_null.as_boolean_opt().map_or(0, |is_null| is_null.true_count());
        Ok(())
    }

    /// Takes in values, and the lengths of those that are texts.
    ///
    /// Errors: the values have no texts.
    pub(super) fn take_values(&mut self, values: &ArrayRef, lengths: Option<&ArrayRef>) -> Result<(), ArrowError> {
        self.has_values = true;
        self.rows += values.len();
        let texts = cast(values, &DataType::Utf8)?;
        let is_number = lengths.is_none() && is_number(values.data_type());
        let numbers = if is_number { Some(cast(values, &DataType::Float64)?) } else { None };
        let numbers = numbers.as_ref().and_then(|numbers| numbers.as_primitive_opt::<Float64Type>());
        for (at, text) in texts.as_string_opt::<i32>().into_iter().flatten().enumerate() {
            let Some(text) = text else {
                self.nulls += 1;
                continue;
            };
            *self.counts.entry(text.to_owned()).or_default() += 1;
            if let Some(numbers) = numbers.filter(|numbers| numbers.is_valid(at)) {
                self.take_number(numbers.value(at), text);
            }
        }
        if let Some(lengths) = lengths {
            let lengths = cast(lengths, &DataType::Int64)?;
            self.lengths.extend(lengths.as_primitive_opt::<Int64Type>().into_iter().flatten().flatten());
        }
        Ok(())
    }

    fn take_number(&mut self, number: f64, text: &str) {
        if !number.is_finite() {
            return;
        }
        self.numbers.push(number);
        let (least, most) = self.ends.get_or_insert_with(|| ((number, text.to_owned()), (number, text.to_owned())));
        if number < least.0 {
            *least = (number, text.to_owned());
        }
        if number > most.0 {
            *most = (number, text.to_owned());
        }
    }

    /// How many rows have a value.
    pub(super) fn filled(&self) -> usize {
        self.rows - self.nulls
    }

    /// How many different values there are.
    pub(super) fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// The different values.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(String::as_str)
    }

    /// The characters of the longest text.
    pub(super) fn longest(&self) -> Option<i64> {
        self.lengths.iter().max().copied()
    }
}

/// Whether values are calculated with: those of dates are not.
fn is_number(ty: &DataType) -> bool {
    Type::from_arrow(ty).is_some_and(|ty| ty.is_numeric())
}
