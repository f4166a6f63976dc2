//! A pattern of `SIMILAR TO` as a regular expression, as PostgreSQL reads it.
//!
//! `%` and `_` stand for characters; `|`, `*`, `+`, `?`, `{m,n}`, brackets and classes are those of regular expressions;
//! what is escaped stands for itself, but for the classes `\d`, `\w` and `\s`; all else stands for itself.

use crate::in_words::in_words;
use std::iter::Peekable;
use std::str::Chars;

/// The longest pattern, in bytes.
const LONGEST: usize = 1 << 16;

in_words! {
    /// Why a text is no pattern.
    pub(super) struct NoPattern;
}

/// The regular expression that finds whole texts by a pattern.
///
/// Errors: it is too long, ends too early, or has something in it that stands for nothing.
pub(super) fn as_regular(pattern: &str, escape: char) -> Result<String, NoPattern> {
    if pattern.len() > LONGEST {
        return Err(NoPattern::from("it is too long"));
    }
    let mut reader = Reader { rest: pattern.chars().peekable(), escape, made: String::from("^(?s:") };
    while let Some(next) = reader.rest.next() {
        reader.character(next)?;
    }
    reader.made.push_str(")$");
    Ok(reader.made)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    escape: char,
    made: String,
}

impl Reader<'_> {
    fn character(&mut self, next: char) -> Result<(), NoPattern> {
        match next {
            next if next == self.escape => self.escaped()?,
            '%' => self.made.push_str(".*"),
            '_' => self.made.push('.'),
            '(' => self.made.push_str("(?:"),
            '[' => self.class()?,
            '|' | '*' | '+' | '?' | '{' | '}' | ')' => self.made.push(next),
            next => self.itself(next),
        }
        Ok(())
    }

    fn itself(&mut self, character: char) {
        let mut bytes = [0; 4];
        self.made.push_str(&regex::escape(character.encode_utf8(&mut bytes)));
    }

    /// What stands behind the character that escapes.
    fn escaped(&mut self) -> Result<(), NoPattern> {
        match self.rest.next() {
            None => return Err(NoPattern::from("it ends with the character that escapes")),
            Some(class @ ('d' | 'D' | 'w' | 'W' | 's' | 'S')) => self.made.extend(['\\', class]),
            Some(other) if other.is_ascii_alphanumeric() => {
                return Err(NoPattern::from(format!("an escaped `{other}` stands for nothing")));
            }
            Some(other) => self.itself(other),
        }
        Ok(())
    }

    /// `[a-z]`, behind the bracket that opens it.
    fn class(&mut self) -> Result<(), NoPattern> {
        self.made.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.made.push('^');
        }
        let mut is_first = true;
        loop {
            match self.rest.next() {
                None => return Err(NoPattern::from("a `[` has no `]`")),
                Some(']') if !is_first => break,
                Some(next) if next == self.escape => self.escaped()?,
                Some('[') => self.bracket_in_class()?,
                // Between two characters it is a range.
                Some('-') if !is_first && !matches!(self.rest.peek(), None | Some(']' | '-')) => self.made.push('-'),
                Some(next) => self.in_class(next),
            }
            is_first = false;
        }
        self.made.push(']');
        Ok(())
    }

    /// A character that stands for itself in a class.
    fn in_class(&mut self, character: char) {
        if character.is_ascii_punctuation() {
            self.made.push('\\');
        }
        self.made.push(character);
    }

    /// `[:alpha:]`, or a bracket that stands for itself.
    fn bracket_in_class(&mut self) -> Result<(), NoPattern> {
        match self.rest.peek() {
            Some(':') => {
                self.made.push('[');
                while let Some(next) =
                    self.rest.next_if(|next| *next == ':' || *next == '^' || next.is_ascii_lowercase())
                {
                    self.made.push(next);
                }
                match self.rest.next() {
                    Some(']') => self.made.push(']'),
                    _ => return Err(NoPattern::from("a `[:` has no `:]`")),
                }
            }
            Some('.' | '=') => return Err(NoPattern::from("`[.` and `[=` stand for nothing")),
            _ => self.in_class('['),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    fn is_similar(text: &str, pattern: &str) -> bool {
        Regex::new(&as_regular(pattern, '\\').unwrap()).unwrap().is_match(text)
    }

    #[test]
    fn patterns_are_of_the_whole_text() {
        for (text, pattern) in [
            ("abc", "a%"),
            ("abc", "abc"),
            ("abc", "%(b|d)%"),
            ("abc", "a_c"),
            ("aab", "a{2}b"),
            ("a.c", "a.c"),
            ("a%", r"a\%"),
            ("^a$", "^a$"),
            ("a\nb", "a%b"),
            ("a\nb", "a_b"),
            ("b-", "[a-c][-x]"),
            ("]&[", "[]][&&][[]"),
            ("x1", r"[[:alpha:]]\d"),
            ("d", "[^abc]"),
            ("", "%"),
            ("", ""),
            ("a|b", r"a\|b"),
            ("ab", "ab|cd"),
            ("%", "[%]"),
        ] {
            assert!(is_similar(text, pattern), "{text} is similar to {pattern}");
        }
        for (text, pattern) in [
            ("xa%y", "a%"),
            ("abc", "b"),
            ("abc", "(b|c)%"),
            ("abc", "a.c"),
            ("abcd", "ab|cd"),
            ("a", "^a$"),
            ("b", "[%]"),
            ("abc", ""),
            ("ab", r"a\_"),
        ] {
            assert!(!is_similar(text, pattern), "{text} is not similar to {pattern}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["a\\", "[a", r"\b", "[[:alpha", "[[.a.]]"] {
            assert!(as_regular(pattern, '\\').is_err(), "{pattern}");
        }
        assert!(as_regular(&"a".repeat(LONGEST + 1), '\\').is_err());
        assert_eq!(as_regular("a!%", '!').unwrap(), "^(?s:a%)$");
        assert_eq!(as_regular(r"a\", '!').unwrap(), r"^(?s:a\\)$");
    }
}
