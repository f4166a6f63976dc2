//! `[a, b]` as the call that it stands for: `make_array(a, b)`.
//!
//! DataFusion's planner plans the items of such a list as if they stood alone: a parameter has no type in it, a
//! subquery knows no common table expression, and a column of the query around is not found.

use crate::syntax::written_call::call;
use sqlparser::ast::{Expr, Ident, Query, Spanned, Statement, Value, Visit, VisitMut, Visitor, VisitorMut};
use std::ops::ControlFlow;

/// Replaces it where the items depend on what is around them.
pub(super) fn to_calls(statement: &mut Statement) {
    let _ = statement.visit(&mut Calls);
}

struct Calls;

impl VisitorMut for Calls {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let span = expr.span();
        if let Expr::Array(array) = expr
            && Visit::visit(&array.elem, &mut Dependent).is_break()
        {
            let items = std::mem::take(&mut array.elem);
            *expr = call(Ident::with_span(span, "make_array"), items);
        }
        ControlFlow::Continue(())
    }
}

/// Stops at what depends on its surroundings.
struct Dependent;

impl Visitor for Dependent {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => ControlFlow::Break(()),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
