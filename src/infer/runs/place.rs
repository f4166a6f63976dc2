//! Where in the text the thing stands that cannot run, and how else it may be written.

use super::super::{Context, places};
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use datafusion::common::DataFusionError;
use sqlparser::ast::{Expr, Ident, ObjectName, ObjectNamePart, Query, Spanned, Statement, TableFactor, Visit, Visitor};
use sqlparser::tokenizer;
use std::ops::ControlFlow;

const OF_SUBQUERIES: &str = "write it as a join: of the rows of the subquery, grouped by what ties them to the others, \
                             and LEFT JOIN where rows without a match are to stay";
const OF_LISTS: &str = "write it in the SELECT of a subquery: FROM (SELECT unnest(items) AS item FROM …) AS t";
const OF_FUNCTIONS: &str = "cast its arguments to another type, or use another function";
const OF_ANYTHING: &str = "write this part of the query in another way";

/// The place of what an error is about, and a way to write it.
pub(super) fn place_of_error(
    error: &DataFusionError,
    linked: &LinkedQuery<'_>,
    head: Span,
    context: Context<'_>,
) -> (Span, &'static str) {
    let text = error.to_string();
    let lower = text.to_lowercase();
    let is_about_subqueries = crate::plan::engine_words::is_about_a_subquery(&lower);
    for part in linked.parts.iter().rev() {
        let seen = Seen::of(&part.statement);
        let list = seen.lists.iter().copied().find(|_| crate::plan::engine_words::has_outer_column(&lower));
        let subquery = seen.subqueries.iter().copied().find(|_| is_about_subqueries);
        let function = seen.functions.iter().find(|(name, _)| speaks_of(&lower, name)).map(|(_, place)| *place);
        let found = list.map(|list| (list, OF_LISTS));
        let found = found.or_else(|| subquery.map(|subquery| (subquery, OF_SUBQUERIES)));
        let found = found.or_else(|| function.map(|function| (function, OF_FUNCTIONS)));
        if let Some((place, help)) = found.and_then(|(place, help)| Some((places::place(place, context)?, help))) {
            return (place, help);
        }
    }
    (head, OF_ANYTHING)
}

/// Why, in words of an author: what the engine prints of an expression that it has no operator for are its own insides.
pub(super) fn why(error: &DataFusionError) -> Option<&'static str> {
    crate::plan::engine_words::lacks_an_operator(&error.to_string())
        .then_some("the engine has no operator for a part of it, and none that could stand for it")
}

/// Whether a message names a function.
fn speaks_of(message: &str, function: &str) -> bool {
    message.match_indices(function).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = message.get(..at).and_then(|text| text.chars().next_back());
        let after = message.get(at + function.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// What of a statement an error may be about.
#[derive(Default)]
struct Seen {
    subqueries: Vec<tokenizer::Span>,
    /// Lists whose items are rows.
    lists: Vec<tokenizer::Span>,
    functions: Vec<(String, tokenizer::Span)>,
}

impl Seen {
    fn of(statement: &Statement) -> Seen {
        let mut seen = Seen::default();
        let _ = statement.visit(&mut seen);
        seen
    }

    fn subquery(&mut self, query: &Query) {
        self.subqueries.push(query.span());
    }

    fn function(&mut self, name: &ObjectName) {
        if let Some(ObjectNamePart::Identifier(Ident { value, span, .. })) = name.0.last() {
            self.functions.push((value.to_lowercase(), *span));
        }
    }
}

impl Visitor for Seen {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Subquery(query) | Expr::Exists { subquery: query, .. } | Expr::InSubquery { subquery: query, .. } => {
                self.subquery(query);
            }
            Expr::Function(function) => self.function(&function.name),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::UNNEST { array_exprs, .. } => self.lists.extend(array_exprs.iter().map(Spanned::span)),
            TableFactor::Derived { lateral: true, subquery, .. } => self.subquery(subquery),
            TableFactor::Table { name, args: Some(_), .. } => self.function(name),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
