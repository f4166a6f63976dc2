//! The values of one column, counted and measured.

use super::meaning::{Meaning, hints_of, meaning_of};
use crate::engine::runners::tables::Object;
use crate::tool::DescribedColumn;
use crate::ty::Type;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use arrow::error::ArrowError;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many of the most frequent values are told.
const TOP: usize = 5;
/// The longest value that is told, in characters.
const LONGEST_TOLD: usize = 80;

/// What was seen of a column.
#[derive(Debug, Default)]
pub(super) struct Seen {
    rows: usize,
    nulls: usize,
    /// Each value as a text, and how many rows have it.
    counts: HashMap<String, u64>,
    /// The values that are numbers.
    numbers: Vec<f64>,
    /// The smallest and the largest number, as texts.
    ends: Option<((f64, String), (f64, String))>,
    lengths: Vec<i64>,
    /// Whether values were looked at, and not only whether there are some.
    has_values: bool,
}

impl Seen {
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
        match &mut self.ends {
            None => self.ends = Some(((number, text.to_owned()), (number, text.to_owned()))),
            Some((least, _)) if number < least.0 => *least = (number, text.to_owned()),
            Some((_, most)) if number > most.0 => *most = (number, text.to_owned()),
            Some(_) => {}
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

    fn null_share(&self) -> Option<f64> {
        (self.rows > 0).then(|| rounded(self.nulls as f64 / self.rows as f64))
    }

    /// The smallest and the largest value, as texts. Those of dates and times sort as they do.
    fn ends(&self) -> (Option<String>, Option<String>) {
        match &self.ends {
            Some(((_, least), (_, most))) => (Some(least.clone()), Some(most.clone())),
            None => (self.texts().min().map(shortened), self.texts().max().map(shortened)),
        }
    }

    /// The most frequent values; of those that are as frequent, the first ones. None where each is there once.
    fn top(&self) -> Vec<Value> {
        let mut all: Vec<(&String, &u64)> = self.counts.iter().collect();
        all.sort_by_key(|(text, count)| (Reverse(**count), *text));
        let is_told = all.first().is_some_and(|(_, count)| **count > 1);
        let told = all.into_iter().take(if is_told { TOP } else { 0 });
        told.map(|(text, count)| json!({"value": shortened(text), "rows": count})).collect()
    }
}

/// The row of a column.
pub(super) fn profile_of_column(column: &DescribedColumn, seen: &Seen) -> Object {
    let numbers = sorted(&seen.numbers);
    let mean = |numbers: &[f64]| {
        (!numbers.is_empty()).then(|| rounded(numbers.iter().sum::<f64>() / numbers.len() as f64))
    };
    let lengths: Vec<f64> = seen.lengths.iter().map(|length| *length as f64).collect();
    let (least, most) = seen.ends();
    let meaning = meaning_of(column, seen);
    let hints = hints_of(column, seen, meaning);
    let counted = |value: Value| if seen.has_values { value } else { Value::Null };
    let values = [
        ("column", json!(column.name)),
        ("type", json!(column.ty.to_string())),
        ("rows", json!(seen.rows)),
        ("null_share", json!(seen.null_share())),
        ("distinct", counted(json!(seen.distinct()))),
        ("minimum", json!(least)),
        ("maximum", json!(most)),
        ("mean", json!(mean(&numbers))),
        ("quartile_1", json!(quantile(&numbers, 0.25))),
        ("median", json!(quantile(&numbers, 0.5))),
        ("quartile_3", json!(quantile(&numbers, 0.75))),
        ("top_values", counted(json!(seen.top()))),
        ("shortest", json!(seen.lengths.iter().min())),
        ("longest", json!(seen.longest())),
        ("mean_length", json!(mean(&lengths))),
        ("semantic_type", json!(meaning.map(Meaning::as_str))),
        ("hints", json!(hints)),
    ];
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Whether values are calculated with: those of dates are not.
fn is_number(ty: &DataType) -> bool {
    Type::from_arrow(ty).is_some_and(|ty| ty.is_numeric())
}

fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A quantile of sorted numbers, between two of them in proportion, as `percentile_cont` has it.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    let (low, high) = (sorted.get(below)?, sorted.get(above)?);
    Some(rounded(low + (high - low) * (place - place.floor())))
}

/// A number with six digits behind the point: more say nothing of a sample.
fn rounded(number: f64) -> f64 {
    let scaled = (number * 1e6).round() / 1e6;
    if scaled.is_finite() { scaled } else { number }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TOLD) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, StringArray};
    use std::sync::Arc;

    fn column(ty: Type) -> DescribedColumn {
        DescribedColumn { name: "c".to_owned(), ty, nullable: true, description: None }
    }

    #[test]
    fn numbers_are_counted_and_measured() {
        let values: ArrayRef = Arc::new(Int64Array::from(vec![Some(10), Some(2), None, Some(2), Some(4)]));
        let mut seen = Seen::default();
        seen.take_values(&values, None).unwrap();
        let row = profile_of_column(&column(Type::Bigint), &seen);
        let expected = [
            ("rows", json!(5)),
            ("null_share", json!(0.2)),
            ("distinct", json!(3)),
            ("minimum", json!("2")),
            ("maximum", json!("10")),
            ("mean", json!(4.5)),
            ("quartile_1", json!(2.0)),
            ("median", json!(3.0)),
            ("quartile_3", json!(5.5)),
            ("longest", Value::Null),
        ];
        for (name, value) in expected {
            assert_eq!(row.get(name), Some(&value), "{name}");
        }
        assert_eq!(row.get("top_values").and_then(|top| top.get(0)), Some(&json!({"value": "2", "rows": 2})));
    }

    #[test]
    fn texts_have_lengths_and_no_mean() {
        let values: ArrayRef = Arc::new(StringArray::from(vec!["b", "a", "ccc"]));
        let lengths: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 300]));
        let mut seen = Seen::default();
        seen.take_values(&values, Some(&lengths)).unwrap();
        let row = profile_of_column(&column(Type::Text), &seen);
        let found = ["minimum", "maximum", "shortest", "longest", "mean"].map(|name| row.get(name).cloned());
        let expected = [json!("a"), json!("ccc"), json!(1), json!(300), Value::Null].map(Some);
        assert_eq!(found, expected);
        assert_eq!(row.get("top_values"), Some(&json!([])));
    }

    #[test]
    fn a_column_without_rows_has_no_share() {
        let row = profile_of_column(&column(Type::Text), &Seen::default());
        assert_eq!(row.get("null_share"), Some(&Value::Null));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
