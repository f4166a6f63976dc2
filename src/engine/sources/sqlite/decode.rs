//! Values of SQLite as columns of Arrow. Each is of the column's type, or is told to be none.

use super::super::bind::TOLERANCE;
use super::super::pushed::StandIn;
use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder, Float64Builder,
    Int16Builder, Int32Builder, Int64Builder, NullArray, StringBuilder, Time64MicrosecondBuilder,
    TimestampMicrosecondBuilder, TimestampMillisecondBuilder, TimestampNanosecondBuilder, TimestampSecondBuilder,
};
use arrow::datatypes::{DataType, TimeUnit};
use chrono::{NaiveDate, NaiveTime};
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// Integers up to this one are all floating-point numbers too.
const WHOLE: u64 = 1 << 53;

/// The microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A column on its way.
pub(super) enum Column {
    Int16(Int16Builder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Boolean(BooleanBuilder),
    Float32(Float32Builder),
    Float64(Float64Builder),
    Decimal(Decimal128Builder, u8, i8),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Date(Date32Builder),
    Time(Time64MicrosecondBuilder),
    Timestamp(Timestamps, Zoned),
    /// Of a type that no column of SQLite has here.
    Other(usize),
}

/// Times by their unit.
pub(super) enum Timestamps {
    Second(TimestampSecondBuilder),
    Millisecond(TimestampMillisecondBuilder),
    Microsecond(TimestampMicrosecondBuilder),
    Nanosecond(TimestampNanosecondBuilder),
}

/// Whether times are instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zoned {
    Yes,
    No,
}

impl Column {
    pub(super) fn of_type(ty: &DataType) -> Column {
        match ty {
            DataType::Int16 => Column::Int16(Int16Builder::new()),
            DataType::Int32 => Column::Int32(Int32Builder::new()),
            DataType::Int64 => Column::Int64(Int64Builder::new()),
            DataType::Boolean => Column::Boolean(BooleanBuilder::new()),
            DataType::Float32 => Column::Float32(Float32Builder::new()),
            DataType::Float64 => Column::Float64(Float64Builder::new()),
            DataType::Decimal128(digits, scale) => {
                Column::Decimal(Decimal128Builder::new().with_data_type(ty.clone()), *digits, *scale)
            }
            DataType::Utf8 => Column::Text(StringBuilder::new()),
            DataType::Binary => Column::Bytes(BinaryBuilder::new()),
            DataType::Date32 => Column::Date(Date32Builder::new()),
            DataType::Time64(_) => Column::Time(Time64MicrosecondBuilder::new()),
            DataType::Timestamp(unit, zone) => {
                let zoned = if zone.is_some() { Zoned::Yes } else { Zoned::No };
                Column::Timestamp(Timestamps::of_type(*unit, ty), zoned)
            }
            _ => Column::Other(0),
        }
    }

