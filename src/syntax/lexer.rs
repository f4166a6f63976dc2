//! sqlparser's tokens with byte spans.

use super::dialect::QueryDialect;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Location, SourceFile, Span};
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Tokenizer};

/// A token and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lexed {
    /// The token.
    pub token: Token,
    /// Its bytes.
    pub span: Span,
    /// What the text sent to the engine has here, where that is not what the user wrote.
    pub written: Written,
}

/// How a token appears in the statement's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// As in the source.
    AsIs,
    /// As `$n`; the number counts the file's placeholders from 0.
    Placeholder(usize),
    /// As the token prints; it is not in the source.
    Inserted,
}

impl Lexed {
    /// The unquoted keyword that the token is.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        match &self.token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
            _ => None,
        }
    }

    /// Whether the token is that unquoted keyword.
    pub(crate) fn is_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }
}

/// Tokenizes the bytes from `start` to `end`; white space and comments are left out.
pub(super) fn tokenize(file: &SourceFile, start: usize, end: usize, sink: &mut Diagnostics) -> Option<Vec<Lexed>> {
    tokenize_as(&QueryDialect, file, (start, end), sink)
}

/// The same in another dialect.
pub(super) fn tokenize_as(
    dialect: &dyn Dialect,
    file: &SourceFile,
    (start, end): (usize, usize),
    sink: &mut Diagnostics,
) -> Option<Vec<Lexed>> {
    let body = file.text.get(start..end)?;
    let mut places = Places::new(body, start);
    let mut raw = Vec::new();
    let result = Tokenizer::new(dialect, body).tokenize_with_location_into_buf(&mut raw);
    if let Err(error) = result {
        let at = Places::new(body, start).offset(error.location.line, error.location.column);
        sink.push(codes::syntax_error(char_at(file, at), lower_first(&error.message).trim_end_matches('.')));
        return None;
    }
    let mut tokens = Vec::with_capacity(raw.len());
    for token in raw {
        let from = places.offset(token.span.start.line, token.span.start.column);
        let to = places.offset(token.span.end.line, token.span.end.column);
        if !matches!(token.token, Token::Whitespace(_)) {
            tokens.push(Lexed { token: token.token, span: file.span(from, to), written: Written::AsIs });
        }
    }
    Some(tokens)
}

/// The span of the character at a byte; the last character where the byte is the end.
pub(super) fn char_at(file: &SourceFile, at: usize) -> Span {
    match file.text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(character) if character != '\n' => file.span(at, at + character.len_utf8()),
        _ => {
            let before = file.text.get(..at).unwrap_or_default().trim_end();
            let len = before.chars().next_back().map_or(0, char::len_utf8);
            file.span(before.len() - len, before.len())
        }
    }
}

/// `Unterminated string` → `unterminated string`; a word in capitals stays.
pub fn lower_first(message: &str) -> String {
    let mut characters = message.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => first.to_lowercase().chain(characters).collect(),
        _ => message.to_owned(),
    }
}

/// Turns line and column into a byte, in one pass: tokens come in order, and a file may be one long line.
pub(super) struct Places<'a> {
    rest: std::iter::Peekable<std::str::CharIndices<'a>>,
    base: usize,
    end: usize,
    line: u64,
    column: u64,
}

impl<'a> Places<'a> {
    pub(super) fn new(body: &'a str, base: usize) -> Self {
        Places { rest: body.char_indices().peekable(), base, end: base + body.len(), line: 1, column: 1 }
    }

    pub(super) fn offset(&mut self, line: u64, column: u64) -> usize {
        while (self.line, self.column) < (line, column) {
            match self.rest.next() {
                Some((_, '\n')) => {
                    self.line += 1;
                    self.column = 1;
                }
                Some(_) => self.column += 1,
                None => return self.end,
            }
        }
        self.rest.peek().map_or(self.end, |(at, _)| self.base + at)
    }
}

/// A place that survives the parser and the planner: sqlparser's and DataFusion's locations are line and column of one
/// text, ours tell the file as well, by an offset on the line number.
pub(super) fn encode(file: &SourceFile, offset: usize) -> sqlparser::tokenizer::Location {
    let location = file.location(offset);
    let line = file.id.index() as u64 * LINES_PER_FILE + location.line as u64;
    sqlparser::tokenizer::Location::new(line, location.column as u64)
}

/// The file's index and the place inside it; the opposite of [`encode`].
pub(super) fn decode(line: u64, column: u64) -> (usize, Location) {
    let file = (line / LINES_PER_FILE) as usize;
    let location = Location { line: (line % LINES_PER_FILE) as usize, column: column as usize };
    (file, location)
}

/// More lines than a query file may have bytes.
const LINES_PER_FILE: u64 = 100_000_000;
