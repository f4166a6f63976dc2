//! What is written straight from the arrays is what the plain way writes, whatever the arrays hold.

use super::super::{Rows, decimal, escape, temporal};
use super::{column, reference};
use crate::tool::OutputColumn;
use crate::ty::{ExactNumbers, JsonNumber, Type};
use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast;
use arrow::datatypes::*;
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

const ROWS: usize = 9;

/// Types without values below them.
fn leaf() -> impl Strategy<Value = DataType> + Clone {
    use DataType::*;
    let units = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let mut all = vec![
        Null,
        Boolean,
        Int8,
        Int16,
        Int32,
        Int64,
        UInt8,
        UInt16,
        UInt32,
        UInt64,
        Float16,
        Float32,
        Float64,
        Utf8,
        LargeUtf8,
        Utf8View,
        Binary,
        LargeBinary,
        BinaryView,
        Date32,
        Date64,
    ];
    all.extend([Time32(TimeUnit::Second), Time32(TimeUnit::Millisecond)]);
    all.extend([Time64(TimeUnit::Microsecond), Time64(TimeUnit::Nanosecond)]);
    all.extend(units.map(Duration));
    all.extend(units.map(|unit| Timestamp(unit, None)));
    all.extend(units.map(|unit| Timestamp(unit, Some("Asia/Tokyo".into()))));
    all.extend([0, 2, -3, 38].map(|scale| Decimal128(38, scale)));
    all.extend([Decimal32(9, 2), Decimal32(9, 9), Decimal64(18, 4), Decimal256(76, 10), Decimal256(76, -2)]);
    all.extend([IntervalUnit::YearMonth, IntervalUnit::DayTime, IntervalUnit::MonthDayNano].map(Interval));
    proptest::sample::select(all)
}

/// Leaves, and arrays that are made of others.
fn data_type() -> impl Strategy<Value = DataType> {
    let flat = leaf().prop_filter("no keys or runs of nothing", |leaf| !leaf.is_null());
    let keyed = (flat.clone(), prop_oneof![Just(DataType::Int8), Just(DataType::UInt32)])
        .prop_map(|(leaf, key)| DataType::Dictionary(Box::new(key), Box::new(leaf)));
    let runs = flat.prop_map(|leaf| {
        let ends = Field::new("run_ends", DataType::Int32, false);
        DataType::RunEndEncoded(Arc::new(ends), Arc::new(Field::new("values", leaf, true)))
    });
    prop_oneof![6 => leaf(), 2 => keyed, 1 => runs].prop_recursive(2, 6, 3, |inner| {
        let list = inner.clone().prop_map(|inner| DataType::new_list(inner, true));
        let record = proptest::collection::vec(inner.clone(), 1..3).prop_map(|types| {
            let fields = types.into_iter().enumerate().map(|(at, ty)| Field::new(format!("f\"{at}"), ty, true));
            DataType::Struct(fields.collect())
        });
        let keys = [DataType::Int64, DataType::Utf8, DataType::Date32, DataType::Boolean, DataType::Decimal128(38, 2)];
        let map = (proptest::sample::select(keys.to_vec()), inner).prop_map(|(key, value)| {
            let fields = [Field::new("key", key, false), Field::new("value", value, true)];
            let entries = Field::new("entries", DataType::Struct(fields.into_iter().collect()), false);
            DataType::Map(Arc::new(entries), false)
        });
        prop_oneof![list, record, map]
    })
}

/// A sequence of numbers in which edges are frequent.
struct Source(u64);