    /// Adds a value; how many bytes it takes beside its place.
    ///
    /// Errors: it is none of the column's type, which is told in words.
    pub(super) fn push(&mut self, value: ValueRef<'_>, stand_in: StandIn) -> Result<usize, &'static str> {
        let is_null = matches!(value, ValueRef::Null);
        match self {
            Column::Int16(to) => to.append_option(unless(is_null, || small(value), "smallint")?),
            Column::Int32(to) => to.append_option(unless(is_null, || small(value), "int")?),
            Column::Int64(to) => to.append_option(unless(is_null, || small(value), "bigint")?),
            Column::Boolean(to) => to.append_option(unless(is_null, || boolean(value), "boolean, which is 0 or 1")?),
            Column::Float32(to) => {
                #[allow(clippy::cast_possible_truncation, reason = "the nearest one, as the column is declared")]
                to.append_option(unless(is_null, || double(value), "real")?.map(|value| value as f32));
            }
            Column::Float64(to) => to.append_option(unless(is_null, || double(value), "double")?),
            Column::Decimal(to, digits, scale) => {
                let (digits, scale) = (*digits, *scale);
                let is_taken = stand_in == StandIn::TextForNumber || !matches!(value, ValueRef::Text(_));
                let number = || decimal(value, digits, scale).filter(|_| is_taken);
                to.append_option(unless(is_null, number, "decimal of that size")?);
            }
            Column::Text(to) => {
                let ValueRef::Text(bytes) = value else {
                    let is_taken = stand_in == StandIn::IntegerForText;
                    let digits = || integer(value).filter(|_| is_taken).map(|value| value.to_string());
                    let text = unless(is_null, digits, "text")?;
                    to.append_option(text);
                    return Ok(0);
                };
                to.append_value(std::str::from_utf8(bytes).map_err(|_| "text in UTF-8")?);
                return Ok(bytes.len());
            }
            Column::Bytes(to) => {
                let bytes = unless(is_null, || blob(value), "blob")?;
                to.append_option(bytes);
                return Ok(bytes.map_or(0, <[u8]>::len));
            }
            Column::Date(to) => to.append_option(unless(is_null, || text(value).and_then(date), DATE)?),
            Column::Time(to) => to.append_option(unless(is_null, || text(value).and_then(time), TIME)?),
            Column::Timestamp(to, zoned) => {
                let (zoned, words) = (*zoned, if *zoned == Zoned::Yes { INSTANT } else { TIMESTAMP });
                let at = unless(is_null, || text(value).and_then(|text| instant(text, zoned)), words);
                let at = at.map_err(|words| advice(value, zoned).unwrap_or(words))?;
                to.push(at).ok_or(words)?;
            }
            Column::Other(rows) => *rows += 1,
        }
        Ok(0)
    }

    /// The values, which are taken away.
    pub(super) fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Int16(of) => Arc::new(of.finish()),
            Column::Int32(of) => Arc::new(of.finish()),
            Column::Int64(of) => Arc::new(of.finish()),
            Column::Boolean(of) => Arc::new(of.finish()),
            Column::Float32(of) => Arc::new(of.finish()),
            Column::Float64(of) => Arc::new(of.finish()),
            Column::Decimal(of, ..) => Arc::new(of.finish()),
            Column::Text(of) => Arc::new(of.finish()),
            Column::Bytes(of) => Arc::new(of.finish()),
            Column::Date(of) => Arc::new(of.finish()),
            Column::Time(of) => Arc::new(of.finish()),
            Column::Timestamp(of, _) => of.finish(),
            Column::Other(rows) => Arc::new(NullArray::new(std::mem::take(rows))),
        }
    }
}

const DATE: &str = "date as `2024-03-31`";
const TIME: &str = "time as `12:30:00`";
const TIMESTAMP: &str = "timestamp as `2024-03-31 12:30:00`";
const INSTANT: &str = "timestamptz as `2024-03-31T12:30:00Z`";

/// What is said of a value that is a time of another kind than its column's.
fn advice(value: ValueRef<'_>, zoned: Zoned) -> Option<&'static str> {
    match value {
        ValueRef::Text(_) if zoned == Zoned::No => {
            let is_instant =
                text(value).is_some_and(|text| instant(text, zoned).is_none() && instant(text, Zoned::Yes).is_some());
            is_instant.then_some("timestamp, but a timestamptz: declare it so under `columns`")
        }
        ValueRef::Integer(_) => {
            Some("timestamp: declare it `bigint` under `columns`, and read it by `to_timestamp_seconds`")
        }
        _ => None,
    }
}

impl Timestamps {
    fn of_type(unit: TimeUnit, ty: &DataType) -> Timestamps {
        match unit {
            TimeUnit::Second => Timestamps::Second(TimestampSecondBuilder::new().with_data_type(ty.clone())),
            TimeUnit::Millisecond => {
                Timestamps::Millisecond(TimestampMillisecondBuilder::new().with_data_type(ty.clone()))
            }
            TimeUnit::Microsecond => {
                Timestamps::Microsecond(TimestampMicrosecondBuilder::new().with_data_type(ty.clone()))
            }
            TimeUnit::Nanosecond => {
                Timestamps::Nanosecond(TimestampNanosecondBuilder::new().with_data_type(ty.clone()))
            }
        }
    }

    /// Adds a time in microseconds; `None` where the unit cannot hold it.
    fn push(&mut self, micros: Option<i64>) -> Option<()> {
        let in_units = |per: i64| match micros {
            Some(micros) if micros % per != 0 => None,
            micros => Some(micros.map(|micros| micros / per)),
        };
        match self {
            Timestamps::Second(to) => to.append_option(in_units(1_000_000)?),
            Timestamps::Millisecond(to) => to.append_option(in_units(1_000)?),
            Timestamps::Microsecond(to) => to.append_option(micros),
            Timestamps::Nanosecond(to) => {
                let nanos = match micros {
                    Some(micros) => Some(micros.checked_mul(1_000)?),
                    None => None,
                };
                to.append_option(nanos);
            }
        }
        Some(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Timestamps::Second(of) => Arc::new(of.finish()),
            Timestamps::Millisecond(of) => Arc::new(of.finish()),
            Timestamps::Microsecond(of) => Arc::new(of.finish()),
            Timestamps::Nanosecond(of) => Arc::new(of.finish()),
        }
    }
}

/// NULL, or the value where it is one.
fn unless<T>(
    is_null: bool,
    value: impl FnOnce() -> Option<T>,
    expected: &'static str,
) -> Result<Option<T>, &'static str> {
    if is_null { Ok(None) } else { value().map(Some).ok_or(expected) }
}

