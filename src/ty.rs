//! The types of parameters and columns: SQL name ↔ Arrow type ↔ JSON Schema ↔ the values an agent may send.
//!
//! This module knows neither parameters nor tools. The four faces of a type live side by side: the names here, the
//! Arrow types in [`arrow`], the JSON Schemas in [`json_schema`], and the values in [`coerce`].

pub mod arrow;
pub mod clocks;
pub mod coerce;
pub mod either;
mod exact_numbers;
pub mod foreign_numbers;
pub mod json_schema;
pub mod nearest_zone;
mod parse;
mod repeated;

pub use exact_numbers::{ExactNumbers, JsonNumber};
pub use parse::{Meant, NAMES, UnknownType};
pub use repeated::Told;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The type of a parameter or a column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// True or false.
    Boolean,
    /// 16-bit integer.
    Smallint,
    /// 32-bit integer.
    Int,
    /// 64-bit integer.
    Bigint,
    /// 64-bit integer without a sign: of parameters that are compared with such columns. A column is a `bigint`.
    Ubigint,
    /// 32-bit IEEE 754 number.
    Real,
    /// 64-bit IEEE 754 number.
    Double,
    /// Exact number: total digits (1 to 38) and digits behind the point.
    Decimal(u8, i8),
    /// Text in UTF-8.
    Text,
    /// A day of the Gregorian calendar.
    Date,
    /// A time of day, in microseconds.
    Time,
    /// A local date and time; the digits kept behind the second: 0, 3, 6 or 9.
    Timestamp(u8),
    /// An instant; the digits kept behind the second: 0, 3, 6 or 9.
    Timestamptz(u8),
    /// A span of time in months, days and nanoseconds.
    Interval,
    /// A UUID in its text form of 36 characters.
    Uuid,
    /// Bytes.
    Bytea,
    /// Any JSON value, kept as its text.
    Json,
    /// A list of values of one type.
    List(Box<Type>),
    /// A record with named fields.
    Struct(Vec<(String, Type)>),
    /// A mapping of keys to values; only of columns, never of parameters.
    Map(Box<Type>, Box<Type>),
}

impl Type {
    /// Whether values of this type are numbers.
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || matches!(self, Type::Real | Type::Double | Type::Decimal(..))
    }

    /// Whether values of this type are whole numbers.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint)
    }

    /// Whether values are points in time or spans of it.
    pub fn is_temporal(&self) -> bool {
        matches!(self, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_) | Type::Interval)
    }

    /// Whether values have an order that `minimum` and `maximum` can speak of.
    pub fn is_ordered(&self) -> bool {
        self.is_numeric() || matches!(self, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_))
    }

    /// Whether a value of this type can stand for one of another, as a default or an allowed value does.
    pub fn fits(&self, to: &Type) -> bool {
        let is_day_or_time = |ty: &Type| matches!(ty, Type::Date | Type::Timestamp(_) | Type::Timestamptz(_));
        match (self, to) {
            (from, to) if from == to => true,
            (Type::List(from), Type::List(to)) => from.fits(to),
            (from, to) if from.is_integer() => to.is_numeric(),
            (from, to) if from.is_numeric() => to.is_numeric() && !to.is_integer(),
            (Type::Text, Type::Uuid | Type::Json) | (Type::Uuid, Type::Text) => true,
            (from, to) => is_day_or_time(from) && is_day_or_time(to),
        }
    }

    /// The type that takes the values of both without loss, if there is one. Symmetric.
    pub fn join(&self, other: &Type) -> Option<Type> {
        use Type::*;
        if self == other {
            return Some(self.clone());
        }
        Some(match (self, other) {
            (Smallint, Int) | (Int, Smallint) => Int,
            (Smallint | Int | Ubigint, Bigint) | (Bigint, Smallint | Int | Ubigint) => Bigint,
            // What both can be sent.
            (Smallint | Int, Ubigint) | (Ubigint, Smallint | Int) => Bigint,
            (Real, Smallint) | (Smallint, Real) => Real,
            (Double, number) | (number, Double) if number.is_numeric() => Double,
            (Real, Int | Bigint | Ubigint | Decimal(..)) | (Int | Bigint | Ubigint | Decimal(..), Real) => Double,
            (Decimal(p1, s1), Decimal(p2, s2)) => decimal_join((*p1, *s1), (*p2, *s2))?,
            (Decimal(p, s), integer) | (integer, Decimal(p, s)) if integer.is_integer() => {
                decimal_join((*p, *s), (integer.integer_digits(), 0))?
            }
            (Timestamp(a), Timestamp(b)) => Timestamp(*a.max(b)),
            (Timestamptz(a), Timestamptz(b)) => Timestamptz(*a.max(b)),
            (Text, Uuid | Json) | (Uuid | Json, Text) => Text,
            (List(a), List(b)) => List(Box::new(a.join(b)?)),
            _ => return None,
        })
    }

    /// Whether a type is such a one, or has one in it. The keys of a map are not looked at: in JSON they are strings.
    fn has(&self, is: &dyn Fn(&Type) -> bool) -> bool {
        is(self)
            || match self {
                Type::List(item) => item.has(is),
                Type::Struct(fields) => fields.iter().any(|(_, ty)| ty.has(is)),
                Type::Map(_, value) => value.has(is),
                _ => false,
            }
    }

    fn integer_digits(&self) -> u8 {
        match self {
            Type::Smallint => 5,
            Type::Int => 10,
            Type::Ubigint => 20,
            _ => 19,
        }
    }
}

