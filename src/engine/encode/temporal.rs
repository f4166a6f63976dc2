//! Days, times, instants and spans of time in the forms of ISO 8601.
//!
//! Counted by hand: Arrow's counts reach millions of years further than chrono's calendar.

use super::value::{Reader, primitive};
use arrow::array::Array;
use arrow::datatypes::{
    DataType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalUnit, IntervalYearMonthType,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use serde_json::Value;

const DAY_SECONDS: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

/// Reads days as `2024-03-31`.
pub(super) fn date(array: &dyn Array) -> Option<Reader<'_>> {
    match array.data_type() {
        DataType::Date32 => primitive::<Date32Type>(array, |days| Value::from(day(days.into()))),
        DataType::Date64 => {
            primitive::<Date64Type>(array, |millis| Value::from(day(millis.div_euclid(DAY_SECONDS * 1_000))))
        }
        _ => None,
    }
}

/// Reads times of day as `17:45:00` with as many digits behind the second as there are, in groups of three.
pub(super) fn time(array: &dyn Array) -> Option<Reader<'_>> {
    let text = |count: i64, unit: TimeUnit| {
        let (seconds, nanos) = split(count, unit);
        Value::from(clock(seconds, nanos))
    };
    match array.data_type() {
        DataType::Time32(TimeUnit::Second) => {
            primitive::<Time32SecondType>(array, move |count| text(count.into(), TimeUnit::Second))
        }
        DataType::Time32(TimeUnit::Millisecond) => {
            primitive::<Time32MillisecondType>(array, move |count| text(count.into(), TimeUnit::Millisecond))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            primitive::<Time64MicrosecondType>(array, move |count| text(count, TimeUnit::Microsecond))
        }
        DataType::Time64(TimeUnit::Nanosecond) => {
            primitive::<Time64NanosecondType>(array, move |count| text(count, TimeUnit::Nanosecond))
        }
        _ => None,
    }
}

/// Reads dates with times as `2024-03-31T17:45:00` and the suffix: `Z` for an instant, nothing for a local time.
pub(super) fn timestamp<'a>(array: &'a dyn Array, unit: TimeUnit, suffix: &'static str) -> Option<Reader<'a>> {
    let text = move |count: i64| {
        let (seconds, nanos) = split(count, unit);
        let clock = clock(seconds.rem_euclid(DAY_SECONDS), nanos);
        Value::from(format!("{}T{clock}{suffix}", day(seconds.div_euclid(DAY_SECONDS))))
    };
    match unit {
        TimeUnit::Second => primitive::<TimestampSecondType>(array, text),
        TimeUnit::Millisecond => primitive::<TimestampMillisecondType>(array, text),
        TimeUnit::Microsecond => primitive::<TimestampMicrosecondType>(array, text),
        TimeUnit::Nanosecond => primitive::<TimestampNanosecondType>(array, text),
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
fn split(count: i64, unit: TimeUnit) -> (i64, i64) {
    let per_second = per_second(unit);
    (count.div_euclid(per_second), count.rem_euclid(per_second) * (NANOS / per_second))
}

/// The day that lies `days` after 1970-01-01 in the Gregorian calendar, extended in both directions.
fn day(days: i64) -> String {
    // Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is the last of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    match year {
        0..=9_999 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:+05}-{month:02}-{day:02}"),
    }
}

fn clock(seconds: i64, nanos: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let fraction = match nanos {
        0 => String::new(),
        _ if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => format!(".{:06}", nanos / 1_000),
        _ => format!(".{nanos:09}"),
    };
    format!("{hours:02}:{minutes:02}:{seconds:02}{fraction}")
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