/// What a column holds in the place of a value of its type.
pub(super) fn phrase(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL",
        ValueRef::Integer(_) => "an integer",
        ValueRef::Real(_) => "a floating-point number",
        ValueRef::Text(_) => "a text",
        ValueRef::Blob(_) => "a blob",
    }
    .to_owned()
}

fn integer(value: ValueRef<'_>) -> Option<i64> {
    if let ValueRef::Integer(value) = value { Some(value) } else { None }
}

fn small<T: TryFrom<i64>>(value: ValueRef<'_>) -> Option<T> {
    T::try_from(integer(value)?).ok()
}

fn boolean(value: ValueRef<'_>) -> Option<bool> {
    match integer(value)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "it is looked at before")]
fn double(value: ValueRef<'_>) -> Option<f64> {
    match value {
        ValueRef::Real(value) => Some(value),
        // What is whole has become an integer in a column of numbers, also where it is large.
        ValueRef::Integer(value) if (value as f64) as i128 == i128::from(value) => Some(value as f64),
        _ => None,
    }
}

fn text(value: ValueRef<'_>) -> Option<&str> {
    if let ValueRef::Text(bytes) = value { std::str::from_utf8(bytes).ok() } else { None }
}

fn blob(value: ValueRef<'_>) -> Option<&[u8]> {
    if let ValueRef::Blob(bytes) = value { Some(bytes) } else { None }
}

/// The number without its point, where it has at most so many digits. A floating-point number stands for the decimal of so
/// many places that is nearest to it, if that is near enough: the one that was written.
fn decimal(value: ValueRef<'_>, digits: u8, scale: i8) -> Option<i128> {
    match value {
        ValueRef::Integer(value) => scaled(&value.to_string(), digits, scale),
        ValueRef::Real(value) if value.is_finite() => {
            let near = near(value, scale).filter(|number| fits(*number, digits));
            near.or_else(|| scaled(&value.to_string(), digits, scale))
        }
        ValueRef::Text(bytes) => scaled(std::str::from_utf8(bytes).ok()?, digits, scale),
        _ => None,
    }
}

/// The decimal of so many places that a floating-point number stands for.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "whole numbers below 2^53 are both")]
fn near(value: f64, scale: i8) -> Option<i128> {
    let whole = (value * 10_f64.powi(i32::from(scale))).round();
    if whole.abs() >= WHOLE as f64 {
        return None;
    }
    let nearest: f64 = format!("{}e-{scale}", whole as i64).parse().ok()?;
    ((value - nearest).abs() <= nearest.abs() * (TOLERANCE / 2.0)).then_some(whole as i128)
}

fn fits(number: i128, digits: u8) -> bool {
    10_u128.checked_pow(u32::from(digits)).is_some_and(|end| number.unsigned_abs() < end)
}

