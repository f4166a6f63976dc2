//! What the types of MySQL's columns are here.

use crate::catalog::{Native, is_of_places};
use crate::ty::Type;
use arrow::datatypes::{DataType, Schema, TimeUnit};

/// The most digits of a decimal here.
const MOST_DIGITS: u8 = 38;

/// The digits of a decimal that is declared without any.
const DIGITS: (u8, i8) = (10, 0);

/// Types whose values are texts, and are compared as such.
const TEXTS: [&str; 8] = ["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"];

/// Types whose values are bytes.
const BYTES: [&str; 7] = ["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "vector"];

/// The type of a column that is declared so, in the words of `column_type`; `None` where nothing is declared. What nobody
/// here knows is the text that the server writes.
pub(in crate::engine::sources) fn column_type(declared: &str) -> Option<Type> {
    let (word, is_unsigned) = (bare(declared), is_unsigned(declared));
    Some(match (word, is_unsigned) {
        ("", _) => return None,
        // A width of one says nothing of the values: 2 is one of them.
        ("tinyint" | "year", _) | ("smallint", false) => Type::Smallint,
        ("smallint", true) | ("mediumint", _) | ("int" | "integer", false) => Type::Int,
        ("int" | "integer", true) | ("bigint", false) => Type::Bigint,
        ("bigint", true) => Type::Ubigint,
        ("float", _) => Type::Real,
        ("double" | "real", _) => Type::Double,
        // With more digits than that, each value comes with all of them as a text.
        ("decimal" | "numeric", _) => decimal(declared).unwrap_or(Type::Text),
        ("bit", _) if declared == "bit(1)" => Type::Boolean,
        ("bit", _) => Type::Bytea,
        ("date", _) => Type::Date,
        ("datetime", _) => Type::Timestamp(6),
        ("timestamp", _) => Type::Timestamptz(6),
        // It goes to 838 hours, in both directions.
        ("time", _) => Type::Interval,
        ("json", _) => Type::Json,
        ("uuid", _) => Type::Uuid,
        (word, _) if BYTES.contains(&word) => Type::Bytea,
        _ => Type::Text,
    })
}

/// A type without its width, its digits and what else is said of it: `decimal`, `enum`, `bigint`.
pub(in crate::engine::sources) fn bare(declared: &str) -> &str {
    declared.split(['(', ' ']).next().unwrap_or_default()
}

/// Whether the numbers of a type have no sign.
pub(in crate::engine::sources) fn is_unsigned(declared: &str) -> bool {
    // What stands in brackets may be anybody's words.
    let behind = declared.rsplit_once(')').map_or(declared, |(_, behind)| behind);
    behind.split(' ').any(|word| word == "unsigned")
}

/// Whether the values of a type are texts that are compared as such.
pub(in crate::engine::sources) fn is_of_texts(declared: &str) -> bool {
    TEXTS.contains(&bare(declared))
}

/// Whether the values of a type are bytes.
pub(in crate::engine::sources) fn is_of_bytes(declared: &str) -> bool {
    BYTES.contains(&bare(declared)) && bare(declared) != "vector"
}

/// Whether the values of a type are whole numbers. A year is one, which is compared in a way of its own.
pub(in crate::engine::sources) fn is_of_integers(declared: &str) -> bool {
    matches!(bare(declared), "tinyint" | "smallint" | "mediumint" | "int" | "integer" | "bigint")
}

/// How many letters a text of a type has at most, where that is few enough to be told.
pub(in crate::engine::sources) fn longest_text(declared: &str) -> Option<usize> {
    match bare(declared) {
        "char" | "varchar" => digits(declared).first().copied().and_then(|length| usize::try_from(length).ok()),
        // Each member of a set is in a text once at most.
        "enum" | "set" => Some(declared.chars().count()),
        "tinytext" => Some(255),
        _ => None,
    }
}

/// The numbers in the brackets of a type.
fn digits(declared: &str) -> Vec<i16> {
    let inside = declared.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inside, _)| inside);
    let numbers = inside.map(|inside| inside.split(',').map_while(|number| number.trim().parse().ok()).collect());
    numbers.unwrap_or_default()
}

fn decimal(declared: &str) -> Option<Type> {
    let (precision, scale) = match digits(declared).as_slice() {
        [precision, scale] => (u8::try_from(*precision).ok()?, i8::try_from(*scale).ok()?),
        [precision] => (u8::try_from(*precision).ok()?, 0),
        _ => DIGITS,
    };
    (precision <= MOST_DIGITS).then_some(Type::Decimal(precision, scale))
}

/// Whether a column that is declared so may be read as another type: one that takes each of its values, or of which each
/// value that it does not take is told.
pub(in crate::engine::sources) fn can_be(declared: &str, ty: &Type) -> bool {
    column_type(declared).as_ref() == Some(ty) || is_wider(declared, ty)
}

