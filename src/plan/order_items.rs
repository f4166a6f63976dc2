//! What is ordered by and stands in the result as well is the column of the result.
//!
//! `SELECT -id AS id … ORDER BY -id` orders by that column. DataFusion would take the `id` behind ORDER BY for it, and
//! turn it around once more; and of `sum(v) AS v … ORDER BY sum(v)` it would make two columns of one name.

use crate::syntax::normalized;
use sqlparser::ast::{
    Distinct, Expr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr, Statement, VisitMut, VisitorMut,
};
use std::ops::ControlFlow;

/// Writes the name of the column in the place of such an expression.
pub(super) fn by_name(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Queries);
}

/// The name of the column of the result that is this expression, where it has one of its own.
pub(crate) fn column_of<'a>(select: &'a Select, expr: &Expr) -> Option<&'a Ident> {
    // The planner compares the expressions of DISTINCT ON with those of ORDER BY.
    if matches!(select.distinct, Some(Distinct::On(_))) {
        return None;
    }
    let written = match expr {
        // A name alone is that of a column already, and a number its place.
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) => return None,
        expr => expr.to_string(),
    };
    let named = || {
        select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => Some((expr, alias)),
            _ => None,
        })
    };
    let (_, alias) = named().find(|(item, _)| item.to_string() == written)?;
    let is_alone = named().filter(|(_, other)| normalized(other) == normalized(alias)).count() == 1;
    is_alone.then_some(alias)
}

struct Queries;

impl VisitorMut for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let Query { body, order_by: Some(order), .. } = query else { return ControlFlow::Continue(()) };
        if let (SetExpr::Select(select), OrderByKind::Expressions(exprs)) = (body.as_ref(), &mut order.kind) {
            for by in exprs {
                if let Some(name) = column_of(select, &by.expr) {
                    by.expr = Expr::Identifier(name.clone());
                }
            }
        }
        ControlFlow::Continue(())
    }
}
