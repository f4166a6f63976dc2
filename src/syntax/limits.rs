//! What bounds the rows of a query: LIMIT, OFFSET and FETCH, and aggregates that make one row of all.
//!
//! Which function is an aggregate is not known here; the functions are named, and who knows may tell.

use super::lexer::Lexed;
use super::statement::{normalized, place};
use crate::source::{SourceFile, Span};
use sqlparser::ast::{
    Expr, GroupByExpr, LimitClause, ObjectNamePart, Query, Select, SetExpr, Spanned as _, Statement, Visit, Visitor,
};
use sqlparser::keywords::Keyword;
use std::ops::ControlFlow;

/// A LIMIT, OFFSET or FETCH of a query that has no ORDER BY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnorderedLimit {
    /// The clause.
    pub span: Span,
    /// The functions that the query calls over all its rows: with an aggregate among them it has one row.
    pub calls: Vec<String>,
}

/// Every cut through rows in no order. What EXISTS asks for has no order: any row will do.
pub(super) fn unordered(statement: &Statement, file: &SourceFile, tokens: &[Lexed]) -> Vec<UnorderedLimit> {
    let mut cuts = Cuts { file, tokens, exists: Vec::new(), found: Vec::new() };
    let _ = statement.visit(&mut cuts);
    cuts.found
}

/// The SELECTs of the result that no LIMIT or FETCH bounds, as the functions that each calls over all its rows. What
/// has no FROM is bounded by what is written.
pub(super) fn unbounded(statement: &Statement) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    if let Statement::Query(query) = statement {
        unbounded_of(query, &mut found);
    }
    found
}

fn unbounded_of(query: &Query, found: &mut Vec<Vec<String>>) {
    let limited = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, .. }) => limit.is_some(),
        Some(LimitClause::OffsetCommaLimit { .. }) => true,
        None => false,
    };
    if !limited && query.fetch.is_none() {
        unbounded_in(&query.body, found);
    }
}

fn unbounded_in(body: &SetExpr, found: &mut Vec<Vec<String>>) {
    match body {
        SetExpr::Select(select) if select.from.is_empty() => {}
        SetExpr::Select(select) => found.push(calls(select)),
        SetExpr::Query(query) => unbounded_of(query, found),
        SetExpr::SetOperation { left, right, .. } => {
            unbounded_in(left, found);
            unbounded_in(right, found);
        }
        SetExpr::Table(_) => found.push(Vec::new()),
        _ => {}
    }
}

struct Cuts<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexed],
    /// The queries of EXISTS. The address of one tells it apart; it is never followed.
    exists: Vec<*const Query>,
    found: Vec<UnorderedLimit>,
}

impl Visitor for Cuts<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let cuts = query.limit_clause.is_some() || query.fetch.is_some();
        let any_will_do = self.exists.iter().any(|known| std::ptr::eq(*known, query));
        if cuts && !any_will_do && !has_order(query) {
            self.found.push(UnorderedLimit { span: self.clause(query), calls: calls_of(&query.body) });
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Exists { subquery, .. } = expr {
            self.exists.push(std::ptr::from_ref(subquery.as_ref()));
        }
        ControlFlow::Continue(())
    }
}

impl Cuts<'_> {
    /// From the keyword to the last number; the parser keeps the places of the numbers only.
    fn clause(&self, query: &Query) -> Span {
        let limit = query.limit_clause.iter().map(|clause| clause.span());
        let fetch = query.fetch.iter().map(|clause| clause.span());
        let written = limit.chain(fetch).filter(|span| span.start.line > 0);
        let numbers = written.map(|span| place(self.file, span)).reduce(Span::to);
        let before = |token: &&Lexed| numbers.is_none_or(|numbers| token.span.end <= numbers.start);
        let keywords = [Keyword::LIMIT, Keyword::OFFSET, Keyword::FETCH];
        let is_keyword = |token: &&Lexed| keywords.iter().any(|keyword| token.is_keyword(*keyword));
        let keyword = self.tokens.iter().rev().filter(is_keyword).find(before).map(|token| token.span);
        match (keyword, numbers) {
            (Some(keyword), Some(numbers)) => keyword.to(numbers),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.file.whole().before(),
        }
    }
}

/// Whether its rows have an order: one of its own, that of the query in its brackets, or the one that VALUES writes.
fn has_order(query: &Query) -> bool {
    query.order_by.is_some()
        || match query.body.as_ref() {
            SetExpr::Query(inner) => has_order(inner),
            SetExpr::Values(_) => true,
            _ => false,
        }
}

fn calls_of(body: &SetExpr) -> Vec<String> {
    match body {
        SetExpr::Select(select) => calls(select),
        SetExpr::Query(query) => calls_of(&query.body),
        _ => Vec::new(),
    }
}

/// The functions that a SELECT without GROUP BY calls outside of windows and subqueries.
fn calls(select: &Select) -> Vec<String> {
    let mut calls = Calls::default();
    let grouped = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(by, modifiers) => !by.is_empty() || !modifiers.is_empty(),
    };
    if !grouped {
        let _ = select.projection.visit(&mut calls);
        let _ = select.having.visit(&mut calls);
    }
    calls.names
}

#[derive(Default)]
struct Calls {
    /// How many subqueries are open.
    below: usize,
    names: Vec<String>,
}

impl Visitor for Calls {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.below += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.below = self.below.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr
            && self.below == 0
            && function.over.is_none()
            && let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice()
        {
            self.names.push(normalized(name));
        }
        ControlFlow::Continue(())
    }
}
