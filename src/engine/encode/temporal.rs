//! Days, times, instants and spans of time in the forms of ISO 8601.
//!
//! Counted by hand: Arrow's counts reach millions of years further than chrono's calendar.

use super::reader::{Reader, primitive};
use arrow::array::Array;
use arrow::datatypes::{
    DataType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalUnit, IntervalYearMonthType,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use serde_json::Value;
use std::fmt::Write as _;

const DAY_SECONDS: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

/// Reads days as `2024-03-31`.
pub(super) fn date(array: &dyn Array) -> Option<Reader<'_>> {
    match array.data_type() {
        DataType::Date32 => primitive::<Date32Type>(array, |days| text(|out| push_day(days.into(), out))),
        DataType::Date64 => {
            let day = |millis: i64| millis.div_euclid(DAY_SECONDS * 1_000);
            primitive::<Date64Type>(array, move |millis| text(|out| push_day(day(millis), out)))
        }
        _ => None,
    }
}

/// Reads times of day as `17:45:00` with as many digits behind the second as there are, in groups of three.
pub(super) fn time(array: &dyn Array) -> Option<Reader<'_>> {
    let clock = |count: i64, unit: TimeUnit| {
        let (seconds, nanos) = split(count, unit);
        text(|out| push_clock(seconds, nanos, out))
    };
    match array.data_type() {
        DataType::Time32(TimeUnit::Second) => {
            primitive::<Time32SecondType>(array, move |count| clock(count.into(), TimeUnit::Second))
        }
        DataType::Time32(TimeUnit::Millisecond) => {
            primitive::<Time32MillisecondType>(array, move |count| clock(count.into(), TimeUnit::Millisecond))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            primitive::<Time64MicrosecondType>(array, move |count| clock(count, TimeUnit::Microsecond))
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            primitive::<Time64NanosecondType>(array, move |count| clock(count, TimeUnit::Nanosecond))
        }
        _ => None,
    }
}

/// Reads dates with times as `2024-03-31T17:45:00` and the suffix: `Z` for an instant, nothing for a local time.
pub(super) fn timestamp<'a>(array: &'a dyn Array, unit: TimeUnit, suffix: &'static str) -> Option<Reader<'a>> {
    let instant = move |count: i64| {
        text(|out| {
            push_timestamp(count, unit, out);
            out.push_str(suffix);
        })
    };
    match unit {
        TimeUnit::Second => primitive::<TimestampSecondType>(array, instant),
        TimeUnit::Millisecond => primitive::<TimestampMillisecondType>(array, instant),
        TimeUnit::Microsecond => primitive::<TimestampMicrosecondType>(array, instant),
        TimeUnit::Nanosecond => primitive::<TimestampNanosecondType>(array, instant),
    }
}

/// Reads spans of time as `P1Y2M3DT4H5M6.5S`.
pub(super) fn interval(array: &dyn Array) -> Option<Reader<'_>> {
    let duration =
        |unit: TimeUnit| move |count: i64| span(0, 0, i128::from(count) * i128::from(NANOS / per_second(unit)));
    match array.data_type() {
        DataType::Interval(IntervalUnit::YearMonth) => {
            primitive::<IntervalYearMonthType>(array, |months| span(months, 0, 0))
        }
        DataType::Interval(IntervalUnit::DayTime) => primitive::<IntervalDayTimeType>(array, |interval| {
            span(0, interval.days, i128::from(interval.milliseconds) * 1_000_000)
        }),
        DataType::Interval(IntervalUnit::MonthDayNano) => primitive::<IntervalMonthDayNanoType>(array, |interval| {
            span(interval.months, interval.days, interval.nanoseconds.into())
        }),
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => primitive::<DurationSecondType>(array, duration(*unit)),
            TimeUnit::Millisecond => primitive::<DurationMillisecondType>(array, duration(*unit)),
            TimeUnit::Microsecond => primitive::<DurationMicrosecondType>(array, duration(*unit)),
            TimeUnit::Nanosecond => primitive::<DurationNanosecondType>(array, duration(*unit)),
        },
        _ => None,
    }
}

fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => NANOS,
    }
}

/// Whole seconds, rounded down, and the nanoseconds beyond.
fn split(count: i64, unit: TimeUnit) -> (i64, u32) {
    match unit {
        TimeUnit::Second => (count, 0),
        TimeUnit::Millisecond => parts::<1_000>(count),
        TimeUnit::Microsecond => parts::<1_000_000>(count),
        TimeUnit::Nanosecond => parts::<NANOS>(count),
    }
}

/// The same for a number of units per second: dividing by one that is known is several times as fast.
fn parts<const PER_SECOND: i64>(count: i64) -> (i64, u32) {
    // Less than a second of nanoseconds fits.
    (count.div_euclid(PER_SECOND), (count.rem_euclid(PER_SECOND) * (NANOS / PER_SECOND)) as u32)
}

