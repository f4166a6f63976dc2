//! Days, times and spans of time as agents write them.

use super::TimeZoneName;
use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use datafusion::common::ScalarValue;
use std::borrow::Cow;
use std::sync::Arc;

pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let shaped = text.len() == 10 && text.bytes().filter(u8::is_ascii_digit).count() == 8;
    if shaped { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

pub(super) fn day_number(day: NaiveDate) -> i32 {
    let epoch = NaiveDate::default();
    day.signed_duration_since(epoch).num_days() as i32
}

/// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f` with up to nine digits, as the published pattern has it.
pub(super) fn time(text: &str) -> Option<NaiveTime> {
    let shaped = text.bytes().enumerate().all(|(at, byte)| match at {
        2 | 5 => byte == b':',
        8 => byte == b'.',
        _ => byte.is_ascii_digit(),
    });
    if !shaped || !(text.len() == 5 || text.len() == 8 || (10..=18).contains(&text.len())) {
        return None;
    }
    NaiveTime::parse_from_str(text, "%H:%M:%S%.f")
        .or_else(|_| NaiveTime::parse_from_str(text, "%H:%M"))
        .ok()
        // Chrono reads second 60 as a leap second.
        .filter(|at| at.nanosecond() < 1_000_000_000)
}

pub(super) fn local_time(text: &str) -> Option<NaiveDateTime> {
    let day = date(text.get(..10)?)?;
    match text.get(10..)? {
        "" => day.and_hms_opt(0, 0, 0),
        rest => Some(day.and_time(time(rest.strip_prefix(['T', ' '])?)?)),
    }
}

pub(super) fn instant(text: &str, zone: Option<&TimeZoneName>) -> Option<DateTime<chrono::Utc>> {
    if is_exact(text, zone.is_some())
        && let Ok(at) = DateTime::parse_from_rfc3339(&if zone.is_some() { with_minutes(text) } else { text.into() })
    {
        return Some(at.with_timezone(&chrono::Utc));
    }
    let zone = zone?;
    let local = local_time(text)?;
    zone.clocks().instant(&local)
}

/// An instant whose offset has its minutes, and a colon in front of them: ISO 8601 has `+07` and `+0700` as well.
fn with_minutes(text: &str) -> Cow<'_, str> {
    // The signs before are those of the date.
    let sign = text.rfind(['+', '-']).filter(|at| *at >= 19);
    let Some((time, offset)) = sign.and_then(|at| text.split_at_checked(at + 1)) else { return text.into() };
    if !offset.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.into();
    }
    match (offset.len(), offset.split_at_checked(2)) {
        (2, _) => format!("{text}:00").into(),
        (4, Some((hours, minutes))) => format!("{time}{hours}:{minutes}").into(),
        _ => text.into(),
    }
}

/// Whether nothing would be lost of an instant: the reader also takes a leap second for the one behind it, drops digits
/// behind the ninth, and takes other signs and a blank for the `T`.
fn is_exact(text: &str, lax: bool) -> bool {
    let bytes = text.as_bytes();
    let separated = matches!(bytes.get(10), Some(b'T' | b't')) || lax && bytes.get(10) == Some(&b' ');
    let fraction = bytes.get(19) == Some(&b'.');
    let digits = bytes.iter().skip(20).take_while(|byte| byte.is_ascii_digit()).count();
    text.is_ascii() && separated && bytes.get(17..19) != Some(b"60") && !(fraction && digits > 9)
}

pub(super) fn timestamp(at: DateTime<chrono::Utc>, digits: u8, zone: Option<Arc<str>>) -> Option<ScalarValue> {
    let nanos = at.timestamp_subsec_nanos();
    // Digits that the type does not keep would be lost: refuse rather than round.
    let kept = match digits {
        0 => nanos == 0,
        3 => nanos.is_multiple_of(1_000_000),
        9 => true,
        _ => nanos.is_multiple_of(1_000),
    };
    if !kept {
        return None;
    }
    Some(match digits {
        0 => ScalarValue::TimestampSecond(Some(at.timestamp()), zone),
        3 => ScalarValue::TimestampMillisecond(Some(at.timestamp_millis()), zone),
        9 => ScalarValue::TimestampNanosecond(Some(at.timestamp_nanos_opt()?), zone),
        _ => ScalarValue::TimestampMicrosecond(Some(at.timestamp_micros()), zone),
    })
}

