//! The smallest and the largest value of a column in every batch.

use super::order::is_ordered;
use arrow::array::{
    Array, ArrayRef, ArrowNumericType, AsArray, BooleanArray, LargeStringArray, PrimitiveArray, StringArray,
    StringViewArray, downcast_primitive_array,
};
use arrow::compute::concat;
use arrow::compute::kernels::aggregate;
use arrow::datatypes::{DataType, Float32Type, Float64Type};
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue};
use std::sync::Arc;

/// What is known of a column of a snapshot.
#[derive(Debug)]
pub(super) struct Bounds {
    /// One value for every batch; `None` where the type has no order.
    limits: Option<Limits>,
    /// How many values of every batch are null.
    nulls: Vec<usize>,
    /// Which batches hold only nulls: there a limit is missing because there is no value.
    empty: Vec<bool>,
}

/// The limits of every batch, null where there is none or it is not known.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) smallest: ArrayRef,
    pub(super) largest: ArrayRef,
}

impl Bounds {
    /// Looks at a column: its values in every batch.
    pub(super) fn of(batches: &[&ArrayRef]) -> Bounds {
        let nulls: Vec<usize> = batches.iter().map(|array| array.logical_null_count()).collect();
        let empty = batches.iter().zip(&nulls).map(|(array, nulls)| array.len() == *nulls).collect();
        Bounds { limits: limits(batches), nulls, empty }
    }

    /// The limits of every batch.
    pub(super) fn limits(&self) -> Option<&Limits> {
        self.limits.as_ref()
    }

    /// Whether a batch holds nothing but nulls.
    pub(super) fn is_empty(&self, batch: usize) -> bool {
        self.empty.get(batch).copied().unwrap_or(false)
    }

    /// What the planner may know of the whole column.
    pub(super) fn statistics(&self) -> ColumnStatistics {
        let mut statistics = ColumnStatistics::new_unknown();
        statistics.null_count = Precision::Exact(self.nulls.iter().sum());
        let Some(limits) = &self.limits else { return statistics };
        let known = |batch: usize| limits.smallest.is_valid(batch) || self.is_empty(batch);
        if !(0..limits.smallest.len()).all(known) {
            return statistics;
        }
        let smallest = ends(&limits.smallest).map(|ends| ends.smallest);
        let largest = ends(&limits.largest).map(|ends| ends.largest);
        statistics.min_value = exact(smallest);
        statistics.max_value = exact(largest);
        statistics
    }
}

fn exact(value: Option<ArrayRef>) -> Precision<ScalarValue> {
    let value = value.and_then(|array| ScalarValue::try_from_array(&array, 0).ok()).filter(|value| !value.is_null());
    match value {
        // -0.0 may stand for 0.0.
        Some(value) if value.data_type().is_floating() => Precision::Inexact(value),
        Some(value) => Precision::Exact(value),
        None => Precision::Absent,
    }
}

fn limits(batches: &[&ArrayRef]) -> Option<Limits> {
    let ends: Vec<Limits> = batches.iter().map(|array| ends(array)).collect::<Option<_>>()?;
    let side = |of: fn(&Limits) -> &ArrayRef| {
        let arrays: Vec<&dyn Array> = ends.iter().map(|ends| of(ends).as_ref()).collect();
        concat(&arrays).ok()
    };
    Some(Limits { smallest: side(|ends| &ends.smallest)?, largest: side(|ends| &ends.largest)? })
}

/// The smallest and the largest value of an array, as arrays of one value each.
fn ends(array: &ArrayRef) -> Option<Limits> {
    let array: &dyn Array = array.as_ref();
    if !is_ordered(array.data_type()) {
        return None;
    }
    let pair = |smallest: ArrayRef, largest: ArrayRef| Some(Limits { smallest, largest });
    downcast_primitive_array! {
        array => {
            let (smallest, largest) = if has_nan(array) { (None, None) } else { numeric_ends(array) };
            pair(single_value(array, smallest), single_value(array, largest))
        }
        DataType::Boolean => {
            let values = array.as_boolean_opt()?;
            let one = |value| Arc::new(BooleanArray::from(vec![value])) as ArrayRef;
            pair(one(aggregate::min_boolean(values)), one(aggregate::max_boolean(values)))
        }
        DataType::Utf8 => {
            let values = array.as_string_opt::<i32>()?;
            let one = |value| Arc::new(StringArray::from(vec![value])) as ArrayRef;
            pair(one(aggregate::min_string(values)), one(aggregate::max_string(values)))
        }
        DataType::LargeUtf8 => {
            let values = array.as_string_opt::<i64>()?;
            let one = |value| Arc::new(LargeStringArray::from(vec![value])) as ArrayRef;
            pair(one(aggregate::min_string(values)), one(aggregate::max_string(values)))
        }
        DataType::Utf8View => {
            let values = array.as_string_view_opt()?;
            let one = |value: Option<&str>| Arc::new(StringViewArray::from_iter([value])) as ArrayRef;
            pair(one(aggregate::min_string_view(values)), one(aggregate::max_string_view(values)))
        }
        _ => None
    }
}

fn numeric_ends<T: ArrowNumericType>(array: &PrimitiveArray<T>) -> (Option<T::Native>, Option<T::Native>) {
    (aggregate::min(array), aggregate::max(array))
}

/// One value of the same type as the array.
fn single_value<T: ArrowNumericType>(like: &PrimitiveArray<T>, value: Option<T::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::from_iter([value]).with_data_type(like.data_type().clone()))
}

/// Where a value is not a number, the places of the others tell nothing.
fn has_nan(array: &dyn Array) -> bool {
    match array.data_type() {
        DataType::Float32 => {
            array.as_primitive_opt::<Float32Type>().is_some_and(|array| array.values().iter().any(|v| v.is_nan()))
        }
        DataType::Float64 => {
            array.as_primitive_opt::<Float64Type>().is_some_and(|array| array.values().iter().any(|v| v.is_nan()))
        }
        _ => false,
    }
}
