//! Values of PostgreSQL as columns of Arrow.

use super::wire::{BROKEN, Wire, Wrong, boolean, date, float, interval, items, moment, time};
use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder, Float64Builder,
    Int16Builder, Int32Builder, Int64Builder, IntervalMonthDayNanoBuilder, ListArray, NullArray, NullBufferBuilder,
    StringBuilder, Time64MicrosecondBuilder, TimestampMicrosecondBuilder, TimestampMillisecondBuilder,
    TimestampNanosecondBuilder, TimestampSecondBuilder,
};
use arrow::buffer::{OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, FieldRef, TimeUnit};
use std::sync::Arc;

/// A column on its way.
pub(super) enum Column {
    Boolean(BooleanBuilder),
    Int16(Int16Builder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Float32(Float32Builder),
    Float64(Float64Builder),
    Decimal(Decimal128Builder, u8, i8),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Date(Date32Builder),
    Time(Time64MicrosecondBuilder),
    Second(TimestampSecondBuilder),
    Millisecond(TimestampMillisecondBuilder),
    Microsecond(TimestampMicrosecondBuilder),
    Nanosecond(TimestampNanosecondBuilder),
    Interval(IntervalMonthDayNanoBuilder),
    List(Box<List>),
    /// Of a type that no form is read as, with the number of its rows.
    Other(usize),
}

/// Lists on their way.
pub(super) struct List {
    /// What their items are.
    field: FieldRef,
    /// Where each list ends among them.
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
    items: Column,
}

impl Column {
    pub(super) fn of_type(ty: &DataType) -> Column {
        match ty {
            DataType::Boolean => Column::Boolean(BooleanBuilder::new()),
            DataType::Int16 => Column::Int16(Int16Builder::new()),
            DataType::Int32 => Column::Int32(Int32Builder::new()),
            DataType::Int64 => Column::Int64(Int64Builder::new()),
            DataType::Float32 => Column::Float32(Float32Builder::new()),
            DataType::Float64 => Column::Float64(Float64Builder::new()),
            DataType::Decimal128(digits, scale) => {
                Column::Decimal(Decimal128Builder::new().with_data_type(ty.clone()), *digits, *scale)
            }
            DataType::Utf8 => Column::Text(StringBuilder::new()),
            DataType::Binary => Column::Bytes(BinaryBuilder::new()),
            DataType::Date32 => Column::Date(Date32Builder::new()),
            DataType::Time64(TimeUnit::Microsecond) => Column::Time(Time64MicrosecondBuilder::new()),
            DataType::Timestamp(unit, _) => {
                let ty = ty.clone();
                match unit {
                    TimeUnit::Second => Column::Second(TimestampSecondBuilder::new().with_data_type(ty)),
                    TimeUnit::Millisecond => Column::Millisecond(TimestampMillisecondBuilder::new().with_data_type(ty)),
                    TimeUnit::Microsecond => Column::Microsecond(TimestampMicrosecondBuilder::new().with_data_type(ty)),
                    TimeUnit::Nanosecond => Column::Nanosecond(TimestampNanosecondBuilder::new().with_data_type(ty)),
                }
            }
            DataType::Interval(_) => Column::Interval(IntervalMonthDayNanoBuilder::new()),
            DataType::List(field) => Column::List(Box::new(List {
                field: Arc::clone(field),
                ends: vec![0],
                nulls: NullBufferBuilder::new(0),
                items: Column::of_type(field.data_type()),
            })),
            _ => Column::Other(0),
        }
    }

