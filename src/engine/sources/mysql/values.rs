//! Values of MySQL as it sends them in its binary form, one by one.

use super::super::columns::{BROKEN, Cell, OVERFLOW, Wrong};
use arrow::array::types::IntervalMonthDayNano;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use mysql_async::Value;
use std::borrow::Cow;

/// The microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// The largest whole number up to which each has a floating-point number of its own.
const EXACT: u64 = 1 << 53;

/// A value that is there.
pub(in crate::engine::sources) struct Sent<'a>(pub(super) &'a Value);

impl<'a> Cell<'a> for Sent<'a> {
    fn boolean(&self) -> Result<bool, Wrong> {
        let number = match self.0 {
            // A `bit(1)` is a byte.
            Value::Bytes(bytes) => bytes.first().copied().filter(|_| bytes.len() == 1).map(i64::from).ok_or(BROKEN)?,
            _ => self.integer()?,
        };
        match number {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Wrong { found: "a number other than 0 and 1", expected: "boolean" }),
        }
    }

    fn integer(&self) -> Result<i64, Wrong> {
        match self.0 {
            Value::Int(number) => Ok(*number),
            Value::UInt(number) => i64::try_from(*number)
                .map_err(|_| Wrong { found: "a number above 9223372036854775807", expected: "bigint" }),
            // Sums of whole numbers are decimals.
            Value::Bytes(digits) => text(digits)?.parse().map_err(|_| OVERFLOW),
            _ => Err(BROKEN),
        }
    }

    fn unsigned(&self) -> Result<u64, Wrong> {
        match self.0 {
            Value::UInt(number) => Ok(*number),
            Value::Int(number) => u64::try_from(*number).map_err(|_| BROKEN),
            _ => Err(BROKEN),
        }
    }

    fn float(&self) -> Result<f32, Wrong> {
        match self.0 {
            Value::Float(number) => Ok(*number),
            _ => Err(BROKEN),
        }
    }

    fn double(&self) -> Result<f64, Wrong> {
        let wrong = Wrong { found: "a whole number of too many digits", expected: "double" };
        match self.0 {
            Value::Double(number) => Ok(*number),
            Value::Float(number) => Ok(f64::from(*number)),
            Value::Int(number) if number.unsigned_abs() <= EXACT => Ok(*number as f64),
            Value::Int(_) | Value::UInt(_) => Err(wrong),
            Value::Bytes(digits) => text(digits)?.parse().map_err(|_| BROKEN),
            _ => Err(BROKEN),
        }
    }

    fn decimal(&self, digits: u8, scale: i8) -> Result<i128, Wrong> {
        let wrong = Wrong { found: "a number with more digits", expected: "decimal of that size" };
        match self.0 {
            Value::Int(number) => scaled(&number.to_string(), digits, scale).ok_or(wrong),
            Value::UInt(number) => scaled(&number.to_string(), digits, scale).ok_or(wrong),
            Value::Bytes(written) => scaled(text(written)?, digits, scale).ok_or(wrong),
            _ => Err(BROKEN),
        }
    }

    fn text(&self) -> Result<Cow<'a, str>, Wrong> {
        self.bytes().and_then(text).map(Cow::Borrowed)
    }

    fn bytes(&self) -> Result<&'a [u8], Wrong> {
        match self.0 {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(BROKEN),
        }
    }

    fn date(&self) -> Result<i32, Wrong> {
        let (day, _) = day(self.0, "date")?;
        i32::try_from(day.signed_duration_since(NaiveDate::default()).num_days()).map_err(|_| BROKEN)
    }

    fn time(&self) -> Result<i64, Wrong> {
        let micros = span(self.0)?;
        let wrong = Wrong { found: "a span of time that is no time of a day", expected: "time" };
        Some(micros).filter(|micros| (0..DAY).contains(micros)).ok_or(wrong)
    }

    fn moment(&self) -> Result<i64, Wrong> {
        let (day, rest) = day(self.0, "timestamp")?;
        let at = day.and_hms_opt(0, 0, 0).and_then(|day| day.checked_add_signed(rest)).ok_or(BROKEN)?;
        Ok(NaiveDateTime::and_utc(&at).timestamp_micros())
    }

    fn interval(&self) -> Result<IntervalMonthDayNano, Wrong> {
        let nanos = span(self.0)?.checked_mul(1_000).ok_or(BROKEN)?;
        Ok(IntervalMonthDayNano::new(0, 0, nanos))
    }
}

fn text(bytes: &[u8]) -> Result<&str, Wrong> {
    std::str::from_utf8(bytes).map_err(|_| Wrong { found: "bytes", expected: "text in UTF-8" })
}

