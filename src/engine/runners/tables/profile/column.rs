//! The values of one column, counted and measured.

use super::meaning::{Meaning, hints_of, meaning_of};
use super::seen::Seen;
use crate::engine::runners::tables::Object;
use crate::tool::DescribedColumn;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// How many of the most frequent values are told.
const TOP: usize = 5;
/// The longest value that is told, in characters.
const LONGEST_TOLD: usize = 80;

/// The row of a column.
pub(super) fn profile_of_column(column: &DescribedColumn, seen: &Seen) -> Object {
    let numbers = sorted(&seen.numbers);
    let mean =
        |numbers: &[f64]| (!numbers.is_empty()).then(|| rounded(numbers.iter().sum::<f64>() / numbers.len() as f64));
    let lengths: Vec<f64> = seen.lengths.iter().map(|length| *length as f64).collect();
    let (least, most) = ends(seen);
    let meaning = meaning_of(column, seen);
    let hints = hints_of(column, seen, meaning);
    let counted = |value: Value| if seen.has_values { value } else { Value::Null };
    let values = [
        ("column", json!(column.name)),
        ("type", json!(column.ty.to_string())),
        ("rows", json!(seen.rows())),
        ("null_share", json!(null_share(seen))),
        ("distinct", counted(json!(seen.distinct()))),
        ("minimum", json!(least)),
        ("maximum", json!(most)),
        ("mean", json!(mean(&numbers))),
        ("quartile_1", json!(quantile(&numbers, 0.25))),
        ("median", json!(quantile(&numbers, 0.5))),
        ("quartile_3", json!(quantile(&numbers, 0.75))),
        ("top_values", counted(json!(top_values(seen)))),
        ("shortest", json!(seen.lengths.iter().min())),
        ("longest", json!(seen.longest())),
        ("mean_length", json!(mean(&lengths))),
        ("semantic_type", json!(meaning.map(Meaning::as_str))),
        ("hints", json!(hints)),
    ];
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The share of rows without a value.
fn null_share(seen: &Seen) -> Option<f64> {
    (seen.rows() > 0).then(|| rounded(seen.nulls as f64 / seen.rows() as f64))
}

/// The smallest and the largest value, as texts. Those of dates and times sort as they do.
fn ends(seen: &Seen) -> (Option<String>, Option<String>) {
    match &seen.ends {
        Some(((_, least), (_, most))) => (Some(least.clone()), Some(most.clone())),
        None => (seen.texts().min().map(shortened), seen.texts().max().map(shortened)),
    }
}

/// The most frequent values; of those that are as frequent, the first ones. None where each is there once.
fn top_values(seen: &Seen) -> Vec<Value> {
    let mut all: Vec<(&String, &u64)> = seen.counts.iter().collect();
    all.sort_by_key(|(text, count)| (Reverse(**count), *text));
    let is_told = all.first().is_some_and(|(_, count)| **count > 1);
    let told = all.into_iter().take(if is_told { TOP } else { 0 });
    told.map(|(text, count)| json!({"value": shortened(text), "rows": count})).collect()
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
    use crate::ty::Type;
    use arrow::array::{ArrayRef, Int64Array, StringArray};
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
