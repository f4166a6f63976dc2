//! What the values of a column are.

use super::super::rewrite::Separators;
use super::super::whole::exact::has_more_signs;
use super::dates::{self, Written};
use chrono::{Datelike, NaiveDate};
use serde::de::IgnoredAny;

/// Words that stand for null where everything else is of one type.
const NULLS: [&str; 28] = [
    "NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "None", "nil", "-", "--", "---", "?", ".", "..", "...", "\\N",
    "(null)", "missing", "*", "k.A.", "k. A.", "n.a.", "N.A.", "n/d", "N/D", "nd", "ND",
];

/// What is a number among others, and null among integers.
const NANS: [&str; 3] = ["NaN", "nan", "NAN"];

/// What stands before or behind numbers that are no numbers with it.
const SIGNS: [char; 6] = ['$', '€', '£', '¥', '%', '‰'];

/// The word for null that a text is.
pub(super) fn null_word(text: &str) -> Option<&'static str> {
    NULLS.iter().copied().find(|word| *word == text)
}

/// What the values of a column are, but for words for null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// What the readers know: numbers with a point, days as `2024-03-31`, `true`.
    Plain,
    /// Digits with zeros in front, of which this is one.
    Codes(String),
    /// Integers of so many digits, too large for a `bigint`.
    Large(usize),
    /// Numbers with other signs.
    Numbers {
        /// A comma before the fraction, or else between groups.
        decimal: char,
        /// What stands between groups of three digits.
        thousands: Option<char>,
        /// Whether it could be the other way round.
        unclear: bool,
        /// One of them.
        example: String,
    },
    /// Days or times.
    Times(Written),
    /// Texts of JSON that are lists or objects.
    Json,
    /// Days as the readers know them, but for some that there are not.
    Days {
        /// One of them.
        example: String,
        /// One that is none.
        impossible: String,
    },
    /// Texts that look as if they were of another type, and why they are not.
    Untyped(String),
    /// Anything else.
    Text,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) kind: Kind,
    /// The words for null among its values.
    pub(super) nulls: Vec<&'static str>,
}

impl Column {
    /// Looks at all values of a column; empty ones are null.
    pub(super) fn of(name: &str, values: &[&str]) -> Column {
        let filled: Vec<&str> = values.iter().copied().filter(|value| !value.is_empty()).collect();
        let is_written = |value: &str| !NULLS.contains(&value) && !NANS.contains(&value);
        let are_integers = filled.iter().filter(|value| is_written(value)).all(|value| is_integer(value));
        let nans = NANS.iter().filter(|_| are_integers && filled.iter().any(|value| is_written(value)));
        let words: Vec<&'static str> = NULLS.iter().chain(nans).copied().collect();
        let others: Vec<&str> = filled.iter().copied().filter(|value| !words.contains(value)).collect();
        if others.is_empty() {
            return Column { kind: Kind::Text, nulls: Vec::new() };
        }
        let kind = kind_of(name, &others);
        let typed = !matches!(kind, Kind::Text | Kind::Untyped(_) | Kind::Json | Kind::Codes(_));
        let met = |null: &&str| typed && filled.contains(null);
        Column { kind, nulls: words.into_iter().filter(met).collect() }
    }
}

fn kind_of(name: &str, values: &[&str]) -> Kind {
    let all = |is: fn(&str) -> bool| values.iter().all(|value| is(value));
    if all(is_integer) {
        let digits = values.iter().map(|value| value.trim_start_matches('-').len()).max().unwrap_or(0);
        if let Some(code) = values.iter().find(|value| has_more_signs(value)) {
            return Kind::Codes((*code).to_owned());
        }
        if dates::names_days(name)
            && let Some(written) = dates::format_of(name, values)
        {
            return Kind::Times(written);
        }
        let is_large = values.iter().any(|value| value.parse::<i64>().is_err());
        return if is_large && digits <= 38 { Kind::Large(digits) } else { Kind::Plain };
    }
    if all(is_day)
        && let Some(impossible) = values.iter().find(|value| !is_possible(value))
        && let Some(example) = values.iter().find(|value| is_possible(value))
    {
        return Kind::Days { example: (*example).to_owned(), impossible: (*impossible).to_owned() };
    }
    if all(is_number) || all(is_boolean) || all(is_day) || all(is_time) {
        return match values.iter().find(|value| is_number(value) && has_more_signs(value)) {
            Some(code) => Kind::Codes((*code).to_owned()),
            None => Kind::Plain,
        };
    }
    if let Some(numbers) = separated(values) {
        return numbers;
    }
    match dates::format_of(name, values) {
        Some(written) => Kind::Times(written),
        None if all(is_json) => Kind::Json,
        None => untyped(values).map_or(Kind::Text, Kind::Untyped),
    }
}

/// Why texts that look as numbers or as yes and no are texts.
fn untyped(values: &[&str]) -> Option<String> {
    let first = values.first()?;
    let is_answer = |value: &str| ["y", "n", "yes", "no"].iter().any(|answer| value.eq_ignore_ascii_case(answer));
    if values.iter().all(|value| is_answer(value)) {
        return Some(format!("a boolean is written `true` or `false`, and not `{first}`"));
    }
    let sign = first.chars().find(|sign| SIGNS.contains(sign))?;
    let bare = |value: &str| {
        let value = value.trim_start_matches(['-', '+']);
        let number = value.strip_prefix(sign).or_else(|| value.strip_suffix(sign))?;
        let digits: String = number.trim().chars().filter(|sign| !matches!(sign, ',' | '.' | '\'')).collect();
        (is_integer(&digits) && !digits.starts_with(['-', '+'])).then_some(())
    };
    let are_numbers = values.iter().all(|value| bare(value).is_some());
    are_numbers.then(|| format!("a number is written without `{sign}`, and not `{first}`"))
}

