//! What the types of PostgreSQL's columns are here.

use crate::catalog::Native;
use crate::ty::Type;
use arrow::datatypes::DataType;

/// What the name of a collation ends in that finds texts equal whose bytes are not.
pub(in crate::engine::sources) const NONDETERMINISTIC: &str = " (nondeterministic)";

/// The most digits of a decimal.
const MOST_DIGITS: u8 = 38;

/// The digits of an amount of money: those of a 64-bit integer.
const MONEY_DIGITS: u8 = 19;

/// The places of an amount of money where nothing else is said.
const MONEY_PLACES: u8 = 2;

/// Days and times, some of which are none here: those without end, and those of years that nobody counts to.
const TIMES: [&str; 4] = ["date", "time without time zone", "timestamp without time zone", "timestamp with time zone"];

/// Types of which each value is one here too.
const ALL_FIT: [&str; 12] = [
    "boolean",
    "smallint",
    "integer",
    "bigint",
    "real",
    "double precision",
    "text",
    "character varying",
    "uuid",
    "json",
    "jsonb",
    "bytea",
];

/// The type of a column that is declared so, in the words of `format_type`; `None` where nothing is declared. What nobody
/// here knows is the text that the server writes.
pub(in crate::engine::sources) fn column_type(declared: &str) -> Option<Type> {
    if declared.is_empty() {
        return None;
    }
    let known = match declared.strip_suffix("[]") {
        Some(item) => scalar(item).map(|item| Type::List(Box::new(item))),
        None => scalar(declared),
    };
    Some(known.unwrap_or(Type::Text))
}

/// The type of single values; `None` where they come as the server writes them.
fn scalar(declared: &str) -> Option<Type> {
    let (word, digits) = parts(declared);
    Some(match word.as_str() {
        "boolean" => Type::Boolean,
        "smallint" => Type::Smallint,
        "integer" => Type::Int,
        "bigint" => Type::Bigint,
        "real" => Type::Real,
        "double precision" => Type::Double,
        // Without places, or with more digits, each value has as many as it likes: its text has all of them.
        "numeric" => decimal(&digits).unwrap_or(Type::Text),
        "money" => Type::Decimal(MONEY_DIGITS, places(&digits)?),
        // The blanks that fill a `char(n)` up are no part of its value: the server leaves them out where it compares, and
        // where it casts to `text`.
        "text" | "character varying" | "character" | "bpchar" | "name" => Type::Text,
        "uuid" => Type::Uuid,
        "json" | "jsonb" => Type::Json,
        "bytea" => Type::Bytea,
        "date" => Type::Date,
        "time without time zone" => Type::Time,
        "timestamp without time zone" => Type::Timestamp(6),
        "timestamp with time zone" => Type::Timestamptz(6),
        word if word == "interval" || word.starts_with("interval ") => Type::Interval,
        _ => return None,
    })
}

/// A type without what stands in brackets, and the numbers in there: `timestamp(3) without time zone`, `numeric(10,2)`.
fn parts(declared: &str) -> (String, Vec<i16>) {
    let cut = declared.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
    match cut {
        Some((before, (inside, behind))) => {
            let digits: Option<Vec<i16>> = inside.split(',').map(|number| number.trim().parse().ok()).collect();
            (format!("{before}{behind}"), digits.unwrap_or_default())
        }
        None => (declared.to_owned(), Vec::new()),
    }
}

/// A type without its digits: `character varying`, `timestamp without time zone`.
pub(in crate::engine::sources) fn bare(declared: &str) -> String {
    parts(declared).0
}

fn decimal(digits: &[i16]) -> Option<Type> {
    let [precision, scale] = digits else { return None };
    let (precision, scale) = (u8::try_from(*precision).ok()?, i8::try_from(*scale).ok()?);
    let is_decimal = (1..=MOST_DIGITS).contains(&precision) && scale >= 0 && scale.unsigned_abs() <= precision;
    is_decimal.then_some(Type::Decimal(precision, scale))
}

/// How a number is declared whose type has this modifier, as servers send it: its digits above 16 bits, and its places, which may
/// be below 0.
pub(super) fn numeric_words(modifier: i32) -> String {
    match modifier.checked_sub(4).filter(|digits| *digits >= 0) {
        Some(digits) => format!("numeric({},{})", (digits >> 16) & 0xffff, ((digits & 0x7ff) ^ 0x400) - 0x400),
        None => "numeric".to_owned(),
    }
}

/// The places of an amount of money. Those of a server that has others stand in brackets.
fn places(digits: &[i16]) -> Option<i8> {
    let places = digits.first().copied().unwrap_or(i16::from(MONEY_PLACES));
    i8::try_from(places).ok().filter(|places| (0..=MONEY_DIGITS).contains(&places.unsigned_abs()) && *places >= 0)
}

/// How an amount of money is declared in a server that writes it with so many places.
pub(super) fn money(places: i32) -> String {
    if places == i32::from(MONEY_PLACES) { "money".to_owned() } else { format!("money({places})") }
}

/// Whether a column that is declared so may be read as another type: one that takes each of its values, or of which each
/// value that it does not take is told. Whole numbers are widened alone: what is asked of them is asked of the server.
pub(in crate::engine::sources) fn can_be(declared: &str, ty: &Type) -> bool {
    if column_type(declared).as_ref() == Some(ty) {
        return true;
    }
    match (declared.strip_suffix("[]"), ty) {
        (Some(item), Type::List(to)) => !is_read_as_text(declared) && can_be(item, to),
        (Some(_), _) => false,
        (None, _) => is_wider(&parts(declared).0, ty),
    }
}

