//! Placeholders that are none, because they stand in a text, in a name in quotes, or in a comment.
//!
//! `'%<< word >>%'` is a text like any other, and the tool would look for it: no parameter, and no row. Whoever writes it
//! has nearly always meant a parameter.

use super::dialect::QueryDialect;
use super::lexer::{Lexed, Places};
use crate::source::{SourceFile, Span};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

/// A placeholder or an optional clause where it is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The whole text, name or comment.
    pub span: Span,
    /// What was written in it: `<< word >>`.
    pub written: String,
    /// Where that stands.
    pub place: Span,
    /// What it stands in.
    pub within: Within,
}

/// What a placeholder stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    /// A text; what it is written as with a parameter in it, and the place of that, where it can be told.
    Text(Option<(Span, String)>),
    /// A name in quotes; whether a value is expected there.
    Name {
        /// Whether it can be written without the quotes.
        is_value: bool,
    },
    /// A comment; the parameter's name.
    Comment(String),
}

/// Where SQL stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// In the statement of a file.
    Statement,
    /// In YAML, where a text may have been written with signs of its own.
    Header,
}

/// What is found in the SQL at `span`.
pub(super) fn find(file: &SourceFile, span: Span, home: Home) -> Vec<Quoted> {
    let text = file.slice(span);
    if marks(text).is_empty() {
        return Vec::new();
    }
    let mut tokens = Vec::new();
    if Tokenizer::new(&QueryDialect, text).tokenize_with_location_into_buf(&mut tokens).is_err() {
        return Vec::new();
    }
    let mut places = Places::new(text, span.start);
    let mut search = Search { file, home, before: Vec::new(), opened: 0, found: Vec::new() };
    for token in tokens {
        let from = places.offset(token.span.start.line, token.span.start.column);
        let to = places.offset(token.span.end.line, token.span.end.column);
        search.look(token.token, file.span(from, to));
    }
    search.closed()
}

/// Whether some of the signs in a text are no tokens of its own, and so stand in quotes or in a comment.
pub(super) fn hides_signs(text: &str, tokens: &[Lexed]) -> bool {
    let count = |wanted: &Token| tokens.iter().filter(|token| token.token == *wanted).count();
    text.matches("<<").count() != count(&Token::ShiftLeft)
        || text.contains("[[") && text.matches('[').count() != count(&Token::LBracket)
}

struct Search<'a> {
    file: &'a SourceFile,
    home: Home,
    /// The tokens so far, without blanks and comments.
    before: Vec<(Token, Span)>,
    /// How many placeholders are open: what stands in one is its default.
    opened: usize,
    found: Vec<(Quoted, usize)>,
}

impl Search<'_> {
    fn look(&mut self, token: Token, span: Span) {
        match &token {
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_)) => {
                self.comment(span);
                return;
            }
            Token::Whitespace(_) => return,
            Token::ShiftLeft => self.opened += 1,
            Token::ShiftRight => self.opened = self.opened.saturating_sub(1),
            Token::Word(word) if word.quote_style.is_some() => self.name(span),
            Token::SingleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::EscapedStringLiteral(_)
            | Token::NationalStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::SingleQuotedByteStringLiteral(_)
            | Token::DoubleQuotedString(_)
            | Token::TripleSingleQuotedString(_)
            | Token::TripleDoubleQuotedString(_) => self.text(span),
            _ => {}
        }
        self.before.push((token, span));
    }

    fn text(&mut self, span: Span) {
        let Some(mark) = marks(self.file.slice(span)).into_iter().next() else { return };
        let is_editable = self.home == Home::Statement && self.opened == 0 && !mark.is_clause;
        let edit = if is_editable { self.rewritten(span) } else { None };
        self.push(span, &mark, Within::Text(edit));
    }

    fn name(&mut self, span: Span) {
        let text = self.file.slice(span);
        let Some(mark) = marks(text).into_iter().next() else { return };
        let is_whole = text.get(1..text.len().saturating_sub(1)).map(str::trim) == Some(mark.of(text));
        let is_value =
            is_whole && self.home == Home::Statement && self.before.last().is_some_and(|(token, _)| compares(token));
        self.push(span, &mark, Within::Name { is_value });
    }

    fn comment(&mut self, span: Span) {
        if self.home == Home::Header {
            return;
        }
        let text = self.file.slice(span);
        for mark in marks(text).into_iter().filter(|mark| !mark.is_clause) {
            let name = mark.name(text).to_owned();
            self.push(span, &mark, Within::Comment(name));
        }
    }

    fn push(&mut self, span: Span, mark: &Mark, within: Within) {
        let place = self.file.span(span.start + mark.start, span.start + mark.end);
        let quoted = Quoted { span, written: self.file.slice(place).to_owned(), place, within };
        self.found.push((quoted, self.before.len()));
    }

    /// The text with parameters in it, as an expression, and what it replaces.
    fn rewritten(&self, span: Span) -> Option<(Span, String)> {
        let text = self.file.slice(span);
        let (open, close) = quotes(text)?;
        let inside = text.get(open.len()..text.len().checked_sub(close.len())?)?;
        let found = marks(inside);
        if found.iter().any(|mark| mark.is_clause || mark.of(inside).contains(['=', '\''])) {
            return None;
        }
        let before = self.before.last().map(|(token, span)| (keyword(token), *span));
        if let Some((Some(ty), at)) = before
            && let Some(typed) = of_type(ty, inside, &found)
        {
            return Some((at.to(span), typed));
        }
        if let [mark] = found.as_slice()
            && mark.of(inside) == inside.trim()
        {
            let is_told = mark.of(inside).contains(':') || self.before.last().is_some_and(|(token, _)| compares(token));
            let typed = format!("<< {}: text >>", mark.name(inside));
            return Some((span, if is_told { mark.of(inside).to_owned() } else { typed }));
        }
        let mut parts = Vec::new();
        let mut end = 0;
        for mark in &found {
            parts.extend(
                inside.get(end..mark.start).filter(|part| !part.is_empty()).map(|part| format!("{open}{part}{close}")),
            );
            parts.push(mark.of(inside).to_owned());
            end = mark.end;
        }
        parts.extend(inside.get(end..).filter(|part| !part.is_empty()).map(|part| format!("{open}{part}{close}")));
        Some((span, parts.join(" || ")))
    }

    /// What was found, with brackets around what a cast behind it would take apart.
    fn closed(self) -> Vec<Quoted> {
        let Search { before, found, .. } = self;
        let with_brackets = |(mut quoted, at): (Quoted, usize)| {
            // The text itself stands at `at`, so what follows it is one further.
            let is_cast = matches!(before.get(at + 1), Some((Token::DoubleColon | Token::LBracket, _)));
            if let Within::Text(Some((_, edit))) = &mut quoted.within
                && is_cast
                && edit.contains(" || ")
            {
                *edit = format!("({edit})");
            }
            quoted
        };
        found.into_iter().map(with_brackets).collect()
    }
}

