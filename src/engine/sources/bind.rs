//! Values as databases take them.

use arrow::datatypes::DataType;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use datafusion::common::ScalarValue;

/// The years that texts of four digits hold: those of SQLite.
const YEARS: std::ops::RangeInclusive<i32> = 0..=9999;

/// How far a floating-point number may lie from the decimal that it stands for, as a part of it. Programs add them up, and
/// old versions of SQLite read them from texts, and miss by one or two of the last bits.
pub(super) const TOLERANCE: f64 = 1.0 / (1_u64 << 49) as f64;

/// The most values of a statement: what is beyond is evaluated here. SQLite takes 32,766.
pub(super) const MOST_VALUES: usize = 30_000;

/// A value that is sent.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engine) enum Bind {
    /// NULL, of a column that takes values in this form.
    Null(Form),
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer without a sign.
    Unsigned(u64),
    /// A floating-point number that is one.
    Double(f64),
    /// A decimal: its digits, and how many of them are behind the point.
    Numeric(i128, i8),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A day, in days since 1970-01-01.
    Day(i32),
    /// A local date and time, in microseconds since 1970-01-01.
    Local(i64),
    /// An instant, in microseconds since 1970-01-01 in UTC.
    Instant(i64),
    /// A UUID.
    Uuid([u8; 16]),
    /// The text of a literal, which is none where it is NULL.
    Literal {
        /// The text.
        text: Option<String>,
        /// The type that it is sent as, in the words of the database; `None` where it finds it.
        sent_as: Option<String>,
    },
}

/// In which form a value is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Form {
    /// An integer; booleans are 0 and 1.
    Int,
    /// An integer of a column without signs.
    Unsigned,
    /// A floating-point number of a database that has NaN too.
    Float,
    /// A truth value.
    Bool,
    /// A decimal.
    Numeric,
    /// A day.
    Date,
    /// A local date and time, in microseconds.
    Local,
    /// An instant, in microseconds.
    Instant,
    /// A UUID, of a text that is one as databases write it: in small letters.
    Uuid,
    /// A text of PostgreSQL, which has no NUL in it.
    Zeroless,
    /// A floating-point number.
    Double,
    /// The least of the floating-point numbers that stand for a decimal of so many digits, so many of them behind the point.
    Low(u8, i8),
    /// The largest of them.
    High(u8, i8),
    /// A text.
    Text,
    /// Bytes.
    Bytes,
    /// A day as a text.
    Day,
    /// The day that a time is in, as a text: not above the text of the time.
    FirstOfDay,
    /// The day behind that, as a text: above the texts of all times of the day.
    NextDay,
}

/// What becomes of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sent {
    /// It is sent.
    Bind(Bind),
    /// It lies on one side of all values that its column may hold: what a comparison gives is known without it.
    Beyond(Beyond),
    /// It lies between this one and all larger ones that its column may hold.
    Behind(Bind),
    /// It cannot be sent: a condition that holds it is left out, and is evaluated here.
    LeftOut,
}

/// Where a value lies that no value of the column is equal to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// Below all of them.
    Below,
    /// Above all of them.
    Above,
}

/// The value in a form.
pub(super) fn sent(value: &ScalarValue, form: Form) -> Sent {
    if value.is_null() {
        return Sent::Bind(Bind::Null(form));
    }
    let bind = match form {
        Form::Int => return integer(value),
        Form::Unsigned => match value {
            ScalarValue::UInt64(Some(value)) => Some(Bind::Unsigned(*value)),
            _ => return integer(value),
        },
        Form::Bool => match value {
            ScalarValue::Boolean(Some(value)) => Some(Bind::Bool(*value)),
            _ => None,
        },
        Form::Numeric => numeric(value),
        Form::Date => match value {
            ScalarValue::Date32(Some(day)) => Some(Bind::Day(*day)),
            _ => None,
        },
        Form::Local => return micros(value, Bind::Local),
        Form::Instant => return micros(value, Bind::Instant),
        Form::Uuid => return uuid(value),
        Form::Zeroless => return zeroless(value),
        Form::Double => return double(value),
        Form::Float => match value {
            ScalarValue::Float32(Some(value)) => Some(Bind::Double(f64::from(*value))),
            ScalarValue::Float64(Some(value)) => Some(Bind::Double(*value)),
            _ => None,
        },
        Form::Low(digits, scale) => return decimal(value, (digits, scale), -TOLERANCE),
        Form::High(digits, scale) => return decimal(value, (digits, scale), TOLERANCE),
        Form::Text => text(value).map(|text| Bind::Text(text.to_owned())),
        Form::Bytes => bytes(value),
        Form::Day => return day(value, 0),
        Form::FirstOfDay => return day(value, 0),
        Form::NextDay => return day(value, 1),
    };
    bind.map_or(Sent::LeftOut, Sent::Bind)
}

