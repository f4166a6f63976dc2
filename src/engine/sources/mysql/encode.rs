//! Values as MySQL takes them.

use super::super::bind::Bind;
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike};
use mysql_async::Value;

/// The values of the placeholders. Days and times that no column has are not among them: the dialect has seen to it.
pub(super) fn parameters(binds: &[Bind]) -> Vec<Value> {
    binds.iter().map(parameter).collect()
}

fn parameter(bind: &Bind) -> Value {
    match bind {
        Bind::Null(_) => Value::NULL,
        Bind::Bool(value) => Value::Int((*value).into()),
        Bind::Int(number) => Value::Int(*number),
        Bind::Unsigned(number) => Value::UInt(*number),
        Bind::Double(number) => Value::Double(*number),
        Bind::Numeric(digits, scale) => Value::Bytes(written_number(*digits, *scale).into_bytes()),
        Bind::Text(text) => Value::Bytes(text.clone().into_bytes()),
        Bind::Bytes(bytes) => Value::Bytes(bytes.clone()),
        Bind::Day(days) => {
            let day = NaiveDate::default().checked_add_signed(TimeDelta::days(i64::from(*days)));
            date(day.and_then(|day| day.and_hms_opt(0, 0, 0)))
        }
        Bind::Local(micros) | Bind::Instant(micros) => {
            date(DateTime::from_timestamp_micros(*micros).map(|at| at.naive_utc()))
        }
        // That is a value of another database.
        Bind::Literal { text, .. } => text.as_ref().map_or(Value::NULL, |text| Value::Bytes(text.clone().into_bytes())),
        Bind::Uuid(bytes) => Value::Bytes(uuid::Uuid::from_bytes(*bytes).as_hyphenated().to_string().into_bytes()),
    }
}

/// A decimal as it is written, of which every digit counts.
fn written_number(digits: i128, scale: i8) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let zeros = usize::from(scale.min(0).unsigned_abs());
    let places = usize::from(scale.max(0).unsigned_abs());
    let written = format!("{}{:0<zeros$}", digits.unsigned_abs(), "");
    let written = format!("{written:0>width$}", width = places + 1);
    let (whole, behind) = written.split_at(written.len() - places);
    if behind.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{behind}") }
}

fn date(at: Option<NaiveDateTime>) -> Value {
    let part = |number: u32| u8::try_from(number).unwrap_or_default();
    let year = at.and_then(|at| Some((at, u16::try_from(at.year()).ok()?)));
    year.map_or(Value::NULL, |(at, year)| {
        let (day, time) = ((part(at.month()), part(at.day())), (part(at.hour()), part(at.minute()), part(at.second())));
        Value::Date(year, day.0, day.1, time.0, time.1, time.2, at.nanosecond() / 1_000)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_a_server_reads_them() {
        for (digits, scale, written) in [
            (0, 0, "0"),
            (-5, 2, "-0.05"),
            (12_345, 2, "123.45"),
            (7, -2, "700"),
            (-10_i128.pow(37), 37, "-1.0000000000000000000000000000000000000"),
        ] {
            assert_eq!(parameter(&Bind::Numeric(digits, scale)), Value::Bytes(written.as_bytes().to_vec()));
        }
        assert_eq!(parameter(&Bind::Day(-1)), Value::Date(1969, 12, 31, 0, 0, 0, 0));
        assert_eq!(parameter(&Bind::Local(-1)), Value::Date(1969, 12, 31, 23, 59, 59, 999_999));
        assert_eq!(parameter(&Bind::Day(-719_528)), Value::Date(0, 1, 1, 0, 0, 0, 0));
    }
}
