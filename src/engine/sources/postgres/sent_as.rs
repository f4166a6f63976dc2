//! As which types of PostgreSQL values are sent to a statement in its own SQL.

use super::types::{bare, is_read_as_text};
use crate::ty::Type;
use tokio_postgres::types::Type as Own;

/// The types that a server is told, in its words: each with its array.
const TOLD: [(&str, Own, Own); 16] = [
    ("boolean", Own::BOOL, Own::BOOL_ARRAY),
    ("smallint", Own::INT2, Own::INT2_ARRAY),
    ("integer", Own::INT4, Own::INT4_ARRAY),
    ("bigint", Own::INT8, Own::INT8_ARRAY),
    ("real", Own::FLOAT4, Own::FLOAT4_ARRAY),
    ("double precision", Own::FLOAT8, Own::FLOAT8_ARRAY),
    ("numeric", Own::NUMERIC, Own::NUMERIC_ARRAY),
    ("text", Own::TEXT, Own::TEXT_ARRAY),
    ("uuid", Own::UUID, Own::UUID_ARRAY),
    ("jsonb", Own::JSONB, Own::JSONB_ARRAY),
    ("bytea", Own::BYTEA, Own::BYTEA_ARRAY),
    ("date", Own::DATE, Own::DATE_ARRAY),
    ("time without time zone", Own::TIME, Own::TIME_ARRAY),
    ("timestamp without time zone", Own::TIMESTAMP, Own::TIMESTAMP_ARRAY),
    ("timestamp with time zone", Own::TIMESTAMPTZ, Own::TIMESTAMPTZ_ARRAY),
    ("interval", Own::INTERVAL, Own::INTERVAL_ARRAY),
];

/// The type of these words; one that the server finds itself where there are none.
pub(super) fn own(words: Option<&str>) -> Own {
    let (word, is_array) = match words.map(|words| (words, words.strip_suffix("[]"))) {
        Some((_, Some(item))) => (item, true),
        Some((word, None)) => (word, false),
        None => return Own::UNKNOWN,
    };
    let found = TOLD.iter().find(|(told, ..)| *told == word);
    found.map_or(Own::UNKNOWN, |(_, single, array)| if is_array { array.clone() } else { single.clone() })
}

/// The words for the type that takes all values of one here; `None` where there is none.
pub(super) fn words(ty: &Type) -> Option<String> {
    let word = match ty {
        Type::Boolean => "boolean",
        Type::Smallint => "smallint",
        Type::Int => "integer",
        Type::Bigint => "bigint",
        Type::Real => "real",
        Type::Double => "double precision",
        Type::Ubigint | Type::Decimal(..) => "numeric",
        Type::Text => "text",
        Type::Uuid => "uuid",
        Type::Json => "jsonb",
        Type::Bytea => "bytea",
        Type::Date => "date",
        Type::Time => "time without time zone",
        Type::Timestamp(_) => "timestamp without time zone",
        Type::Timestamptz(_) => "timestamp with time zone",
        Type::Interval => "interval",
        Type::List(item) if !matches!(**item, Type::List(_)) => return Some(format!("{}[]", words(item)?)),
        Type::List(_) | Type::Struct(_) | Type::Map(..) => return None,
    };
    Some(word.to_owned())
}

/// Numbers of the server, from those with the fewest values on.
const NUMBERS: [&str; 7] = ["smallint", "integer", "bigint", "real", "double precision", "numeric", "money"];

fn is_number(word: &str) -> bool {
    NUMBERS.contains(&word)
}

/// Whether a server's type takes every value of one here as it is.
pub(super) fn takes(own: &str, ty: &Type) -> bool {
    if let Some(item) = own.strip_suffix("[]") {
        return matches!(ty, Type::List(inner) if takes(item, inner));
    }
    let own = bare(own);
    let own = own.as_str();
    match ty {
        Type::Smallint => is_number(own),
        Type::Int => is_number(own) && !["smallint", "real"].contains(&own),
        Type::Bigint => ["bigint", "numeric"].contains(&own),
        Type::Ubigint => own == "numeric",
        Type::Real => ["real", "double precision", "numeric"].contains(&own),
        Type::Double | Type::Decimal(..) => ["double precision", "numeric", "money"].contains(&own),
        Type::Text | Type::Uuid | Type::Json => reads_texts(own),
        Type::Date => own == "date" || own.starts_with("timestamp"),
        Type::Timestamp(_) => own.starts_with("timestamp"),
        Type::Timestamptz(_) => own == "timestamp with time zone",
        Type::Boolean | Type::Bytea | Type::Time | Type::Interval => words(ty).as_deref() == Some(own),
        Type::List(_) | Type::Struct(_) | Type::Map(..) => false,
    }
}

/// Whether a server's type takes the values of one here that fit, and says so of the others.
pub(super) fn tells(own: &str, ty: &Type) -> bool {
    if let Some(item) = own.strip_suffix("[]") {
        return matches!(ty, Type::List(inner) if tells(item, inner));
    }
    let own = bare(own);
    let own = own.as_str();
    match ty {
        Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint | Type::Real | Type::Double | Type::Decimal(..) => {
            is_number(own)
        }
        // Both are in UTC.
        Type::Timestamptz(_) => own.starts_with("timestamp"),
        // Texts are read as the server reads literals.
        Type::Text => !is_number(own) && own != "boolean",
        ty => takes(own, ty),
    }
}

/// Whether a type is that of texts, or one whose values are texts here.
fn reads_texts(own: &str) -> bool {
    let is_text = ["text", "character varying", "character", "bpchar", "name", "uuid", "json", "jsonb"].contains(&own);
    is_text || is_read_as_text(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_that_is_told_is_known_by_its_words() {
        for ty in ["boolean", "bigint", "decimal(10,2)", "text", "timestamptz", "uuid[]", "double[]"] {
            let ty = Type::parse(ty).unwrap();
            let words = words(&ty).unwrap();
            assert_ne!(own(Some(&words)), Own::UNKNOWN, "{ty}");
            assert!(takes(&words, &ty), "{ty}");
        }
        assert_eq!(own(None), Own::UNKNOWN);
    }

    #[test]
    fn what_does_not_take_all_values_is_known() {
        for (own, ty, taken, told) in [
            ("integer", "bigint", false, true),
            ("integer", "double", false, true),
            ("numeric", "double", true, true),
            ("date", "timestamp", false, false),
            ("timestamp without time zone", "date", true, true),
            ("timestamp without time zone", "timestamptz", false, true),
            ("integer", "text", false, false),
            ("date", "text", false, true),
            ("public.mood", "text", true, true),
            ("tsquery", "text", true, true),
            ("text", "bigint", false, false),
            ("integer[]", "int[]", true, true),
            ("integer[]", "int", false, false),
            ("boolean", "text", false, false),
        ] {
            let ty = Type::parse(ty).unwrap();
            assert_eq!((takes(own, &ty), tells(own, &ty)), (taken, told), "{own} and {ty}");
        }
    }
}