impl Source {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.bits() >> 33) as usize % end
    }

    fn number(&mut self) -> i64 {
        let edges = [0, 1, -1, i64::MAX, i64::MIN, 1 << 53, (1 << 53) - 1, 999, -1_000, 1_711_907_100_250_000, 86_399];
        match self.below(3) {
            0 => edges[self.below(edges.len())],
            1 => self.bits() as i64,
            _ => self.bits() as i64 >> self.below(64),
        }
    }

    fn double(&mut self) -> f64 {
        let edges = [0.0, -0.0, f64::NAN, f64::INFINITY, 1e16, 1e-5, 0.000_015, 0.1, 5e-324, 2.441_406_25e-4, 123.5];
        match self.below(3) {
            0 => edges[self.below(edges.len())],
            1 => f64::from_bits(self.bits()),
            _ => self.number() as f64 / 1_000.0,
        }
    }

    fn text(&mut self) -> String {
        let bare = ["null", "true", "a_b:c.d-1", "x", "", "{\"a\": [1.0, \"|\"]}", "2024-01-01"];
        if self.below(3) == 0 {
            return bare[self.below(bare.len())].to_owned();
        }
        let some =
            ['|', '\\', '\n', '\r', '"', ',', ' ', 'a', 'é', '\u{0}', '\u{7f}', '\u{85}', '£', '中', '😀', '\u{1f}'];
        let any = |source: &mut Source| char::from_u32(source.bits() as u32 % 0x11_0000).unwrap_or('x');
        let one = |source: &mut Source| match source.below(4) {
            0 => some[source.below(some.len())],
            1 => any(source),
            _ => 'w',
        };
        (0..self.below(40)).map(|_| one(self)).collect()
    }

    fn nulls(&mut self, len: usize) -> Option<NullBuffer> {
        let have_nulls = self.below(3) != 0;
        have_nulls.then(|| (0..len).map(|_| self.below(4) != 0).collect())
    }

    fn primitive<T: ArrowPrimitiveType>(
        &mut self,
        ty: &DataType,
        len: usize,
        one: fn(&mut Self) -> T::Native,
    ) -> ArrayRef {
        let values: Vec<T::Native> = (0..len).map(|_| one(self)).collect();
        let nulls = self.nulls(len);
        Arc::new(PrimitiveArray::<T>::new(values.into(), nulls).with_data_type(ty.clone()))
    }

    fn array(&mut self, ty: &DataType, len: usize) -> ArrayRef {
        use TimeUnit::*;
        match ty {
            DataType::Null => Arc::new(NullArray::new(len)),
            DataType::Boolean => {
                let values = (0..len).map(|_| self.below(2) == 0).collect();
                Arc::new(BooleanArray::new(values, self.nulls(len)))
            }
            DataType::Int8 => self.primitive::<Int8Type>(ty, len, |source| source.number() as i8),
            DataType::Int16 => self.primitive::<Int16Type>(ty, len, |source| source.number() as i16),
            DataType::Int32 => self.primitive::<Int32Type>(ty, len, |source| source.number() as i32),
            DataType::Int64 => self.primitive::<Int64Type>(ty, len, Source::number),
            DataType::UInt8 => self.primitive::<UInt8Type>(ty, len, |source| source.number() as u8),
            DataType::UInt16 => self.primitive::<UInt16Type>(ty, len, |source| source.number() as u16),
            DataType::UInt32 => self.primitive::<UInt32Type>(ty, len, |source| source.number() as u32),
            DataType::UInt64 => self.primitive::<UInt64Type>(ty, len, |source| source.number() as u64),
            DataType::Float16 => cast(&self.array(&DataType::Float32, len), ty).unwrap(),
            DataType::Float32 => self.primitive::<Float32Type>(ty, len, |source| match source.below(2) {
                0 => source.double() as f32,
                _ => f32::from_bits(source.bits() as u32),
            }),
            DataType::Float64 => self.primitive::<Float64Type>(ty, len, Source::double),
            DataType::Decimal32(..) => self.primitive::<Decimal32Type>(ty, len, |source| source.number() as i32),
            DataType::Decimal64(..) => self.primitive::<Decimal64Type>(ty, len, Source::number),
            DataType::Decimal128(..) => self.primitive::<Decimal128Type>(ty, len, |source| {
                i128::from(source.number()) << source.below(64) | i128::from(source.below(100) as u32)
            }),
            DataType::Decimal256(..) => self.primitive::<Decimal256Type>(ty, len, |source| {
                i256::from_parts(source.bits().into(), source.number().into())
            }),
            DataType::Utf8 => {
                let texts: Vec<String> = (0..len).map(|_| self.text()).collect();
                let (offsets, values, _) = StringArray::from(texts).into_parts();
                Arc::new(StringArray::new(offsets, values, self.nulls(len)))
            }
            DataType::LargeUtf8 | DataType::Utf8View | DataType::Binary => {
                cast(&self.array(&DataType::Utf8, len), ty).unwrap()
            }
            DataType::LargeBinary | DataType::BinaryView => cast(&self.array(&DataType::Binary, len), ty).unwrap(),
            DataType::Date32 => self.primitive::<Date32Type>(ty, len, |source| source.number() as i32),
            DataType::Date64 => self.primitive::<Date64Type>(ty, len, Source::number),
            DataType::Time32(Second) => self.primitive::<Time32SecondType>(ty, len, |source| source.number() as i32),
            DataType::Time32(_) => self.primitive::<Time32MillisecondType>(ty, len, |source| source.number() as i32),
            DataType::Time64(Microsecond) => self.primitive::<Time64MicrosecondType>(ty, len, Source::number),
            DataType::Time64(_) => self.primitive::<Time64NanosecondType>(ty, len, Source::number),
            DataType::Timestamp(Second, _) => self.primitive::<TimestampSecondType>(ty, len, Source::number),
            DataType::Timestamp(Millisecond, _) => self.primitive::<TimestampMillisecondType>(ty, len, Source::number),
            DataType::Timestamp(Microsecond, _) => self.primitive::<TimestampMicrosecondType>(ty, len, Source::number),
            DataType::Timestamp(Nanosecond, _) => self.primitive::<TimestampNanosecondType>(ty, len, Source::number),
            DataType::Duration(Second) => self.primitive::<DurationSecondType>(ty, len, Source::number),
            DataType::Duration(Millisecond) => self.primitive::<DurationMillisecondType>(ty, len, Source::number),
            DataType::Duration(Microsecond) => self.primitive::<DurationMicrosecondType>(ty, len, Source::number),
            DataType::Duration(Nanosecond) => self.primitive::<DurationNanosecondType>(ty, len, Source::number),
            DataType::Interval(IntervalUnit::YearMonth) => {
                self.primitive::<IntervalYearMonthType>(ty, len, |source| source.number() as i32)
            }
            DataType::Interval(IntervalUnit::DayTime) => self.primitive::<IntervalDayTimeType>(ty, len, |source| {
                IntervalDayTime::new(source.number() as i32, source.number() as i32)
            }),
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                self.primitive::<IntervalMonthDayNanoType>(ty, len, |source| {
                    IntervalMonthDayNano::new(source.number() as i32, source.number() as i32, source.number())
                })
            }
            other => self.composed(other, len),
        }
    }

    fn composed(&mut self, ty: &DataType, len: usize) -> ArrayRef {
        match ty {
            DataType::Dictionary(key, value) => {
                let values = self.array(value, 3);
                let keys = (0..len).map(|_| self.below(3) as u8).collect::<Vec<u8>>();
                let keys = UInt8Array::new(keys.into(), self.nulls(len));
                match key.as_ref() {
                    DataType::Int8 => {
                        let keys = cast(&keys, key).unwrap();
                        Arc::new(DictionaryArray::new(keys.as_primitive::<Int8Type>().clone(), values))
                    }
                    _ => {
                        let keys = cast(&keys, key).unwrap();
                        Arc::new(DictionaryArray::new(keys.as_primitive::<UInt32Type>().clone(), values))
                    }
                }
            }
            DataType::RunEndEncoded(_, value) => {
                let ends: Vec<i32> = (0..len as i32).step_by(2).map(|start| (start + 2).min(len as i32)).collect();
                let values = self.array(value.data_type(), ends.len());
                Arc::new(RunArray::try_new(&Int32Array::from(ends), &values).unwrap())
            }
            DataType::List(item) => {
                let offsets = OffsetBuffer::from_lengths((0..len).map(|_| self.below(3)));
                let values = self.array(item.data_type(), *offsets.last().unwrap() as usize);
                Arc::new(ListArray::new(item.clone(), offsets, values, self.nulls(len)))
            }
            DataType::Struct(fields) => {
                let arrays = fields.iter().map(|field| self.array(field.data_type(), len)).collect();
                Arc::new(StructArray::new(fields.clone(), arrays, self.nulls(len)))
            }
            DataType::Map(entries, _) => {
                let offsets = OffsetBuffer::from_lengths((0..len).map(|_| self.below(3)));
                let count = *offsets.last().unwrap() as usize;
                let DataType::Struct(fields) = entries.data_type() else { unreachable!() };
                let keys = self.array(fields[0].data_type(), count).to_data().into_builder().nulls(None);
                let arrays = vec![make_array(keys.build().unwrap()), self.array(fields[1].data_type(), count)];
                let values = StructArray::new(fields.clone(), arrays, None);
                Arc::new(MapArray::new(entries.clone(), offsets, values, self.nulls(len), false))
            }
            other => unreachable!("{other} is no type of this test"),
        }
    }
}

