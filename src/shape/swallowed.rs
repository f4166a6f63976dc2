//! Conditions that go with an optional clause though they do not stand in it.
//!
//! AND binds closer than OR: in `a [[ OR b ]] [[ AND c ]]` the `c` belongs to `b`, and where the clause of `b` is left out,
//! `c` goes with it.

use super::extent::Extents;
use crate::source::Span;
use crate::syntax::OPTIONAL_OR;
use sqlparser::ast::{BinaryOperator, Expr, ObjectNamePart, Statement, Visit, Visitor};
use sqlparser::keywords::Keyword;
use std::ops::ControlFlow;

/// A condition behind an optional OR clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swallowed {
    /// The AND before it.
    pub and: Span,
    /// The optional clause that it goes with.
    pub clause: Span,
    /// Where the bracket around the alternatives opens.
    pub open: Span,
    /// Where it closes.
    pub close: Span,
}

/// Every such condition: of several behind one clause, the first.
pub(super) fn find(statement: &Statement, extents: &Extents<'_>) -> Vec<Swallowed> {
    let mut search = Search { extents, found: Vec::new() };
    let _ = statement.visit(&mut search);
    search.found
}

struct Search<'a> {
    extents: &'a Extents<'a>,
    found: Vec<Swallowed>,
}

impl Visitor for Search<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { op: BinaryOperator::Or, right, .. } = expr {
            self.found.extend(self.behind(right));
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_> {
    /// The condition that ANDs join to the optional clause at the beginning of an alternative.
    fn behind(&self, alternative: &Expr) -> Option<Swallowed> {
        let clause = first_of_several(alternative).filter(|one| is_clause(one))?;
        // The marker stands where the clause opens.
        let marker = self.extents.first(clause)?;
        let close = self.extents.pair(marker + 1)?;
        let and = close + 1;
        let (or, first) = (marker.checked_sub(1)?, self.extents.start(marker));
        if self.extents.keyword(or) != Some(Keyword::OR) || self.extents.keyword(and) != Some(Keyword::AND) {
            return None;
        }
        let span = |at: usize| self.extents.span(&(at..at + 1));
        let (open, before) = (span(first)?.before(), span(close)?);
        Some(Swallowed { and: span(and)?, clause: span(marker)?.to(before), open, close: before.after() })
    }
}

/// The first of the conditions that ANDs join, where there are several.
fn first_of_several(condition: &Expr) -> Option<&Expr> {
    let Expr::BinaryOp { left, op: BinaryOperator::And, .. } = condition else { return None };
    let mut first = left.as_ref();
    while let Expr::BinaryOp { left, op: BinaryOperator::And, .. } = first {
        first = left;
    }
    Some(first)
}

fn is_clause(condition: &Expr) -> bool {
    let Expr::Function(function) = condition else { return false };
    matches!(function.name.0.as_slice(), [ObjectNamePart::Identifier(name)] if name.value == OPTIONAL_OR)
}
