//! What an agent may send for a type, and the value it becomes.
//!
//! Lax mode accepts what models really send (`"5"` for a number, `5.0` for an integer, `"true"`); strict mode accepts
//! exactly what the published JSON Schema accepts. Neither ever guesses: `5.5` is no integer, a number is no text,
//! `true` is no number.

mod multiple;
mod temporal;

use super::clocks::Clocks;
use super::{Told, Type};
use arrow::array::timezone::Tz;
use base64::Engine as _;
use chrono::Timelike;
use datafusion::common::ScalarValue;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use temporal::{date, day_number, instant, interval, iso_text, local_time, time, timestamp};

/// How forgiving the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Accepts the usual slips of models.
    #[default]
    Lax,
    /// Accepts what the published schema accepts, nothing else.
    Strict,
}

/// What the reading of a value depends on beside its type.
#[derive(Debug, Clone, Default)]
pub struct Coercion {
    /// How forgiving it is.
    pub strictness: Strictness,
    /// The zone of an instant written without one.
    pub time_zone: TimeZoneName,
}

/// A time zone by its IANA name or offset, checked.
#[derive(Debug, Clone)]
pub struct TimeZoneName {
    name: String,
    zone: Tz,
}

impl TimeZoneName {
    /// Reads `America/New_York`, `UTC` or `+02:00`.
    pub fn parse(name: &str) -> Option<TimeZoneName> {
        let zone = name.parse().ok()?;
        Some(TimeZoneName { name: name.to_owned(), zone })
    }

    /// The name as it was written.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Its clocks.
    pub fn clocks(&self) -> Clocks {
        Clocks(self.zone)
    }
}

impl Default for TimeZoneName {
    fn default() -> Self {
        match TimeZoneName::parse("+00:00") {
            Some(utc) => utc,
            None => unreachable!("an offset always parses"),
        }
    }
}

/// Why a value is none of the type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What would have been accepted, e.g. ``an integer``.
    pub expected: String,
    /// What was sent, shortened.
    pub got: String,
    /// Where inside a list or record, e.g. `[2].name`; empty at the top.
    pub path: String,
    /// The name that stands twice in the text of a list or a record, if that is why.
    pub repeated: Option<String>,
}

