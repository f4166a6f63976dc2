//! Values of a server as columns of Arrow.

use arrow::array::types::IntervalMonthDayNano;
use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder, Float64Builder,
    Int16Builder, Int32Builder, Int64Builder, IntervalMonthDayNanoBuilder, ListArray, NullArray, NullBufferBuilder,
    StringBuilder, Time64MicrosecondBuilder, TimestampMicrosecondBuilder, TimestampMillisecondBuilder,
    TimestampNanosecondBuilder, TimestampSecondBuilder, UInt64Builder,
};
use arrow::buffer::{OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, FieldRef, TimeUnit};
use std::borrow::Cow;
use std::sync::Arc;

/// A value that is none of its column's type here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrong {
    /// What it is.
    pub(super) found: &'static str,
    /// What it is to be.
    pub(super) expected: &'static str,
}

/// What a server does not send.
pub(super) const BROKEN: Wrong = Wrong { found: "bytes", expected: "value of its type" };

/// A sum that no column of sums holds.
pub(super) const OVERFLOW: Wrong = Wrong { found: "a sum of too many digits", expected: "bigint" };

/// A value as it was sent. It is read as what its column is to hold; each way fails where the value is none of that.
pub(super) trait Cell<'a>: Sized {
    /// A truth value.
    fn boolean(&self) -> Result<bool, Wrong>;
    /// A whole number.
    fn integer(&self) -> Result<i64, Wrong>;
    /// A whole number without a sign.
    fn unsigned(&self) -> Result<u64, Wrong> {
        u64::try_from(self.integer()?).map_err(|_| BROKEN)
    }
    /// A floating-point number of four bytes.
    fn float(&self) -> Result<f32, Wrong>;
    /// A floating-point number. A whole one that has no such number is none.
    fn double(&self) -> Result<f64, Wrong>;
    /// A number without its point, of so many digits, so many of them behind the point.
    fn decimal(&self, digits: u8, scale: i8) -> Result<i128, Wrong>;
    /// A text.
    fn text(&self) -> Result<Cow<'a, str>, Wrong>;
    /// Bytes.
    fn bytes(&self) -> Result<&'a [u8], Wrong>;
    /// A day, in days since 1970-01-01.
    fn date(&self) -> Result<i32, Wrong>;
    /// A time of day, in microseconds.
    fn time(&self) -> Result<i64, Wrong>;
    /// A moment, in microseconds since 1970-01-01.
    fn moment(&self) -> Result<i64, Wrong>;
    /// A span of time.
    fn interval(&self) -> Result<IntervalMonthDayNano, Wrong>;
    /// Hands out the items of a list, of which NULL is `None`.
    fn items(&self, _each: &mut dyn FnMut(Option<Self>) -> Result<(), Wrong>) -> Result<(), Wrong> {
        Err(BROKEN)
    }
}

/// What an item of a list takes beside its text.
const ITEM: usize = 4;

/// A column on its way.
pub(super) enum Column {
    Boolean(BooleanBuilder),
    Int16(Int16Builder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Unsigned(UInt64Builder),
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
    /// Of a type that no value is read as, with the number of its rows.
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
            DataType::UInt64 => Column::Unsigned(UInt64Builder::new()),
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

    /// Adds a value, or NULL; how many bytes it takes beside its place.
    ///
    /// Errors: it is none of the column's type.
    pub(super) fn push<'a, C: Cell<'a>>(&mut self, value: Option<C>) -> Result<usize, Wrong> {
        let value = value.as_ref();
        match self {
            Column::Boolean(to) => to.append_option(value.map(C::boolean).transpose()?),
            Column::Int16(to) => to.append_option(small(value)?),
            Column::Int32(to) => to.append_option(small(value)?),
            Column::Int64(to) => to.append_option(small(value)?),
            Column::Unsigned(to) => to.append_option(value.map(C::unsigned).transpose()?),
            Column::Float32(to) => to.append_option(value.map(C::float).transpose()?),
            Column::Float64(to) => to.append_option(value.map(C::double).transpose()?),
            Column::Decimal(to, digits, scale) => {
                to.append_option(value.map(|cell| cell.decimal(*digits, *scale)).transpose()?);
            }
            Column::Text(to) => {
                let text = value.map(C::text).transpose()?;
                to.append_option(text.as_deref());
                return Ok(text.map_or(0, |text| text.len()));
            }
            Column::Bytes(to) => {
                let bytes = value.map(C::bytes).transpose()?;
                to.append_option(bytes);
                return Ok(bytes.map_or(0, <[u8]>::len));
            }
            Column::Date(to) => to.append_option(value.map(C::date).transpose()?),
            Column::Time(to) => to.append_option(value.map(C::time).transpose()?),
            Column::Second(to) => to.append_option(in_units(value, 1_000_000)?),
            Column::Millisecond(to) => to.append_option(in_units(value, 1_000)?),
            Column::Microsecond(to) => to.append_option(in_units(value, 1)?),
            Column::Nanosecond(to) => {
                let wrong = Wrong { found: "a time that nanoseconds do not reach", expected: "timestamp(9)" };
                let nanos = |micros: i64| micros.checked_mul(1_000).ok_or(wrong);
                to.append_option(in_units(value, 1)?.map(nanos).transpose()?);
            }
            Column::Interval(to) => to.append_option(value.map(C::interval).transpose()?),
            Column::List(to) => return to.push(value),
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
            Column::Unsigned(of) => Arc::new(of.finish()),
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
    fn push<'a, C: Cell<'a>>(&mut self, value: Option<&C>) -> Result<usize, Wrong> {
        let (mut end, mut bytes) = (self.ends.last().copied().unwrap_or_default(), 0);
        if let Some(list) = value {
            list.items(&mut |item| {
                bytes += self.items.push(item)? + ITEM;
                end = end.checked_add(1).ok_or(BROKEN)?;
                Ok(())
            })?;
        }
        self.ends.push(end);
        self.nulls.append(value.is_some());
        Ok(bytes)
    }

    fn finish(&mut self) -> ArrayRef {
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
        Arc::new(ListArray::new(Arc::clone(&self.field), ends, self.items.finish(), self.nulls.finish()))
    }
}

/// A whole number that fits in a column.
fn small<'a, T: TryFrom<i64>, C: Cell<'a>>(value: Option<&C>) -> Result<Option<T>, Wrong> {
    value.map(|cell| T::try_from(cell.integer()?).map_err(|_| BROKEN)).transpose()
}

/// A moment in units of so many microseconds.
fn in_units<'a, C: Cell<'a>>(value: Option<&C>, per: i64) -> Result<Option<i64>, Wrong> {
    let wrong = Wrong { found: "a time with more digits", expected: "timestamp of so few" };
    let in_units = |micros: i64| if micros % per == 0 { Ok(micros / per) } else { Err(wrong) };
    value.map(|cell| cell.moment().and_then(in_units)).transpose()
}
