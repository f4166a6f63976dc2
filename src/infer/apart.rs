//! Things beside one another that have nothing in common: a number beside a point in time, a boolean beside a number.
//!
//! The engine takes a number beside a date as days since 1970, so that `day < 20240131` is true of every day. PostgreSQL
//! and DuckDB refuse it.

use super::sides::{Kind, Typed, Written, clash, kind, of_values, records_clash};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use chrono::NaiveDate;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;

/// What makes one value of several that the engine does not make, or makes a text of, where a text stands beside a boolean.
/// Comparisons say so themselves.
const MAKE_ONE: [&str; 12] = [
    "coalesce",
    "nvl",
    "ifnull",
    "nvl2",
    "nullif",
    "greatest",
    "least",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "ARRAY",
    "USING",
];

/// What is to be said of things of which two have nothing in common.
pub(super) fn told_clash(what: &str, sides: &[Typed<'_>]) -> Option<Diagnostic> {
    let known: Vec<(Kind, &Typed<'_>)> =
        sides.iter().filter_map(|side| Some((kind(&side.ty)?, side))).filter(|(kind, _)| *kind != Kind::Text).collect();
    if known.is_empty() {
        return told_records(what, sides);
    }
    let first = *known.first()?;
    let other = *known.iter().find(|(kind, _)| clash(first.0, *kind))?;
    // The number is to be written in another way, and not what it stands beside.
    let (right, wrong) = if first.0 == Kind::Number { (other, first) } else { (first, other) };
    let (right_ty, wrong_ty) = (right.1.name(), wrong.1.name());
    if right.1.span == wrong.1.span {
        // A column that a join makes of two.
        let why = format!("{what} does not go with {right_ty} and {wrong_ty}");
        return Some(codes::invalid_query(wrong.1.span, &why));
    }
    let diagnostic = codes::invalid_query(wrong.1.span, &format!("{what} does not go with {right_ty} and {wrong_ty}"))
        .label(wrong.1.label(&wrong_ty))
        .also(right.1.span, right.1.label(&right_ty));
    let numbers: Vec<&Typed<'_>> = known.iter().filter(|(kind, _)| *kind == wrong.0).map(|(_, side)| *side).collect();
    Some(with_help(diagnostic, right.0, wrong, &numbers))
}

/// What is to be said of records of which two have nothing in common at one of their places.
fn told_records(what: &str, sides: &[Typed<'_>]) -> Option<Diagnostic> {
    let first = sides.first()?;
    let other = sides.iter().find(|side| records_clash(&first.ty, &side.ty))?;
    let (one, ty) = (first.name(), other.name());
    let diagnostic = codes::invalid_query(other.span, &format!("{what} does not go with {one} and {ty}"));
    Some(diagnostic.label(other.label(&ty)).also(first.span, first.label(&one)))
}

/// Says what may be written instead of `wrong` beside something of a kind; `all` are those of its kind.
fn with_help(diagnostic: Diagnostic, beside: Kind, wrong: (Kind, &Typed<'_>), all: &[&Typed<'_>]) -> Diagnostic {
    let (Kind::Number, number) = wrong else { return diagnostic };
    let edits = |of_digits: fn(&str) -> Option<String>| -> Option<Vec<(Span, String)>> {
        all.iter().map(|side| Some((side.span, of_digits(digits(side)?)?))).collect()
    };
    match beside {
        Kind::Moment => match edits(|digits| Some(format!("DATE '{}'", day(digits)?))) {
            Some(edits) => diagnostic.certain_fixes("write a date", edits),
            None => diagnostic
                .note("a number is no date: the engine would count it as days since 1970")
                .help(of_moment(number)),
        },
        Kind::Boolean => match edits(|digits| boolean(digits).map(str::to_owned)) {
            Some(edits) => diagnostic.fixes("write a boolean", edits),
            None => diagnostic.help("a boolean is `true` or `false`"),
        },
        Kind::Time => diagnostic.help("a time is written `TIME '09:30:00'`"),
        Kind::Span if digits(number).is_none() => diagnostic,
        Kind::Span => diagnostic.help("a span of time is written `INTERVAL '1 day'`"),
        Kind::Number | Kind::Text => diagnostic,
    }
}

/// How a number is read as a date.
fn of_moment(number: &Typed<'_>) -> String {
    match number.side.written {
        Written::Column => format!(
            "digits such as 20240131 are read by `to_date(CAST({} AS text), '%Y%m%d')`, and seconds since 1970 by \
             `to_timestamp_seconds({})`",
            number.text, number.text
        ),
        _ => "a date is written `DATE '2024-01-31'`".to_owned(),
    }
}

fn digits<'a>(side: &'a Typed<'_>) -> Option<&'a str> {
    match &side.side.written {
        Written::Number(digits) => Some(digits),
        _ => None,
    }
}

/// The day that eight digits are.
pub(super) fn day(digits: &str) -> Option<String> {
    let is_day = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let day = is_day.then(|| NaiveDate::parse_from_str(digits, "%Y%m%d").ok())??;
    Some(day.format("%Y-%m-%d").to_string())
}

fn boolean(digits: &str) -> Option<&'static str> {
    match digits {
        "0" => Some("false"),
        "1" => Some("true"),
        _ => None,
    }
}

/// What is to be said of a fraction that `lag` or `lead` would cut off, to give it beside whole numbers.
pub(super) fn cut(what: &str, sides: &[Typed<'_>]) -> Option<Diagnostic> {
    let [value, default] = sides else { return None };
    let is_whole = |side: &Typed<'_>| of_values(&side.ty).is_integer();
    if !matches!(what, "lag" | "lead")
        || !is_whole(value)
        || is_whole(default)
        || kind(&default.ty) != Some(Kind::Number)
    {
        return None;
    }
    let (ty, other) = (value.name(), default.name());
    let why = format!("{what} gives {ty} here, and this is {other}, whose fraction would be cut off");
    let diagnostic =
        codes::invalid_query(default.span, &why).label(default.label(&other)).also(value.span, value.label(&ty));
    Some(diagnostic.help("write a whole number, or cast the column to double"))
}

/// What is to be said of a boolean and a text that become one value.
pub(super) fn booleans(what: &str, sides: &[Typed<'_>]) -> Option<Diagnostic> {
    let boolean = sides.iter().find(|side| kind(&side.ty) == Some(Kind::Boolean))?;
    let texts: Vec<&Typed<'_>> = sides.iter().filter(|side| kind(&side.ty) == Some(Kind::Text)).collect();
    let text = texts.first().filter(|_| MAKE_ONE.contains(&what))?;
    let diagnostic = codes::invalid_query(text.span, &format!("{what} does not go with boolean and text"));
    if text.span == boolean.span {
        return Some(diagnostic);
    }
    let diagnostic = diagnostic.label(text.label("text")).also(boolean.span, boolean.label("boolean"));
    let edit = |side: &&Typed<'_>| match &side.side.written {
        Written::Text(text) => match ScalarValue::from(text.as_str()).cast_to(&DataType::Boolean) {
            Ok(ScalarValue::Boolean(Some(value))) => Some((side.span, value.to_string())),
            _ => None,
        },
        _ => None,
    };
    Some(match texts.iter().map(edit).collect() {
        Some(edits) => diagnostic.certain_fixes("write a boolean", edits),
        None => diagnostic.help("make all of it text: `CAST(… AS text)` around the boolean"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_may_be_a_day() {
        assert_eq!(day("20240131").as_deref(), Some("2024-01-31"));
        assert_eq!(day("20240229").as_deref(), Some("2024-02-29"));
        for other in ["20240230", "2024013", "202401310", "19753", "-2024131", "20240131.0", "00010101", ""] {
            assert_eq!(day(other), None, "{other}");
        }
    }
}
