//! The cells of an array as the text of a format.
//!
//! An array is looked at once; after that a cell costs a match and its digits. Dictionaries are looked through. What is
//! nested or rare goes through [`value`].

use super::decimal::{self, Nearest};
use super::format::Format;
use super::reader::Reader;
use super::temporal;
use super::value::{self, Losses};
use crate::ty::{JsonNumber, Type};
use arrow::array::{Array, ArrowPrimitiveType, AsArray, BooleanArray, LargeStringArray, StringArray, StringViewArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{
    DataType, Date32Type, Decimal32Type, Decimal64Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};

/// An array, ready to be written.
pub(super) struct Column<'a> {
    nulls: Option<&'a NullBuffer>,
    values: Values<'a>,
}

enum Values<'a> {
    Null,
    Boolean(&'a BooleanArray),
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64], &'a Losses),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64], &'a Losses),
    Real(&'a [f32], &'a Losses),
    Double(&'a [f64], &'a Losses),
    Decimal32(&'a [i32], i8, &'a Losses),
    Decimal64(&'a [i64], i8, &'a Losses),
    Decimal128(&'a [i128], i8, &'a Losses),
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    Date(&'a [i32]),
    Timestamp(&'a [i64], TimeUnit, &'static str),
    /// The position of every row's value, and the values.
    Dictionary(Vec<usize>, Box<Column<'a>>),
    Other(Reader<'a>),
}

/// The numbers of an array; `None` where it is not of the type `T`.
fn numbers<T: ArrowPrimitiveType>(array: &dyn Array) -> Option<&[T::Native]> {
    Some(array.as_primitive_opt::<T>()?.values())
}

impl<'a> Column<'a> {
    /// An array as a type; `None` where it holds another type.
    pub(super) fn of(array: &'a dyn Array, ty: &Type, losses: &'a Losses) -> Option<Column<'a>> {
        let values = match (ty, array.data_type()) {
            (_, DataType::Null) => Values::Null,
            (_, DataType::Dictionary(..)) => return Column::of_dictionary(array, ty, losses),
            (Type::Boolean, DataType::Boolean) => Values::Boolean(array.as_boolean_opt()?),
            (Type::Bigint | Type::Ubigint, _) if losses.numbers.bigint == JsonNumber::String => {
                Values::Other(value::reader(array, ty, losses)?)
            }
            (Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint, ty) if ty.is_integer() => {
                integers(array, losses)?
            }
            (Type::Real | Type::Double, DataType::Float32) => Values::Real(numbers::<Float32Type>(array)?, losses),
            (Type::Real | Type::Double, DataType::Float64) => Values::Double(numbers::<Float64Type>(array)?, losses),
            (Type::Decimal(..), DataType::Decimal32(_, scale)) => {
                Values::Decimal32(numbers::<Decimal32Type>(array)?, *scale, losses)
            }
            (Type::Decimal(..), DataType::Decimal64(_, scale)) => {
                Values::Decimal64(numbers::<Decimal64Type>(array)?, *scale, losses)
            }
            (Type::Decimal(..), DataType::Decimal128(_, scale)) => {
                Values::Decimal128(numbers::<Decimal128Type>(array)?, *scale, losses)
            }
            (Type::Text | Type::Uuid, DataType::Utf8) => Values::Text(array.as_string_opt()?),
            (Type::Text | Type::Uuid, DataType::LargeUtf8) => Values::LargeText(array.as_string_opt()?),
            (Type::Text | Type::Uuid, DataType::Utf8View) => Values::TextView(array.as_string_view_opt()?),
            (Type::Date, DataType::Date32) => Values::Date(numbers::<Date32Type>(array)?),
            (Type::Timestamp(_), DataType::Timestamp(unit, None)) => timestamps(array, *unit, "")?,
            (Type::Timestamptz(_), DataType::Timestamp(unit, Some(_))) => timestamps(array, *unit, "Z")?,
            _ => {
                let values = Values::Other(value::reader(array, ty, losses)?);
                return Some(Column { nulls: None, values });
            }
        };
        Some(Column { nulls: array.nulls(), values })
    }

    fn of_dictionary(array: &'a dyn Array, ty: &Type, losses: &'a Losses) -> Option<Column<'a>> {
        let dictionary = array.as_any_dictionary_opt()?;
        let values = Column::of(dictionary.values().as_ref(), ty, losses)?;
        // Arrow panics on the keys of a dictionary without values; all of them are null.
        let positions = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
        Some(Column { nulls: dictionary.keys().nulls(), values: Values::Dictionary(positions, Box::new(values)) })
    }

    /// Appends the cell of a row.
    pub(super) fn write<F: Format>(&self, row: usize, out: &mut String) {
        if self.nulls.is_some_and(|nulls| nulls.is_null(row)) {
            return out.push_str(F::NULL);
        }
        match &self.values {
            Values::Null => out.push_str(F::NULL),
            Values::Boolean(values) => out.push_str(if values.value(row) { "true" } else { "false" }),
            Values::Int8(values) => integer(at(values, row), out),
            Values::Int16(values) => integer(at(values, row), out),
            Values::Int32(values) => integer(at(values, row), out),
            Values::Int64(values, losses) => integer(losses.integer(at(values, row)), out),
            Values::UInt8(values) => integer(at(values, row), out),
            Values::UInt16(values) => integer(at(values, row), out),
            Values::UInt32(values) => integer(at(values, row), out),
            Values::UInt64(values, losses) => integer(losses.unsigned(at(values, row)), out),
            Values::Real(values, losses) => double::<F>(losses.real(at(values, row)), out),
            Values::Double(values, losses) => double::<F>(losses.double(at(values, row)), out),
            Values::Decimal32(values, scale, losses) => exact::<F>((at(values, row).into(), *scale), losses, out),
            Values::Decimal64(values, scale, losses) => exact::<F>((at(values, row).into(), *scale), losses, out),
            Values::Decimal128(values, scale, losses) => exact::<F>((at(values, row), *scale), losses, out),
            Values::Text(values) => F::text(values.value(row), out),
            Values::LargeText(values) => F::text(values.value(row), out),
            Values::TextView(values) => F::text(values.value(row), out),
            Values::Date(values) => {
                out.push_str(F::QUOTE);
                temporal::push_day(at(values, row).into(), out);
                out.push_str(F::QUOTE);
            }
            Values::Timestamp(values, unit, suffix) => {
                out.push_str(F::QUOTE);
                temporal::push_timestamp(at(values, row), *unit, out);
                out.push_str(suffix);
                out.push_str(F::QUOTE);
            }
            Values::Dictionary(positions, values) => match positions.get(row) {
                Some(position) => values.write::<F>(*position, out),
                None => out.push_str(F::NULL),
            },
            Values::Other(read) => F::value(&read(row), out),
        }
    }
}

