//! Parameters that are compared with texts as they are written or with each other, and with nothing of a row:
//! `<< status >> = 'open'`, `<< column >> = << value >>`.

use crate::syntax::ast::number;
use sqlparser::ast::{BinaryOperator, Expr, Statement, Value, Visit, Visitor};
use std::ops::ControlFlow;

/// The placeholders of a statement that are so compared, by their positions in
/// [`crate::syntax::ParsedQuery::placeholders`].
pub(super) fn find(statement: &Statement) -> Vec<usize> {
    let mut search = Search { found: Vec::new() };
    let _ = statement.visit(&mut search);
    search.found.sort_unstable();
    search.found
}

struct Search {
    found: Vec<usize>,
}

impl Visitor for Search {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.found.extend(compared(expr));
        ControlFlow::Continue(())
    }
}

fn compared(expr: &Expr) -> Vec<usize> {
    let (one, other) = match expr {
        Expr::BinaryOp { left, op, right } if compares(op) => (left, right.as_ref()),
        Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => (expr, pattern.as_ref()),
        Expr::InList { expr, list, .. } if list.iter().all(is_text) => return placeholder(expr).into_iter().collect(),
        _ => return Vec::new(),
    };
    let is_value = |side: &Expr| is_text(side) || placeholder(side).is_some();
    match is_value(one) && is_value(other) {
        true => placeholder(one).into_iter().chain(placeholder(other)).collect(),
        false => Vec::new(),
    }
}

fn compares(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
    )
}

fn placeholder(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Nested(inner) => placeholder(inner),
        Expr::Value(value) => match &value.value {
            Value::Placeholder(written) => number(written),
            _ => None,
        },
        _ => None,
    }
}

fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_text(inner),
        Expr::Value(value) => matches!(value.value, Value::SingleQuotedString(_)),
        _ => false,
    }
}
