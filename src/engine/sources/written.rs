//! Values as a statement in PostgreSQL's own SQL takes them: the texts of literals, whose types the server finds.

use arrow::array::Array;
use arrow::datatypes::DataType;
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta};
use datafusion::common::ScalarValue;
use std::fmt::Write;

/// The years whose dates are written here: those that a server may have, from 4713 BC on.
const YEARS: std::ops::RangeInclusive<i32> = -4_712..=262_142;

const MICROS: i64 = 1_000_000;

/// The text of a value, which is none where it is NULL; `None` where no text says all of it.
pub(super) fn written(value: &ScalarValue) -> Option<Option<String>> {
    if value.is_null() {
        return Some(None);
    }
    let text = match value {
        ScalarValue::Boolean(Some(value)) => value.to_string(),
        ScalarValue::Int8(Some(value)) => value.to_string(),
        ScalarValue::Int16(Some(value)) => value.to_string(),
        ScalarValue::Int32(Some(value)) => value.to_string(),
        ScalarValue::Int64(Some(value)) => value.to_string(),
        ScalarValue::UInt8(Some(value)) => value.to_string(),
        ScalarValue::UInt16(Some(value)) => value.to_string(),
        ScalarValue::UInt32(Some(value)) => value.to_string(),
        ScalarValue::UInt64(Some(value)) => value.to_string(),
        ScalarValue::Float32(Some(value)) => number(f64::from(*value), value.to_string()),
        ScalarValue::Float64(Some(value)) => number(*value, value.to_string()),
        ScalarValue::Decimal128(Some(digits), _, scale) => decimal(*digits, *scale)?,
        ScalarValue::Utf8(Some(text)) | ScalarValue::LargeUtf8(Some(text)) | ScalarValue::Utf8View(Some(text)) => {
            text.clone()
        }
        ScalarValue::Binary(Some(bytes))
        | ScalarValue::LargeBinary(Some(bytes))
        | ScalarValue::BinaryView(Some(bytes)) => format!("\\x{}", hex::encode(bytes)),
        ScalarValue::Date32(Some(days)) => {
            let day = NaiveDate::default().checked_add_signed(TimeDelta::days((*days).into()))?;
            dated(day, "")?
        }
        ScalarValue::Time64Microsecond(Some(micros)) => {
            let (seconds, rest) = (micros.div_euclid(MICROS), micros.rem_euclid(MICROS));
            let seconds = u32::try_from(seconds).ok()?;
            let time = NaiveTime::from_num_seconds_from_midnight_opt(seconds, u32::try_from(rest * 1_000).ok()?)?;
            time.format("%H:%M:%S%.f").to_string()
        }
        ScalarValue::IntervalMonthDayNano(Some(span)) => {
            let (micros, rest) = (span.nanoseconds / 1_000, span.nanoseconds % 1_000);
            (rest == 0).then(|| format!("{} mons {} days {micros} microseconds", span.months, span.days))?
        }
        ScalarValue::List(list) => array(&list.value(0))?,
        ScalarValue::Dictionary(_, inner) => return written(inner),
        value => moment(value)?,
    };
    Some(Some(text))
}

/// A floating-point number, with the words for those that have no digits.
fn number(value: f64, text: String) -> String {
    match value {
        value if value.is_nan() => "NaN".to_owned(),
        value if value.is_infinite() => if value < 0.0 { "-Infinity" } else { "Infinity" }.to_owned(),
        _ => text,
    }
}

fn decimal(digits: i128, scale: i8) -> Option<String> {
    let places = usize::try_from(scale).ok()?;
    let sign = if digits < 0 { "-" } else { "" };
    let padded = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, behind) = padded.split_at_checked(padded.len() - places)?;
    Some(if behind.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{behind}") })
}

/// A point in time: one with a zone in UTC, and says so. The server has microseconds.
fn moment(value: &ScalarValue) -> Option<String> {
    let (micros, zone) = match value {
        ScalarValue::TimestampSecond(Some(at), zone) => (at.checked_mul(MICROS)?, zone),
        ScalarValue::TimestampMillisecond(Some(at), zone) => (at.checked_mul(1_000)?, zone),
        ScalarValue::TimestampMicrosecond(Some(at), zone) => (*at, zone),
        ScalarValue::TimestampNanosecond(Some(at), zone) if at % 1_000 == 0 => (at / 1_000, zone),
        _ => return None,
    };
    let at = DateTime::from_timestamp_micros(micros)?;
    let zone = if zone.is_some() { "+00" } else { "" };
    dated(at.date_naive(), &format!(" {}{zone}", at.format("%H:%M:%S%.f")))
}