/// ISO 8601 (`P1Y2M3DT4H5M6.5S`, `P2W`), and in lax mode PostgreSQL's words (`1 day 2 hours`).
pub(super) fn interval(text: &str, lax: bool) -> Option<IntervalMonthDayNano> {
    let text = if lax { text.trim() } else { text };
    if text.len() > 100 {
        return None;
    }
    if let Some(rest) = text.strip_prefix('P') {
        return iso_interval(rest);
    }
    let has_words =
        text.bytes().any(|byte| byte.is_ascii_alphabetic()) && text.bytes().any(|byte| byte.is_ascii_digit());
    if !lax || !has_words {
        return None;
    }
    arrow::compute::kernels::cast_utils::parse_interval_month_day_nano(text).ok()
}

/// The ISO 8601 form of a span of time.
pub(super) fn iso_text(span: IntervalMonthDayNano) -> String {
    let mut text = "P".to_owned();
    if span.months != 0 {
        text.push_str(&format!("{}M", span.months));
    }
    if span.days != 0 {
        text.push_str(&format!("{}D", span.days));
    }
    if span.nanoseconds != 0 || text == "P" {
        let (seconds, nanos) = (span.nanoseconds / 1_000_000_000, span.nanoseconds % 1_000_000_000);
        let sign = if span.nanoseconds < 0 { "-" } else { "" };
        let fraction = format!("{:09}", nanos.unsigned_abs());
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        text.push_str(&format!("T{sign}{}{point}{fraction}S", seconds.unsigned_abs()));
    }
    text
}

fn iso_interval(text: &str) -> Option<IntervalMonthDayNano> {
    let (mut months, mut days, mut nanos) = (0_i64, 0_i64, 0_i64);
    let (dates, times) = text.split_once('T').map_or((text, None), |(dates, times)| (dates, Some(times)));
    let mut any = false;
    let dates = iso_parts(dates)?;
    let clock = iso_parts(times.unwrap_or(""))?;
    if !is_in_order(&dates, "YMWD") || !is_in_order(&clock, "HMS") {
        return None;
    }
    for (amount, unit) in dates {
        let whole: i64 = amount.parse().ok()?;
        match unit {
            'Y' => months = months.checked_add(whole.checked_mul(12)?)?,
            'M' => months = months.checked_add(whole)?,
            'W' => days = days.checked_add(whole.checked_mul(7)?)?,
            'D' => days = days.checked_add(whole)?,
            _ => return None,
        }
        any = true;
    }
    for (amount, unit) in clock {
        let seconds = match unit {
            'H' => 3_600,
            'M' => 60,
            'S' => 1,
            _ => return None,
        };
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        if fraction.len() > 9 || amount.ends_with('.') || (unit != 'S' && !fraction.is_empty()) {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let part: i64 = format!("{fraction:0<9}").parse().ok()?;
        let signed = if amount.starts_with('-') { -part } else { part };
        nanos = nanos.checked_add(whole.checked_mul(seconds)?.checked_mul(1_000_000_000)?)?.checked_add(signed)?;
        any = true;
    }
    let complete = any && times.is_none_or(|times| !times.is_empty());
    if !complete {
        return None;
    }
    Some(IntervalMonthDayNanoType::make_value(months.try_into().ok()?, days.try_into().ok()?, nanos))
}

/// Whether units come from the largest to the smallest, each once.
fn is_in_order(parts: &[(&str, char)], units: &str) -> bool {
    let places: Vec<Option<usize>> = parts.iter().map(|(_, unit)| units.find(*unit)).collect();
    places.is_sorted_by(|one, next| one < next)
}

fn iso_parts(text: &str) -> Option<Vec<(&str, char)>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let at = rest.find(|character: char| character.is_ascii_alphabetic())?;
        let (amount, tail) = rest.split_at_checked(at)?;
        let digits = amount.strip_prefix('-').unwrap_or(amount);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !plain || !digits.starts_with(|character: char| character.is_ascii_digit()) {
            return None;
        }
        let unit = tail.chars().next()?;
        parts.push((amount, unit));
        rest = tail.get(unit.len_utf8()..)?;
    }
    Some(parts)
}
