//! What a SELECT does to all its rows at once: groups, DISTINCT, and the functions that it calls on them.

use super::outside::outside_of_queries;
use crate::syntax::ast::normalized;
use sqlparser::ast::{Distinct, Expr, GroupByExpr, ObjectNamePart, Select};
use std::ops::ControlFlow;

/// Whether a SELECT has groups.
pub(super) fn is_grouped(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(by, modifiers) => !by.is_empty() || !modifiers.is_empty(),
    }
}

/// Whether a SELECT leaves out rows that are there twice.
pub(super) fn is_distinct(select: &Select) -> bool {
    matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_)))
}

/// The functions that a SELECT without groups calls on all its rows, outside of subqueries.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Their names. Those of windows are left out.
    pub names: Vec<String>,
    /// Whether there is a window.
    pub has_window: bool,
}

impl Calls {
    pub(super) fn of(select: &Select) -> Calls {
        let mut calls = Calls::default();
        if !is_grouped(select) {
            let mut look = |expr: &Expr| {
                calls.take(expr);
                ControlFlow::Continue(())
            };
            let _ = outside_of_queries(&select.projection, &mut look);
            let _ = outside_of_queries(&select.having, &mut look);
        }
        calls
    }

    fn take(&mut self, expr: &Expr) {
        let Expr::Function(function) = expr else { return };
        match function.name.0.as_slice() {
            _ if function.over.is_some() => self.has_window = true,
            [ObjectNamePart::Identifier(name)] => self.names.push(normalized(name)),
            _ => {}
        }
    }
}

/// Whether the rows of a SELECT say nothing of the single rows that it reads.
pub(super) fn needs_all_rows(select: &Select) -> bool {
    is_grouped(select) || is_distinct(select) || select.qualify.is_some() || Calls::of(select).has_window
}