/// A value as it is sent to a statement that its author has written: dates and times are texts as SQLite writes them itself,
/// points in time are told in UTC, decimals are numbers. `None` where it does not fit: a decimal with more digits than a
/// floating-point number has is another number there.
pub(super) fn own_bind(value: &ScalarValue) -> Option<Bind> {
    if value.is_null() {
        return Some(Bind::Null(Form::Text));
    }
    if let Some(text) = text(value) {
        return Some(Bind::Text(text.to_owned()));
    }
    if let Some(bytes) = bytes(value) {
        return Some(bytes);
    }
    for bind in [integer(value), double(value), day(value, 0)] {
        match (bind, value) {
            // Of a point in time the day is not all.
            (Sent::Bind(Bind::Text(_)), value) if !matches!(value, ScalarValue::Date32(_)) => {}
            (Sent::Bind(bind), _) => return Some(bind),
            (Sent::Beyond(_), _) => return None,
            (Sent::Behind(_) | Sent::LeftOut, _) => {}
        }
    }
    match value {
        ScalarValue::Decimal128(Some(digits), _, scale) => {
            let scale = u32::try_from(*scale).ok()?;
            let whole = 10_i128.checked_pow(scale).filter(|unit| digits % unit == 0).map(|unit| digits / unit);
            match whole.and_then(|whole| i64::try_from(whole).ok()) {
                Some(whole) => Some(Bind::Int(whole)),
                None => double_of(*digits, scale).map(Bind::Double),
            }
        }
        ScalarValue::Time64Microsecond(Some(micros)) => {
            let (seconds, rest) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
            let time = NaiveTime::from_num_seconds_from_midnight_opt(
                u32::try_from(seconds).ok()?,
                u32::try_from(rest).ok()?.checked_mul(1_000)?,
            )?;
            Some(Bind::Text(time.format("%H:%M:%S%.f").to_string()))
        }
        value => {
            let (at, zone) = instant(value)?;
            let sign = if zone { "Z" } else { "" };
            let is_written = YEARS.contains(&at.year());
            is_written.then(|| Bind::Text(format!("{}{sign}", at.format("%Y-%m-%d %H:%M:%S%.f"))))
        }
    }
}

/// The floating-point number that stands for a decimal, and for no other one with as few digits.
fn double_of(digits: i128, scale: u32) -> Option<f64> {
    let double: f64 = format!("{digits}e-{scale}").parse().ok()?;
    let written = double.to_string();
    let (whole, behind) = written.split_once('.').unwrap_or((&written, ""));
    let more = scale.checked_sub(u32::try_from(behind.len()).ok()?)?;
    let read: i128 = format!("{whole}{behind}").parse().ok()?;
    (read.checked_mul(10_i128.checked_pow(more)?)? == digits).then_some(double)
}

/// A value as it is sent without a column, for the author of a statement.
pub(super) fn own_words(value: &ScalarValue) -> String {
    match own_bind(value) {
        Some(Bind::Text(text)) => text,
        Some(Bind::Int(value)) => value.to_string(),
        Some(Bind::Double(value)) => value.to_string(),
        _ => value.to_string(),
    }
}