impl Type {
    /// Reads a JSON value as this type.
    pub fn coerce(&self, value: &Value, coercion: &Coercion) -> Result<ScalarValue, Mismatch> {
        let lax = coercion.strictness == Strictness::Lax;
        let read = match self {
            Type::Boolean => boolean(value, lax).map(ScalarValue::from),
            Type::Smallint => integer(value, lax).and_then(|n| i16::try_from(n).ok()).map(ScalarValue::from),
            Type::Int => integer(value, lax).and_then(|n| i32::try_from(n).ok()).map(ScalarValue::from),
            Type::Bigint => integer(value, lax).and_then(|n| i64::try_from(n).ok()).map(ScalarValue::from),
            Type::Ubigint => integer(value, lax).and_then(|n| u64::try_from(n).ok()).map(ScalarValue::from),
            Type::Real => number(value, lax)
                .filter(|n| lax || n.abs() <= LARGEST_REAL)
                .map(|n| n as f32)
                .filter(|n| n.is_finite())
                .map(ScalarValue::from),
            Type::Double => number(value, lax).map(ScalarValue::from),
            Type::Decimal(precision, scale) => {
                decimal(value, lax, *precision, *scale).map(|n| ScalarValue::Decimal128(Some(n), *precision, *scale))
            }
            Type::Text => value.as_str().map(ScalarValue::from),
            Type::Json => Some(ScalarValue::Utf8(Some(json_text(value)))),
            Type::Uuid => {
                value.as_str().filter(|text| is_uuid(text)).map(|text| ScalarValue::Utf8(Some(text.to_lowercase())))
            }
            Type::Date => value.as_str().and_then(date).map(|day| ScalarValue::Date32(Some(day_number(day)))),
            Type::Time => value.as_str().filter(|text| lax || has_digits(text, 6)).and_then(time).and_then(|at| {
                let seconds = i64::from(at.num_seconds_from_midnight());
                // Digits that the type does not keep are refused, not cut.
                let micros = at.nanosecond().is_multiple_of(1_000).then(|| i64::from(at.nanosecond() / 1_000))?;
                Some(ScalarValue::Time64Microsecond(Some(seconds * 1_000_000 + micros)))
            }),
            Type::Timestamp(digits) => value
                .as_str()
                .filter(|text| lax || has_digits(text, *digits))
                .and_then(local_time)
                .and_then(|at| timestamp(at.and_utc(), *digits, None)),
            Type::Timestamptz(digits) => value
                .as_str()
                .and_then(|text| instant(text, lax.then_some(&coercion.time_zone)))
                .and_then(|at| timestamp(at, *digits, Some("+00:00".into()))),
            Type::Interval => {
                value.as_str().and_then(|text| interval(text, lax)).map(|v| ScalarValue::IntervalMonthDayNano(Some(v)))
            }
            Type::Bytea => value
                .as_str()
                .and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok())
                .map(|bytes| ScalarValue::Binary(Some(bytes))),
            Type::List(item) => return self.list(item, value, coercion),
            Type::Struct(fields) => return self.record(fields, value, coercion),
            Type::Map(..) => None,
        };
        read.ok_or_else(|| self.mismatch(value))
    }

    /// A value that an author wrote, in the form that an agent sends and the published schema shows: numbers of whole
    /// types as numbers, decimals as texts. What is none of the type stays as it is.
    pub fn canonical(&self, value: &Value) -> Value {
        let read = match self {
            Type::Smallint | Type::Int | Type::Bigint => {
                integer(value, true).and_then(|whole| i64::try_from(whole).ok()).map(Value::from)
            }
            Type::Ubigint => integer(value, true).and_then(|whole| u64::try_from(whole).ok()).map(Value::from),
            Type::Real | Type::Double if !value.is_number() => number(value, true).map(Value::from),
            Type::Boolean => boolean(value, true).map(Value::from),
            Type::Decimal(..) => value.is_number().then(|| value.to_string().into()),
            Type::Interval => value.as_str().and_then(|text| interval(text, true)).map(|span| iso_text(span).into()),
            Type::List(item) => {
                value.as_array().map(|items| items.iter().map(|one| item.canonical(one)).collect::<Vec<_>>().into())
            }
            _ => None,
        };
        read.unwrap_or_else(|| value.clone())
    }

    /// The values without those that are the same as one before: `1.0` beside `1`.
    pub fn distinct(&self, values: Vec<Value>) -> Vec<Value> {
        let twice: HashSet<usize> = self.repeated(&values).into_iter().map(|(at, _)| at).collect();
        values.into_iter().enumerate().filter(|(at, _)| !twice.contains(at)).map(|(_, value)| value).collect()
    }

    /// The places of the values that are the same as one before, each with the place of that. What is none of the type is
    /// the same as nothing.
    pub fn repeated(&self, values: &[Value]) -> Vec<(usize, usize)> {
        let coercion = Coercion::default();
        let mut first: HashMap<ScalarValue, usize> = HashMap::new();
        let mut repeated = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let Ok(read) = self.coerce(value, &coercion) else { continue };
            let read = match read {
                // It is equal to 0.0, and another scalar.
                ScalarValue::Float64(Some(-0.0)) => ScalarValue::Float64(Some(0.0)),
                ScalarValue::Float32(Some(-0.0)) => ScalarValue::Float32(Some(0.0)),
                read => read,
            };
            match first.entry(read) {
                Entry::Occupied(before) => repeated.push((at, *before.get())),
                Entry::Vacant(free) => drop(free.insert(at)),
            }
        }
        repeated
    }

    /// The order of what was sent and what an author wrote; `None` where one is no value of the type, or the type has no
    /// order. Authors are read leniently, whatever the caller is held to.
    pub fn compare(&self, sent: &Value, written: &Value, coercion: &Coercion) -> Option<std::cmp::Ordering> {
        let author = Coercion { strictness: Strictness::Lax, time_zone: coercion.time_zone.clone() };
        let (sent, written) = (self.coerce(sent, coercion).ok()?, self.coerce(written, &author).ok()?);
        // The order of scalars has -0.0 below 0.0.
        match (&sent, &written) {
            (ScalarValue::Float64(Some(sent)), ScalarValue::Float64(Some(written))) => sent.partial_cmp(written),
            (ScalarValue::Float32(Some(sent)), ScalarValue::Float32(Some(written))) => sent.partial_cmp(written),
            _ => sent.partial_cmp(&written),
        }
    }

    fn list(&self, item: &Type, value: &Value, coercion: &Coercion) -> Result<ScalarValue, Mismatch> {
        let decoded = self.decoded(value, coercion, Value::is_array)?;
        let Value::Array(items) = decoded.as_ref().unwrap_or(value) else {
            return Err(self.mismatch(value));
        };
        let mut values = Vec::with_capacity(items.len());
        for (at, one) in items.iter().enumerate() {
            let read = item.coerce(one, coercion).map_err(|inner| inner.below(&format!("[{at}]")))?;
            values.push(read);
        }
        Ok(ScalarValue::List(ScalarValue::new_list(&values, &item.to_arrow(), true)))
    }

    fn record(&self, fields: &[(String, Type)], value: &Value, coercion: &Coercion) -> Result<ScalarValue, Mismatch> {
        let decoded = self.decoded(value, coercion, Value::is_object)?;
        let Value::Object(map) = decoded.as_ref().unwrap_or(value) else {
            return Err(self.mismatch(value));
        };
        let exact = map.len() == fields.len() && fields.iter().all(|(name, _)| map.contains_key(name));
        if !exact {
            return Err(self.mismatch(value));
        }
        let mut builder = datafusion::common::scalar::ScalarStructBuilder::new();
        for (name, ty) in fields {
            let sent = map.get(name).unwrap_or(&Value::Null);
            let read = ty.coerce(sent, coercion).map_err(|inner| inner.below(&format!(".{name}")))?;
            builder = builder.with_scalar(arrow::datatypes::Field::new(name, ty.to_arrow(), true), read);
        }
        builder.build().map_err(|_| self.mismatch(value))
    }

    /// Lists and records may come as the JSON text of one: several models send them so.
    ///
    /// Errors: a name is there more than once in it.
    pub(crate) fn decoded(
        &self,
        value: &Value,
        coercion: &Coercion,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<Option<Value>, Mismatch> {
        let text = value.as_str().filter(|_| coercion.strictness == Strictness::Lax);
        let told = text.and_then(|text| serde_json::from_str::<Told>(text).ok()).filter(|told| fits(&told.value));
        match told {
            Some(Told { repeated: Some(name), .. }) => Err(Mismatch { repeated: Some(name), ..self.mismatch(value) }),
            told => Ok(told.map(|told| told.value)),
        }
    }

    /// That a value is none of the type.
    pub fn mismatch(&self, value: &Value) -> Mismatch {
        let mut expected = self.expectation();
        if let Type::Decimal(precision, scale) = self
            && came_rounded(value, i32::from(*precision) - i32::from(*scale))
        {
            expected.push_str(", sent as a string, for a number of more than 15 digits comes rounded");
        }
        Mismatch { expected, got: shortened(value), path: String::new(), repeated: None }
    }

    /// What an agent should send, in words.
    pub fn expectation(&self) -> String {
        match self {
            Type::Boolean => "true or false".to_owned(),
            Type::Smallint => format!("an integer from {} to {}", i16::MIN, i16::MAX),
            Type::Int => format!("an integer from {} to {}", i32::MIN, i32::MAX),
            Type::Bigint => "an integer of at most 64 bits".to_owned(),
            Type::Ubigint => format!("an integer from 0 to {}", u64::MAX),
            Type::Real => "a number of at most 3.4e38".to_owned(),
            Type::Double => "a number".to_owned(),
            Type::Decimal(precision, scale) => {
                let whole = i16::from(*precision) - i16::from(*scale);
                format!("an exact number with at most {whole} digits before and {scale} behind the point")
            }
            Type::Text => "a string".to_owned(),
            Type::Date => "a date such as \"2024-03-31\"".to_owned(),
            Type::Time => "a time of day such as \"17:45:00\"".to_owned(),
            Type::Timestamp(digits) => {
                let fraction = fraction_words(*digits);
                format!("a local date and time without an offset such as \"2024-03-31T17:45:00\"{fraction}")
            }
            Type::Timestamptz(digits) => {
                let fraction = fraction_words(*digits);
                format!("a date and time with an offset such as \"2024-03-31T17:45:00Z\"{fraction}")
            }
            Type::Interval => "a duration such as \"P1DT2H\"".to_owned(),
            Type::Uuid => "a UUID such as \"123e4567-e89b-12d3-a456-426614174000\"".to_owned(),
            Type::Bytea => "bytes in base64".to_owned(),
            Type::Json => "any JSON value".to_owned(),
            Type::List(item) => format!("a list, each item {}", item.expectation()),
            Type::Struct(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                format!("an object with exactly the keys {}", names.join(", "))
            }
            Type::Map(..) => "an object".to_owned(),
        }
    }
}