/// Numbers with a comma, or with signs between their digits.
fn separated(values: &[&str]) -> Option<Kind> {
    let fits = |decimal: char, thousands: Option<char>| {
        let separators = Separators { decimal, thousands };
        values.iter().all(|value| {
            let read = separators.rewritten(value.trim_start_matches('+'));
            read.is_ok_and(|number| is_number(&number) && !has_more_signs(&number))
        })
    };
    let example = values.iter().find(|value| value.contains([',', '.', '\'', ' ']))?;
    let ways = [(',', None), ('.', Some(',')), (',', Some('.')), ('.', Some('\'')), ('.', Some(' ')), (',', Some(' '))];
    let mut fitting = ways.iter().filter(|(decimal, thousands)| fits(*decimal, *thousands));
    let (decimal, thousands) = *fitting.next()?;
    let unclear = fitting.next().is_some_and(|(other, _)| *other != decimal);
    Some(Kind::Numbers { decimal, thousands, unclear, example: (*example).to_owned() })
}

/// Whether a text is a whole number.
pub(super) fn is_integer(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a number as every reader takes it.
pub(super) fn is_number(value: &str) -> bool {
    let is_written =
        value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E'));
    let is_named = ["nan", "inf", "-inf", "infinity"].iter().any(|name| value.eq_ignore_ascii_case(name));
    (is_written || is_named) && value.parse::<f64>().is_ok()
}

fn is_boolean(value: &str) -> bool {
    value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false")
}

/// Whether a text is a day as every reader takes it.
pub(super) fn is_day(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_possible(day: &str) -> bool {
    NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok_and(|day| day.year() > 0)
}

fn is_time(value: &str) -> bool {
    let (day, clock) = (value.get(..10).unwrap_or_default(), value.get(10..).unwrap_or_default());
    let is_clock = clock.starts_with(['T', ' ']) && clock.matches(':').count() >= 2;
    // One with a zone behind a blank is none that the readers know.
    is_day(day) && (clock.is_empty() || (is_clock && !clock.trim_start().contains(' ')))
}

fn is_json(value: &str) -> bool {
    value.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(value).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(values: &[&str]) -> Kind {
        Column::of("a", values).kind
    }

    #[test]
    fn a_column_is_what_all_its_values_are() {
        assert_eq!(kind(&["1", "2.5", ""]), Kind::Plain);
        assert_eq!(kind(&["007", "12"]), Kind::Codes("007".to_owned()));
        assert_eq!(kind(&["18446744073709551615"]), Kind::Large(20));
        assert_eq!(kind(&["2024-01-01", "2024-01-02T10:00:00"]), Kind::Plain);
        assert_eq!(kind(&["{\"a\": 1}", "[]"]), Kind::Json);
        assert_eq!(kind(&["x", "1"]), Kind::Text);
        let (example, impossible) = ("2024-01-01".to_owned(), "2024-02-30".to_owned());
        assert_eq!(kind(&["2024-01-01", "2024-02-30"]), Kind::Days { example, impossible });
        assert_eq!(kind(&["NA", "-"]), Kind::Text);
    }

    #[test]
    fn commas_stand_before_fractions_or_between_groups() {
        let numbers = |decimal, thousands, unclear, example: &str| Kind::Numbers {
            decimal,
            thousands,
            unclear,
            example: example.to_owned(),
        };
        assert_eq!(kind(&["1,5", "2"]), numbers(',', None, false, "1,5"));
        assert_eq!(kind(&["1,234,567", "12"]), numbers('.', Some(','), false, "1,234,567"));
        assert_eq!(kind(&["1.234,5"]), numbers(',', Some('.'), false, "1.234,5"));
        assert_eq!(kind(&["1,234"]), numbers(',', None, true, "1,234"));
        assert_eq!(kind(&["1,234.5"]), numbers('.', Some(','), false, "1,234.5"));
        assert_eq!(kind(&["1,2,3"]), Kind::Text);
    }

    #[test]
    fn texts_that_look_typed_say_why_they_are_none() {
        let why = |values: &[&str]| match kind(values) {
            Kind::Untyped(why) => why,
            other => format!("{other:?}"),
        };
        assert_eq!(why(&["Y", "N", ""]), "a boolean is written `true` or `false`, and not `Y`");
        assert_eq!(why(&["$1,500.25", "-$3"]), "a number is written without `$`, and not `$1,500.25`");
        assert_eq!(why(&["3%", "12.5 %"]), "a number is written without `%`, and not `3%`");
        assert_eq!(why(&["3%", "x"]), "Text");
    }

    #[test]
    fn a_nan_is_null_among_integers_alone() {
        assert_eq!(Column::of("a", &["1", "NaN", "k.A."]).nulls, ["k.A.", "NaN"]);
        assert!(Column::of("a", &["1.5", "NaN"]).nulls.is_empty());
        assert!(Column::of("a", &["NaN"]).nulls.is_empty());
    }

    #[test]
    fn a_word_is_null_where_all_else_is_typed() {
        assert_eq!(Column::of("a", &["1", "NA", "-", "2"]).nulls, ["NA", "-"]);
        assert!(Column::of("country", &["DE", "NA"]).nulls.is_empty());
    }
}
