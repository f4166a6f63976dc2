//! Placeholders that are none, because they stand in a text, in a name in quotes, or in a comment.
//!
//! `'%<< word >>%'` is a text like any other, and the tool would look for it: no parameter, and no row. Whoever writes it
//! has nearly always meant a parameter.

mod edit;
mod mark;

use super::dialect::QueryDialect;
use super::lexer::{Lexed, Places};
use crate::source::{SourceFile, Span};
use edit::{Place, keyword};
use mark::{Likelihood, Mark, Sign, foreign, marks};
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
    /// A text, and it is a placeholder of another system.
    Foreign {
        /// What it is written as with a parameter in it, and the place of that, where it can be told.
        edit: Option<(Span, String)>,
        /// Whether it can hardly be meant as it stands.
        is_certain: bool,
    },
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
    if marks(text).is_empty() && !mark::may_have_foreign(text) {
        return Vec::new();
    }
    let mut tokens = Vec::new();
    if Tokenizer::new(&QueryDialect, text).tokenize_with_location_into_buf(&mut tokens).is_err() {
        return Vec::new();
    }
    let mut places = Places::new(text, span.start);
    let mut search = Search { file, home, tokens: Vec::new(), opened: 0, found: Vec::new(), texts: Vec::new() };
    for token in tokens {
        let from = places.offset(token.span.start.line, token.span.start.column);
        let to = places.offset(token.span.end.line, token.span.end.column);
        search.look(token.token, file.span(from, to));
    }
    search.closed()
}

/// Whether some of the signs in a text are no tokens of its own, and so stand in quotes or in a comment; or those of
/// another system may.
pub(super) fn hides_signs(text: &str, tokens: &[Lexed]) -> bool {
    let count = |wanted: &Token| tokens.iter().filter(|token| token.token == *wanted).count();
    text.matches("<<").count() != count(&Token::ShiftLeft)
        || text.contains("[[") && text.matches('[').count() != count(&Token::LBracket)
        || mark::may_have_foreign(text)
}

struct Search<'a> {
    file: &'a SourceFile,
    home: Home,
    /// The tokens so far, without blanks and comments.
    tokens: Vec<(Token, Span)>,
    /// How many placeholders are open: what stands in one is its default.
    opened: usize,
    found: Vec<Quoted>,
    /// The texts among the tokens, and whether an edit can be told; they are judged once all tokens are known.
    texts: Vec<(usize, bool)>,
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
            | Token::TripleDoubleQuotedString(_) => {
                self.texts.push((self.tokens.len(), self.home == Home::Statement && self.opened == 0));
            }
            _ => {}
        }
        self.tokens.push((token, span));
    }

    /// What is to be said of the text that is token `at`.
    fn text(&self, at: usize, is_editable: bool) -> Option<Quoted> {
        let (_, span) = self.tokens.get(at)?;
        let text = self.file.slice(*span);
        let place = Place { file: self.file, tokens: &self.tokens, at };
        let (open, close) = quotes(text)?;
        let inside = text.get(open.len()..text.len().checked_sub(close.len())?)?;
        let edit = |found: &[Mark]| if is_editable { place.rewritten(inside, (open, close), found) } else { None };
        let ours = marks(inside);
        if let Some(first) = ours.first() {
            let is_clause = ours.iter().any(|mark| mark.sign == Sign::Clause);
            let edit = if is_clause { None } else { edit(&ours) };
            return Some(self.quoted(*span, open.len(), first, Within::Text(edit)));
        }
        let others = foreign(inside);
        let first = others.first()?;
        let is_whole = first.of(inside) == inside.trim();
        let (is_compared, is_typed) = (place.is_compared(), place.is_value_of_type());
        let is_likely = first.sign == Sign::Foreign(Likelihood::High);
        let is_told = match (is_likely, is_whole) {
            (true, true) => !place.is_replacement(),
            (true, false) => is_compared || is_typed,
            (false, _) => is_compared && !place.is_pattern() || is_typed,
        };
        if !is_told {
            return None;
        }
        let is_certain = is_likely && is_whole && (is_typed || is_compared && !place.is_pattern());
        Some(self.quoted(*span, open.len(), first, Within::Foreign { edit: edit(&others), is_certain }))
    }

    fn name(&mut self, span: Span) {
        let text = self.file.slice(span);
        let Some(mark) = marks(text).into_iter().next() else { return };
        let is_whole = text.get(1..text.len().saturating_sub(1)).map(str::trim) == Some(mark.of(text));
        let is_value =
            is_whole && self.home == Home::Statement && self.tokens.last().is_some_and(|(token, _)| compares(token));
        let quoted = self.quoted(span, 0, &mark, Within::Name { is_value });
        self.found.push(quoted);
    }

    fn comment(&mut self, span: Span) {
        if self.home == Home::Header {
            return;
        }
        let text = self.file.slice(span);
        for mark in marks(text).into_iter().filter(|mark| mark.sign != Sign::Clause) {
            let name = mark.name(text).to_owned();
            let quoted = self.quoted(span, 0, &mark, Within::Comment(name));
            self.found.push(quoted);
        }
    }

    /// A mark in what stands from `from` in the text, name or comment at `span`.
    fn quoted(&self, span: Span, from: usize, mark: &Mark, within: Within) -> Quoted {
        let start = span.start + from;
        let place = self.file.span(start + mark.start, start + mark.end);
        Quoted { span, written: self.file.slice(place).to_owned(), place, within }
    }

    /// What was found, by place.
    fn closed(mut self) -> Vec<Quoted> {
        let texts: Vec<Quoted> = self.texts.iter().filter_map(|(at, edits)| self.text(*at, *edits)).collect();
        self.found.extend(texts);
        self.found.sort_by_key(|quoted| quoted.place.start);
        self.found
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

/// Whether a value is compared behind that token.
fn compares(token: &Token) -> bool {
    matches!(token, Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq | Token::StringConcat)
        || matches!(keyword(token), Some(Keyword::LIKE | Keyword::ILIKE))
}
