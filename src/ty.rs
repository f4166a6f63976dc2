//! The types of parameters and columns: SQL name ↔ Arrow type ↔ JSON Schema ↔ the values an agent may send.
//!
//! This module knows neither parameters nor tools. The four faces of a type live side by side: the names here, the
//! Arrow types in [`arrow`], the JSON Schemas in [`json_schema`], and the values in [`coerce`].

pub mod arrow;
pub mod coerce;
pub mod json_schema;

use crate::name::nearest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sqlparser::ast::{ArrayElemTypeDef, DataType, ExactNumberInfo, TimezoneInfo};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
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

/// A type name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownType {
    /// What was written.
    pub written: String,
    /// The nearest name that exists.
    pub nearest: Option<&'static str>,
}

/// The names of types as documented; aliases of PostgreSQL are accepted too.
pub const NAMES: &[&str] = &[
    "boolean",
    "smallint",
    "int",
    "bigint",
    "real",
    "double",
    "decimal",
    "text",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "interval",
    "uuid",
    "bytea",
    "json",
];

impl Type {
    /// Reads a SQL type name, e.g. `decimal(10,2)`, `int[]` or `struct(a int, b text)`.
    pub fn parse(text: &str) -> Result<Type, UnknownType> {
        let unknown = || {
            let word = text.split(['(', '[', '<', ' ']).next().unwrap_or_default();
            UnknownType {
                written: text.trim().to_owned(),
                nearest: nearest(word, NAMES.iter().copied())
                    .and_then(|name| NAMES.iter().copied().find(|known| *known == name)),
            }
        };
        if text.len() > 4_000 {
            return Err(unknown());
        }
        let mut parser =
            Parser::new(&GenericDialect {}).try_with_sql(&struct_with_brackets(text)).map_err(|_| unknown())?;
        let parsed = parser.parse_data_type().map_err(|_| unknown())?;
        if parser.peek_token().token != sqlparser::tokenizer::Token::EOF {
            return Err(unknown());
        }
        Type::from_sql(&parsed).ok_or_else(unknown)
    }

    /// The type that a SQL type name means; `None` for one that qtool does not have.
    pub fn from_sql(sql: &DataType) -> Option<Type> {
        Some(match sql {
            DataType::Boolean | DataType::Bool => Type::Boolean,
            DataType::SmallInt(_) | DataType::Int2(_) | DataType::TinyInt(_) | DataType::Int16 => Type::Smallint,
            DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) | DataType::Int32 => Type::Int,
            DataType::BigInt(_) | DataType::Int8(_) | DataType::Int64 => Type::Bigint,
            DataType::Real | DataType::Float4 | DataType::Float32 => Type::Real,
            DataType::Double(_)
            | DataType::DoublePrecision
            | DataType::Float(_)
            | DataType::Float8
            | DataType::Float64 => Type::Double,
            DataType::Decimal(info) | DataType::Numeric(info) | DataType::Dec(info) => decimal(info)?,
            DataType::Text
            | DataType::String(_)
            | DataType::Varchar(_)
            | DataType::Char(_)
            | DataType::Character(_)
            | DataType::CharacterVarying(_)
            | DataType::CharVarying(_) => Type::Text,
            DataType::Date => Type::Date,
            DataType::Time(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => Type::Time,
            DataType::Timestamp(digits, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone)
            | DataType::Datetime(digits) => Type::Timestamp(seconds_digits(*digits)?),
            DataType::Timestamp(digits, _) => Type::Timestamptz(seconds_digits(*digits)?),
            DataType::Interval { .. } => Type::Interval,
            DataType::Uuid => Type::Uuid,
            DataType::Bytea | DataType::Blob(_) | DataType::Binary(_) | DataType::Varbinary(_) | DataType::Bytes(_) => {
                Type::Bytea
            }
            DataType::JSON | DataType::JSONB => Type::Json,
            DataType::Array(ArrayElemTypeDef::SquareBracket(item, None))
            | DataType::Array(ArrayElemTypeDef::AngleBracket(item)) => Type::List(Box::new(Type::from_sql(item)?)),
            DataType::Struct(fields, _) if !fields.is_empty() => {
                let mut read = Vec::with_capacity(fields.len());
                for field in fields {
                    let name = field.field_name.as_ref()?.value.clone();
                    if read.iter().any(|(seen, _)| *seen == name) {
                        return None;
                    }
                    read.push((name, Type::from_sql(&field.field_type)?));
                }
                Type::Struct(read)
            }
            _ => return None,
        })
    }

