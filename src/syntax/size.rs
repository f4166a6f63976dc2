//! A bound on how long a statement can be: what is read and planned takes time with every word.

use super::lexer::Lexed;
use super::placeholder::Placeholder;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::yaml::Document;
use sqlparser::ast::{Query, Statement, Visit, Visitor};
use std::ops::ControlFlow;

/// Most words, numbers and signs. A statement written by hand has some hundred; a list of ten thousand values, twice as
/// many.
const MAX_TOKENS: usize = 100_000;
/// Most common table expressions of one WITH: each name is looked for among all of them.
const MAX_TABLES: usize = 500;

/// Most places of parameters in a statement, and most parameters of a header: each is looked for among the others.
const MAX_PARAMETERS: usize = 2_000;

/// `None` where a header speaks of too many parameters.
pub(super) fn check_header(document: &Document, parameters: usize, sink: &mut Diagnostics) -> Option<()> {
    if parameters <= MAX_PARAMETERS {
        return Some(());
    }
    let what = format!("the header speaks of {parameters} parameters, and {MAX_PARAMETERS} at most are read");
    sink.push(codes::query_too_large(document.key_span(&["params"]), &what, None));
    None
}

/// `None` where a statement has too many placeholders.
pub(super) fn check_placeholders(placeholders: &[Placeholder], sink: &mut Diagnostics) -> Option<()> {
    let Some(beyond) = placeholders.get(MAX_PARAMETERS) else { return Some(()) };
    let what = format!("it has {} placeholders, and {MAX_PARAMETERS} at most are read", placeholders.len());
    sink.push(codes::query_too_large(beyond.span, &what, None));
    None
}

/// `None` where there are too many words.
pub(super) fn check(tokens: &[Lexed], sink: &mut Diagnostics) -> Option<()> {
    let Some(beyond) = tokens.get(MAX_TOKENS) else { return Some(()) };
    let what = format!("it has more than {MAX_TOKENS} words, numbers and signs");
    sink.push(codes::query_too_large(beyond.span, &what, None));
    None
}

/// `None` where a WITH has too many common table expressions. `head` is the first word of the statement.
pub(super) fn check_statement(statement: &Statement, head: Span, sink: &mut Diagnostics) -> Option<()> {
    let mut most = Most(0);
    let _ = statement.visit(&mut most);
    if most.0 <= MAX_TABLES {
        return Some(());
    }
    let what = format!("one WITH has {} common table expressions, and {MAX_TABLES} at most are read", most.0);
    sink.push(codes::query_too_large(head, &what, None));
    None
}

/// The most common table expressions of one WITH.
struct Most(usize);

impl Visitor for Most {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.0 = self.0.max(query.with.as_ref().map_or(0, |with| with.cte_tables.len()));
        ControlFlow::Continue(())
    }
}
