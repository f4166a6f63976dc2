//! Days and times as texts, and what their readers would drop of them: they take a day out of a point in time, cut the
//! digits that a type does not keep, and move a leap second to the next minute.

use super::super::offsets::has_offset;
use arrow::compute::kernels::cast_utils::{Parser, string_to_datetime};
use arrow::datatypes::{DataType, Date32Type, Time64MicrosecondType, TimeUnit};
use chrono::Utc;

/// What a reader would drop, or why it would read nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// It is no value of the type.
    Value,
    /// The offset of a local time.
    Offset,
    /// The time of day behind a day.
    TimeOfDay,
    /// A second that clocks do not have.
    LeapSecond,
    /// Digits of a second: so many would have to be kept.
    Digits(usize),
    /// A year that is too far away for nanoseconds.
    Year,
}

/// Checks that a text is read as what is written, if the type is one of days or times.
///
/// Errors: what would be lost.
pub(super) fn check(text: &str, ty: &DataType) -> Result<(), Lost> {
    match ty {
        // Years with a sign are those of days alone.
        DataType::Date32 if text.starts_with(['+', '-']) => is_value(Date32Type::parse(text).is_some()),
        DataType::Date32 if has_offset(text) => Err(Lost::Offset),
        DataType::Date32 => {
            is_value(Date32Type::parse(text).is_some())?;
            let has_time = text.bytes().skip(DAY).any(|byte| matches!(byte, b'1'..=b'9'));
            if has_time { Err(Lost::TimeOfDay) } else { Ok(()) }
        }
        // The reader takes a number for microseconds.
        DataType::Time64(_) => {
            is_value(text.contains(':') && Time64MicrosecondType::parse(text).is_some())?;
            check_clock(text, kept(&TimeUnit::Microsecond))
        }
        DataType::Timestamp(unit, zone) => {
            if zone.is_none() && !text.starts_with(['+', '-']) && has_offset(text) {
                return Err(Lost::Offset);
            }
            let at = string_to_datetime(&Utc, text).map_err(|_| Lost::Value)?;
            if *unit == TimeUnit::Nanosecond && at.timestamp_nanos_opt().is_none() {
                return Err(Lost::Year);
            }
            check_clock(text.get(DAY + 1..).unwrap_or_default(), kept(unit))
        }
        _ => Ok(()),
    }
}

/// How long a day is, as it is written.
const DAY: usize = "2024-03-10".len();

fn is_value(read: bool) -> Result<(), Lost> {
    if read { Ok(()) } else { Err(Lost::Value) }
}

/// How many digits of a second a unit keeps.
fn kept(unit: &TimeUnit) -> usize {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}

/// Checks a time of day, which an offset or `PM` may follow: `10:30:00.5+02:00`, `103000`.
fn check_clock(clock: &str, kept: usize) -> Result<(), Lost> {
    let (second, fraction) = match clock.split(':').nth(2) {
        Some(rest) => (rest.get(..2), rest.get(2..).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default()),
        None => (clock.get(4..6), ""),
    };
    if second == Some("60") {
        return Err(Lost::LeapSecond);
    }
    let digits = fraction.bytes().take_while(u8::is_ascii_digit);
    let written = digits.enumerate().filter(|(_, digit)| *digit != b'0').last().map_or(0, |(at, _)| at + 1);
    if written > kept { Err(Lost::Digits(written)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(zone: Option<&str>) -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, zone.map(Into::into))
    }

    #[test]
    fn days_and_times_that_are_kept_pass() {
        for local in ["2024-01-01", "2024-01-01T10:00:00.5", "2024-01-01 10:00:00", "2024-01-01 100000"] {
            assert_eq!(check(local, &micros(None)), Ok(()), "{local}");
        }
        for instant in ["2024-01-01T00:00:00.1234560000+02:00", "2024-01-01 00:00:00 -08", "2024-01-01t00:00:00z"] {
            assert_eq!(check(instant, &micros(Some("+00:00"))), Ok(()), "{instant}");
        }
        for day in ["2024-01-01", "+1234567-12-31", "2024-01-01T00:00:00", "2024-01-01 00:00:00.000", "20240101"] {
            assert_eq!(check(day, &DataType::Date32), Ok(()), "{day}");
        }
        for time in ["10:00", "9:05:59.123456", "10:00:00.1234560", "12:10:01.5 PM"] {
            assert_eq!(check(time, &DataType::Time64(TimeUnit::Microsecond)), Ok(()), "{time}");
        }
    }

    #[test]
    fn what_would_be_lost_is_told() {
        let nanos = DataType::Timestamp(TimeUnit::Nanosecond, None);
        let seconds = DataType::Timestamp(TimeUnit::Second, None);
        let time = DataType::Time64(TimeUnit::Microsecond);
        for (text, ty, lost) in [
            ("2024-01-01T00:00:00Z", DataType::Date32, Lost::Offset),
            ("2024-01-01T00:00:00-0300", micros(None), Lost::Offset),
            ("2024-01-01T10:30:00", DataType::Date32, Lost::TimeOfDay),
            ("2024-01-01 00:00:00.5", DataType::Date32, Lost::TimeOfDay),
            ("2024-12-31T23:59:60", micros(None), Lost::LeapSecond),
            ("2024-12-31 23:59:60+00:00", micros(Some("+00:00")), Lost::LeapSecond),
            ("23:59:60.5", time.clone(), Lost::LeapSecond),
            ("10:00:00.1234567", time.clone(), Lost::Digits(7)),
            ("2024-01-01T00:00:00.1234567Z", micros(Some("+00:00")), Lost::Digits(7)),
            ("2024-01-01T00:00:00.25", seconds, Lost::Digits(2)),
            ("2024-01-01T00:00:00.0000000001", nanos.clone(), Lost::Digits(10)),
            ("1500-01-01", nanos, Lost::Year),
            ("soon", micros(None), Lost::Value),
            ("36000", time, Lost::Value),
        ] {
            assert_eq!(check(text, &ty), Err(lost), "{text}");
        }
    }
}
