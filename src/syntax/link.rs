//! Puts a query and the queries it selects from together: one numbering of parameters over all their statements.
//!
//! The statements stay apart, because names are looked up where they stand: a query's own common table expressions hide
//! another query, and do not reach into it. Two forms of each are made from the same tokens: the parsed statement, whose
//! places still name file, line and column, and the text that a tool keeps, in which every placeholder is `$n`.

use super::lexer::{Lexed, Written, decode};
use super::statement::{located, parse_tokens};
use super::{ParsedQuery, Placeholder};
use crate::source::{SourceFile, Sources, Span};
use sqlparser::ast::Statement;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::{Token, Tokenizer};

/// A query with all that it selects from.
#[derive(Debug)]
pub struct LinkedQuery<'a> {
    /// The statements: each query after those it selects from, the query itself last.
    pub parts: Vec<LinkedPart<'a>>,
    /// What `$1` to `$n` are in the statements and texts.
    pub slots: Vec<Slot>,
    /// What `$1` to `$n` are in [`LinkedPart::by_occurrence`].
    pub occurrences: Vec<&'a Placeholder>,
}

/// One of the statements of a linked query.
#[derive(Debug)]
pub struct LinkedPart<'a> {
    /// The query file.
    pub query: &'a ParsedQuery,
    /// The parsed statement. Every use of one parameter is the same `$n`, so that the planner sees equal expressions
    /// as equal (`GROUP BY date_trunc(<< unit >>, at)`).
    pub statement: Statement,
    /// The statement with a `$n` of its own for every occurrence, so that each can be typed from its own place.
    pub by_occurrence: Statement,
    /// The statement as text.
    pub text: String,
}

/// What one `$n` of a linked query stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The parameter's name.
    pub name: String,
    /// Whether it is the whole list behind `IN`; the same parameter may also be used as one value.
    pub list: bool,
}

impl LinkedQuery<'_> {
    /// The query itself.
    pub fn own(&self) -> Option<&ParsedQuery> {
        self.parts.last().map(|part| part.query)
    }

    /// The slot of an occurrence.
    pub fn slot_of(&self, occurrence: &Placeholder) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == occurrence.name.value && slot.list == occurrence.list)
    }
}

/// Links a query. `uses` are the queries it selects from, directly or not, each after those it selects from itself.
///
/// `None` where a part does not parse, which cannot be: it was parsed before from the same tokens.
pub fn link<'a>(query: &'a ParsedQuery, uses: &[&'a ParsedQuery], sources: &Sources) -> Option<LinkedQuery<'a>> {
    let mut linked = LinkedQuery { parts: Vec::new(), slots: Vec::new(), occurrences: Vec::new() };
    for part in uses.iter().copied().chain([query]) {
        let file = sources.get(part.file)?;
        let part = linked.part(part, file)?;
        linked.parts.push(part);
    }
    Some(linked)
}

/// Parses the text that a tool keeps.
pub fn parse_text(text: &str) -> Result<Statement, ParserError> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location()?;
    parse_tokens(tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect())
}

impl ParsedQuery {
    /// The statement's tokens without what ends it.
    fn statement_tokens(&self) -> &[Lexed] {
        let end = self.tokens.iter().rposition(|token| token.token != Token::SemiColon).map_or(0, |at| at + 1);
        self.tokens.get(..end).unwrap_or_default()
    }
}

impl<'a> LinkedQuery<'a> {
    fn part(&mut self, query: &'a ParsedQuery, file: &SourceFile) -> Option<LinkedPart<'a>> {
        let mut text = String::new();
        let (mut tokens, mut each) = (Vec::new(), Vec::new());
        let mut last: Option<&Lexed> = None;
        for token in query.statement_tokens() {
            let mut placed = located(file, token);
            let mut alone = placed.clone();
            if let Written::Placeholder(at) = &token.written {
                let placeholder = query.placeholders.get(*at)?;
                placed.token = numbered(self.slot(placeholder));
                alone.token = numbered(self.occurrences.len());
                self.occurrences.push(placeholder);
            }
            text.push_str(gap(file, last, token));
            match &token.written {
                Written::AsIs => text.push_str(file.slice(token.span)),
                Written::Placeholder(_) | Written::Inserted => text.push_str(&placed.token.to_string()),
            }
            last = Some(token);
            tokens.push(placed);
            each.push(alone);
        }
        let (statement, by_occurrence) = (parse_tokens(tokens).ok()?, parse_tokens(each).ok()?);
        Some(LinkedPart { query, statement, by_occurrence, text })
    }

    fn slot(&mut self, placeholder: &Placeholder) -> usize {
        self.slot_of(placeholder).unwrap_or_else(|| {
            self.slots.push(Slot { name: placeholder.name.value.clone(), list: placeholder.list });
            self.slots.len() - 1
        })
    }
}

/// The token `$n` for the n-th thing, counted from 0.
fn numbered(at: usize) -> Token {
    Token::Placeholder(format!("${}", at + 1))
}

/// What separates two tokens in the text: a line break where the source has one, nothing where they touch there, else a
/// blank. Next to a placeholder there is always something: `LIKE<<x>>AND` is three words.
fn gap(file: &SourceFile, last: Option<&Lexed>, token: &Lexed) -> &'static str {
    let Some(last) = last else {
        return "";
    };
    let between = file.text.get(last.span.end..token.span.start).unwrap_or_default();
    match between {
        "" if last.written == Written::AsIs && token.written == Written::AsIs => "",
        between if between.contains('\n') => "\n",
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
