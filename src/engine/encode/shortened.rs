//! A row that is larger than a result may be, with its longest values cut.
//!
//! It is cut in the arrays, so that every format says the same of it. A text ends with a mark; bytes, lists and maps have
//! no room for one, and are what they were up to some point. Everything keeps its type.

use super::Rows;
use crate::project::TableFormat;
use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, LargeBinaryArray, LargeStringArray, ListArray, MapArray, RecordBatch,
    RecordBatchOptions, StringArray, StructArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use std::sync::Arc;

impl Rows {
    /// The first row, with its longest values so short that it fits into `max_bytes` of a format, and the names of their
    /// columns. Where it does not fit even so, it is as short as it can be.
    pub fn shortened(&self, format: TableFormat, max_bytes: usize) -> Option<(Rows, Vec<String>)> {
        let batch = self.batches.iter().find(|batch| batch.num_rows() > 0)?;
        let row = batch.slice(0, 1);
        let fits = |most: usize| {
            let cut = self.cut_to(&row, most).ok()?;
            let is_fitting = cut.0.write(format, max_bytes).rows > 0;
            Some((cut, is_fitting))
        };
        // `most` never fits, `least` always does, or is as short as it gets.
        let (mut least, mut most) = (0, max_bytes);
        let (mut best, _) = fits(0)?;
        while most - least > 1 {
            let middle = least.midpoint(most);
            match fits(middle)? {
                (cut, true) => (least, best) = (middle, cut),
                (_, false) => most = middle,
            }
        }
        Some(best)
    }

    /// A row in which no text has more than `most` bytes before its mark, and no list more than `most` items.
    fn cut_to(&self, row: &RecordBatch, most: usize) -> Result<(Rows, Vec<String>), ArrowError> {
        let (mut columns, mut fields, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for ((name, _), array) in self.columns.iter().zip(row.columns()) {
            let cut = cut(array, most)?;
            if cut.is_some() {
                names.push(name.clone());
            }
            let array = cut.unwrap_or_else(|| Arc::clone(array));
            fields.push(Field::new(name, array.data_type().clone(), true));
            columns.push(array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(1));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)?;
        Ok((Rows { batches: vec![batch], len: 1, ..self.clone() }, names))
    }
}

/// The array with what is longer cut; `None` where nothing is.
fn cut(array: &ArrayRef, most: usize) -> Result<Option<ArrayRef>, ArrowError> {
    match array.data_type() {
        DataType::Utf8 => Ok(array.as_string_opt::<i32>().and_then(|texts| {
            let is_long = texts.iter().flatten().any(|text| is_long(text, most));
            let cut = || texts.iter().map(|text| text.map(|text| cut_text(text, most))).collect::<StringArray>();
            is_long.then(|| Arc::new(cut()) as ArrayRef)
        })),
        DataType::LargeUtf8 => Ok(array.as_string_opt::<i64>().and_then(|texts| {
            let is_long = texts.iter().flatten().any(|text| is_long(text, most));
            let cut = || texts.iter().map(|text| text.map(|text| cut_text(text, most))).collect::<LargeStringArray>();
            is_long.then(|| Arc::new(cut()) as ArrayRef)
        })),
        DataType::Binary => Ok(array.as_binary_opt::<i32>().and_then(|bytes| {
            let is_long = bytes.iter().flatten().any(|bytes| bytes.len() > most);
            let cut = || bytes.iter().map(|bytes| bytes.map(|bytes| cut_bytes(bytes, most))).collect::<BinaryArray>();
            is_long.then(|| Arc::new(cut()) as ArrayRef)
        })),
        DataType::LargeBinary => Ok(array.as_binary_opt::<i64>().and_then(|bytes| {
            let is_long = bytes.iter().flatten().any(|bytes| bytes.len() > most);
            let cut =
                || bytes.iter().map(|bytes| bytes.map(|bytes| cut_bytes(bytes, most))).collect::<LargeBinaryArray>();
            is_long.then(|| Arc::new(cut()) as ArrayRef)
        })),
        DataType::List(_) => cut_list(array, most),
        DataType::Struct(_) => cut_record(array, most),
        DataType::Map(..) => cut_map(array, most),
        other => match plainer(other) {
            Some(plain) => cut(&cast(array, &plain)?, most),
            None => Ok(None),
        },
    }
}

/// The type with the same values that is cut, of an encoding.
fn plainer(ty: &DataType) -> Option<DataType> {
    Some(match ty {
        DataType::Utf8View => DataType::LargeUtf8,
        DataType::BinaryView | DataType::FixedSizeBinary(_) => DataType::LargeBinary,
        DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => DataType::List(Arc::clone(item)),
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::RunEndEncoded(_, values) => values.data_type().clone(),
        _ => return None,
    })
}

fn is_long(text: &str, most: usize) -> bool {
    text.len() > most && cut_text(text, most).len() < text.len()
}

/// The beginning of a text and a mark; the whole of one that the mark would make longer.
fn cut_text(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let cut = format!("{}… [cut: {} characters in all]", kept(text, most), text.chars().count());
    if cut.len() < text.len() { cut } else { text.to_owned() }
}

fn kept(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// As many bytes as base64 writes without padding.
fn cut_bytes(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most { bytes } else { bytes.get(..most - most % 3).unwrap_or_default() }
}

fn cut_list(array: &ArrayRef, most: usize) -> Result<Option<ArrayRef>, ArrowError> {
    let (Some(list), DataType::List(field)) = (array.as_list_opt::<i32>(), array.data_type()) else { return Ok(None) };
    let lengths: Vec<usize> = lengths(list.value_offsets());
    let is_long = lengths.iter().any(|length| *length > most);
    let values = leading(list.values(), list.value_offsets(), most)?;
    let cut_values = cut(&values, most)?;
    if !is_long && cut_values.is_none() {
        return Ok(None);
    }
    let values = cut_values.unwrap_or(values);
    let field = Arc::new(field.as_ref().clone().with_data_type(values.data_type().clone()));
    let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| *length.min(&most)));
    Ok(Some(Arc::new(ListArray::try_new(field, offsets, values, list.nulls().cloned())?)))
}