/// A point in time in UTC, and whether it says so itself.
fn instant(value: &ScalarValue) -> Option<(DateTime<Utc>, bool)> {
    match value {
        ScalarValue::TimestampSecond(Some(at), zone) => Some((DateTime::from_timestamp(*at, 0)?, zone.is_some())),
        ScalarValue::TimestampMillisecond(Some(at), zone) => {
            Some((DateTime::from_timestamp_millis(*at)?, zone.is_some()))
        }
        ScalarValue::TimestampMicrosecond(Some(at), zone) => {
            Some((DateTime::from_timestamp_micros(*at)?, zone.is_some()))
        }
        ScalarValue::TimestampNanosecond(Some(at), zone) => Some((DateTime::from_timestamp_nanos(*at), zone.is_some())),
        _ => None,
    }
}

fn integer(value: &ScalarValue) -> Sent {
    let value = match value {
        ScalarValue::Boolean(Some(value)) => i64::from(*value),
        ScalarValue::Int8(Some(value)) => i64::from(*value),
        ScalarValue::Int16(Some(value)) => i64::from(*value),
        ScalarValue::Int32(Some(value)) => i64::from(*value),
        ScalarValue::Int64(Some(value)) => *value,
        ScalarValue::UInt8(Some(value)) => i64::from(*value),
        ScalarValue::UInt16(Some(value)) => i64::from(*value),
        ScalarValue::UInt32(Some(value)) => i64::from(*value),
        ScalarValue::UInt64(Some(value)) => match i64::try_from(*value) {
            Ok(value) => value,
            Err(_) => return Sent::Beyond(Beyond::Above),
        },
        _ => return Sent::LeftOut,
    };
    Sent::Bind(Bind::Int(value))
}

/// What is no number is above all numbers here, and no column of SQLite holds it.
fn double(value: &ScalarValue) -> Sent {
    let value = match value {
        ScalarValue::Float32(Some(value)) => f64::from(*value),
        ScalarValue::Float64(Some(value)) => *value,
        _ => return Sent::LeftOut,
    };
    if value.is_nan() { Sent::Beyond(Beyond::Above) } else { Sent::Bind(Bind::Double(value)) }
}

/// A bound of the doubles that stand for a decimal: it, and `further` of it.
fn decimal(value: &ScalarValue, (precision, scale): (u8, i8), further: f64) -> Sent {
    let (ScalarValue::Decimal128(Some(digits), _, own), Ok(places)) = (value, u32::try_from(scale)) else {
        return Sent::LeftOut;
    };
    // Not more places than the column has: which is known when it is judged whether the condition is sent.
    let Some(more) = u32::try_from(i32::from(scale) - i32::from(*own)).ok().map(|more| 10_i128.saturating_pow(more))
    else {
        return Sent::LeftOut;
    };
    let above = if *digits < 0 { Beyond::Below } else { Beyond::Above };
    match digits.checked_mul(more).filter(|digits| digits.unsigned_abs() < 10_u128.pow(u32::from(precision))) {
        // The nearest double of what is written.
        Some(digits) => match format!("{digits}e-{places}").parse::<f64>() {
            Ok(double) => Sent::Bind(Bind::Double(double + double.abs() * further)),
            Err(_) => Sent::LeftOut,
        },
        None => Sent::Beyond(above),
    }
}

/// A decimal as it is.
fn numeric(value: &ScalarValue) -> Option<Bind> {
    match value {
        ScalarValue::Decimal128(Some(digits), _, scale) => Some(Bind::Numeric(*digits, *scale)),
        _ => None,
    }
}

/// A time in microseconds. One with more digits lies behind the microsecond that it is in.
fn micros(value: &ScalarValue, bind: fn(i64) -> Bind) -> Sent {
    let (at, by, times) = match value {
        ScalarValue::TimestampSecond(Some(at), _) => (*at, 1, 1_000_000),
        ScalarValue::TimestampMillisecond(Some(at), _) => (*at, 1, 1_000),
        ScalarValue::TimestampMicrosecond(Some(at), _) => (*at, 1, 1),
        ScalarValue::TimestampNanosecond(Some(at), _) => (*at, 1_000, 1),
        _ => return Sent::LeftOut,
    };
    let Some(micros) = at.div_euclid(by).checked_mul(times) else {
        return Sent::Beyond(if at < 0 { Beyond::Below } else { Beyond::Above });
    };
    if at.rem_euclid(by) == 0 { Sent::Bind(bind(micros)) } else { Sent::Behind(bind(micros)) }
}