    /// Whether values of this type are numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Type::Smallint | Type::Int | Type::Bigint | Type::Real | Type::Double | Type::Decimal(..))
    }

    /// Whether values of this type are whole numbers.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Smallint | Type::Int | Type::Bigint)
    }

    /// Whether values are points in time or spans of it.
    pub fn is_temporal(&self) -> bool {
        matches!(self, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_) | Type::Interval)
    }

    /// Whether values have an order that `minimum` and `maximum` can speak of.
    pub fn is_ordered(&self) -> bool {
        self.is_numeric() || matches!(self, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_))
    }

    /// The type that takes the values of both without loss, if there is one. Symmetric.
    pub fn join(&self, other: &Type) -> Option<Type> {
        use Type::*;
        if self == other {
            return Some(self.clone());
        }
        Some(match (self, other) {
            (Smallint, Int) | (Int, Smallint) => Int,
            (Smallint | Int, Bigint) | (Bigint, Smallint | Int) => Bigint,
            (Real, Smallint) | (Smallint, Real) => Real,
            (Double, number) | (number, Double) if number.is_numeric() => Double,
            (Real, Int | Bigint | Decimal(..)) | (Int | Bigint | Decimal(..), Real) => Double,
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

    fn integer_digits(&self) -> u8 {
        match self {
            Type::Smallint => 5,
            Type::Int => 10,
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

/// `struct(a int)` as the design writes it; sqlparser reads `struct<a int>` everywhere.
fn struct_with_brackets(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("struct(") && !lower.contains("struct (") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    // Which of the open round brackets belong to a struct.
    let mut open = Vec::new();
    for character in text.chars() {
        match character {
            '(' if out.trim_end().to_ascii_lowercase().ends_with("struct") => {
                open.push(true);
                out.truncate(out.trim_end().len());
                out.push('<');
            }
            '(' => {
                open.push(false);
                out.push('(');
            }
            ')' => out.push(if open.pop() == Some(true) { '>' } else { ')' }),
            other => out.push(other),
        }
    }
    out
}

fn decimal(info: &ExactNumberInfo) -> Option<Type> {
    let (precision, scale) = match info {
        ExactNumberInfo::None => (38, 10),
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
    };
    let valid = (1..=38).contains(&precision) && (0..=precision as i64).contains(&scale);
    valid.then_some(Type::Decimal(precision as u8, scale as i8))
}

fn seconds_digits(written: Option<u64>) -> Option<u8> {
    match written {
        None => Some(6),
        Some(digits @ (0 | 3 | 6 | 9)) => Some(digits as u8),
        Some(_) => None,
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => f.write_str("boolean"),
            Type::Smallint => f.write_str("smallint"),
            Type::Int => f.write_str("int"),
            Type::Bigint => f.write_str("bigint"),
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
        Type::parse(&text).map_err(|error| serde::de::Error::custom(format!("unknown type `{}`", error.written)))
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
    }

    #[test]
    fn aliases_and_mistakes() {
        assert_eq!(Type::parse("VARCHAR(20)"), Ok(Type::Text));
        assert_eq!(Type::parse("timestamp with time zone"), Ok(Type::Timestamptz(6)));
        assert_eq!(Type::parse("bigit").unwrap_err().nearest, Some("bigint"));
        assert!(Type::parse("decimal(50,2)").is_err());
        assert!(Type::parse("int; drop table x").is_err());
        assert!(Type::parse("").is_err());
    }

    #[test]
    fn joins_are_symmetric_and_lose_nothing() {
        use Type::*;
        let types = [Smallint, Int, Bigint, Real, Double, Decimal(10, 2), Text, Date, Timestamp(3), Timestamp(9), Uuid];
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