    /// Adds a value in a form, or NULL; how many bytes it takes beside its place.
    ///
    /// Errors: it is none of the column's type.
    pub(super) fn push(&mut self, wire: &Wire, value: Option<&[u8]>) -> Result<usize, Wrong> {
        match self {
            Column::Boolean(to) => to.append_option(value.map(boolean).transpose()?),
            Column::Int16(to) => to.append_option(small(wire, value)?),
            Column::Int32(to) => to.append_option(small(wire, value)?),
            Column::Int64(to) => to.append_option(small(wire, value)?),
            Column::Float32(to) => to.append_option(value.map(float).transpose()?),
            Column::Float64(to) => to.append_option(value.map(|raw| wire.double(raw)).transpose()?),
            Column::Decimal(to, digits, scale) => {
                to.append_option(value.map(|raw| wire.decimal(raw, *digits, *scale)).transpose()?);
            }
            Column::Text(to) => {
                to.append_option(value.map(|raw| wire.text(raw)).transpose()?);
                return Ok(value.map_or(0, <[u8]>::len));
            }
            Column::Bytes(to) => {
                to.append_option(value);
                return Ok(value.map_or(0, <[u8]>::len));
            }
            Column::Date(to) => to.append_option(value.map(date).transpose()?),
            Column::Time(to) => to.append_option(value.map(time).transpose()?),
            Column::Second(to) => to.append_option(in_units(value, 1_000_000)?),
            Column::Millisecond(to) => to.append_option(in_units(value, 1_000)?),
            Column::Microsecond(to) => to.append_option(in_units(value, 1)?),
            Column::Nanosecond(to) => {
                let wrong = Wrong { found: "a time that nanoseconds do not reach", expected: "timestamp(9)" };
                let nanos = |micros: i64| micros.checked_mul(1_000).ok_or(wrong);
                to.append_option(in_units(value, 1)?.map(nanos).transpose()?);
            }
            Column::Interval(to) => to.append_option(value.map(interval).transpose()?),
            Column::List(to) => {
                to.push(wire, value)?;
                return Ok(value.map_or(0, <[u8]>::len));
            }
            Column::Other(rows) => *rows += 1,
        }
        Ok(0)
    }

    /// The values, which are taken away.
    pub(super) fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Boolean(of) => Arc::new(of.finish()),
            Column::Int16(of) => Arc::new(of.finish()),
            Column::Int32(of) => Arc::new(of.finish()),
            Column::Int64(of) => Arc::new(of.finish()),
            Column::Float32(of) => Arc::new(of.finish()),
            Column::Float64(of) => Arc::new(of.finish()),
            Column::Decimal(of, ..) => Arc::new(of.finish()),
            Column::Text(of) => Arc::new(of.finish()),
            Column::Bytes(of) => Arc::new(of.finish()),
            Column::Date(of) => Arc::new(of.finish()),
            Column::Time(of) => Arc::new(of.finish()),
            Column::Second(of) => Arc::new(of.finish()),
            Column::Millisecond(of) => Arc::new(of.finish()),
            Column::Microsecond(of) => Arc::new(of.finish()),
            Column::Nanosecond(of) => Arc::new(of.finish()),
            Column::Interval(of) => Arc::new(of.finish()),
            Column::List(of) => of.finish(),
            Column::Other(rows) => Arc::new(NullArray::new(std::mem::take(rows))),
        }
    }
}

impl List {
    fn push(&mut self, wire: &Wire, value: Option<&[u8]>) -> Result<(), Wrong> {
        let Wire::List(wire, ty) = wire else { return Err(BROKEN) };
        let mut end = self.ends.last().copied().unwrap_or_default();
        if let Some(raw) = value {
            for item in items(raw, *ty)? {
                self.items.push(wire, item?)?;
                end = end.checked_add(1).ok_or(BROKEN)?;
            }
        }
        self.ends.push(end);
        self.nulls.append(value.is_some());
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
        Arc::new(ListArray::new(Arc::clone(&self.field), ends, self.items.finish(), self.nulls.finish()))
    }
}

/// A whole number that fits in a column.
fn small<T: TryFrom<i64>>(wire: &Wire, value: Option<&[u8]>) -> Result<Option<T>, Wrong> {
    let fits = |number: i64| T::try_from(number).map_err(|_| BROKEN);
    value.map(|raw| wire.integer(raw).and_then(fits)).transpose()
}

/// A moment in units of so many microseconds.
fn in_units(value: Option<&[u8]>, per: i64) -> Result<Option<i64>, Wrong> {
    let wrong = Wrong { found: "a time with more digits", expected: "timestamp of so few" };
    let in_units = |micros: i64| if micros % per == 0 { Ok(micros / per) } else { Err(wrong) };
    value.map(|raw| moment(raw).and_then(in_units)).transpose()
}