/// What a text begins and ends with.
fn quotes(text: &str) -> Option<(&str, &str)> {
    let open = text.find(['\'', '"', '$'])?;
    if text.get(open..)?.starts_with('$') {
        let tag = open + 1 + text.get(open + 1..)?.find('$')? + 1;
        return Some((text.get(..tag)?, text.get(open..tag)?));
    }
    Some((text.get(..=open)?, text.get(open..=open)?))
}

/// A literal of a type, such as `DATE '<< day >>'` or `INTERVAL '<< n >> days'`, with a parameter in it.
fn of_type(ty: Keyword, inside: &str, found: &[Mark]) -> Option<String> {
    let [mark] = found else { return None };
    let (before, behind) = (inside.get(..mark.start)?.trim(), inside.get(mark.end..)?.trim());
    let placeholder = mark.of(inside);
    match ty {
        Keyword::INTERVAL
            if before.is_empty() && !behind.is_empty() && behind.bytes().all(|byte| byte.is_ascii_alphabetic()) =>
        {
            let number = if placeholder.contains(':') {
                placeholder.to_owned()
            } else {
                format!("<< {}: int >>", mark.name(inside))
            };
            Some(format!("CAST({number} || ' {behind}' AS INTERVAL)"))
        }
        Keyword::DATE | Keyword::TIME | Keyword::TIMESTAMP | Keyword::INTERVAL
            if before.is_empty() && behind.is_empty() =>
        {
            Some(format!("CAST({placeholder} AS {ty:?})"))
        }
        _ => None,
    }
}

fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
}

/// Whether a value is compared behind that token.
fn compares(token: &Token) -> bool {
    matches!(token, Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq | Token::StringConcat)
        || matches!(keyword(token), Some(Keyword::LIKE | Keyword::ILIKE))
}

/// Something like a placeholder or an optional clause in a text.
struct Mark {
    start: usize,
    end: usize,
    is_clause: bool,
}

impl Mark {
    fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The name between the signs.
    fn name<'a>(&self, text: &'a str) -> &'a str {
        let inside = self.of(text).trim_start_matches('<').trim_start();
        inside.get(..word(inside)).unwrap_or_default()
    }
}

/// All marks in a text, from left to right.
fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut at = 0;
    // One walk: with a search for each of the two signs, a text with many of one and none of the other is walked for each.
    while let Some(open) = text.get(at..).and_then(|rest| rest.find(['<', '['])) {
        let start = at + open;
        let Some(rest) = text.get(start..) else { break };
        if !rest.starts_with("<<") && !rest.starts_with("[[") {
            at = start + 1;
            continue;
        }
        let mark = mark(rest, start);
        at = mark.as_ref().map_or(start + 2, |mark| mark.end);
        found.extend(mark);
    }
    found
}

/// Most characters between the signs of a mark.
const LONGEST: usize = 300;

/// The mark that a text begins with, which stands at `start`.
fn mark(text: &str, start: usize) -> Option<Mark> {
    let inside = text.get(2..)?;
    // Where nothing closes, the end of a long text is not looked for again and again.
    let inside = inside.char_indices().nth(LONGEST).map_or(Some(inside), |(end, _)| inside.get(..end))?;
    let trimmed = inside.trim_start();
    let first = trimmed.get(..word(trimmed)).filter(|word| !word.is_empty())?;
    if text.starts_with("[[") {
        let is_clause = ["and", "or"].iter().any(|connective| first.eq_ignore_ascii_case(connective));
        let end = inside.find("]]").filter(|_| is_clause)?;
        return Some(Mark { start, end: start + end + 4, is_clause: true });
    }
    let end = inside.find(">>")?;
    // What stands on several lines is a parameter only where it is nothing but a name.
    let on_lines = |between: &str| between.contains('\n') && between.trim() != first;
    let is_one = inside.get(..end).is_some_and(|between| !between.contains("<<") && !on_lines(between));
    is_one.then_some(Mark { start, end: start + end + 4, is_clause: false })
}

/// How many bytes the word has that a text begins with.
fn word(text: &str) -> usize {
    let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if begins { end } else { 0 }
}
