//! Values as PostgreSQL sends them in its binary form, one by one.

pub(super) use super::super::columns::BROKEN;
use super::super::columns::Wrong;
use super::numeric::Numeric;
use arrow::array::types::IntervalMonthDayNano;
use arrow::datatypes::DataType;
use std::borrow::Cow;
use tokio_postgres::types::{Kind, Type};

/// The days from 1970-01-01 to 2000-01-01, where PostgreSQL begins to count.
pub(super) const EPOCH_DAYS: i32 = 10_957;

/// The microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// The last day that has a text here: of the year 262142.
const LAST_DAY: i32 = 95_026_236;

/// The version of `jsonb` that begins each value of it.
const JSONB: u8 = 1;

/// The form in which a value is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wire {
    /// One byte.
    Bool,
    /// An integer of so many bytes.
    Int(usize),
    /// A floating-point number of four bytes.
    Float,
    /// A floating-point number of eight bytes.
    Double,
    /// A number in groups of digits.
    Numeric,
    /// An amount of money: an integer without its point.
    Money,
    /// A text.
    Text,
    /// A text that is filled up with blanks.
    Padded,
    /// A text behind a version.
    Jsonb,
    /// Bytes.
    Bytes,
    /// 16 bytes.
    Uuid,
    /// Days since 2000-01-01.
    Date,
    /// Microseconds since midnight.
    Time,
    /// Microseconds since 2000-01-01.
    Timestamp,
    /// The same, in UTC.
    Timestamptz,
    /// Microseconds, days and months.
    Interval,
    /// Any number of values in a form, and the number of their type.
    List(Box<Wire>, u32),
}

impl Wire {
    /// The form of a type; `None` of one that is not read.
    pub(super) fn of_type(ty: &Type) -> Option<Wire> {
        Some(match *ty {
            Type::BOOL => Wire::Bool,
            Type::INT2 => Wire::Int(2),
            Type::INT4 => Wire::Int(4),
            Type::INT8 => Wire::Int(8),
            Type::FLOAT4 => Wire::Float,
            Type::FLOAT8 => Wire::Double,
            Type::NUMERIC => Wire::Numeric,
            Type::MONEY => Wire::Money,
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::JSON => Wire::Text,
            Type::BPCHAR => Wire::Padded,
            Type::JSONB => Wire::Jsonb,
            Type::BYTEA => Wire::Bytes,
            Type::UUID => Wire::Uuid,
            Type::DATE => Wire::Date,
            Type::TIME => Wire::Time,
            Type::TIMESTAMP => Wire::Timestamp,
            Type::TIMESTAMPTZ => Wire::Timestamptz,
            Type::INTERVAL => Wire::Interval,
            _ => match ty.kind() {
                Kind::Array(item) => match Wire::of_type(item)? {
                    Wire::List(..) => return None,
                    wire => Wire::List(Box::new(wire), item.oid()),
                },
                _ => return None,
            },
        })
    }

    /// Whether values in this form are read as an Arrow type.
    pub(super) fn is_read_as(&self, ty: &DataType) -> bool {
        match (self, ty) {
            (Wire::Bool, DataType::Boolean) | (Wire::Int(2), DataType::Int16) => true,
            (Wire::Int(2 | 4), DataType::Int32) | (Wire::Int(_), DataType::Int64) => true,
            (Wire::Int(_) | Wire::Float | Wire::Double | Wire::Numeric, DataType::Float64) => true,
            (Wire::Int(_) | Wire::Numeric | Wire::Money, DataType::Decimal128(..)) => true,
            (Wire::Text | Wire::Padded | Wire::Jsonb | Wire::Uuid | Wire::Numeric, DataType::Utf8) => true,
            (Wire::Float, DataType::Float32) | (Wire::Bytes, DataType::Binary) => true,
            (Wire::Date, DataType::Date32) | (Wire::Time, DataType::Time64(_)) => true,
            (Wire::Timestamp, DataType::Timestamp(_, None)) | (Wire::Timestamptz, DataType::Timestamp(_, Some(_))) => {
                true
            }
            (Wire::Interval, DataType::Interval(_)) => true,
            (Wire::List(wire, _), DataType::List(item)) => wire.is_read_as(item.data_type()),
            _ => false,
        }
    }

    /// A whole number.
    pub(super) fn integer(&self, raw: &[u8]) -> Result<i64, Wrong> {
        match self {
            Wire::Int(2) => Ok(i16::from_be_bytes(bytes(raw)?).into()),
            Wire::Int(4) => Ok(i32::from_be_bytes(bytes(raw)?).into()),
            _ => Ok(i64::from_be_bytes(bytes(raw)?)),
        }
    }