fn fraction_words(digits: u8) -> String {
    match digits {
        0 => ", whole seconds".to_owned(),
        digits => format!(", at most {digits} digits of a second"),
    }
}

impl Mismatch {
    fn below(mut self, step: &str) -> Mismatch {
        self.path.insert_str(0, step);
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { String::new() } else { format!(" at {}", self.path) };
        if let Some(name) = &self.repeated {
            return write!(f, "`{name}` is there more than once{place}");
        }
        write!(f, "expected {}{place}, got {}", self.expected, self.got)
    }
}

/// A value as shown in an error: its JSON, at most 60 characters.
pub fn shortened(value: &Value) -> String {
    // JSON escapes only some of what could start a line of its own, or turn one around.
    let text: String = value.to_string().chars().map(|c| if is_visible(c) { c } else { '\u{fffd}' }).collect();
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

/// Whether a character can be shown in a line: no control character, no separator of lines, no direction.
pub fn is_visible(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The largest real as it is published: `f32::MAX` to the digits that a real keeps.
pub(super) const LARGEST_REAL: f64 = 3.402_823_4e38;

/// Whether a point in time has at most so many digits behind the point.
fn has_digits(text: &str, most: u8) -> bool {
    text.split_once('.').is_none_or(|(_, fraction)| fraction.len() <= usize::from(most) && most > 0)
}

fn boolean(value: &Value, lax: bool) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) if lax => match text.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn integer(value: &Value, lax: bool) -> Option<i128> {
    match value {
        Value::Number(number) => {
            if let Some(whole) = number.as_i64() {
                return Some(whole.into());
            }
            if let Some(whole) = number.as_u64() {
                return Some(whole.into());
            }
            // JSON Schema counts 5.0 as an integer. From 2^53 on a float no longer says which integer was meant.
            number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9_007_199_254_740_992.0).map(|n| n as i128)
        }
        Value::String(text) if lax => {
            let text = text.trim();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let plain = (1..=20).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { text.parse().ok() } else { None }
        }
        _ => None,
    }
}

