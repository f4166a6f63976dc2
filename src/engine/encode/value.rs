//! Arrow cells as the JSON values that the output schema of their type describes.
//!
//! An array is looked at once and becomes a [`Reader`], a function from the row to the value. Dictionaries, run ends,
//! views and large offsets are looked through.

use super::decimal::{self, Nearest};
use super::reader::{Reader, cells, primitive};
use super::temporal;
use crate::ty::{ExactNumbers, JsonNumber, Type};
use arrow::array::{Array, AsArray, ListLikeArray};
use arrow::datatypes::{
    ArrowNativeType, ArrowPrimitiveType, DataType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::cell::Cell;

/// The largest integer that a client with 64-bit floats reads exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Below it, reals lie one apart or less.
const ONE_APART: f64 = 16_777_216.0;

/// What was met in a column that JSON, or those who read it, cannot keep.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// What its exact numbers are in JSON.
    pub(super) numbers: ExactNumbers,
    unsafe_integer: Cell<bool>,
    rounded: Cell<bool>,
    not_finite: Cell<bool>,
}

impl Losses {
    /// None yet, of a column with such numbers.
    pub(super) fn of(numbers: ExactNumbers) -> Losses {
        Losses { numbers, ..Losses::default() }
    }

    /// What an agent should know about the column.
    pub(super) fn notes(&self, column: &str) -> Vec<String> {
        let unsafe_integer = format!("`{column}` holds integers beyond 2^53 that JavaScript clients round");
        let rounded = format!("`{column}` holds decimals of more than 15 digits, returned as the nearest double");
        let not_finite = format!("`{column}` holds NaN or infinite numbers, returned as null");
        [(&self.unsafe_integer, unsafe_integer), (&self.rounded, rounded), (&self.not_finite, not_finite)]
            .into_iter()
            .filter_map(|(met, note)| met.get().then_some(note))
            .collect()
    }

    /// The same number.
    pub(super) fn integer(&self, number: i64) -> i64 {
        self.unsigned(number.unsigned_abs());
        number
    }

    /// The same number.
    pub(super) fn unsigned(&self, number: u64) -> u64 {
        if number > MAX_SAFE_INTEGER {
            self.unsafe_integer.set(true);
        }
        number
    }

    /// The number of JSON that is nearest to a decimal.
    pub(super) fn nearest(&self, (number, is_long): (Nearest, bool)) -> Nearest {
        match number {
            Nearest::Integer(number) => Nearest::Integer(self.integer(number)),
            Nearest::Double(number) => {
                if is_long {
                    self.rounded.set(true);
                }
                Nearest::Double(number)
            }
        }
    }

    /// The same number, which is null where it is not finite.
    pub(super) fn double(&self, number: f64) -> f64 {
        if !number.is_finite() {
            self.not_finite.set(true);
        }
        number
    }

    /// The double with the shortest text of the real: 0.1, not 0.10000000149011612.
    pub(super) fn real(&self, number: f32) -> f64 {
        let exact = f64::from(number);
        // All digits of a whole number are needed to tell it from its neighbours.
        if exact.trunc() == exact && exact.abs() < ONE_APART {
            return exact;
        }
        // Not with the crate of `serde_json`: of two shortest texts as near it takes the other one.
        self.double(number.to_string().parse().unwrap_or(exact))
    }
}

/// How the rows of an array are read as a type; `None` where the array holds another type.
pub(super) fn reader<'a>(array: &'a dyn Array, ty: &Type, losses: &'a Losses) -> Option<Reader<'a>> {
    match (ty, array.data_type()) {
        (_, DataType::Null) => Some(Box::new(|_| Value::Null)),
        (_, DataType::Dictionary(..)) => dictionary(array, ty, losses),
        (_, DataType::RunEndEncoded(ends, _)) => match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(array, ty, losses),
            DataType::Int32 => runs::<Int32Type>(array, ty, losses),
            _ => runs::<Int64Type>(array, ty, losses),
        },
        (Type::Boolean, _) => Some(cells(array.as_boolean_opt()?, Value::from)),
        (Type::Bigint | Type::Ubigint, _) if losses.numbers.bigint == JsonNumber::String => integer_digits(array),
        (Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint, _) => integer(array, losses),
        (Type::Real | Type::Double, _) => float(array, losses),
        (Type::Decimal(..), _) => decimal(array, losses),
        (Type::Text | Type::Uuid, _) => text(array, Value::from),
        (Type::Json, _) => text(array, |text| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))),
        (Type::Bytea, _) => binary(array),
        (Type::Date, _) => temporal::date(array),
        (Type::Time, _) => temporal::time(array),
        (Type::Timestamp(_), DataType::Timestamp(unit, None)) => temporal::timestamp(array, *unit, ""),
        (Type::Timestamptz(_), DataType::Timestamp(unit, Some(_))) => temporal::timestamp(array, *unit, "Z"),
        (Type::Timestamp(_) | Type::Timestamptz(_), _) => None,
        (Type::Interval, _) => temporal::interval(array),
        (Type::List(item), _) => list(array, item, losses),
        (Type::Struct(fields), _) => record(array, fields, losses),
        (Type::Map(key, value), _) => map(array, (key, value), losses),
    }
}

