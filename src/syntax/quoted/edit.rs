//! What a text with placeholders in it is written as outside of quotes.
//!
//! Where what stands around the text tells a type, the placeholder is written without one; elsewhere it is a text, as it
//! was. An edit that would not compile is none.

use super::mark::Mark;
use crate::source::{SourceFile, Span};
use crate::syntax::brackets::innermost_open;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// The tokens of a statement without blanks and comments, and one of them: the text.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) tokens: &'a [(Token, Span)],
    pub(super) at: usize,
}

/// A type in front of a literal, such as `DATE` in `DATE '2024-01-31'`.
struct Literal {
    start: Span,
    ty: &'static str,
}

/// How many tokens before a text are looked at: a file may be full of texts.
const NEAR: usize = 200;

/// The functions that have the type of their arguments.
const ALIKE: [&str; 6] = ["coalesce", "nullif", "ifnull", "nvl", "greatest", "least"];

impl Place<'_> {
    /// What stands so many tokens before the text.
    fn before(&self, count: usize) -> Option<&Token> {
        self.tokens.get(self.at.checked_sub(count)?).map(|(token, _)| token)
    }

    fn behind(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1).map(|(token, _)| token)
    }

    fn word_before(&self, count: usize) -> Option<Keyword> {
        self.before(count).and_then(keyword)
    }

    /// Whether the text is compared with something.
    pub(super) fn is_compared(&self) -> bool {
        let is_sign =
            |token: &Token| matches!(token, Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq);
        self.before(1).is_some_and(is_sign)
            || self.behind().is_some_and(is_sign)
            || matches!(self.word_before(1), Some(Keyword::LIKE | Keyword::ILIKE | Keyword::BETWEEN | Keyword::TO))
            || self.is_end_of_between()
            || self.word_before(1) == Some(Keyword::FROM) && self.word_before(2) == Some(Keyword::DISTINCT)
            || self.caller(true) == Some(Keyword::IN)
    }

    /// Whether it is a pattern, in which more signs have a meaning than in other texts.
    pub(super) fn is_pattern(&self) -> bool {
        matches!(self.word_before(1), Some(Keyword::LIKE | Keyword::ILIKE | Keyword::TO))
    }

    /// Whether a type stands in front of it, or it counts rows.
    pub(super) fn is_value_of_type(&self) -> bool {
        self.literal().is_some() || matches!(self.word_before(1), Some(Keyword::LIMIT | Keyword::OFFSET))
    }

    /// Whether it is what matches are replaced by: there, `${name}` is a part of the match.
    pub(super) fn is_replacement(&self) -> bool {
        self.called().is_some_and(|name| name.to_lowercase().contains("replace"))
    }

    /// Whether what stands around it tells its type.
    fn is_told(&self) -> bool {
        let is_operator =
            |token: &Token| matches!(token, Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod);
        let is_joined = |token: &Token| *token == Token::StringConcat;
        self.is_compared()
            || self.before(1).is_some_and(|token| is_operator(token) || is_joined(token))
            || self.behind().is_some_and(|token| is_operator(token) || is_joined(token))
            || self.behind().and_then(keyword).is_some_and(|word| matches!(word, Keyword::BETWEEN | Keyword::LIKE))
            || matches!(
                self.word_before(1),
                Some(Keyword::LIMIT | Keyword::OFFSET | Keyword::IN | Keyword::WHEN | Keyword::SIMILAR)
            )
            || matches!(self.caller(false), Some(Keyword::ANY | Keyword::ALL | Keyword::SOME))
            || self.called().is_some_and(|name| ALIKE.contains(&name.to_lowercase().as_str()))
    }

    /// Whether an AND stands before it that belongs to BETWEEN.
    fn is_end_of_between(&self) -> bool {
        if self.word_before(1) != Some(Keyword::AND) {
            return false;
        }
        let end = self.at.saturating_sub(1);
        let before = self.tokens.get(end.saturating_sub(NEAR)..end).unwrap_or_default();
        let last =
            before.iter().rev().filter_map(|(token, _)| keyword(token)).find(|word| {
                matches!(word, Keyword::BETWEEN | Keyword::AND | Keyword::OR | Keyword::WHERE | Keyword::ON)
            });
        last == Some(Keyword::BETWEEN)
    }

    /// The index of the round bracket that the text stands in.
    fn bracket(&self) -> Option<usize> {
        let start = self.at.saturating_sub(NEAR);
        let open = innermost_open(self.tokens.get(start..self.at)?.iter().map(|(token, _)| token))?;
        Some(start + open)
    }

    /// The keyword before the bracket that the text stands in; with `item`, where it is a whole item of a list there.
    fn caller(&self, item: bool) -> Option<Keyword> {
        let begins = matches!(self.before(1), Some(Token::LParen | Token::Comma));
        if item && !begins {
            return None;
        }
        let before = self.bracket()?.checked_sub(1)?;
        self.tokens.get(before).and_then(|(token, _)| keyword(token))
    }

    /// The function that the text is an argument of.
    fn called(&self) -> Option<&str> {
        match self.tokens.get(self.bracket()?.checked_sub(1)?) {
            Some((Token::Word(word), _)) => Some(word.value.as_str()),
            _ => None,
        }
    }

    /// The type in front of the text.
    fn literal(&self) -> Option<Literal> {
        let named = |count: usize, ty| {
            let (_, start) = self.tokens.get(self.at.checked_sub(count)?)?;
            Some(Literal { start: *start, ty })
        };
        match self.word_before(1)? {
            Keyword::DATE => named(1, "DATE"),
            Keyword::TIME => named(1, "TIME"),
            Keyword::TIMESTAMP | Keyword::DATETIME => named(1, "TIMESTAMP"),
            Keyword::TIMESTAMPTZ => named(1, "TIMESTAMPTZ"),
            Keyword::INTERVAL => named(1, "INTERVAL"),
            Keyword::ZONE if self.word_before(4) == Some(Keyword::TIMESTAMP) => {
                named(4, if self.word_before(3) == Some(Keyword::WITH) { "TIMESTAMPTZ" } else { "TIMESTAMP" })
            }
            _ => None,
        }
    }

    /// The text with parameters in it, as an expression, and what it replaces.
    pub(super) fn rewritten(
        &self,
        inside: &str,
        (open, close): (&str, &str),
        found: &[Mark],
    ) -> Option<(Span, String)> {
        let (_, span) = self.tokens.get(self.at)?;
        // A name of a column, or a number that the parser itself reads.
        if matches!(self.word_before(1), Some(Keyword::AS | Keyword::FIRST | Keyword::NEXT | Keyword::ESCAPE)) {
            return None;
        }
        let parts = joined(inside, (open, close), found)?;
        if let Some(literal) = self.literal() {
            let (end, expression) = self.cast(&literal, inside, &parts, found)?;
            return Some((literal.start.to(end), expression));
        }
        if let [mark] = found
            && mark.of(inside) == inside.trim()
        {
            let edit = if self.is_told() { mark.placeholder(inside) } else { mark.typed(inside, "text") };
            return Some((*span, edit?));
        }
        // A day and a time of day, beside points in time.
        if let [mark] = found
            && inside.get(..mark.start).is_some_and(|before| before.trim().is_empty())
            && inside.get(mark.end..).is_some_and(is_time_of_day)
            && self.is_compared()
            && !self.is_pattern()
        {
            let (end, expression) = self.cast(&Literal { start: *span, ty: "TIMESTAMP" }, inside, &parts, found)?;
            return Some((span.to(end), expression));
        }
        let is_cast = matches!(self.behind(), Some(Token::DoubleColon | Token::LBracket));
        let expression = if is_cast && parts.contains(" || ") { format!("({parts})") } else { parts };
        Some((*span, expression))
    }

    /// A literal of a type, such as `DATE '<< day >>'` or `INTERVAL '<< n >> days'`, with parameters in it; and where it
    /// ends.
    fn cast(&self, literal: &Literal, inside: &str, parts: &str, found: &[Mark]) -> Option<(Span, String)> {
        let (_, span) = self.tokens.get(self.at)?;
        let ty = literal.ty;
        let [mark] = found else { return Some((*span, format!("CAST({parts} AS {ty})"))) };
        let (before, behind) = (inside.get(..mark.start)?.trim(), inside.get(mark.end..)?.trim());
        if ty == "INTERVAL" && before.is_empty() {
            // The unit stands in the text, or behind it.
            let (unit, end) = match self.tokens.get(self.at + 1) {
                Some((token, end)) if behind.is_empty() && keyword(token).is_some_and(is_unit) => {
                    (self.file.slice(*end), *end)
                }
                _ => (behind, *span),
            };
            if !unit.is_empty() && unit.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                let number = mark.typed(inside, "int")?;
                return Some((end, format!("CAST({number} || ' {unit}' AS INTERVAL)")));
            }
        }
        let is_time = behind.strip_prefix('T').unwrap_or(behind).starts_with(|c: char| c.is_ascii_digit());
        let has_time = before.is_empty() && is_time && ty.starts_with("TIMESTAMP");
        let expression = if before.is_empty() && behind.is_empty() {
            mark.placeholder(inside)?
        } else if has_time && ty == "TIMESTAMP" && is_midnight(behind) {
            mark.typed(inside, "date")?
        } else if has_time {
            let time = behind.trim_start_matches('T');
            // The engine reads no time without seconds.
            let seconds = if time.len() == 5 && is_clock(time) { ":00" } else { "" };
            format!("{} || ' {time}{seconds}'", mark.typed(inside, "date")?)
        } else {
            parts.to_owned()
        };
        Some((*span, format!("CAST({expression} AS {ty})")))
    }
}

