//! Numbers that are written as in `1.234,56`.

use super::super::TableError;
use super::super::whole::forms::Misfit;
use crate::project::FilesSource;
use std::borrow::Cow;

/// What stands inside of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::tables) struct Separators {
    /// Before the fraction.
    pub(in crate::engine::tables) decimal: char,
    /// Between groups of three digits.
    pub(in crate::engine::tables) thousands: Option<char>,
}

impl Separators {
    /// Errors: signs that cannot be such, or one for both.
    pub(super) fn of(source: &FilesSource) -> Result<Separators, TableError> {
        let decimal = match source.decimal_separator.as_deref() {
            None | Some(".") => '.',
            Some(",") => ',',
            Some(_) => return Err(TableError::option("decimal_separator", "a fraction stands behind `.` or `,`")),
        };
        let sign =
            |text: &str| text.chars().next().filter(|sign| !sign.is_alphanumeric() && !matches!(sign, '-' | '+'));
        let thousands = match source.thousands_separator.as_deref() {
            None => None,
            Some(text) => match sign(text) {
                Some(sign) if sign != decimal => Some(sign),
                Some(_) => {
                    let message = format!("`{decimal}` stands before the fraction; see `decimal_separator`");
                    return Err(TableError::option("thousands_separator", message));
                }
                None => {
                    return Err(TableError::option("thousands_separator", "it is one sign, such as `,`, `.` or `'`"));
                }
            },
        };
        Ok(Separators { decimal, thousands })
    }

    /// The number with a point before its fraction, and nothing else.
    ///
    /// Errors: a point in the place of the separator, groups of other than three digits.
    pub(in crate::engine::tables) fn rewritten<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, Misfit> {
        if *self == (Separators { decimal: '.', thousands: None }) {
            return Ok(Cow::Borrowed(text));
        }
        let no_number = || Misfit::from(format!("which is no number with `{}` before its fraction", self.decimal));
        let (whole, fraction) = match text.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        if fraction.is_some_and(|fraction| fraction.contains(['.', ','])) {
            return Err(no_number());
        }
        let whole = match self.thousands {
            Some(sign) if whole.contains(sign) => joined(whole, sign).ok_or_else(no_number)?,
            _ => whole.to_owned(),
        };
        if whole.contains(['.', ',']) {
            return Err(no_number());
        }
        Ok(Cow::Owned(match fraction {
            Some(fraction) => format!("{whole}.{fraction}"),
            None => whole,
        }))
    }
}

/// Groups of three digits, joined; `None` where they are not.
fn joined(whole: &str, sign: char) -> Option<String> {
    let mut groups = whole.split(sign);
    let first = groups.next()?;
    let digits = first.trim_start_matches(['-', '+']);
    let mut joined = first.to_owned();
    if !(1..=3).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    for group in groups {
        if group.len() != 3 || !group.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        joined.push_str(group);
    }
    Some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_separators_where_they_belong() {
        let german = Separators { decimal: ',', thousands: Some('.') };
        for (text, number) in [("1.234,56", "1234.56"), ("-0,5", "-0.5"), ("1.234.567", "1234567"), ("7", "7")] {
            assert_eq!(german.rewritten(text).unwrap(), number);
        }
        for text in ["1.23", "1234.567", "1,2,3", ".123", "1.234,5.6", "1..234"] {
            assert!(german.rewritten(text).is_err(), "{text}");
        }
        let comma = Separators { decimal: ',', thousands: None };
        assert!(comma.rewritten("1.5").is_err() && comma.rewritten("1,5").unwrap() == "1.5");
        let english = Separators { decimal: '.', thousands: Some(',') };
        assert_eq!(english.rewritten("12,345.5").unwrap(), "12345.5");
        assert!(english.rewritten("12,34").is_err());
    }
}