fn integer<'a>(array: &'a dyn Array, losses: &'a Losses) -> Option<Reader<'a>> {
    match array.data_type() {
        DataType::Int8 => primitive::<Int8Type>(array, Value::from),
        DataType::Int16 => primitive::<Int16Type>(array, Value::from),
        DataType::Int32 => primitive::<Int32Type>(array, Value::from),
        DataType::Int64 => primitive::<Int64Type>(array, move |number| Value::from(losses.integer(number))),
        DataType::UInt8 => primitive::<UInt8Type>(array, Value::from),
        DataType::UInt16 => primitive::<UInt16Type>(array, Value::from),
        DataType::UInt32 => primitive::<UInt32Type>(array, Value::from),
        DataType::UInt64 => primitive::<UInt64Type>(array, move |number| Value::from(losses.unsigned(number))),
        _ => None,
    }
}

fn integer_digits(array: &dyn Array) -> Option<Reader<'_>> {
    fn digits<T: ArrowPrimitiveType<Native: ToString>>(array: &dyn Array) -> Option<Reader<'_>> {
        primitive::<T>(array, |number| number.to_string().into())
    }
    match array.data_type() {
        DataType::Int8 => digits::<Int8Type>(array),
        DataType::Int16 => digits::<Int16Type>(array),
        DataType::Int32 => digits::<Int32Type>(array),
        DataType::Int64 => digits::<Int64Type>(array),
        DataType::UInt8 => digits::<UInt8Type>(array),
        DataType::UInt16 => digits::<UInt16Type>(array),
        DataType::UInt32 => digits::<UInt32Type>(array),
        DataType::UInt64 => digits::<UInt64Type>(array),
        _ => None,
    }
}

fn float<'a>(array: &'a dyn Array, losses: &'a Losses) -> Option<Reader<'a>> {
    match array.data_type() {
        DataType::Float16 => primitive::<Float16Type>(array, move |number| Value::from(losses.real(number.to_f32()))),
        DataType::Float32 => primitive::<Float32Type>(array, move |number| Value::from(losses.real(number))),
        DataType::Float64 => primitive::<Float64Type>(array, move |number| Value::from(losses.double(number))),
        _ => None,
    }
}

fn decimal<'a>(array: &'a dyn Array, losses: &'a Losses) -> Option<Reader<'a>> {
    match array.data_type() {
        DataType::Decimal32(_, scale) => digits::<Decimal32Type>(array, *scale, losses),
        DataType::Decimal64(_, scale) => digits::<Decimal64Type>(array, *scale, losses),
        DataType::Decimal128(_, scale) => digits::<Decimal128Type>(array, *scale, losses),
        DataType::Decimal256(_, scale) => {
            let scale = *scale;
            primitive::<Decimal256Type>(array, move |number| {
                let digits = number.to_string();
                match losses.numbers.decimal {
                    JsonNumber::String => decimal::of_digits(&digits, scale).into(),
                    JsonNumber::Number => losses.nearest(decimal::nearest_of_digits(&digits, scale)).into(),
                }
            })
        }
        _ => None,
    }
}

fn digits<'a, T: ArrowPrimitiveType>(array: &'a dyn Array, scale: i8, losses: &'a Losses) -> Option<Reader<'a>>
where
    T::Native: Into<i128>,
{
    primitive::<T>(array, move |unscaled| match losses.numbers.decimal {
        JsonNumber::String => {
            let mut text = String::new();
            decimal::push(unscaled.into(), scale, &mut text);
            Value::from(text)
        }
        JsonNumber::Number => losses.nearest(decimal::nearest(unscaled.into(), scale)).into(),
    })
}