fn integers<'a>(array: &'a dyn Array, losses: &'a Losses) -> Option<Values<'a>> {
    Some(match array.data_type() {
        DataType::Int8 => Values::Int8(numbers::<Int8Type>(array)?),
        DataType::Int16 => Values::Int16(numbers::<Int16Type>(array)?),
        DataType::Int32 => Values::Int32(numbers::<Int32Type>(array)?),
        DataType::Int64 => Values::Int64(numbers::<Int64Type>(array)?, losses),
        DataType::UInt8 => Values::UInt8(numbers::<UInt8Type>(array)?),
        DataType::UInt16 => Values::UInt16(numbers::<UInt16Type>(array)?),
        DataType::UInt32 => Values::UInt32(numbers::<UInt32Type>(array)?),
        DataType::UInt64 => Values::UInt64(numbers::<UInt64Type>(array)?, losses),
        _ => return None,
    })
}

fn timestamps<'a>(array: &'a dyn Array, unit: TimeUnit, suffix: &'static str) -> Option<Values<'a>> {
    let counts = match unit {
        TimeUnit::Second => numbers::<TimestampSecondType>(array)?,
        TimeUnit::Millisecond => numbers::<TimestampMillisecondType>(array)?,
        TimeUnit::Microsecond => numbers::<TimestampMicrosecondType>(array)?,
        TimeUnit::Nanosecond => numbers::<TimestampNanosecondType>(array)?,
    };
    Some(Values::Timestamp(counts, unit, suffix))
}

/// The value of a row; rows beyond the array are never asked for.
fn at<T: Copy + Default>(values: &[T], row: usize) -> T {
    values.get(row).copied().unwrap_or_default()
}

fn integer(number: impl itoa::Integer, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}

fn double<F: Format>(number: f64, out: &mut String) {
    if number.is_finite() {
        // What `serde_json` writes doubles with.
        F::double(zmij::Buffer::new().format_finite(number), out);
    } else {
        out.push_str(F::NULL);
    }
}

fn exact<F: Format>((unscaled, scale): (i128, i8), losses: &Losses, out: &mut String) {
    if losses.numbers.decimal == JsonNumber::Number {
        return match losses.nearest(decimal::nearest(unscaled, scale)) {
            Nearest::Integer(number) => integer(number, out),
            Nearest::Double(number) => double::<F>(number, out),
        };
    }
    out.push_str(F::QUOTE);
    decimal::push(unscaled, scale, out);
    out.push_str(F::QUOTE);
}
