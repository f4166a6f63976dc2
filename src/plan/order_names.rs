//! The names in an expression of ORDER BY.

use super::functions::Functions;
use crate::syntax::ast::joined_name;
use crate::syntax::normalized;
use sqlparser::ast::{Expr, Function, Ident, Query, Visit, Visitor};
use std::ops::ControlFlow;

/// The names of an expression, without those in queries.
pub(crate) struct OrderNames<'a> {
    functions: &'a Functions,
    /// Those outside of aggregates, without a table in front.
    pub alone: Vec<Ident>,
    /// Those outside of aggregates, with one.
    pub of_tables: Vec<Ident>,
    /// Those inside of aggregates, without one.
    pub in_aggregates: Vec<Ident>,
    /// Those of [`OrderNames::alone`] that stand inside of window functions.
    pub in_windows: Vec<Ident>,
    /// Whether there is an aggregate.
    pub has_aggregate: bool,
    /// How many aggregates are open.
    aggregates: usize,
    /// How many window functions are open.
    windows: usize,
    /// How many queries are open.
    queries: usize,
}

impl<'a> OrderNames<'a> {
    /// Those of the expression.
    pub(crate) fn of(expr: &Expr, functions: &'a Functions) -> OrderNames<'a> {
        let mut names = OrderNames {
            functions,
            alone: Vec::new(),
            of_tables: Vec::new(),
            in_aggregates: Vec::new(),
            in_windows: Vec::new(),
            has_aggregate: false,
            aggregates: 0,
            windows: 0,
            queries: 0,
        };
        let _ = Visit::visit(expr, &mut names);
        names
    }

    /// Whether a name stands outside of aggregates, with a table in front or without.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.alone.iter().chain(&self.of_tables).any(|ident| normalized(ident) == name)
    }
}

/// Whether a call is an aggregate, and no window.
pub(super) fn is_aggregate(call: &Function, functions: &Functions) -> bool {
    call.over.is_none() && joined_name(&call.name).is_some_and(|name| functions.aggregate.contains_key(&name))
}

impl Visitor for OrderNames<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries = self.queries.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        match expr {
            Expr::Function(call) if is_aggregate(call, self.functions) => {
                self.has_aggregate = true;
                self.aggregates += 1;
            }
            Expr::Function(call) if call.over.is_some() => self.windows += 1,
            Expr::Identifier(ident) if self.aggregates > 0 => self.in_aggregates.push(ident.clone()),
            Expr::Identifier(ident) => {
                self.alone.push(ident.clone());
                self.in_windows.extend((self.windows > 0).then(|| ident.clone()));
            }
            Expr::CompoundIdentifier(parts) if self.aggregates == 0 => self.of_tables.extend(parts.last().cloned()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr
            && self.queries == 0
        {
            self.aggregates -= usize::from(is_aggregate(call, self.functions)).min(self.aggregates);
            self.windows -= usize::from(call.over.is_some()).min(self.windows);
        }
        ControlFlow::Continue(())
    }
}