/// A number as it is written, without its point; `None` where it has more digits.
fn scaled(written: &str, digits: u8, scale: i8) -> Option<i128> {
    let (whole, behind) = written.split_once('.').unwrap_or((written, ""));
    let places = usize::try_from(scale).ok()?;
    let (kept, cut) = behind.split_at_checked(places).unwrap_or((behind, ""));
    if cut.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let number: i128 = format!("{whole}{kept:0<places$}").parse().ok()?;
    (number.unsigned_abs() < 10_u128.checked_pow(digits.into())?).then_some(number)
}

/// A day, and the time behind its beginning. Days that are none are kept by servers that are told to.
fn day(value: &Value, expected: &'static str) -> Result<(NaiveDate, TimeDelta), Wrong> {
    let Value::Date(year, month, day, hour, minute, second, micros) = value else { return Err(BROKEN) };
    let found = match (year, month, day) {
        (0, 0, 0) => "0000-00-00",
        (_, 0, _) | (_, _, 0) => "a day without its month or its number",
        _ => "a day that no month has",
    };
    let date = NaiveDate::from_ymd_opt(i32::from(*year), u32::from(*month), u32::from(*day));
    let seconds = (i64::from(*hour) * 60 + i64::from(*minute)) * 60 + i64::from(*second);
    let rest = TimeDelta::seconds(seconds) + TimeDelta::microseconds(i64::from(*micros));
    Ok((date.ok_or(Wrong { found, expected })?, rest))
}

/// A span of time, in microseconds.
fn span(value: &Value) -> Result<i64, Wrong> {
    let Value::Time(is_negative, days, hours, minutes, seconds, micros) = value else { return Err(BROKEN) };
    let hours = i64::from(*days) * 24 + i64::from(*hours);
    let seconds = (hours * 60 + i64::from(*minutes)) * 60 + i64::from(*seconds);
    let micros = seconds * 1_000_000 + i64::from(*micros);
    Ok(if *is_negative { -micros } else { micros })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(text: &str) -> Value {
        Value::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn days_that_are_none_are_told() {
        let date = |year, month, day| Sent(&Value::Date(year, month, day, 0, 0, 0, 0)).date();
        assert_eq!(date(1970, 1, 2), Ok(1));
        assert_eq!(date(0, 1, 1), Ok(-719_528));
        assert_eq!(date(0, 0, 0).unwrap_err().found, "0000-00-00");
        assert_eq!(date(2024, 0, 0).unwrap_err().found, "a day without its month or its number");
        assert_eq!(date(2024, 2, 31).unwrap_err().found, "a day that no month has");
        assert_eq!(Sent(&Value::Date(9999, 12, 31, 23, 59, 59, 999_999)).moment(), Ok(253_402_300_799_999_999));
    }

    #[test]
    fn numbers_are_read_whole_or_not_at_all() {
        assert_eq!(Sent(&bytes("9223372036854775807")).integer(), Ok(i64::MAX));
        assert_eq!(Sent(&bytes("9223372036854775808")).integer(), Err(OVERFLOW));
        assert_eq!(Sent(&Value::UInt(u64::MAX)).unsigned(), Ok(u64::MAX));
        assert!(Sent(&Value::UInt(u64::MAX)).integer().is_err() && Sent(&Value::UInt(u64::MAX)).double().is_err());
        assert_eq!(Sent(&bytes("-0.50")).decimal(3, 2), Ok(-50));
        assert_eq!(Sent(&bytes("12.500")).decimal(4, 1), Ok(125));
        assert!(Sent(&bytes("12.51")).decimal(4, 1).is_err() && Sent(&bytes("12345")).decimal(4, 0).is_err());
        assert!(Sent(&Value::Int(2)).boolean().is_err());
        assert_eq!(Sent(&Value::Bytes(vec![1])).boolean(), Ok(true));
    }

    #[test]
    fn spans_go_beyond_a_day() {
        let span = Value::Time(true, 34, 22, 59, 59, 1);
        assert_eq!(Sent(&span).interval().unwrap().nanoseconds, -3_020_399_000_001_000);
        assert!(Sent(&span).time().is_err());
        assert_eq!(Sent(&Value::Time(false, 0, 23, 0, 0, 0)).time(), Ok(82_800_000_000));
    }

    proptest! {
        #[test]
        fn a_decimal_is_read_as_it_is_written(digits in -(10_i128.pow(38) - 1)..10_i128.pow(38), cut in 0_u32..38, scale in 0_i8..=38) {
            let digits = digits / 10_i128.pow(cut);
            let arrow = arrow::array::Decimal128Array::from(vec![digits]).with_precision_and_scale(38, scale).unwrap();
            prop_assert_eq!(Sent(&bytes(&arrow.value_as_string(0))).decimal(38, scale), Ok(digits));
        }
    }
}