fn text<'a>(array: &'a dyn Array, convert: impl Fn(&'a str) -> Value + 'a) -> Option<Reader<'a>> {
    Some(match array.data_type() {
        DataType::Utf8 => cells(array.as_string_opt::<i32>()?, convert),
        DataType::LargeUtf8 => cells(array.as_string_opt::<i64>()?, convert),
        DataType::Utf8View => cells(array.as_string_view_opt()?, convert),
        _ => return None,
    })
}

fn binary(array: &dyn Array) -> Option<Reader<'_>> {
    let encode = |bytes: &[u8]| Value::from(STANDARD.encode(bytes));
    Some(match array.data_type() {
        DataType::Binary => cells(array.as_binary_opt::<i32>()?, encode),
        DataType::LargeBinary => cells(array.as_binary_opt::<i64>()?, encode),
        DataType::BinaryView => cells(array.as_binary_view_opt()?, encode),
        DataType::FixedSizeBinary(_) => cells(array.as_fixed_size_binary_opt()?, encode),
        _ => return None,
    })
}

fn list<'a>(array: &'a dyn Array, item: &Type, losses: &'a Losses) -> Option<Reader<'a>> {
    match array.data_type() {
        DataType::List(_) => items(array.as_list_opt::<i32>()?, item, losses),
        DataType::LargeList(_) => items(array.as_list_opt::<i64>()?, item, losses),
        DataType::ListView(_) => items(array.as_list_view_opt::<i32>()?, item, losses),
        DataType::LargeListView(_) => items(array.as_list_view_opt::<i64>()?, item, losses),
        DataType::FixedSizeList(..) => items(array.as_fixed_size_list_opt()?, item, losses),
        _ => None,
    }
}

fn items<'a, L: ListLikeArray>(list: &'a L, item: &Type, losses: &'a Losses) -> Option<Reader<'a>> {
    let read = reader(list.values().as_ref(), item, losses)?;
    Some(Box::new(
        move |row| if list.is_null(row) { Value::Null } else { list.element_range(row).map(&read).collect() },
    ))
}

fn record<'a>(array: &'a dyn Array, fields: &[(String, Type)], losses: &'a Losses) -> Option<Reader<'a>> {
    let record = array.as_struct_opt()?;
    if record.num_columns() != fields.len() {
        return None;
    }
    let fields: Vec<(String, Reader<'a>)> = fields
        .iter()
        .zip(record.columns())
        .map(|((name, ty), column)| Some((name.clone(), reader(column.as_ref(), ty, losses)?)))
        .collect::<Option<_>>()?;
    Some(Box::new(move |row| {
        if record.is_null(row) {
            return Value::Null;
        }
        Value::Object(fields.iter().map(|(name, read)| (name.clone(), read(row))).collect())
    }))
}

fn map<'a>(array: &'a dyn Array, (key, value): (&Type, &Type), losses: &'a Losses) -> Option<Reader<'a>> {
    let map = array.as_map_opt()?;
    let key = reader(map.keys().as_ref(), key, losses)?;
    let value = reader(map.values().as_ref(), value, losses)?;
    let offsets = map.value_offsets();
    Some(Box::new(move |row| match (offsets.get(row), offsets.get(row + 1)) {
        (Some(start), Some(end)) if map.is_valid(row) => {
            let entries = start.as_usize()..end.as_usize();
            Value::Object(entries.map(|entry| (key_text(key(entry)), value(entry))).collect())
        }
        _ => Value::Null,
    }))
}

fn key_text(key: Value) -> String {
    match key {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn dictionary<'a>(array: &'a dyn Array, ty: &Type, losses: &'a Losses) -> Option<Reader<'a>> {
    let dictionary = array.as_any_dictionary_opt()?;
    let (keys, values) = (dictionary.keys(), dictionary.values());
    let read = reader(values.as_ref(), ty, losses)?;
    // Arrow panics on the keys of a dictionary without values; all of them are null.
    let positions = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
    Some(Box::new(move |row| match positions.get(row) {
        Some(position) if keys.is_valid(row) => read(*position),
        _ => Value::Null,
    }))
}

fn runs<'a, R: RunEndIndexType>(array: &'a dyn Array, ty: &Type, losses: &'a Losses) -> Option<Reader<'a>> {
    let runs = array.as_run_opt::<R>()?;
    let read = reader(runs.values().as_ref(), ty, losses)?;
    Some(Box::new(move |row| read(runs.get_physical_index(row))))
}