/// Appends the day that lies `days` after 1970-01-01 in the Gregorian calendar, extended in both directions.
pub(super) fn push_day(days: i64, out: &mut String) {
    match calendar(days) {
        (year @ 0..=9_999, month, day) => push_ascii(&short_day(year as u32, month, day), out),
        // Writing to a string does not fail.
        (year, month, day) => _ = write!(out, "{year:+05}-{month:02}-{day:02}"),
    }
}

/// Appends the date and the time that lie `count` units after 1970-01-01.
pub(super) fn push_timestamp(count: i64, unit: TimeUnit, out: &mut String) {
    let (seconds, nanos) = split(count, unit);
    push_day(seconds.div_euclid(DAY_SECONDS), out);
    out.push('T');
    push_clock(seconds.rem_euclid(DAY_SECONDS), nanos, out);
}

/// Year, month and day.
fn calendar(days: i64) -> (i64, u32, u32) {
    // Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is the last of its year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    // Less than an era: it fits.
    let day_of_era = (days - era * 146_097) as u32;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (i64::from(year_of_era) + era * 400 + i64::from(month <= 2), month, day)
}

/// The day of a year of four digits.
fn short_day(year: u32, month: u32, day: u32) -> [u8; 10] {
    let ([a, b], [c, d]) = (two(year / 100), two(year % 100));
    let ([e, f], [g, h]) = (two(month), two(day));
    [a, b, c, d, b'-', e, f, b'-', g, h]
}

/// Appends a time with as many digits behind the second as there are, in groups of three.
fn push_clock(seconds: i64, nanos: u32, out: &mut String) {
    match u32::try_from(seconds) {
        Ok(seconds @ 0..360_000) => {
            let ([a, b], [c, d]) = (two(seconds / 3_600), two(seconds / 60 % 60));
            let [e, f] = two(seconds % 60);
            push_ascii(&[a, b, b':', c, d, b':', e, f], out);
        }
        // No time of day, but a column may hold it. Writing to a string does not fail.
        _ => _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60),
    }
    if nanos == 0 {
        return;
    }
    let ([a, b, c], [d, e, f]) = (three(nanos / 1_000_000), three(nanos / 1_000 % 1_000));
    let [g, h, i] = three(nanos % 1_000);
    match (nanos % 1_000_000, nanos % 1_000) {
        (0, _) => push_ascii(&[b'.', a, b, c], out),
        (_, 0) => push_ascii(&[b'.', a, b, c, d, e, f], out),
        _ => push_ascii(&[b'.', a, b, c, d, e, f, g, h, i], out),
    }
}

fn digit(number: u32) -> u8 {
    // A single digit fits into a byte.
    b'0' + (number % 10) as u8
}

fn two(number: u32) -> [u8; 2] {
    [digit(number / 10), digit(number)]
}

fn three(number: u32) -> [u8; 3] {
    [digit(number / 100), digit(number / 10), digit(number)]
}

/// Appends digits and punctuation.
fn push_ascii<const N: usize>(bytes: &[u8; N], out: &mut String) {
    out.reserve(N);
    for byte in bytes {
        // What the compiler knows to be ASCII is one byte of UTF-8, without a branch.
        out.push(char::from(byte & 0x7f));
    }
}

/// The value of a text that is appended to nothing.
fn text(push: impl FnOnce(&mut String)) -> Value {
    let mut out = String::new();
    push(&mut out);
    Value::from(out)
}

fn span(months: i32, days: i32, nanos: i128) -> Value {
    let minute = 60 * i128::from(NANOS);
    let mut date = String::new();
    push_parts(
        &mut date,
        [((months / 12).to_string(), 'Y'), ((months % 12).to_string(), 'M'), (days.to_string(), 'D')],
    );
    let mut time = String::new();
    let (hours, minutes) = (nanos / (60 * minute), nanos / minute % 60);
    push_parts(&mut time, [(hours.to_string(), 'H'), (minutes.to_string(), 'M'), (seconds(nanos % minute), 'S')]);
    Value::from(match (date.is_empty(), time.is_empty()) {
        (true, true) => "PT0S".to_owned(),
        (_, true) => format!("P{date}"),
        (_, false) => format!("P{date}T{time}"),
    })
}

/// Appends the parts that are not zero, and the middle one between two others: RFC 3339 has `P1Y0M3D`, not `P1Y3D`.
fn push_parts(text: &mut String, [large, middle, small]: [(String, char); 3]) {
    let bridge = large.0 != "0" && small.0 != "0";
    let written = [large.0 != "0", middle.0 != "0" || bridge, small.0 != "0"];
    for ((amount, unit), _) in [large, middle, small].into_iter().zip(written).filter(|(_, written)| *written) {
        text.push_str(&amount);
        text.push(unit);
    }
}

fn seconds(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let (whole, rest) = (nanos.unsigned_abs() / 1_000_000_000, nanos.unsigned_abs() % 1_000_000_000);
    match rest {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", format!("{rest:09}").trim_end_matches('0')),
    }
}
