//! What stands in an expression itself, and in no query inside of it.

use sqlparser::ast::{Expr, Query, Visit, Visitor};
use std::ops::ControlFlow;

/// Looks at the expressions that stand in no query inside of a part of a statement, until one ends it.
pub(super) fn outside_of_queries(part: &impl Visit, look: impl FnMut(&Expr) -> ControlFlow<()>) -> ControlFlow<()> {
    part.visit(&mut Outside { below: 0, look })
}

struct Outside<F> {
    /// How many queries are open.
    below: usize,
    look: F,
}

impl<F: FnMut(&Expr) -> ControlFlow<()>> Visitor for Outside<F> {
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
        if self.below == 0 { (self.look)(expr) } else { ControlFlow::Continue(()) }
    }
}
