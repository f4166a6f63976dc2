//! The bytes of values.

use arrow::array::{Array, ArrayRef, AsArray, OffsetSizeTrait};
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;

pub(super) fn length(text: &str) -> u64 {
    text.len() as u64
}

/// The bytes that the rows of an array need, not counting what it shares with the array it was sliced from.
pub(super) fn array_bytes(array: &dyn Array) -> u64 {
    let rows = array.len() as u64;
    let part = |array: &ArrayRef, (first, count): (usize, usize)| array_bytes(array.slice(first, count).as_ref());
    let values = match array.data_type() {
        DataType::Utf8 => span(array.as_string::<i32>().value_offsets()).1 as u64,
        DataType::LargeUtf8 => span(array.as_string::<i64>().value_offsets()).1 as u64,
        DataType::Binary => span(array.as_binary::<i32>().value_offsets()).1 as u64,
        DataType::LargeBinary => span(array.as_binary::<i64>().value_offsets()).1 as u64,
        // Views share their text, but what is made of them next does not.
        DataType::Utf8View => array.as_string_view().lengths().map(u64::from).sum::<u64>(),
        DataType::BinaryView => array.as_binary_view().lengths().map(u64::from).sum::<u64>(),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            part(list.values(), span(list.value_offsets()))
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            part(list.values(), span(list.value_offsets()))
        }
        DataType::FixedSizeList(..) => array_bytes(array.as_fixed_size_list().values().as_ref()),
        DataType::Struct(_) => {
            array.as_struct().columns().iter().map(|column| array_bytes(column.as_ref())).sum::<u64>()
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let (first, count) = span(map.value_offsets());
            array_bytes(&map.entries().slice(first, count))
        }
        DataType::FixedSizeBinary(width) => rows.saturating_mul(u64::try_from(*width).unwrap_or(0)),
        // Every row has its key; the dictionary is there once.
        DataType::Null | DataType::Boolean | DataType::Dictionary(..) => 0,
        other => match other.primitive_width() {
            Some(width) => return rows.saturating_mul(width as u64),
            None => array.get_array_memory_size() as u64,
        },
    };
    // Eight for the offset, the key or the bit of each row.
    values.saturating_add(rows.saturating_mul(8))
}

/// Where the values of a list begin, and how many they are.
pub(super) fn span<O: OffsetSizeTrait>(offsets: &[O]) -> (usize, usize) {
    let first = offsets.first().map_or(0, |offset| offset.as_usize());
    let last = offsets.last().map_or(0, |offset| offset.as_usize());
    (first, last.saturating_sub(first))
}

pub(super) fn value_bytes(value: &ScalarValue) -> u64 {
    match value {
        // The size that a list tells of itself counts the text behind views once for each list.
        ScalarValue::List(list) => array_bytes(&**list),
        other => other.size() as u64,
    }
}
