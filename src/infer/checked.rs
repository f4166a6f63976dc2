//! What types have to fit, written down to see which does not.

use super::constraint::Term;
use super::signature::Callee;
use crate::source::Span;
use sqlparser::ast::BinaryOperator;

/// Something that types have to fit.
#[derive(Debug)]
pub(super) struct Check {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub what: Checked,
}

/// What types have to fit.
#[derive(Debug)]
pub(super) enum Checked {
    /// A condition is a boolean.
    Condition(Term),
    /// What a pattern is matched with is text.
    Matched(Term),
    /// Values are compared, or merged into one.
    Alike(&'static str, Vec<Term>),
    /// An operator takes its operands.
    Operator(BinaryOperator, Term, Term),
    /// A function takes its arguments.
    Call(Callee, Vec<Term>),
    /// A subquery that stands for one value has this number of columns.
    Columns(usize),
    /// A row that is looked up among those of a subquery: the planner has no such comparison.
    RowInQuery,
    /// Queries that are put together have these numbers of columns.
    Together(&'static str, usize, usize),
    /// A number of rows is a whole number.
    RowCount(Term),
    /// `FETCH FIRST n ROWS`, which the engine does not have.
    Fetch,
}