/// Whether values that are declared so are taken by a type that is not their own.
fn is_wider(declared: &str, ty: &Type) -> bool {
    let word = bare(declared);
    match (word, ty) {
        ("tinyint", Type::Boolean) => true,
        ("bit", Type::Bytea) | ("float", Type::Double) => true,
        ("decimal" | "numeric", Type::Decimal(..) | Type::Double | Type::Text) => true,
        ("date" | "datetime" | "timestamp" | "time" | "year", Type::Text) => true,
        ("datetime", Type::Timestamp(_)) | ("timestamp", Type::Timestamptz(_)) | ("time", Type::Time) => true,
        ("json" | "uuid", Type::Text) => true,
        (word, Type::Json) => TEXTS.contains(&word) && !matches!(word, "enum" | "set"),
        (_, Type::Bytea) => is_of_places(declared),
        (_, Type::Double) => is_of_integers(declared),
        ("year", Type::Int | Type::Bigint) => true,
        _ if is_of_integers(declared) => is_wider_integer((word, is_unsigned(declared)), ty),
        _ => false,
    }
}

/// Whether whole numbers of a type are taken by another one. Those of a `bigint unsigned` that no `bigint` takes are told.
fn is_wider_integer((word, is_unsigned): (&str, bool), ty: &Type) -> bool {
    let whole = match (word, is_unsigned) {
        ("tinyint", _) => 3,
        ("smallint", _) => 5,
        ("mediumint", _) => 8,
        ("int" | "integer", _) => 10,
        (_, false) => 19,
        (_, true) => 20,
    };
    match ty {
        Type::Bigint => true,
        Type::Int => whole < 10,
        Type::Decimal(precision, scale) => i16::from(*precision) - i16::from(*scale) >= whole,
        _ => false,
    }
}

/// What tells a row in messages: the columns of the key. None where every value is of its type.
pub(in crate::engine::sources) fn row_of(native: &Native, schema: &Schema) -> Vec<String> {
    let misfits =
        native.columns.iter().zip(schema.fields()).any(|(own, field)| may_misfit(&own.declared, field.data_type()));
    if misfits { native.key.clone() } else { Vec::new() }
}

/// Whether values that are declared so may be none of a type here: a day that is none, such as `0000-00-00`, and values that
/// are read as something narrower.
pub(in crate::engine::sources) fn may_misfit(declared: &str, ty: &DataType) -> bool {
    match ty {
        DataType::Boolean => bare(declared) == "tinyint",
        DataType::Date32 | DataType::Timestamp(..) | DataType::Time64(TimeUnit::Microsecond) => true,
        DataType::Int64 => bare(declared) == "bigint" && is_unsigned(declared),
        DataType::Float64 => is_of_integers(declared),
        DataType::Decimal128(..) => column_type(declared).is_some_and(|own| own.to_arrow() != *ty),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the words of MariaDB 10.11 and MySQL 8, which leaves widths out.
    #[test]
    fn declared_types_have_types_here() {
        for (declared, ty) in [
            ("tinyint(1)", "smallint"),
            ("tinyint", "smallint"),
            ("tinyint(3) unsigned", "smallint"),
            ("smallint(6)", "smallint"),
            ("smallint unsigned", "int"),
            ("mediumint(8) unsigned", "int"),
            ("int(11)", "int"),
            ("int(5) unsigned zerofill", "bigint"),
            ("bigint(20)", "bigint"),
            ("bigint unsigned", "ubigint"),
            ("decimal(10,2)", "decimal(10,2)"),
            ("decimal(8,0) unsigned", "decimal(8,0)"),
            ("decimal(38,38)", "decimal(38,38)"),
            ("decimal(50,3)", "text"),
            ("float(7,3)", "real"),
            ("double", "double"),
            ("double(10,2) unsigned", "double"),
            ("bit(1)", "boolean"),
            ("bit(16)", "bytea"),
            ("year(4)", "smallint"),
            ("date", "date"),
            ("datetime(6)", "timestamp"),
            ("timestamp", "timestamptz"),
            ("time(3)", "interval"),
            ("char(3)", "text"),
            ("varchar(20)", "text"),
            ("longtext", "text"),
            ("enum('unsigned','b')", "text"),
            ("set('x','y')", "text"),
            ("json", "json"),
            ("binary(4)", "bytea"),
            ("longblob", "bytea"),
            ("uuid", "uuid"),
            ("inet6", "text"),
            ("point", "text"),
        ] {
            assert_eq!(column_type(declared).map(|ty| ty.to_string()).as_deref(), Some(ty), "{declared}");
        }
        assert_eq!(column_type(""), None);
    }

    #[test]
    fn a_column_is_read_as_what_takes_its_values() {
        for (declared, ty, can) in [
            ("tinyint(1)", "boolean", true),
            ("smallint", "boolean", false),
            ("bigint unsigned", "bigint", true),
            ("bigint unsigned", "decimal(20,0)", true),
            ("bigint unsigned", "decimal(19,0)", false),
            ("int unsigned", "int", false),
            ("mediumint unsigned", "int", true),
            ("decimal(50,3)", "decimal(38,3)", true),
            ("date", "text", true),
            ("date", "timestamp", false),
            ("datetime", "timestamp(3)", true),
            ("datetime", "timestamptz", false),
            ("time", "time", true),
            ("longtext", "json", true),
            ("enum('a')", "json", false),
            ("geometry", "bytea", true),
            ("varchar(10)", "bytea", false),
        ] {
            let ty = Type::parse(ty).unwrap();
            assert_eq!(can_be(declared, &ty), can, "{declared} as {ty}");
        }
        assert!(is_unsigned("int(10) unsigned") && !is_unsigned("enum('x unsigned')"));
        assert_eq!(longest_text("varchar(20)"), Some(20));
        assert_eq!(longest_text("longtext"), None);
    }
}