/// The parts of a text with its placeholders between them.
fn joined(inside: &str, (open, close): (&str, &str), found: &[Mark]) -> Option<String> {
    let mut parts = Vec::new();
    let mut end = 0;
    let text = |part: &str| (!part.is_empty()).then(|| format!("{open}{part}{close}"));
    for mark in found {
        parts.extend(inside.get(end..mark.start).and_then(text));
        parts.push(mark.placeholder(inside)?);
        end = mark.end;
    }
    parts.extend(inside.get(end..).and_then(text));
    Some(parts.join(" || "))
}

/// Whether a time of day is the beginning of the day.
fn is_midnight(time: &str) -> bool {
    time.bytes().all(|byte| matches!(byte, b'0' | b':' | b'.' | b'T'))
}

/// Whether a text behind a day is a time of that day: `T18:30` or ` 23:59:59`.
fn is_time_of_day(text: &str) -> bool {
    let time = text.strip_prefix([' ', 'T']).map(str::trim);
    time.is_some_and(|time| is_clock(time.split('.').next().unwrap_or_default()))
}

/// Whether a text is `18:30` or `18:30:00`.
fn is_clock(text: &str) -> bool {
    let mut parts = text.split(':');
    let is_pair = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts.clone().count(), 2 | 3) && parts.all(is_pair)
}

fn is_unit(word: Keyword) -> bool {
    matches!(
        word,
        Keyword::YEAR
            | Keyword::MONTH
            | Keyword::WEEK
            | Keyword::DAY
            | Keyword::HOUR
            | Keyword::MINUTE
            | Keyword::SECOND
            | Keyword::YEARS
            | Keyword::MONTHS
            | Keyword::WEEKS
            | Keyword::DAYS
            | Keyword::HOURS
            | Keyword::MINUTES
            | Keyword::SECONDS
    )
}

/// The keyword that a token is.
pub(super) fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
}
