//! SQL type names as authors write them: what they mean, and what is wrong with one that means nothing.

use super::Type;
use crate::name::{Likeness, near, shown_name};
use sqlparser::ast::{ArrayElemTypeDef, DataType, ExactNumberInfo, StructField, TimezoneInfo};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;
use std::fmt;

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

/// Other names of the same types, as far as somebody may misspell them.
const ALIASES: &[&str] = &[
    "bool",
    "tinyint",
    "integer",
    "float",
    "numeric",
    "string",
    "varchar",
    "char",
    "character",
    "datetime",
    "jsonb",
    "blob",
    "bytes",
    "binary",
    "varbinary",
];

/// What other systems call them, in lower case.
const FOREIGN: [(&str, &str); 20] = [
    ("number", "double"),
    ("str", "text"),
    ("bytestring", "bytea"),
    ("object", "json"),
    ("dict", "json"),
    ("record", "json"),
    ("variant", "json"),
    ("any", "json"),
    ("long", "bigint"),
    ("hugeint", "decimal(38,0)"),
    ("short", "smallint"),
    ("byte", "smallint"),
    ("double_precision", "double"),
    ("money", "decimal(18,2)"),
    ("nvarchar", "text"),
    ("varchar2", "text"),
    ("timestamp_tz", "timestamptz"),
    ("timestamp_ntz", "timestamp"),
    ("datetime64", "timestamp"),
    ("guid", "uuid"),
];

/// A longer text is no type name, in bytes.
const LONGEST: usize = 4_000;

const DIGITS: &str = "`decimal(p,s)` has 1 to 38 digits, at most p of them behind the point";

/// A type name that means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownType {
    /// What was written.
    pub written: String,
    /// What is wrong with it where a type has this name, but not these arguments: a sentence of its own.
    pub limits: Option<String>,
    /// What was probably meant.
    pub meant: Option<Meant>,
}

/// A type that was probably meant by one that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// All that was written, with the name that exists.
    pub text: String,
    /// How alike that name is to the one that was written; `None` for what other systems call it.
    pub likeness: Option<Likeness>,
}

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limits {
            Some(limits) => write!(f, "invalid type `{}`: {limits}", self.written),
            None => write!(f, "unknown type `{}`", shown_name(&self.written)),
        }
    }
}

/// Why a text is no type.
enum Refused {
    /// No type has this name.
    Name(String),
    /// The name is that of a type, what is with it is not.
    Arguments(String),
}

impl Type {
    /// Reads a SQL type name, e.g. `decimal(10,2)`, `int[]` or `struct(a int, b text)`.
    pub fn parse(text: &str) -> Result<Type, UnknownType> {
        // A map is what a column may have; nobody declares one.
        let read = read(text).and_then(|ty| if ty.has_map() { Err(Refused::Name("map".to_owned())) } else { Ok(ty) });
        read.map_err(|refused| {
            let written = text.trim().to_owned();
            match refused {
                Refused::Name(name) => UnknownType { meant: meant(&written, &name), limits: None, written },
                Refused::Arguments(limits) => UnknownType { meant: None, limits: Some(limits), written },
            }
        })
    }

    /// Reads what a type is printed as, those that only columns have among them.
    pub fn parse_printed(text: &str) -> Option<Type> {
        // A server reads thousands when it starts; nearly all are one word, or a decimal.
        printed(text).or_else(|| read(text).ok())
    }

    fn has_map(&self) -> bool {
        self.has(&|ty| matches!(ty, Type::Map(..)))
    }

    /// The type that a SQL type name means; `None` for one that qtool does not have.
    pub fn from_sql(sql: &DataType) -> Option<Type> {
        of_sql(sql).ok()
    }
}

/// A type that is printed as one word, or as a decimal is.
fn printed(text: &str) -> Option<Type> {
    Some(match text {
        "boolean" => Type::Boolean,
        "smallint" => Type::Smallint,
        "int" => Type::Int,
        "bigint" => Type::Bigint,
        "ubigint" => Type::Ubigint,
        "real" => Type::Real,
        "double" => Type::Double,
        "text" => Type::Text,
        "date" => Type::Date,
        "time" => Type::Time,
        "timestamp" => Type::Timestamp(6),
        "timestamptz" => Type::Timestamptz(6),
        "interval" => Type::Interval,
        "uuid" => Type::Uuid,
        "bytea" => Type::Bytea,
        "json" => Type::Json,
        other => {
            let (precision, scale) = other.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
            let info = ExactNumberInfo::PrecisionAndScale(precision.parse().ok()?, scale.parse().ok()?);
            decimal(&info).ok()?
        }
    })
}

fn read(text: &str) -> Result<Type, Refused> {
    if text.len() > LONGEST {
        return Err(Refused::Name(String::new()));
    }
    let parser = Parser::new(&GenericDialect {}).try_with_sql(&struct_with_brackets(text)).ok();
    let parsed = parser.and_then(|mut parser| {
        let parsed = parser.parse_data_type().ok()?;
        (parser.peek_token().token == Token::EOF).then_some(parsed)
    });
    match parsed {
        Some(sql) => of_sql(&sql),
        None => Err(unparsed(text.trim())),
    }
}

