//! What the values of a column are.

use super::super::rewrite::Separators;
use super::super::whole::exact::has_more_signs;
use super::dates::{self, Written};
use super::numbers::{BLANKS, is_blank, is_integer, is_number};
use super::undressed;
use chrono::{Datelike, NaiveDate};
use serde::de::IgnoredAny;

/// Words that stand for null where everything else is of one type.
const NULLS: [&str; 28] = [
    "NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "None", "nil", "-", "--", "---", "?", ".", "..", "...", "\\N",
    "(null)", "missing", "*", "k.A.", "k. A.", "n.a.", "N.A.", "n/d", "N/D", "nd", "ND",
];

/// What is a number among others, and null among integers.
const NANS: [&str; 3] = ["NaN", "nan", "NAN"];

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

/// Why texts that look as numbers, times or as yes and no are texts.
fn untyped(values: &[&str]) -> Option<String> {
    let first = values.first()?;
    let is_answer = |value: &str| ["y", "n", "yes", "no"].iter().any(|answer| value.eq_ignore_ascii_case(answer));
    if values.iter().all(|value| is_answer(value)) {
        return Some(format!("a boolean is written `true` or `false`, and not `{first}`"));
    }
    let all = |is: fn(&str) -> bool| values.iter().all(|value| is(value));
    if all(|value| clock(value).is_some_and(|hours| hours < 24)) {
        return Some(match values.iter().find(|value| value.as_bytes().get(2).is_none_or(|sign| *sign != b':')) {
            None => format!("declare `time` if they are times of day, such as `{first}`"),
            Some(short) => format!("a time of day is written with two digits of its hour, and not `{short}`"),
        });
    }
    if all(|value| clock(value).is_some()) {
        let longer = values.iter().find(|value| clock(value).is_some_and(|hours| hours > 23)).unwrap_or(first);
        return Some(format!("`{longer}` is no time of day"));
    }
    undressed::why_no_numbers(values)
}

/// The hours of a text such as `9:05` or `10:30:00`.
fn clock(value: &str) -> Option<u32> {
    let (hours, rest) = value.split_once(':')?;
    let is_part = |part: &str| part.len() == 2 && is_integer(part) && part < "60";
    let mut parts = rest.split(':');
    let (minutes, seconds) = (parts.next()?, parts.next());
    let is_one = (1..=3).contains(&hours.len()) && is_part(minutes) && seconds.is_none_or(is_part);
    let hours = hours.parse().ok().filter(|_| hours.bytes().all(|byte| byte.is_ascii_digit()));
    hours.filter(|_| is_one && parts.next().is_none())
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
    let example =
        values.iter().find(|value| value.contains(|sign: char| matches!(sign, ',' | '.' | '\'') || is_blank(sign)))?;
    let plain = [(',', None), ('.', Some(',')), (',', Some('.')), ('.', Some('\''))];
    let blanks = BLANKS.iter().flat_map(|blank| [('.', Some(*blank)), (',', Some(*blank))]);
    let ways: Vec<(char, Option<char>)> = plain.into_iter().chain(blanks).collect();
    let mut fitting = ways.iter().filter(|(decimal, thousands)| fits(*decimal, *thousands));
    let (decimal, thousands) = *fitting.next()?;
    let unclear = fitting.next().is_some_and(|(other, _)| *other != decimal);
    Some(Kind::Numbers { decimal, thousands, unclear, example: (*example).to_owned() })
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
        assert_eq!(kind(&["1\u{202f}234,50", "99,05"]), numbers(',', Some('\u{202f}'), false, "1\u{202f}234,50"));
        assert_eq!(kind(&["1\u{a0}234.5", "2"]), numbers('.', Some('\u{a0}'), false, "1\u{a0}234.5"));
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
        assert_eq!(why(&["10:30", "09:05"]), "declare `time` if they are times of day, such as `10:30`");
        assert_eq!(why(&["10:30", "9:05"]), "a time of day is written with two digits of its hour, and not `9:05`");
        assert_eq!(why(&["1:30:00", "26:00:00"]), "`26:00:00` is no time of day");
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