fn cut_map(array: &ArrayRef, most: usize) -> Result<Option<ArrayRef>, ArrowError> {
    let (Some(map), DataType::Map(field, sorted)) = (array.as_map_opt(), array.data_type()) else { return Ok(None) };
    let lengths: Vec<usize> = lengths(map.value_offsets());
    let is_long = lengths.iter().any(|length| *length > most);
    let entries: ArrayRef = Arc::new(map.entries().clone());
    let entries = leading(&entries, map.value_offsets(), most)?;
    let Some(entries) = entries.as_struct_opt() else { return Ok(None) };
    // Keys are names, which are not cut.
    let [key, value] = entries.columns() else { return Ok(None) };
    let cut_value = cut(value, most)?;
    if !is_long && cut_value.is_none() {
        return Ok(None);
    }
    let value = cut_value.unwrap_or_else(|| Arc::clone(value));
    let entries = record(entries, vec![Arc::clone(key), value])?;
    let field = Arc::new(field.as_ref().clone().with_data_type(entries.data_type().clone()));
    let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| *length.min(&most)));
    Ok(Some(Arc::new(MapArray::try_new(field, offsets, entries, map.nulls().cloned(), *sorted)?)))
}

fn cut_record(array: &ArrayRef, most: usize) -> Result<Option<ArrayRef>, ArrowError> {
    let Some(fields) = array.as_struct_opt() else { return Ok(None) };
    let cut: Vec<Option<ArrayRef>> =
        fields.columns().iter().map(|column| cut(column, most)).collect::<Result<_, ArrowError>>()?;
    if cut.iter().all(Option::is_none) {
        return Ok(None);
    }
    let columns = cut.into_iter().zip(fields.columns()).map(|(cut, column)| cut.unwrap_or_else(|| Arc::clone(column)));
    Ok(Some(Arc::new(record(fields, columns.collect())?)))
}

/// A record with other columns under the same names.
fn record(fields: &StructArray, columns: Vec<ArrayRef>) -> Result<StructArray, ArrowError> {
    let named = fields.fields().iter().zip(&columns);
    let named = named.map(|(field, column)| field.as_ref().clone().with_data_type(column.data_type().clone()));
    let nulls: Option<NullBuffer> = fields.nulls().cloned();
    StructArray::try_new_with_length(named.collect(), columns, nulls, fields.len())
}

fn lengths(offsets: &[i32]) -> Vec<usize> {
    let length = |pair: &[i32]| match pair {
        [start, end] => usize::try_from(end - start).unwrap_or_default(),
        _ => 0,
    };
    offsets.windows(2).map(length).collect()
}

/// The first `most` items of every list, one behind the other.
fn leading(values: &ArrayRef, offsets: &[i32], most: usize) -> Result<ArrayRef, ArrowError> {
    let starts = offsets.iter().map(|offset| usize::try_from(*offset).unwrap_or_default());
    let parts: Vec<ArrayRef> =
        starts.zip(lengths(offsets)).map(|(start, length)| values.slice(start, length.min(most))).collect();
    let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    if parts.is_empty() { Ok(values.slice(0, 0)) } else { arrow::compute::concat(&parts) }
}