/// `-12.5` with two places is -1250.
fn scaled(written: &str, digits: u8, scale: i8) -> Option<i128> {
    let (sign, bare) = match written.strip_prefix('-') {
        Some(bare) => (-1, bare),
        None => (1, written),
    };
    let (whole, behind) = bare.split_once('.').unwrap_or((bare, ""));
    let behind = behind.trim_end_matches('0');
    let places = usize::try_from(scale).ok()?;
    let is_number = !whole.is_empty() && whole.chars().chain(behind.chars()).all(|c| c.is_ascii_digit());
    if !is_number || behind.len() > places {
        return None;
    }
    let number: i128 = format!("{whole}{behind:0<places$}").parse().ok()?;
    fits(number, digits).then_some(sign * number)
}

/// `2024-03-31` in days since 1970.
fn date(text: &str) -> Option<i32> {
    let [year, month, day] = numbers(text, &[4, 2, 2], b"--")?;
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).ok()
}

/// `12:30`, `12:30:15` or `12:30:15.25` in microseconds.
fn time(text: &str) -> Option<i64> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let time = match clock.len() {
        5 if fraction.is_none() => {
            let [hour, minute] = numbers(clock, &[2, 2], b":")?;
            NaiveTime::from_hms_opt(hour, minute, 0)?
        }
        _ => {
            let [hour, minute, second] = numbers(clock, &[2, 2, 2], b"::")?;
            NaiveTime::from_hms_opt(hour, minute, second)?
        }
    };
    let micros = match fraction {
        // Nine digits are written by some; what is below a microsecond would be lost.
        Some(digits)
            if !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|digit| digit.is_ascii_digit()) =>
        {
            let nanos: i64 = format!("{digits:0<9}").parse().ok()?;
            if nanos % 1_000 != 0 {
                return None;
            }
            nanos / 1_000
        }
        Some(_) => return None,
        None => 0,
    };
    let seconds = time.signed_duration_since(NaiveTime::MIN).num_microseconds()?;
    Some(seconds + micros)
}

/// A day and a time, with an offset where it is an instant, in microseconds since 1970.
fn instant(text: &str, zoned: Zoned) -> Option<i64> {
    let (day, rest) = text.split_at_checked(10)?;
    let days = i64::from(date(day)?);
    if rest.is_empty() {
        return (zoned == Zoned::No).then_some(days.checked_mul(DAY)?);
    }
    let rest = rest.strip_prefix(['T', ' '])?;
    let (clock, offset) = match zoned {
        Zoned::No => (rest, 0),
        Zoned::Yes => with_offset(rest)?,
    };
    days.checked_mul(DAY)?.checked_add(time(clock)?)?.checked_sub(offset)
}

/// A time and its distance from UTC in microseconds. SQLite itself writes none: then it is UTC.
fn with_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix('Z') {
        return Some((clock, 0));
    }
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, 0)) };
    let (clock, offset) = text.split_at_checked(at)?;
    let (sign, offset) = offset.split_at_checked(1)?;
    let [hours, minutes] = match offset.len() {
        5 => numbers(offset, &[2, 2], b":")?,
        4 => {
            let (hours, minutes) = offset.split_at_checked(2)?;
            let ([hours], [minutes]) = (numbers(hours, &[2], b"")?, numbers(minutes, &[2], b"")?);
            [hours, minutes]
        }
        2 => {
            let [hours] = numbers(offset, &[2], b"")?;
            [hours, 0]
        }
        _ => return None,
    };
    let is_offset = hours <= 18 && minutes < 60;
    let micros = i64::from(hours * 60 + minutes) * 60_000_000;
    is_offset.then_some((clock.trim_end(), if sign == "-" { -micros } else { micros }))
}

/// Numbers of so many digits with these signs between them, and nothing else.
fn numbers<const N: usize>(text: &str, digits: &[usize; N], signs: &[u8]) -> Option<[u32; N]> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, [0; N]);
    for (place, (count, number)) in digits.iter().zip(&mut found).enumerate() {
        if place > 0 {
            if bytes.get(at) != signs.get(place - 1) {
                return None;
            }
            at += 1;
        }
        for digit in bytes.get(at..at + count)? {
            *number = *number * 10 + u32::from(digit.is_ascii_digit().then(|| digit - b'0')?);
        }
        at += count;
    }
    (at == bytes.len()).then_some(found)
}