/// A day with what is said of its time. The server counts the years before the first from there, and says so behind.
fn dated(day: NaiveDate, time: &str) -> Option<String> {
    let year = day.year();
    let (year, era) = if year < 1 { (1 - year, " BC") } else { (year, "") };
    YEARS.contains(&day.year()).then(|| format!("{year:04}-{}{time}{era}", day.format("%m-%d")))
}

/// A list: each item in quotes, so that nothing in it is a sign of the list.
fn array(items: &dyn Array) -> Option<String> {
    if matches!(items.data_type(), DataType::List(_) | DataType::Struct(_) | DataType::Map(..)) {
        return None;
    }
    let mut out = "{".to_owned();
    for at in 0..items.len() {
        if at > 0 {
            out.push(',');
        }
        match written(&ScalarValue::try_from_array(items, at).ok()?)? {
            None => out.push_str("NULL"),
            Some(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                write!(out, "\"{escaped}\"").ok()?;
            }
        }
    }
    out.push('}');
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::types::IntervalMonthDayNano;

    #[test]
    fn values_are_written_as_the_server_reads_them() {
        let text = |text: &str| ScalarValue::Utf8(Some(text.to_owned()));
        let list = |items: &[ScalarValue], ty: &DataType| ScalarValue::List(ScalarValue::new_list(items, ty, true));
        for (value, expected) in [
            (ScalarValue::Boolean(Some(true)), "true"),
            (ScalarValue::Float64(Some(0.1)), "0.1"),
            (ScalarValue::Float32(Some(0.1)), "0.1"),
            (ScalarValue::Float64(Some(f64::NEG_INFINITY)), "-Infinity"),
            (ScalarValue::Decimal128(Some(-5), 10, 2), "-0.05"),
            (ScalarValue::Decimal128(Some(1200), 10, 2), "12.00"),
            (ScalarValue::Decimal128(Some(7), 10, 0), "7"),
            (ScalarValue::Binary(Some(vec![0, 255])), "\\x00ff"),
            (ScalarValue::Date32(Some(19_813)), "2024-03-31"),
            (ScalarValue::Date32(Some(2_932_897)), "10000-01-01"),
            (ScalarValue::Date32(Some(-719_528)), "0001-01-01 BC"),
            (ScalarValue::TimestampSecond(Some(-62_167_219_199), Some("+00:00".into())), "0001-01-01 00:00:01+00 BC"),
            (ScalarValue::Time64Microsecond(Some(3_600_000_001)), "01:00:00.000001"),
            (ScalarValue::TimestampMicrosecond(Some(1_500_000), None), "1970-01-01 00:00:01.500"),
            (ScalarValue::TimestampMillisecond(Some(0), Some("+00:00".into())), "1970-01-01 00:00:00+00"),
            (
                ScalarValue::IntervalMonthDayNano(Some(IntervalMonthDayNano::new(1, -2, 3_000))),
                "1 mons -2 days 3 microseconds",
            ),
            (text("it's \\ \"x\" {,}"), "it's \\ \"x\" {,}"),
            (
                list(&[text("a\"b\\"), ScalarValue::Utf8(None), text("NULL"), text("")], &DataType::Utf8),
                "{\"a\\\"b\\\\\",NULL,\"NULL\",\"\"}",
            ),
            (list(&[], &DataType::Int64), "{}"),
        ] {
            assert_eq!(written(&value), Some(Some(expected.to_owned())), "{value}");
        }
        assert_eq!(written(&ScalarValue::Utf8(None)), Some(None));
        assert_eq!(written(&ScalarValue::TimestampNanosecond(Some(1), None)), None, "more digits than the server has");
        assert_eq!(written(&ScalarValue::Date32(Some(-3_000_000))), None, "before the first day of the server");
    }
}