fn of_sql(sql: &DataType) -> Result<Type, Refused> {
    Ok(match sql {
        DataType::Boolean | DataType::Bool => Type::Boolean,
        DataType::SmallInt(_) | DataType::Int2(_) | DataType::TinyInt(_) | DataType::Int16 => Type::Smallint,
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) | DataType::Int32 => Type::Int,
        DataType::BigInt(_) | DataType::Int8(_) | DataType::Int64 => Type::Bigint,
        DataType::UBigInt | DataType::BigIntUnsigned(_) => Type::Ubigint,
        DataType::Real | DataType::Float4 | DataType::Float32 => Type::Real,
        DataType::Double(_) | DataType::DoublePrecision | DataType::Float(_) | DataType::Float8 | DataType::Float64 => {
            Type::Double
        }
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
        | DataType::Datetime(digits) => Type::Timestamp(seconds_digits(*digits, "timestamp")?),
        DataType::Timestamp(digits, _) => Type::Timestamptz(seconds_digits(*digits, "timestamptz")?),
        DataType::Interval { .. } => Type::Interval,
        DataType::Uuid => Type::Uuid,
        DataType::Bytea | DataType::Blob(_) | DataType::Binary(_) | DataType::Varbinary(_) | DataType::Bytes(_) => {
            Type::Bytea
        }
        DataType::JSON | DataType::JSONB => Type::Json,
        DataType::Array(ArrayElemTypeDef::SquareBracket(item, None))
        | DataType::Array(ArrayElemTypeDef::AngleBracket(item)) => Type::List(Box::new(of_sql(item)?)),
        DataType::Array(ArrayElemTypeDef::SquareBracket(..)) => {
            return Err(Refused::Arguments("a list is `T[]`, without a number of items".to_owned()));
        }
        DataType::Struct(fields, _) if !fields.is_empty() => record(fields)?,
        DataType::Map(key, value) => Type::Map(Box::new(of_sql(key)?), Box::new(of_sql(value)?)),
        DataType::Custom(name, _) => {
            let name = name.to_string();
            return Err(if is_known(&name) { Refused::Arguments(limits(&name)) } else { Refused::Name(name) });
        }
        other => return Err(Refused::Name(first_word(&other.to_string()).to_lowercase())),
    })
}

fn record(fields: &[StructField]) -> Result<Type, Refused> {
    let mut read: Vec<(String, Type)> = Vec::with_capacity(fields.len());
    for field in fields {
        let Some(name) = field.field_name.as_ref().map(|name| name.value.clone()) else {
            return Err(Refused::Arguments("every field of a struct has a name and a type".to_owned()));
        };
        if read.iter().any(|(seen, _)| *seen == name) {
            return Err(Refused::Arguments(format!("field `{name}` twice")));
        }
        read.push((name, of_sql(&field.field_type)?));
    }
    Ok(Type::Struct(read))
}

fn decimal(info: &ExactNumberInfo) -> Result<Type, Refused> {
    let (precision, scale) = match info {
        ExactNumberInfo::None => (38, 10),
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
    };
    let valid = (1..=38).contains(&precision) && (0..=precision as i64).contains(&scale);
    if valid { Ok(Type::Decimal(precision as u8, scale as i8)) } else { Err(Refused::Arguments(DIGITS.to_owned())) }
}

fn seconds_digits(written: Option<u64>, name: &str) -> Result<u8, Refused> {
    match written {
        None => Ok(6),
        Some(digits @ (0 | 3 | 6 | 9)) => Ok(digits as u8),
        Some(_) => Err(Refused::Arguments(limits(name))),
    }
}

/// What is wrong with a text that is no type name of any SQL.
fn unparsed(text: &str) -> Refused {
    let word = first_word(text);
    let rest = text.get(word.len()..).unwrap_or_default().trim_start();
    if text.ends_with('?') {
        Refused::Arguments("the `?` of an optional parameter stands behind its name".to_owned())
    } else if rest.starts_with('(') && rest.ends_with(')') && is_known(word) {
        Refused::Arguments(limits(word))
    } else {
        Refused::Name(word.to_owned())
    }
}

/// What a type of that name takes in brackets.
fn limits(name: &str) -> String {
    match name.to_lowercase().as_str() {
        "decimal" | "numeric" => DIGITS.to_owned(),
        name @ ("timestamp" | "timestamptz" | "datetime") => format!("the precision of `{name}` is 0, 3, 6 or 9"),
        name => format!("`{name}` has no such arguments"),
    }
}

fn is_known(name: &str) -> bool {
    NAMES.iter().chain(ALIASES).any(|known| known.eq_ignore_ascii_case(name))
}

fn first_word(text: &str) -> &str {
    text.split(['(', '[', '<', '?', ' ']).next().unwrap_or_default()
}

