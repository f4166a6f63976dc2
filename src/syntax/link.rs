//! Puts a query and the queries it selects from into one statement: each becomes a common table expression in front.
//!
//! Both forms are made here, from the same tokens: the parsed statement, whose places still name file, line and column,
//! and the text that a tool keeps, in which every placeholder is `$n`.

use super::lexer::{Lexed, Written, decode};
use super::statement::{located, parse_tokens};
use super::{ParsedQuery, Placeholder};
use crate::source::{SourceFile, Sources, Span};
use sqlparser::ast::Statement;
use sqlparser::dialect::GenericDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

/// A query with all that it selects from.
#[derive(Debug)]
pub struct LinkedQuery<'a> {
    /// The parsed statement. Every use of one parameter is the same `$n`, so that the planner sees equal expressions
    /// as equal (`GROUP BY date_trunc(<< unit >>, at)`).
    pub statement: Statement,
    /// The same as text.
    pub text: String,
    /// What `$1` to `$n` are in the statement and the text.
    pub slots: Vec<Slot>,
    /// The statement with a `$n` of its own for every occurrence, so that each can be typed from its own place.
    pub by_occurrence: Statement,
    /// What `$1` to `$n` are in `by_occurrence`.
    pub occurrences: Vec<&'a Placeholder>,
    /// The files that take part, the query itself last.
    pub parts: Vec<&'a ParsedQuery>,
}

/// What one `$n` of a linked statement stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The parameter's name.
    pub name: String,
    /// Whether it is the whole list behind `IN`; the same parameter may also be used as one value.
    pub list: bool,
}

/// Links a query. `uses` are the queries it selects from, directly or not, each after those it selects from itself.
///
/// `None` where the parts do not parse together, which separately parsed files cannot make happen.
pub fn link<'a>(query: &'a ParsedQuery, uses: &[&'a ParsedQuery], sources: &Sources) -> Option<LinkedQuery<'a>> {
    let mut linker = Linker::default();
    let own = query.own_tokens();
    let with = own.first().is_some_and(|token| token.is_keyword(Keyword::WITH));
    let recursive = with && own.get(1).is_some_and(|token| token.is_keyword(Keyword::RECURSIVE));
    // An own WITH comes first, so that the added tables stand behind it and before the query's own.
    let head = usize::from(with) + usize::from(recursive);
    if !uses.is_empty() {
        linker.word(if recursive { "WITH RECURSIVE" } else { "WITH" });
        for (at, part) in uses.iter().enumerate() {
            if at > 0 {
                linker.symbol(Token::Comma);
            }
            linker.name(&part.name.value);
            linker.word("AS");
            linker.symbol(Token::LParen);
            linker.part(part, 0, sources)?;
            linker.symbol(Token::RParen);
        }
        if with {
            linker.symbol(Token::Comma);
        }
    }
    let skip = if uses.is_empty() { 0 } else { head };
    linker.part(query, skip, sources)?;
    let mut each = linker.tokens.clone();
    for (number, at) in linker.placeholder_tokens.iter().enumerate() {
        if let Some(token) = each.get_mut(*at) {
            token.token = numbered(number);
        }
    }
    Some(LinkedQuery {
        statement: parse_tokens(linker.tokens).ok()?,
        text: linker.text,
        slots: linker.slots,
        by_occurrence: parse_tokens(each).ok()?,
        occurrences: linker.occurrences,
        parts: uses.iter().copied().chain([query]).collect(),
    })
}

/// Parses the text that a linked query keeps.
pub fn parse_text(text: &str) -> Result<Statement, ParserError> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location()?;
    parse_tokens(tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect())
}

impl ParsedQuery {
    fn own_tokens(&self) -> &[Lexed] {
        let end = self.tokens.iter().rposition(|token| token.token != Token::SemiColon).map_or(0, |at| at + 1);
        self.tokens.get(..end).unwrap_or_default()
    }
}

#[derive(Default)]
struct Linker<'a> {
    tokens: Vec<TokenWithSpan>,
    /// Where in `tokens` the occurrences are.
    placeholder_tokens: Vec<usize>,
    text: String,
    slots: Vec<Slot>,
    occurrences: Vec<&'a Placeholder>,
}

/// The token `$n` for the n-th thing, counted from 0.
fn numbered(at: usize) -> Token {
    Token::Placeholder(format!("${}", at + 1))
}

impl<'a> Linker<'a> {
    fn word(&mut self, words: &str) {
        for word in words.split(' ') {
            self.push(Token::make_keyword(word));
        }
    }

    fn name(&mut self, name: &str) {
        self.push(Token::Word(Word { value: name.to_owned(), quote_style: Some('"'), keyword: Keyword::NoKeyword }));
    }

    fn symbol(&mut self, token: Token) {
        self.push(token);
    }

    fn push(&mut self, token: Token) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&token.to_string());
        self.tokens.push(TokenWithSpan::wrap(token));
    }

    /// Adds the tokens of a file behind the first `skip`.
    fn part(&mut self, query: &'a ParsedQuery, skip: usize, sources: &Sources) -> Option<()> {
        let file = sources.get(query.file)?;
        let mut last: Option<usize> = None;
        for token in query.own_tokens().iter().skip(skip) {
            let mut placed = located(file, token);
            if let Written::Placeholder(at) = &token.written {
                let placeholder = query.placeholders.get(*at)?;
                placed.token = numbered(self.slot(placeholder));
                self.placeholder_tokens.push(self.tokens.len());
                self.occurrences.push(placeholder);
            }
            let from_source = token.written != Written::Inserted;
            let text = match &token.written {
                Written::AsIs => file.slice(token.span).to_owned(),
                Written::Placeholder(_) | Written::Inserted => placed.token.to_string(),
            };
            self.text.push_str(gap(file, last, token.span, from_source));
            self.text.push_str(&text);
            last = if from_source { Some(token.span.end) } else { last };
            self.tokens.push(placed);
        }
        Some(())
    }

    fn slot(&mut self, placeholder: &Placeholder) -> usize {
        let slot = Slot { name: placeholder.name.value.clone(), list: placeholder.list };
        self.slots.iter().position(|known| *known == slot).unwrap_or_else(|| {
            self.slots.push(slot);
            self.slots.len() - 1
        })
    }
}

/// What separates two tokens in the text: a line break where the source has one, else a blank unless they touch.
fn gap(file: &SourceFile, last: Option<usize>, span: Span, from_source: bool) -> &'static str {
    let Some(last) = last else {
        return " ";
    };
    match file.text.get(last..span.start) {
        Some("") if from_source => "",
        Some(between) if between.contains('\n') => "\n",
        _ => " ",
    }
}

/// The span that a planner's location pair means: it may lie in any of the files.
pub fn place(sources: &Sources, start: (u64, u64), end: (u64, u64)) -> Option<Span> {
    let (file, from) = decode(start.0, start.1);
    let (_, to) = decode(end.0, end.1);
    let file = sources.iter().nth(file)?;
    (from.line > 0).then(|| file.span(file.offset(from), file.offset(to)))
}
