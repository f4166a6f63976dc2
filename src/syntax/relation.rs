//! The rows of a program, as a query selects from them: `FROM weather(city => << city >>, units => 'metric')`.
//!
//! Such a use is a part of the query, as a use of another query is. Its statement selects from a table that no project has, under
//! the name of the use and [`ROWS_OF_PROGRAM`], and the engine brings its rows for each call. The arguments stand beside the
//! statement, by name: no planner reads them.

use super::lexer::{Lexed, Written};
use super::renames::{Given, NewNames};
use super::{ParsedQuery, Placeholder};
use crate::catalog::ROWS_OF_PROGRAM;
use crate::source::Span;
use serde_json::Value;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Word};
use std::collections::HashSet;

/// What is called for the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct CalledManifest {
    /// The name of the tool.
    pub tool: String,
    /// The name that its rows have as a table.
    pub table: String,
    /// Its arguments, by the names of its parameters.
    pub arguments: Vec<(String, CalledArgument)>,
}

/// An argument of what is called.
#[derive(Debug, Clone, PartialEq)]
pub enum CalledArgument {
    /// The value of a parameter of the query, by its name there.
    Parameter(String),
    /// A value that is written in the query, at that place.
    Value(Value, Span),
}

impl ParsedQuery {
    /// The manifest as a query selects from it: `tool` is its own name, `names` those that its parameters have in the query, and
    /// `given` the values of others.
    pub fn as_relation(mut self, tool: &str, names: &NewNames, given: &[Given]) -> ParsedQuery {
        let is_given = |name: &str| given.iter().any(|one| one.parameter.value == name);
        let mut told: HashSet<String> = HashSet::new();
        let all = std::mem::take(&mut self.placeholders).into_iter();
        self.placeholders =
            all.filter(|one| !is_given(&one.name.value) && told.insert(one.name.value.clone())).collect();
        for one in given {
            self.header.params.shift_remove(&one.parameter.value);
            if let Some(params) = self.document.value.get_mut("params").and_then(Value::as_object_mut) {
                params.shift_remove(&one.parameter.value);
            }
        }
        let table = format!("{}{ROWS_OF_PROGRAM}", self.name.value);
        // The names that it has itself.
        let own = |here: &str| {
            names.iter().find(|(_, new)| *new == here).map_or_else(|| here.to_owned(), |(own, _)| own.clone())
        };
        let of_query = self.placeholders.iter().map(|one| {
            let here = one.name.value.clone();
            (own(&here), CalledArgument::Parameter(here))
        });
        let of_use =
            given.iter().map(|one| (one.parameter.value.clone(), CalledArgument::Value(one.value.clone(), one.place)));
        let arguments = of_query.chain(of_use).collect();
        self.tokens = selecting_rows(&table, &self.placeholders, self.span);
        self.called = Some(Box::new(CalledManifest { tool: tool.to_owned(), table, arguments }));
        self.manifest = None;
        self
    }
}

/// `SELECT * FROM "table" WHERE TRUE OR $1 IS NULL …`: all of its rows, and each parameter once.
fn selecting_rows(table: &str, placeholders: &[Placeholder], place: Span) -> Vec<Lexed> {
    let inserted = |token: Token, span: Span| Lexed { token, span, written: Written::Inserted };
    let word = |text: &str, keyword: Keyword| Token::Word(Word { value: text.to_owned(), quote_style: None, keyword });
    let quoted = Token::Word(Word { value: table.to_owned(), quote_style: Some('"'), keyword: Keyword::NoKeyword });
    let first = [word("SELECT", Keyword::SELECT), Token::Mul, word("FROM", Keyword::FROM), quoted];
    let mut tokens: Vec<Lexed> = first.into_iter().map(|token| inserted(token, place)).collect();
    if !placeholders.is_empty() {
        tokens.push(inserted(word("WHERE", Keyword::WHERE), place));
        tokens.push(inserted(word("TRUE", Keyword::TRUE), place));
    }
    for (at, placeholder) in placeholders.iter().enumerate() {
        let span = placeholder.span;
        let number = Token::Placeholder(format!("${}", at + 1));
        tokens.push(inserted(word("OR", Keyword::OR), span));
        tokens.push(Lexed { token: number, span, written: Written::Placeholder(at) });
        tokens.push(inserted(word("IS", Keyword::IS), span));
        tokens.push(inserted(word("NULL", Keyword::NULL), span));
    }
    tokens
}
