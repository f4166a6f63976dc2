//! SQL types as Arrow types and back.

use super::Type;
use arrow::datatypes::{DataType, Field, IntervalUnit, TimeUnit};
use std::sync::Arc;

impl Type {
    /// The Arrow type that a parameter of this type is bound as.
    pub fn to_arrow(&self) -> DataType {
        match self {
            Type::Boolean => DataType::Boolean,
            Type::Smallint => DataType::Int16,
            Type::Int => DataType::Int32,
            Type::Bigint => DataType::Int64,
            Type::Ubigint => DataType::UInt64,
            Type::Real => DataType::Float32,
            Type::Double => DataType::Float64,
            Type::Decimal(precision, scale) => DataType::Decimal128(*precision, *scale),
            // Not Utf8View: the functions that take text return Utf8 for it, which every kernel has.
            Type::Text | Type::Uuid | Type::Json => DataType::Utf8,
            Type::Date => DataType::Date32,
            Type::Time => DataType::Time64(TimeUnit::Microsecond),
            Type::Timestamp(digits) => DataType::Timestamp(unit(*digits), None),
            Type::Timestamptz(digits) => DataType::Timestamp(unit(*digits), Some("+00:00".into())),
            Type::Interval => DataType::Interval(IntervalUnit::MonthDayNano),
            Type::Bytea => DataType::Binary,
            Type::List(item) => DataType::List(Arc::new(Field::new_list_field(item.to_arrow(), true))),
            Type::Struct(fields) => {
                DataType::Struct(fields.iter().map(|(name, ty)| Field::new(name, ty.to_arrow(), true)).collect())
            }
            Type::Map(key, value) => {
                let entries =
                    vec![Field::new("key", key.to_arrow(), false), Field::new("value", value.to_arrow(), true)];
                DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entries.into()), false)), false)
            }
        }
    }

    /// The type of an argument that is compared with a column: its values may be beyond those of a `bigint`.
    pub fn beside_column(arrow: &DataType) -> Option<Type> {
        if *arrow == DataType::UInt64 { Some(Type::Ubigint) } else { Type::from_arrow(arrow) }
    }

    /// The type that an Arrow type is to a person: encodings (dictionary, view, large, run-end) are not told apart.
    /// `None` for the null type and for those that have no SQL name.
    pub fn from_arrow(arrow: &DataType) -> Option<Type> {
        Some(match arrow {
            DataType::Boolean => Type::Boolean,
            DataType::Int8 | DataType::Int16 | DataType::UInt8 => Type::Smallint,
            DataType::Int32 | DataType::UInt16 => Type::Int,
            // Counts and ranks are UInt64; JSON integers hold all of it.
            DataType::Int64 | DataType::UInt32 | DataType::UInt64 => Type::Bigint,
            DataType::Float16 | DataType::Float32 => Type::Real,
            DataType::Float64 => Type::Double,
            DataType::Decimal32(precision, scale)
            | DataType::Decimal64(precision, scale)
            | DataType::Decimal128(precision, scale)
            | DataType::Decimal256(precision, scale) => Type::Decimal(*precision, *scale),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Type::Text,
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
                Type::Bytea
            }
            DataType::Date32 | DataType::Date64 => Type::Date,
            DataType::Time32(_) | DataType::Time64(_) => Type::Time,
            DataType::Timestamp(unit, None) => Type::Timestamp(digits(*unit)),
            DataType::Timestamp(unit, Some(_)) => Type::Timestamptz(digits(*unit)),
            DataType::Interval(_) | DataType::Duration(_) => Type::Interval,
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _) => Type::List(Box::new(Type::from_arrow(item.data_type())?)),
            DataType::Struct(fields) => Type::Struct(
                fields
                    .iter()
                    .map(|field| Some((field.name().clone(), Type::from_arrow(field.data_type())?)))
                    .collect::<Option<_>>()?,
            ),
            DataType::Map(entries, _) => {
                let DataType::Struct(fields) = entries.data_type() else {
                    return None;
                };
                let [key, value] = fields.as_ref() else {
                    return None;
                };
                Type::Map(Box::new(Type::from_arrow(key.data_type())?), Box::new(Type::from_arrow(value.data_type())?))
            }
            DataType::Dictionary(_, values) => Type::from_arrow(values)?,
            DataType::RunEndEncoded(_, values) => Type::from_arrow(values.data_type())?,
            DataType::Null | DataType::Union(..) => return None,
        })
    }
}

fn unit(digits: u8) -> TimeUnit {
    match digits {
        0 => TimeUnit::Second,
        3 => TimeUnit::Millisecond,
        9 => TimeUnit::Nanosecond,
        _ => TimeUnit::Microsecond,
    }
}

fn digits(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}
