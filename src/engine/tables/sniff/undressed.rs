//! Numbers with something around or between their digits that no reader takes, and what that is.

use super::numbers::{is_blank, is_number};

/// What stands before or behind numbers that are no numbers with it.
const SIGNS: [char; 6] = ['$', '€', '£', '¥', '%', '‰'];

/// What stands there as well.
const CURRENCIES: [&str; 16] =
    ["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "CAD", "AUD", "BRL"];

/// Why texts are no numbers that a person would take for such; `None` where one of them is none at all.
pub(super) fn why_no_numbers(values: &[&str]) -> Option<String> {
    if !values.iter().all(|value| is_number(value) || number_in(value).is_some()) {
        return None;
    }
    // What is done about the first may be done about the others; separators are the last thing that is asked.
    let wrong = || values.iter().filter(|value| !is_number(value));
    let has_more = |value: &&&str| what_is_wrong(value) != Wrong::Separators;
    let example = wrong().find(has_more).or_else(|| wrong().next())?;
    let plain = values.iter().find(|value| is_number(value));
    Some(match what_is_wrong(example) {
        Wrong::Blanks => format!("a number is written without blanks around it, and not `{example}`"),
        Wrong::Sign(sign) => format!("a number is written without `{sign}`, and not `{example}`"),
        Wrong::Letters => format!("a number is written without letters, and not `{example}`"),
        Wrong::Minus => format!("the minus of a number stands in front of it, and not as in `{example}`"),
        Wrong::Separators => {
            let options = "`decimal_separator` and `thousands_separator` say how, where all are written alike";
            match plain {
                Some(plain) => format!("`{example}` is written otherwise than `{plain}`; {options}"),
                None => format!("the digits of `{example}` are grouped as no others are; {options}"),
            }
        }
    })
}

/// What is wrong with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Blanks,
    Sign(char),
    Letters,
    Minus,
    Separators,
}

fn what_is_wrong(value: &str) -> Wrong {
    if let Some(sign) = value.chars().find(|sign| SIGNS.contains(sign)) {
        return Wrong::Sign(sign);
    }
    let bare = value.trim();
    if bare.chars().any(char::is_alphabetic) {
        return Wrong::Letters;
    }
    if bare.starts_with('(') || bare.ends_with('-') {
        return Wrong::Minus;
    }
    if bare == value { Wrong::Separators } else { Wrong::Blanks }
}

/// The digits of a number with the signs between them, without what stands around it; `None` where there is no number.
fn number_in(value: &str) -> Option<&str> {
    let value = value.trim();
    let value = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    let around = |sign: char| SIGNS.contains(&sign) || sign.is_whitespace() || matches!(sign, '-' | '+' | '\u{2212}');
    let value = without_currency(value.trim_matches(around)).trim_matches(around);
    are_groups(value).then_some(value)
}

/// Without `EUR` in front or behind.
fn without_currency(value: &str) -> &str {
    let without = |code: &&str| value.strip_prefix(*code).or_else(|| value.strip_suffix(*code));
    CURRENCIES.iter().find_map(without).unwrap_or(value)
}

/// Whether a text is digits, with one kind of sign between groups of them and another one before a fraction.
fn are_groups(value: &str) -> bool {
    let is_separator = |sign: char| matches!(sign, ',' | '.' | '\'' | '\u{2019}' | '_') || is_blank(sign);
    let groups: Vec<&str> = value.split(is_separator).collect();
    let signs: Vec<char> = value.chars().filter(|sign| is_separator(*sign)).collect();
    let are_digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()));
    let Some((last, before)) = signs.split_last() else { return are_digits };
    // Those of India have two digits, but for the last.
    let inner = groups.get(1..groups.len() - 1).unwrap_or_default();
    let are_inner = inner.iter().all(|group| matches!(group.len(), 2 | 3));
    let is_fraction = before.is_empty() || !before.contains(last);
    let is_last = is_fraction || groups.last().is_some_and(|group| group.len() == 3);
    let are_alike = before.windows(2).all(|pair| pair.first() == pair.last());
    are_digits && are_inner && is_last && are_alike
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_that_is_none_is_named() {
        for (values, why) in [
            (vec!["1", " 1.5"], "a number is written without blanks around it, and not ` 1.5`"),
            (vec!["$1,500.25", "-$3"], "a number is written without `$`, and not `$1,500.25`"),
            (vec!["$5", "($3.10)"], "a number is written without `$`, and not `$5`"),
            (vec!["1.5", "EUR 7"], "a number is written without letters, and not `EUR 7`"),
            (vec!["99,00", "1.234,50-"], "the minus of a number stands in front of it, and not as in `1.234,50-`"),
        ] {
            assert_eq!(why_no_numbers(&values).as_deref(), Some(why), "{values:?}");
        }
        let why = why_no_numbers(&["1.5", "2,5"]).unwrap();
        assert!(why.starts_with("`2,5` is written otherwise than `1.5`; `decimal_separator`"), "{why}");
        assert!(why_no_numbers(&["12,34,567.50", "99.5"]).unwrap().starts_with("`12,34,567.50` is written otherwise"));
    }

    #[test]
    fn what_a_person_takes_for_no_number_is_none() {
        for text in
            ["1.2.3", "10.0.0.1", "192.168.100.1", "a", "12-34", "12b", "", "-", "ABC", "ABC123", "2024-01-01", "1,2,3"]
        {
            assert_eq!(why_no_numbers(&["1", text]), None, "{text}");
        }
    }
}