/// The SQL type of a column; text is sometimes JSON.
fn published(array: &DataType, source: &mut Source) -> Type {
    match Type::from_arrow(array) {
        Some(Type::Text) if source.below(3) == 0 => Type::Json,
        Some(ty) => ty,
        None => Type::Text,
    }
}

/// The column with its exact numbers in any form.
fn of_any_numbers(mut column: OutputColumn, source: &mut Source) -> OutputColumn {
    let mut form = || if source.below(2) == 0 { JsonNumber::String } else { JsonNumber::Number };
    column.numbers = ExactNumbers { bigint: form(), decimal: form() }.of_type(&column.ty);
    column
}

fn rows(types: &[DataType], seed: u64) -> Rows {
    let mut source = Source(seed);
    let names = ["a", "b|\"c\"", "d,e"];
    let columns: Vec<OutputColumn> = types
        .iter()
        .zip(names)
        .map(|(ty, name)| of_any_numbers(column(name, published(ty, &mut source)), &mut source))
        .collect();
    let batch = |len: usize, source: &mut Source| {
        let arrays = types.iter().zip(names).map(|(ty, name)| (name, source.array(ty, len), true));
        RecordBatch::try_from_iter_with_nullable(arrays).unwrap()
    };
    let batches = [batch(ROWS, &mut source), batch(ROWS, &mut source).slice(2, ROWS - 4), batch(2, &mut source)];
    Rows::from_batches(&columns, &batches).unwrap()
}