/// What was meant by a text with a name in it that is not known.
fn meant(written: &str, name: &str) -> Option<Meant> {
    let lower = name.to_lowercase();
    if let Some((_, ours)) = FOREIGN.iter().find(|(theirs, _)| *theirs == lower) {
        let text = written.replacen(name, ours, 1);
        // Of `nvarchar(20)`, what stands in the brackets may fit another type.
        let text = if read(&text).is_ok() { text } else { (*ours).to_owned() };
        return Some(Meant { text, likeness: None });
    }
    // No type has a name of several words: one of them alone is never what was meant.
    let joined = name.replace('_', "");
    let near = near(&joined, NAMES.iter().chain(ALIASES).copied())?;
    let text = written.replacen(name, near.name, 1);
    read(&text).ok()?;
    Some(Meant { text, likeness: Some(near.likeness) })
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
            // Apart, or what follows two that close together is taken for the inner one's: `[]`, say.
            ')' => out.push_str(if open.pop() == Some(true) { "> " } else { ")" }),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_records_in_records_is_a_list() {
        let ty = Type::parse("struct(a int, b struct(c text, d json))[]").unwrap();
        assert_eq!(ty.to_string(), "struct(a int, b struct(c text, d json))[]");
    }

    fn limits_of(text: &str) -> Option<String> {
        Type::parse(text).unwrap_err().limits
    }

    fn meant_by(text: &str) -> Option<String> {
        Type::parse(text).unwrap_err().meant.map(|meant| meant.text)
    }

    #[test]
    fn a_printed_word_is_read_as_the_parser_reads_it() {
        for text in
            NAMES.iter().chain(ALIASES).copied().chain(["decimal(10,2)", "decimal(38,0)", "decimal(3,9)", "INT"])
        {
            assert!(printed(text).is_none_or(|ty| read(text).ok() == Some(ty)), "{text}");
        }
        let quick = NAMES.iter().filter(|name| printed(name).is_some()).count();
        assert_eq!(quick, NAMES.len() - 1, "all but `decimal`, which is printed with its digits");
    }

    #[test]
    fn every_name_and_alias_is_read() {
        for name in NAMES.iter().chain(ALIASES) {
            assert!(Type::parse(name).is_ok(), "{name}");
        }
        assert_eq!(Type::parse("VARCHAR(20)"), Ok(Type::Text));
        assert_eq!(Type::parse("timestamp with time zone"), Ok(Type::Timestamptz(6)));
        assert_eq!(Type::parse("numeric(4,4)"), Ok(Type::Decimal(4, 4)));
    }

    #[test]
    fn no_text_that_goes_on_is_a_type() {
        for text in ["", "int; drop table x", "int int", "struct()"] {
            assert!(Type::parse(text).is_err(), "{text}");
        }
        assert_eq!(Type::parse(&"int".repeat(2_000)).unwrap_err().meant, None);
    }

    #[test]
    fn a_misspelt_name_keeps_what_is_with_it() {
        for (written, meant) in [
            ("bigit", "bigint"),
            ("BIGIT", "bigint"),
            ("bolean", "boolean"),
            ("integr", "integer"),
            ("varchr", "varchar"),
            ("time_stamp", "timestamp"),
            ("decimall(10,2)", "decimal(10,2)"),
            ("bigit[]", "bigint[]"),
            ("struct(a bigit, b text)", "struct(a bigint, b text)"),
        ] {
            assert_eq!(meant_by(written).as_deref(), Some(meant), "{written}");
        }
    }

    #[test]
    fn a_name_that_is_far_off_means_nothing() {
        for written in ["string_of_text", "number_of_euros", "map(text, int)", "decimall(2,3)", "int unsigned"] {
            assert_eq!(meant_by(written), None, "{written}");
        }
    }

    #[test]
    fn a_known_name_says_what_it_takes() {
        for written in ["decimal(2,3)", "decimal(39,2)", "NUMERIC(0)", "decimal(4,-1)", "decimal(1,1,1)", "int[3]"] {
            assert!(limits_of(written).is_some(), "{written}");
            assert_eq!(meant_by(written), None, "{written}");
        }
        assert_eq!(limits_of("decimal(2,3)[]").as_deref(), Some(DIGITS));
        assert_eq!(limits_of("timestamp(2)").as_deref(), Some("the precision of `timestamp` is 0, 3, 6 or 9"));
        assert_eq!(limits_of("timestamptz(x)").as_deref(), Some("the precision of `timestamptz` is 0, 3, 6 or 9"));
        assert_eq!(limits_of("struct(a int, a text)").as_deref(), Some("field `a` twice"));
        assert_eq!(limits_of("text(20)").as_deref(), Some("`text` has no such arguments"));
        assert_eq!(limits_of("boolean(1)").as_deref(), Some("`boolean` has no such arguments"));
        assert!(limits_of("bigint?").is_some() && limits_of("decimal(9,2)?").is_some());
        assert_eq!(limits_of("bigit"), None);
    }
}
