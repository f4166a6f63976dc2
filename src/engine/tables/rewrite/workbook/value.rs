//! What a cell holds.

use calamine::ExcelDateTimeType::DateTime;
use calamine::{Data, ExcelDateTime};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

/// The last days that Excel has, counted from 1900 and from 1904.
const LAST_OF_1900: f64 = 2_958_466.0;
const LAST_OF_1904: f64 = 2_957_004.0;

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engine::tables) enum Value {
    /// A number.
    Number(f64),
    /// A text that is not empty.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// A day.
    Day(NaiveDate),
    /// A day with a time of day.
    At(NaiveDateTime),
    /// A time of day.
    Clock(NaiveTime),
    /// A span of time, as it is shown.
    Duration(String),
    /// Nothing that could be a value, and what it is.
    Broken(String),
}

impl Value {
    /// What a cell holds; `None` of an empty one.
    pub(super) fn of(data: Data) -> Option<Value> {
        Some(match data {
            Data::Empty => return None,
            Data::String(text) if text.is_empty() => return None,
            Data::String(text) => Value::Text(text),
            // No file has larger ones: numbers are doubles there, and 30 bits where they are whole.
            Data::Int(number) => Value::Number(number as f64),
            Data::Float(number) if number.is_finite() => Value::Number(number + 0.0),
            Data::Float(_) => Value::Broken("a number that is none".to_owned()),
            Data::Bool(value) => Value::Boolean(value),
            Data::DateTime(at) if at.is_duration() => duration(at.as_f64() * 86_400.0),
            Data::DateTime(at) => of_serial(&at),
            Data::DateTimeIso(text) => of_iso(text),
            Data::DurationIso(text) => match of_iso_duration(&text) {
                Some(seconds) => clock_or_duration(seconds),
                None => Value::Broken(format!("`{text}`, which is no time")),
            },
            Data::Error(error) => Value::Broken(format!("the error `{error}`")),
        })
    }

    /// How many bytes its text has.
    pub(super) fn length(&self) -> usize {
        match self {
            Value::Text(text) | Value::Duration(text) | Value::Broken(text) => text.len(),
            _ => 0,
        }
    }

    /// The value as a text: numbers without zeros behind the point, days and times as ISO 8601 has them.
    pub(in crate::engine::tables) fn shown(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Text(text) | Value::Duration(text) | Value::Broken(text) => text.clone(),
            Value::Boolean(value) => value.to_string(),
            Value::Day(day) => day.to_string(),
            Value::At(at) => at.format("%Y-%m-%dT%H:%M:%S%.f").to_string(),
            Value::Clock(clock) => clock.format("%H:%M:%S%.f").to_string(),
        }
    }

    /// The value in a sentence: `the number 4`.
    pub(in crate::engine::tables) fn phrase(&self) -> String {
        let shown: String =
            self.shown().chars().take(40).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        match self {
            Value::Number(_) => format!("the number {shown}"),
            Value::Text(_) => format!("the text `{shown}`"),
            Value::Boolean(_) => format!("the truth value {shown}"),
            Value::Day(_) => format!("the day {shown}"),
            Value::At(_) => format!("the time {shown}"),
            Value::Clock(_) => format!("the time of day {shown}"),
            Value::Duration(_) => format!("the duration {shown}"),
            Value::Broken(_) => shown,
        }
    }
}

/// A day, a time, or below 1 a time of day: Excel counts days.
fn of_serial(at: &ExcelDateTime) -> Value {
    let days = at.as_f64();
    let is_1904 = *at == ExcelDateTime::new(days, DateTime, true);
    let end = if is_1904 { LAST_OF_1904 } else { LAST_OF_1900 };
    // The reader would move it to the first day, or the last.
    if !(0.0..end).contains(&days) {
        return Value::Broken(format!("day {days}, which no calendar has"));
    }
    if days < 1.0 {
        return clock_or_duration(days * 86_400.0);
    }
    let (year, month, day, ..) = ExcelDateTime::new(days.floor(), DateTime, is_1904).to_ymd_hms_milli();
    // It is whole, and less than a day, or as much where all of it is rounded.
    let millis = (days.fract() * 86_400_000.0).round() as i64;
    let midnight =
        NaiveDate::from_ymd_opt(year.into(), month.into(), day.into()).map(|day| day.and_time(NaiveTime::MIN));
    match midnight.and_then(|midnight| midnight.checked_add_signed(TimeDelta::milliseconds(millis))) {
        Some(at) => day_or_time(at),
        // It takes 1900 for a leap year.
        None => Value::Broken(format!("day {days}, which no calendar has")),
    }
}

fn day_or_time(at: NaiveDateTime) -> Value {
    if at.time() == NaiveTime::MIN { Value::Day(at.date()) } else { Value::At(at) }
}