    /// A floating-point number. A whole one that has no such number is none.
    pub(super) fn double(&self, raw: &[u8]) -> Result<f64, Wrong> {
        let found = match self {
            Wire::Float => f64::from(float(raw)?),
            Wire::Double => f64::from_be_bytes(bytes(raw)?),
            Wire::Numeric => Numeric::read(raw).and_then(|number| number.double()).ok_or(BROKEN)?,
            _ => {
                let whole = self.integer(raw)?;
                let double = whole as f64;
                if double as i128 != i128::from(whole) {
                    return Err(Wrong { found: "a whole number of too many digits", expected: "double" });
                }
                double
            }
        };
        // There is one that is no number here: its bits are not told apart.
        Ok(if found.is_nan() { f64::NAN } else { found })
    }

    /// A number without its point.
    pub(super) fn decimal(&self, raw: &[u8], digits: u8, scale: i8) -> Result<i128, Wrong> {
        let expected = "decimal of that size";
        let wrong = Wrong { found: "a number with more digits", expected };
        match self {
            Wire::Numeric => {
                let number = Numeric::read(raw).ok_or(BROKEN)?;
                let special = number.special().map(|found| Wrong { found, expected: "number" });
                special.map_or_else(|| number.decimal(digits, scale).ok_or(wrong), Err)
            }
            // Its places are those of its type.
            Wire::Money => self.integer(raw).map(i128::from),
            _ => {
                let number = i128::from(self.integer(raw)?);
                let places = u32::try_from(scale).map_err(|_| wrong)?;
                let scaled = 10_i128.checked_pow(places).and_then(|more| number.checked_mul(more));
                let end = 10_u128.saturating_pow(digits.into());
                scaled.filter(|scaled| scaled.unsigned_abs() < end).ok_or(wrong)
            }
        }
    }

    /// A text.
    pub(super) fn text<'a>(&self, raw: &'a [u8]) -> Result<Cow<'a, str>, Wrong> {
        let utf8 =
            |raw: &'a [u8]| std::str::from_utf8(raw).map_err(|_| Wrong { found: "bytes", expected: "text in UTF-8" });
        Ok(match self {
            Wire::Uuid => Cow::Owned(uuid::Uuid::from_bytes(bytes(raw)?).as_hyphenated().to_string()),
            Wire::Numeric => Cow::Owned(Numeric::read(raw).ok_or(BROKEN)?.text()),
            // What fills it up is no part of its value.
            Wire::Padded => Cow::Borrowed(utf8(raw)?.trim_end_matches(' ')),
            Wire::Jsonb => match raw.split_first() {
                Some((&JSONB, text)) => Cow::Borrowed(utf8(text)?),
                _ => return Err(BROKEN),
            },
            _ => Cow::Borrowed(utf8(raw)?),
        })
    }
}

fn bytes<const N: usize>(raw: &[u8]) -> Result<[u8; N], Wrong> {
    raw.try_into().map_err(|_| BROKEN)
}

/// A truth value.
pub(super) fn boolean(raw: &[u8]) -> Result<bool, Wrong> {
    let [byte] = bytes(raw)?;
    Ok(byte != 0)
}

/// A floating-point number of four bytes.
pub(super) fn float(raw: &[u8]) -> Result<f32, Wrong> {
    let found = f32::from_be_bytes(bytes(raw)?);
    Ok(if found.is_nan() { f32::NAN } else { found })
}

/// A day, in days since 1970-01-01.
pub(super) fn date(raw: &[u8]) -> Result<i32, Wrong> {
    let expected = "date";
    match i32::from_be_bytes(bytes(raw)?) {
        i32::MAX => Err(Wrong { found: "infinity", expected }),
        i32::MIN => Err(Wrong { found: "-infinity", expected }),
        days => match days.checked_add(EPOCH_DAYS) {
            Some(days) if days <= LAST_DAY => Ok(days),
            _ => Err(Wrong { found: "a day behind the year 262142", expected: "date here" }),
        },
    }
}

/// A time of day, in microseconds.
pub(super) fn time(raw: &[u8]) -> Result<i64, Wrong> {
    let micros = i64::from_be_bytes(bytes(raw)?);
    let is_time = (0..DAY).contains(&micros);
    is_time.then_some(micros).ok_or(Wrong { found: "24:00:00", expected: "time of a day" })
}

/// A moment, in microseconds since 1970-01-01.
pub(super) fn moment(raw: &[u8]) -> Result<i64, Wrong> {
    let expected = "timestamp";
    match i64::from_be_bytes(bytes(raw)?) {
        i64::MAX => Err(Wrong { found: "infinity", expected }),
        i64::MIN => Err(Wrong { found: "-infinity", expected }),
        micros => match micros.checked_add(i64::from(EPOCH_DAYS) * DAY) {
            Some(micros) if micros.div_euclid(DAY) <= i64::from(LAST_DAY) => Ok(micros),
            _ => Err(Wrong { found: "a time behind the year 262142", expected: "timestamp here" }),
        },
    }
}

