//! How large a list becomes, and the text of a list.

use super::arguments::{Lists, Texts, integers, not_negative};
use super::batch::Batch;
use super::bytes::{array_bytes, length, span};
use arrow::array::{Array, ArrayRef, AsArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;
use std::sync::Arc;

pub(super) fn array_repeat(batch: &Batch, element: &ColumnarValue, count: &ColumnarValue) -> Result<()> {
    let counts = integers(count)?;
    let elements = element.to_array(1)?;
    let literal = matches!(element, ColumnarValue::Scalar(_)).then(|| repeated_bytes(elements.as_ref()));
    batch.measure(|row| match not_negative(counts.at(row)) {
        0 => 0,
        times => literal.unwrap_or_else(|| repeated_bytes(elements.slice(row, 1).as_ref())).saturating_mul(times),
    })
}

/// What one repetition of an element costs.
fn repeated_bytes(element: &dyn Array) -> u64 {
    // The function first collects an index of eight bytes for each element, and for each element of a list.
    let within = match element.data_type() {
        DataType::List(_) => span(element.as_list::<i32>().value_offsets()).1,
        DataType::LargeList(_) => span(element.as_list::<i64>().value_offsets()).1,
        _ => 0,
    };
    (within as u64).saturating_add(1).saturating_mul(8).saturating_add(array_bytes(element))
}

pub(super) fn array_resize(
    batch: &Batch,
    list: &ColumnarValue,
    size: &ColumnarValue,
    fill: Option<&ColumnarValue>,
) -> Result<()> {
    let literals = batch.literals([list].into_iter().chain(fill));
    let (lists, sizes) = (Lists::of(list)?, integers(size)?);
    // The function itself refuses what is no list.
    let Some(element) = lists.element_type() else { return Ok(()) };
    let null = array_bytes(new_null_array(element, 1).as_ref());
    let fills = fill.map(|fill| fill.to_array(1)).transpose()?;
    let literal = match (fill, &fills) {
        (Some(ColumnarValue::Scalar(_)), Some(fills)) => Some(array_bytes(fills.as_ref())),
        _ => None,
    };
    batch.measure(|row| {
        let Some(values) = lists.at(row) else { return literals };
        let target = not_negative(sizes.at(row));
        let kept = usize::try_from(target).map_or(values.len(), |target| target.min(values.len()));
        let added = target.saturating_sub(kept as u64);
        let fill = match (literal, &fills) {
            (Some(bytes), _) => bytes,
            (None, Some(fills)) if added > 0 => array_bytes(fills.slice(row, 1).as_ref()),
            _ => 0,
        };
        let kept = array_bytes(values.slice(0, kept).as_ref());
        fill.max(null).saturating_mul(added).saturating_add(kept).max(literals)
    })
}

/// Each item of a list may be replaced by a larger one.
pub(super) fn array_replace(
    batch: &Batch,
    list: &ColumnarValue,
    from: &ColumnarValue,
    to: &ColumnarValue,
) -> Result<()> {
    let literals = batch.literals([list, from, to]);
    let lists = Lists::of(list)?;
    let items = to.to_array(1)?;
    let literal = matches!(to, ColumnarValue::Scalar(_)).then(|| array_bytes(items.as_ref()));
    batch.measure(|row| {
        let Some(values) = lists.at(row) else { return literals };
        let item = literal.unwrap_or_else(|| array_bytes(items.slice(row, 1).as_ref()));
        item.saturating_mul(values.len() as u64).saturating_add(array_bytes(values.as_ref())).max(literals)
    })
}

pub(super) fn array_to_string(
    batch: &Batch,
    list: &ColumnarValue,
    delimiter: &ColumnarValue,
    null: Option<&ColumnarValue>,
) -> Result<()> {
    let literals = batch.literals([list, delimiter].into_iter().chain(null));
    let (lists, delimiters, nulls) = (Lists::of(list)?, Texts::of(delimiter), null.map(Texts::of));
    let literal = lists.literal.then(|| lists.at(0).map(|values| Leaves::of(&values)));
    batch.measure(|row| {
        let leaves = literal.unwrap_or_else(|| lists.at(row).map(|values| Leaves::of(&values)));
        let (Some(leaves), Some(delimiter)) = (leaves, delimiters.at(row)) else { return literals };
        let null = nulls.and_then(|nulls| nulls.at(row));
        leaves.text(length(delimiter), null.map(length)).max(literals)
    })
}

/// What `array_to_string` writes of a list, and of the lists within it.
#[derive(Clone, Copy, Default)]
struct Leaves {
    values: u64,
    nulls: u64,
    bytes: u64,
}

impl Leaves {
    fn of(array: &ArrayRef) -> Leaves {
        let within = |values: &ArrayRef, (first, count): (usize, usize)| {
            Leaves { values: 0, nulls: array.null_count() as u64, bytes: 0 }
                .and(Leaves::of(&values.slice(first, count)))
        };
        match array.data_type() {
            DataType::Null => Leaves::default(),
            DataType::List(_) => {
                let list = array.as_list::<i32>();
                within(list.values(), span(list.value_offsets()))
            }
            DataType::LargeList(_) => {
                let list = array.as_list::<i64>();
                within(list.values(), span(list.value_offsets()))
            }
            DataType::FixedSizeList(..) => {
                let values = array.as_fixed_size_list().values();
                within(values, (0, values.len()))
            }
            DataType::Dictionary(..) => Leaves::of_dictionary(array),
            _ => {
                let nulls = array.logical_null_count();
                Leaves {
                    values: array.len().saturating_sub(nulls) as u64,
                    nulls: nulls as u64,
                    bytes: array_bytes(array.as_ref()).saturating_add(long_floats(array)),
                }
            }
        }
    }

    /// A dictionary holds a value once; its text has it for every key.
    fn of_dictionary(array: &ArrayRef) -> Leaves {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Leaves::default() };
        let nulls = Leaves { values: 0, nulls: array.len() as u64, bytes: 0 };
        if dictionary.values().is_empty() {
            return nulls;
        }
        let keys = dictionary.normalized_keys().into_iter().enumerate();
        keys.fold(Leaves::default(), |sum, (row, key)| {
            let valid = dictionary.keys().is_valid(row);
            let null = Leaves { values: 0, nulls: 1, bytes: 0 };
            sum.and(if valid { Leaves::of(&dictionary.values().slice(key, 1)) } else { null })
        })
    }

    fn and(self, other: Leaves) -> Leaves {
        Leaves {
            values: self.values.saturating_add(other.values),
            nulls: self.nulls.saturating_add(other.nulls),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    /// The bytes of the text. Without a text for it, NULL is left out.
    fn text(self, delimiter: u64, null: Option<u64>) -> u64 {
        let written = self.values.saturating_add(if null.is_some() { self.nulls } else { 0 });
        let delimiters = written.saturating_sub(1).saturating_mul(delimiter);
        self.nulls.saturating_mul(null.unwrap_or(0)).saturating_add(delimiters).saturating_add(self.bytes)
    }
}

/// Very large and very small numbers are written with all their zeros: 1e300 has 301 digits.
fn long_floats(array: &ArrayRef) -> u64 {
    const LONGEST: u64 = 350;
    let array = match array.data_type() {
        DataType::Float64 => Some(Arc::clone(array)),
        DataType::Float32 => cast(array, &DataType::Float64).ok(),
        _ => None,
    };
    let ordinary = |number: f64| !number.is_finite() || number == 0.0 || (1e-9..1e21).contains(&number.abs());
    let count = array
        .as_ref()
        .and_then(|array| array.as_primitive_opt::<Float64Type>())
        .map_or(0, |numbers| numbers.iter().flatten().filter(|number| !ordinary(*number)).count());
    (count as u64).saturating_mul(LONGEST)
}