/// A UUID. No text that is not written as databases write them is equal to one.
fn uuid(value: &ScalarValue) -> Sent {
    let Some(written) = text(value) else { return Sent::LeftOut };
    match uuid::Uuid::try_parse(written) {
        Ok(uuid) if uuid.as_hyphenated().to_string() == written => Sent::Bind(Bind::Uuid(uuid.into_bytes())),
        _ => Sent::Beyond(Beyond::Above),
    }
}

/// A text without NUL. One that has it lies behind what stands before it: no text of the database begins so and goes on with
/// less.
fn zeroless(value: &ScalarValue) -> Sent {
    match text(value).map(|text| text.split_once('\0').map_or((text, false), |(before, _)| (before, true))) {
        Some((text, false)) => Sent::Bind(Bind::Text(text.to_owned())),
        Some((before, true)) => Sent::Behind(Bind::Text(before.to_owned())),
        None => Sent::LeftOut,
    }
}

fn text(value: &ScalarValue) -> Option<&str> {
    match value {
        ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text) => text.as_deref(),
        ScalarValue::Dictionary(_, inner) => text(inner),
        _ => None,
    }
}

fn bytes(value: &ScalarValue) -> Option<Bind> {
    match value {
        ScalarValue::Binary(bytes) | ScalarValue::LargeBinary(bytes) | ScalarValue::BinaryView(bytes) => {
            bytes.clone().map(Bind::Bytes)
        }
        _ => None,
    }
}

/// The day of a value, and so many further.
fn day(value: &ScalarValue, further: u64) -> Sent {
    let day = match value {
        ScalarValue::Date32(Some(days)) => {
            NaiveDate::from_ymd_opt(1970, 1, 1).and_then(|first| match u64::try_from(*days) {
                Ok(days) => first.checked_add_days(Days::new(days)),
                Err(_) => first.checked_sub_days(Days::new(u64::from(days.unsigned_abs()))),
            })
        }
        ScalarValue::TimestampSecond(Some(at), None) => DateTime::from_timestamp(*at, 0).map(|at| at.date_naive()),
        ScalarValue::TimestampMillisecond(Some(at), None) => {
            DateTime::from_timestamp_millis(*at).map(|at| at.date_naive())
        }
        ScalarValue::TimestampMicrosecond(Some(at), None) => {
            DateTime::from_timestamp_micros(*at).map(|at| at.date_naive())
        }
        ScalarValue::TimestampNanosecond(Some(at), None) => Some(DateTime::from_timestamp_nanos(*at).date_naive()),
        _ => None,
    };
    let is_late = match value {
        ScalarValue::Date32(Some(days)) => *days > 0,
        _ => false,
    };
    match day.and_then(|day| day.checked_add_days(Days::new(further))) {
        Some(day) if YEARS.contains(&day.year()) => Sent::Bind(Bind::Text(day.format("%Y-%m-%d").to_string())),
        Some(day) => Sent::Beyond(if day.year() < *YEARS.start() { Beyond::Below } else { Beyond::Above }),
        None if matches!(value, ScalarValue::Date32(_)) => {
            Sent::Beyond(if is_late { Beyond::Above } else { Beyond::Below })
        }
        None => Sent::LeftOut,
    }
}

/// Whether an Arrow type is that of texts.
pub(super) fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_sent_as_numbers_that_read_back() {
        let sent = |digits, scale| own_bind(&ScalarValue::Decimal128(Some(digits), 38, scale));
        assert_eq!(sent(1_250, 2), Some(Bind::Double(12.5)));
        assert_eq!(sent(-7, 2), Some(Bind::Double(-0.07)));
        assert_eq!(sent(900_719_925_474_099_300, 2), Some(Bind::Int(9_007_199_254_740_993)));
        assert_eq!(sent(900_719_925_474_099_310, 2), None);
        assert_eq!(sent(12_345_678_901_234_567, 3), None);
        assert_eq!(sent(999_999_999_999_999, 2), Some(Bind::Double(9_999_999_999_999.99)));
        assert_eq!(sent(10_i128.pow(30), 0), Some(Bind::Double(1e30)));
        assert_eq!(sent(10_i128.pow(30) + 1, 0), None);
    }
}