/// Whether values that are declared so are taken by a type that is not their own.
fn is_wider(word: &str, ty: &Type) -> bool {
    let holds = |whole: i16| match ty {
        Type::Decimal(precision, scale) => i16::from(*precision) - i16::from(*scale) >= whole,
        Type::Double => true,
        _ => false,
    };
    match word {
        "smallint" => holds(5) || matches!(ty, Type::Int | Type::Bigint),
        "integer" => holds(10) || *ty == Type::Bigint,
        "bigint" => holds(19),
        "real" => *ty == Type::Double,
        "numeric" => matches!(ty, Type::Decimal(..) | Type::Double | Type::Text),
        "text" | "character varying" | "json" | "jsonb" => matches!(ty, Type::Text | Type::Json),
        "uuid" => *ty == Type::Text,
        "timestamp without time zone" if *ty != Type::Text => matches!(ty, Type::Timestamp(_)),
        "timestamp with time zone" if *ty != Type::Text => matches!(ty, Type::Timestamptz(_)),
        word => *ty == Type::Text && TIMES.contains(&word),
    }
}

/// Whether the values of a type come as the server writes them, because nobody here reads its own form.
pub(in crate::engine::sources) fn is_read_as_text(declared: &str) -> bool {
    scalar(declared.strip_suffix("[]").unwrap_or(declared)).is_none()
}

/// Whether a server is asked for the texts of a column that is read as a type here: those of a type that nobody here reads, and
/// days and times where they are to be texts.
pub(in crate::engine::sources) fn comes_as_text(declared: &str, here: &DataType) -> bool {
    is_read_as_text(declared) || *here == DataType::Utf8 && is_time(declared)
}

/// Whether values of a type are days or times.
pub(in crate::engine::sources) fn is_time(declared: &str) -> bool {
    TIMES.contains(&bare(declared).as_str())
}

/// What tells a row in messages: the columns of the key. None where every value is of its type, and where a part of the key
/// is of a type that is not read.
pub(in crate::engine::sources) fn row_of(native: &Native) -> Vec<String> {
    let declared = |name: &String| native.columns.iter().find(|column| column.name == *name).map(|own| &own.declared);
    let is_read = |name: &String| declared(name).is_some_and(|declared| !is_read_as_text(declared));
    let all_fit = native.columns.iter().all(|column| ALL_FIT.contains(&parts(&column.declared).0.as_str()));
    if all_fit || !native.key.iter().all(is_read) { Vec::new() } else { native.key.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_have_types_here() {
        for (declared, ty) in [
            ("boolean", "boolean"),
            ("smallint", "smallint"),
            ("integer", "int"),
            ("bigint", "bigint"),
            ("real", "real"),
            ("double precision", "double"),
            ("numeric(10,2)", "decimal(10,2)"),
            ("numeric(38,38)", "decimal(38,38)"),
            ("numeric(39,2)", "text"),
            ("numeric(3,-2)", "text"),
            ("numeric(2,5)", "text"),
            ("numeric", "text"),
            ("money", "decimal(19,2)"),
            ("money(0)", "decimal(19,0)"),
            ("character varying(20)", "text"),
            ("character(3)", "text"),
            ("name", "text"),
            ("uuid", "uuid"),
            ("jsonb", "json"),
            ("bytea", "bytea"),
            ("date", "date"),
            ("time(3) without time zone", "time"),
            ("time with time zone", "text"),
            ("timestamp(3) without time zone", "timestamp"),
            ("timestamp with time zone", "timestamptz"),
            ("interval day to second(3)", "interval"),
            ("interval", "interval"),
            ("bit(3)", "text"),
            ("public.mood", "text"),
            ("\"char\"", "text"),
            ("integer[]", "int[]"),
            ("numeric(6,2)[]", "decimal(6,2)[]"),
            ("timestamp(3) with time zone[]", "timestamptz[]"),
            ("public.mood[]", "text"),
        ] {
            assert_eq!(column_type(declared).map(|ty| ty.to_string()).as_deref(), Some(ty), "{declared}");
        }
        assert!(["public.mood", "inet", "oid[]", "time with time zone", "bit(3)"].into_iter().all(is_read_as_text));
        assert!(!["character(3)", "numeric", "integer[]", "money(3)"].into_iter().any(is_read_as_text));
    }

    #[test]
    fn a_modifier_tells_the_digits_of_a_number() {
        for (modifier, words) in [
            (-1, "numeric"),
            ((10 << 16) + 2 + 4, "numeric(10,2)"),
            ((38 << 16) + 38 + 4, "numeric(38,38)"),
            ((3 << 16) + 0x7fe + 4, "numeric(3,-2)"),
        ] {
            assert_eq!(numeric_words(modifier), words);
        }
    }

    #[test]
    fn a_column_is_read_as_what_takes_its_values() {
        for (declared, ty, can) in [
            ("numeric", "decimal(12,4)", true),
            ("numeric", "double", true),
            ("numeric(12,0)", "bigint", false),
            ("integer", "bigint", true),
            ("integer", "decimal(12,2)", true),
            ("integer", "decimal(11,2)", false),
            ("bigint", "int", false),
            ("integer[]", "bigint[]", true),
            ("integer[]", "text", false),
            ("inet", "text", true),
            ("inet", "bigint", false),
            ("uuid", "text", true),
            ("text", "json", true),
            ("timestamp without time zone", "timestamp(3)", true),
            ("timestamp without time zone", "timestamptz", false),
            ("timestamp(3) without time zone", "text", true),
            ("date", "text", true),
            ("date", "timestamp", false),
            ("interval", "text", false),
        ] {
            let ty = Type::parse(ty).unwrap();
            assert_eq!(can_be(declared, &ty), can, "{declared} as {ty}");
        }
    }
}