/// Whether a type is, or holds, null without a name in SQL.
fn has_name(ty: &DataType) -> bool {
    ty.is_null() || Type::from_arrow(ty).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arrays_of_every_type_are_written_as_their_values(
        types in proptest::collection::vec(data_type().prop_filter("a column", has_name), 1..4),
        seed in any::<u64>(),
        most in 0..ROWS * 3,
    ) {
        let mut rows = rows(&types, seed);
        reference::assert_same(&rows);
        rows.truncate(most);
        reference::assert_same(&rows);
    }

    #[test]
    fn text_is_escaped_as_serde_json_does(seed in any::<u64>()) {
        let text = Source(seed).text();
        let mut out = String::new();
        escape::push_json(&text, &mut out);
        prop_assert_eq!(out, Value::from(text).to_string());
    }

    #[test]
    fn digits_of_decimals_are_those_of_arrow(unscaled in any::<i128>(), shift in 0..128, scale in -40..=76_i8) {
        let unscaled = unscaled >> shift;
        let mut out = String::new();
        decimal::push(unscaled, scale, &mut out);
        prop_assert_eq!(out, decimal::of_digits(&unscaled.to_string(), scale));
    }

    #[test]
    fn numbers_of_decimals_are_the_nearest_doubles(unscaled in any::<i128>(), shift in 0..128, scale in -40..=76_i8) {
        let unscaled: i128 = unscaled >> shift;
        let digits = decimal::of_digits(&unscaled.to_string(), scale);
        match decimal::nearest(unscaled, scale).0 {
            decimal::Nearest::Integer(number) => {
                let (whole, behind) = digits.split_once('.').unwrap_or((&digits, ""));
                prop_assert_eq!(number.to_string(), whole.replace("-0", "0"));
                prop_assert!(behind.bytes().all(|digit| digit == b'0'));
            }
            decimal::Nearest::Double(number) => prop_assert_eq!(number, digits.parse::<f64>().unwrap()),
        }
        prop_assert_eq!(decimal::nearest(unscaled, scale), decimal::nearest_of_digits(&unscaled.to_string(), scale));
    }

    #[test]
    fn timestamps_are_those_of_chrono(count in any::<i64>(), shift in 0..64) {
        let count = count >> shift;
        let mut out = String::new();
        temporal::push_timestamp(count, TimeUnit::Nanosecond, &mut out);
        let expected = chrono::DateTime::from_timestamp_nanos(count).naive_utc();
        prop_assert_eq!(out, expected.format("%Y-%m-%dT%H:%M:%S%.f").to_string());
    }
}