fn decimal_join((p1, s1): (u8, i8), (p2, s2): (u8, i8)) -> Option<Type> {
    let scale = s1.max(s2);
    let whole = (p1 as i16 - s1 as i16).max(p2 as i16 - s2 as i16);
    let precision = whole + scale as i16;
    (precision <= 38).then_some(Type::Decimal(precision as u8, scale))
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => f.write_str("boolean"),
            Type::Smallint => f.write_str("smallint"),
            Type::Int => f.write_str("int"),
            Type::Bigint => f.write_str("bigint"),
            Type::Ubigint => f.write_str("ubigint"),
            Type::Real => f.write_str("real"),
            Type::Double => f.write_str("double"),
            Type::Decimal(precision, scale) => write!(f, "decimal({precision},{scale})"),
            Type::Text => f.write_str("text"),
            Type::Date => f.write_str("date"),
            Type::Time => f.write_str("time"),
            Type::Timestamp(6) => f.write_str("timestamp"),
            Type::Timestamp(digits) => write!(f, "timestamp({digits})"),
            Type::Timestamptz(6) => f.write_str("timestamptz"),
            Type::Timestamptz(digits) => write!(f, "timestamptz({digits})"),
            Type::Interval => f.write_str("interval"),
            Type::Uuid => f.write_str("uuid"),
            Type::Bytea => f.write_str("bytea"),
            Type::Json => f.write_str("json"),
            Type::List(item) => write!(f, "{item}[]"),
            Type::Struct(fields) => {
                f.write_str("struct(")?;
                for (at, (name, ty)) in fields.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}{name} {ty}")?;
                }
                f.write_str(")")
            }
            Type::Map(key, value) => write!(f, "map({key}, {value})"),
        }
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Type::parse_printed(&text).ok_or_else(|| serde::de::Error::custom(format!("unknown type `{text}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_type_reads_back_as_itself() {
        for text in [
            "boolean",
            "smallint",
            "int",
            "bigint",
            "ubigint",
            "real",
            "double",
            "decimal(10,2)",
            "text",
            "date",
            "time",
            "timestamp",
            "timestamp(9)",
            "timestamptz",
            "timestamptz(3)",
            "interval",
            "uuid",
            "bytea",
            "json",
            "int[]",
            "text[][]",
            "struct(a int, b decimal(4,1), c struct(d text))",
            "struct(a int)[]",
        ] {
            assert_eq!(Type::parse(text).map(|ty| ty.to_string()), Ok(text.to_owned()));
        }
        for text in ["map(text, int)", "struct(a map(text, decimal(4,1)))[]"] {
            assert!(Type::parse(text).is_err(), "nobody declares one");
            assert_eq!(Type::parse_printed(text).map(|ty| ty.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn joins_are_symmetric_and_lose_nothing() {
        use Type::*;
        let types = [
            Smallint,
            Int,
            Bigint,
            Ubigint,
            Real,
            Double,
            Decimal(10, 2),
            Text,
            Date,
            Timestamp(3),
            Timestamp(9),
            Uuid,
        ];
        for a in &types {
            for b in &types {
                assert_eq!(a.join(b), b.join(a), "{a} with {b}");
            }
        }
        assert_eq!(Int.join(&Bigint), Some(Bigint));
        assert_eq!(Int.join(&Decimal(10, 2)), Some(Decimal(12, 2)));
        assert_eq!(Text.join(&Date), None);
        assert_eq!(Int.join(&Real), Some(Double));
    }
}