/// What OpenDocument, and some writers of `.xlsx`, have.
fn of_iso(text: String) -> Value {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Value::Day(day);
    }
    if let Ok(at) = text.parse::<NaiveDateTime>() {
        return day_or_time(at);
    }
    match text.parse::<NaiveTime>() {
        Ok(clock) => Value::Clock(clock),
        Err(_) => Value::Text(text),
    }
}

/// The seconds of `PT10H30M00S`.
fn of_iso_duration(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    let mut number = String::new();
    for sign in text.strip_prefix("PT")?.chars() {
        let unit = match sign {
            'H' => 3600.0,
            'M' => 60.0,
            'S' => 1.0,
            digit => {
                number.push(if digit == ',' { '.' } else { digit });
                continue;
            }
        };
        seconds += unit * std::mem::take(&mut number).parse::<f64>().ok().filter(|part| part.is_finite())?;
    }
    number.is_empty().then_some(seconds)
}

/// A time of day, to the millisecond as Excel has it, or a span of more than a day.
fn clock_or_duration(seconds: f64) -> Value {
    let millis = (seconds * 1000.0).round();
    if !(0.0..86_400_000.0).contains(&millis) {
        return duration(seconds);
    }
    // It is whole, and less than a day.
    let millis = millis as u32;
    let clock = NaiveTime::from_num_seconds_from_midnight_opt(millis / 1000, millis % 1000 * 1_000_000);
    clock.map_or_else(|| duration(seconds), Value::Clock)
}

/// A span of time, as Excel shows it: `36:30:00`.
fn duration(seconds: f64) -> Value {
    let sign = if seconds < 0.0 { "-" } else { "" };
    let millis = (seconds.abs() * 1000.0).round();
    if !millis.is_finite() || millis > 1e15 {
        return Value::Broken("a duration that is none".to_owned());
    }
    // It is whole, and far from the largest.
    let millis = millis as u64;
    let (whole, part) = (millis / 1000, millis % 1000);
    let part = if part == 0 { String::new() } else { format!(".{part:03}") };
    Value::Duration(format!("{sign}{}:{:02}:{:02}{part}", whole / 3600, whole / 60 % 60, whole % 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType::TimeDelta as Span;

    fn serial(days: f64, is_1904: bool) -> String {
        Value::of(Data::DateTime(ExcelDateTime::new(days, DateTime, is_1904))).unwrap().phrase()
    }

    #[test]
    fn days_are_counted_from_1900_or_1904() {
        assert_eq!(serial(45_382.0, false), "the day 2024-03-31");
        assert_eq!(serial(43_920.0, true), "the day 2024-03-31");
        assert_eq!(serial(45_382.5, false), "the time 2024-03-31T12:00:00");
        assert_eq!(serial(16_071.623_067_129_629, false), "the time 1943-12-31T14:57:13");
        assert_eq!(serial(45_382.999_999_999_9, false), "the day 2024-04-01");
        assert_eq!(serial(0.25, false), "the time of day 06:00:00");
        assert_eq!(serial(1.0, false), "the day 1900-01-01");
        for (days, is_1904) in [(60.0, false), (-1.0, false), (3_000_000.0, false), (2_957_004.0, true)] {
            assert!(serial(days, is_1904).contains("no calendar"), "{days}");
        }
    }

    #[test]
    fn times_and_durations_are_shown_as_they_are() {
        let span = |days: f64| Value::of(Data::DateTime(ExcelDateTime::new(days, Span, false))).unwrap();
        assert_eq!(span(1.520_833_333_333_333_3), Value::Duration("36:30:00".to_owned()));
        let iso = |text: &str| Value::of(Data::DurationIso(text.to_owned())).unwrap().phrase();
        assert_eq!(iso("PT10H30M00S"), "the time of day 10:30:00");
        assert_eq!(iso("PT36H00M00S"), "the duration 36:00:00");
        assert!(iso("P1D").contains("no time"));
        let at = |text: &str| Value::of(Data::DateTimeIso(text.to_owned())).unwrap().phrase();
        assert_eq!(at("2024-03-31T00:00:00"), "the day 2024-03-31");
        assert_eq!(at("2024-03-31T10:00:00.5"), "the time 2024-03-31T10:00:00.500");
        assert_eq!(at("2024-03-31T10:00:00Z"), "the text `2024-03-31T10:00:00Z`");
    }

    #[test]
    fn a_number_is_as_short_as_it_can_be() {
        let shown = |number: f64| Value::of(Data::Float(number)).unwrap().shown();
        assert_eq!([shown(4.0), shown(-0.0), shown(0.1), shown(1e21)], ["4", "0", "0.1", "1000000000000000000000"]);
        assert_eq!(Value::of(Data::String(String::new())), None);
    }
}