fn number(value: &Value, lax: bool) -> Option<f64> {
    let read = match value {
        Value::Number(number) => number.as_f64(),
        // `parse` would also take "inf", "nan" and "infinity".
        Value::String(text) if lax && text.bytes().any(|byte| byte.is_ascii_digit()) => text.trim().parse().ok(),
        _ => None,
    };
    read.filter(|n: &f64| n.is_finite())
}

/// The digits of a number as it is printed, without zeros at its beginning.
fn significant_digits(number: &str) -> usize {
    let mantissa = number.split_once('e').map_or(number, |(mantissa, _)| mantissa);
    let mantissa = mantissa.strip_suffix(".0").unwrap_or(mantissa);
    mantissa.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count()
}

/// Whether a number has more digits than a double holds, or is the first that has too many before the point, as is what
/// was rounded up to it. What is told of it is then not what was sent.
fn came_rounded(value: &Value, whole: i32) -> bool {
    let Value::Number(number) = value else { return false };
    let is_first_above = || number.as_f64().is_some_and(|sent| sent.abs() == 10_f64.powi(whole));
    number.is_f64() && (significant_digits(&number.to_string()) > 15 || (whole >= 10 && is_first_above()))
}

/// The digits of an exact number; `None` where it has more than the type keeps.
fn decimal(value: &Value, lax: bool, precision: u8, scale: i8) -> Option<i128> {
    let text = match value {
        Value::String(text) => if lax { text.trim() } else { text }.to_owned(),
        // A double keeps 15 digits of any decimal: a longer number came as another one.
        Value::Number(number) if lax => {
            let text = number.to_string();
            if number.is_f64() && significant_digits(&text) > 15 {
                return None;
            }
            text
        }
        _ => return None,
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) if lax => (mantissa, exponent.parse::<i32>().ok()?.clamp(-1_000, 1_000)),
        Some(_) => return None,
        None => (text.as_str(), 0),
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').filter(|_| lax).unwrap_or(mantissa)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let room = (i16::from(precision) - i16::from(scale)).max(1) as usize;
    if !lax && (whole.len() > room || fraction.len() > scale.max(0) as usize) {
        return None;
    }
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let pointed = digits.contains('.');
    if whole.is_empty()
        || !plain(whole)
        || !plain(fraction)
        || (pointed && fraction.is_empty())
        || whole.len() + fraction.len() > 60
    {
        return None;
    }
    let mut unscaled: i128 = format!("{whole}{fraction}")
        .trim_start_matches('0')
        .parse()
        .or_else(
            |error: std::num::ParseIntError| {
                if *error.kind() == std::num::IntErrorKind::Empty { Ok(0) } else { Err(error) }
            },
        )
        .ok()?;
    // Beyond this no number of 38 digits is left; it also keeps the sum from overflowing.
    if exponent.abs() > 200 {
        return None;
    }
    let shift = i32::from(scale) - fraction.len() as i32 + exponent;
    if shift >= 0 {
        unscaled = unscaled.checked_mul(10_i128.checked_pow(shift as u32)?)?;
    } else {
        let cut = 10_i128.checked_pow(shift.unsigned_abs())?;
        if unscaled % cut != 0 {
            return None;
        }
        unscaled /= cut;
    }
    let fits = unscaled < 10_i128.checked_pow(u32::from(precision))?;
    fits.then_some(if negative { -unscaled } else { unscaled })
}

fn json_text(value: &Value) -> String {
    match value {
        Value::String(text) if serde_json::from_str::<Value>(text).is_ok() => text.clone(),
        other => other.to_string(),
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;
