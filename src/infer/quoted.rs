//! Texts in quotes beside points in time: they are read once, as what they stand beside, and must not lose anything.

use super::sides::Typed;
use crate::diagnostic::{Diagnostic, codes};
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;

/// What makes one value of several, and reads no text as what it stands beside.
const READS_NONE: [&str; 5] = ["coalesce", "nvl", "ifnull", "nvl2", "ARRAY"];

/// What gives a value, whose type a timestamp would change.
const GIVES_A_VALUE: [&str; 12] =
    ["coalesce", "nvl", "ifnull", "nvl2", "nullif", "greatest", "least", "UNION", "CASE", "ARRAY", "lag", "lead"];

/// What is to be said of a text that is read as a type.
pub(super) fn told_text(
    what: &str,
    (text, written): (&Typed<'_>, &str),
    to: &DataType,
    other: &Typed<'_>,
) -> Option<Diagnostic> {
    if is_date(to) && has_time(written) {
        let diagnostic = codes::invalid_query(text.span, "the text has a time of day, and a date has none")
            .label("would be read as its day")
            .also(other.span, other.label(&other.name()));
        let help = "write a point in time, or the day alone";
        return Some(match is_plain(written) {
            true if GIVES_A_VALUE.contains(&what) => diagnostic.help(help),
            true => diagnostic.certain_fix("write a point in time", text.span, format!("TIMESTAMP '{written}'")),
            false => diagnostic.help(help),
        });
    }
    let literal = literal(written, to).filter(|_| READS_NONE.contains(&what))?;
    let ty = other.name();
    let diagnostic = codes::invalid_query(text.span, &format!("{what} does not go with {ty} and text"))
        .label(text.label("text"))
        .also(other.span, other.label(&ty));
    Some(diagnostic.certain_fix(format!("write a {ty}"), text.span, literal))
}

/// How a value of a type is written, as a help.
pub(super) fn form(ty: &DataType) -> Option<&'static str> {
    match ty {
        DataType::Date32 | DataType::Date64 => Some("a date is written `YYYY-MM-DD`: '2024-01-31'"),
        DataType::Timestamp(..) => Some("a point in time is written `YYYY-MM-DD HH:MM:SS`: '2024-01-31 09:30:00'"),
        DataType::Time32(_) | DataType::Time64(_) => Some("a time is written `HH:MM:SS`: '09:30:00'"),
        _ => None,
    }
}

/// The literal of a type that a text is.
fn literal(text: &str, ty: &DataType) -> Option<String> {
    let text = text.replace('\'', "''");
    match ty {
        DataType::Date32 | DataType::Date64 => Some(format!("DATE '{text}'")),
        DataType::Timestamp(_, None) => Some(format!("TIMESTAMP '{text}'")),
        DataType::Timestamp(_, Some(_)) => Some(format!("CAST('{text}' AS timestamptz)")),
        DataType::Time32(_) | DataType::Time64(_) => Some(format!("CAST('{text}' AS time)")),
        DataType::Interval(_) | DataType::Duration(_) => Some(format!("INTERVAL '{text}'")),
        _ => None,
    }
}

fn is_date(ty: &DataType) -> bool {
    matches!(ty, DataType::Date32 | DataType::Date64)
}

/// Whether a text that is read as a date has a time of day beside it, other than midnight.
pub(super) fn has_time(text: &str) -> bool {
    let instant = DataType::Timestamp(TimeUnit::Microsecond, None);
    let text = ScalarValue::from(text.trim());
    let Ok(read) = text.cast_to(&instant) else { return false };
    let day = text.cast_to(&DataType::Date32).and_then(|day| day.cast_to(&instant));
    day.is_ok_and(|day| day != read)
}

/// Whether a text is a point in time and no more: of one with a zone, it is not certain what is meant.
pub(super) fn is_plain(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_digit() || matches!(sign, ' ' | 'T' | ':' | '.' | '-');
    let zone = text.get(10..).is_none_or(|time| time.contains('-'));
    text.chars().all(is_sign) && !zone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_lost_in_a_date() {
        for text in ["2024-02-29 12:00:00", "2024-02-29T00:00:01", "2024-02-29T12:00:00Z", "1600-01-01 12:00:00"] {
            assert!(has_time(text), "{text}");
        }
        for text in ["2024-02-29", "2024-02-29 00:00:00", "2024-02-29T00:00:00", "2024-02-29T00:00:00Z", "soon", ""] {
            assert!(!has_time(text), "{text}");
        }
        assert!(is_plain("2024-02-29 12:00:00.5"));
        assert!(!is_plain("2024-02-29 12:00:00-05:00"));
        assert!(!is_plain("2024-02-29 12:00:00Z"));
    }
}
