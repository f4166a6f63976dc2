//! Functions from a row of an array to its JSON value.

use arrow::array::{Array, ArrayAccessor, AsArray};
use arrow::datatypes::ArrowPrimitiveType;
use serde_json::Value;

/// The value of a row.
pub(super) type Reader<'a> = Box<dyn Fn(usize) -> Value + 'a>;

/// Reads null or the converted value.
pub(super) fn cells<'a, A: ArrayAccessor + 'a>(array: A, convert: impl Fn(A::Item) -> Value + 'a) -> Reader<'a> {
    Box::new(move |row| if array.is_null(row) { Value::Null } else { convert(array.value(row)) })
}

/// The same for an array of numbers; `None` where it is not of the type `T`.
pub(super) fn primitive<'a, T: ArrowPrimitiveType>(
    array: &'a dyn Array,
    convert: impl Fn(T::Native) -> Value + 'a,
) -> Option<Reader<'a>> {
    Some(cells(array.as_primitive_opt::<T>()?, convert))
}