/// A span of time.
pub(super) fn interval(raw: &[u8]) -> Result<IntervalMonthDayNano, Wrong> {
    let (micros, rest) = raw.split_at_checked(8).ok_or(BROKEN)?;
    let (days, months) = rest.split_at_checked(4).ok_or(BROKEN)?;
    let (micros, days, months) =
        (i64::from_be_bytes(bytes(micros)?), i32::from_be_bytes(bytes(days)?), i32::from_be_bytes(bytes(months)?));
    let nanos = micros
        .checked_mul(1_000)
        .ok_or(Wrong { found: "a span of more than 292 years of hours", expected: "interval here" })?;
    Ok(IntervalMonthDayNano::new(months, days, nanos))
}

/// The items of a list: NULL is `None`. Its numbers are counted from 1 on, and it is one list, and none of lists.
pub(super) fn items(raw: &[u8], ty: u32) -> Result<Items<'_>, Wrong> {
    let mut items = Items { rest: raw, left: 0 };
    let (dimensions, _, own) = (items.number()?, items.number()?, items.number()?);
    if own.cast_unsigned() != ty {
        return Err(BROKEN);
    }
    match dimensions {
        0 => Ok(items),
        1 => {
            items.left = items.number()?;
            let first = items.number()?;
            let wrong = Wrong { found: "an array that does not begin at 1", expected: "list" };
            if first == 1 { Ok(items) } else { Err(wrong) }
        }
        _ => Err(Wrong { found: "an array of several dimensions", expected: "list" }),
    }
}

/// Items on their way.
#[derive(Debug)]
pub(super) struct Items<'a> {
    /// The bytes that are not read yet.
    rest: &'a [u8],
    /// How many items are in there.
    left: i32,
}

impl<'a> Items<'a> {
    fn number(&mut self) -> Result<i32, Wrong> {
        let (number, rest) = self.rest.split_at_checked(4).ok_or(BROKEN)?;
        self.rest = rest;
        Ok(i32::from_be_bytes(bytes(number)?))
    }

    fn item(&mut self) -> Result<Option<&'a [u8]>, Wrong> {
        let Ok(length) = usize::try_from(self.number()?) else { return Ok(None) };
        let (item, rest) = self.rest.split_at_checked(length).ok_or(BROKEN)?;
        self.rest = rest;
        Ok(Some(item))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Option<&'a [u8]>, Wrong>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left <= 0 {
            return None;
        }
        self.left -= 1;
        Some(self.item())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_is_the_last_one_that_has_a_text() {
        let days = chrono::NaiveDate::MAX.signed_duration_since(chrono::NaiveDate::default()).num_days();
        assert_eq!(days, i64::from(LAST_DAY));
        assert_eq!(date(&(LAST_DAY - EPOCH_DAYS).to_be_bytes()), Ok(LAST_DAY));
        assert!(date(&(LAST_DAY - EPOCH_DAYS + 1).to_be_bytes()).is_err());
    }

    fn hex(text: &str) -> Vec<u8> {
        text.as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    /// What PostgreSQL 15 gives for `encode(…_send(…), 'hex')`.
    #[test]
    fn values_are_read_as_a_server_sends_them() {
        assert_eq!(date(&hex("00002298")), Ok(19_813), "2024-03-31");
        assert_eq!(date(&hex("7fffffff")).map_err(|wrong| wrong.found), Err("infinity"));
        assert_eq!(moment(&hex("fffffffffff85ee0")), Ok(946_684_799_500_000), "1999-12-31 23:59:59.5");
        assert_eq!(
            interval(&hex("00000000003567e00000000200000001")),
            Ok(IntervalMonthDayNano::new(1, 2, 3_500_000_000))
        );
        assert_eq!(time(&hex("000000141dd76000")).map_err(|wrong| wrong.found), Err("24:00:00"));
        assert_eq!(Wire::Padded.text(&hex("612020")).as_deref(), Ok("a"));
        assert_eq!(Wire::Jsonb.text(&hex("017b2261223a20317d")).as_deref(), Ok("{\"a\": 1}"));
        assert_eq!(Wire::Money.decimal(&hex("00000000000004d2"), 19, 2), Ok(1_234));
        let found = |raw: &str| -> Result<Vec<Option<i64>>, Wrong> {
            let integer = |item: Option<&[u8]>| item.map(|raw| Wire::Int(4).integer(raw)).transpose();
            items(&hex(raw), 23)?.map(|item| integer(item?)).collect()
        };
        let three = "00000001000000010000001700000003000000010000000400000001ffffffff0000000400000003";
        assert_eq!(found(three), Ok(vec![Some(1), None, Some(3)]));
        assert_eq!(found("000000000000000000000017"), Ok(Vec::new()));
        let of_lists = "000000020000000000000017000000020000000100000002000000010000000400000001000000040000000200000004000000030000000400000004";
        assert_eq!(found(of_lists).map_err(|wrong| wrong.found), Err("an array of several dimensions"));
        let from_zero = "000000010000000000000017000000020000000000000004000000010000000400000002";
        assert_eq!(found(from_zero).map_err(|wrong| wrong.found), Err("an array that does not begin at 1"));
    }
}
