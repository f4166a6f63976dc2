//! Rewrites the expressions of an operator and keeps the names of its columns, which operators above know them by.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, GroupingSet, LogicalPlan};
use std::cell::Cell;

/// The operator with what `each` makes of its expressions, under the names that they have.
///
/// Errors: those of `each`.
pub(super) fn map_expressions(
    plan: LogicalPlan,
    each: &dyn Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    let names = NamePreserver::new(&plan);
    plan.map_expressions(|expr| named(expr, &names, each))
}

fn named(
    expr: Expr,
    names: &NamePreserver,
    each: &dyn Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<Expr>> {
    let is_changed = Cell::new(false);
    let one = |expr: Expr| -> Result<Expr> {
        let name = names.save(&expr);
        let made = each(expr)?;
        is_changed.set(is_changed.get() || made.transformed);
        Ok(name.restore(made.data))
    };
    let all = |exprs: Vec<Expr>| -> Result<Vec<Expr>> { exprs.into_iter().map(one).collect() };
    // A grouping set has no name of its own; those inside it have.
    let expr = match expr {
        Expr::GroupingSet(GroupingSet::Rollup(exprs)) => Expr::GroupingSet(GroupingSet::Rollup(all(exprs)?)),
        Expr::GroupingSet(GroupingSet::Cube(exprs)) => Expr::GroupingSet(GroupingSet::Cube(all(exprs)?)),
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            let sets = sets.into_iter().map(all).collect::<Result<_>>()?;
            Expr::GroupingSet(GroupingSet::GroupingSets(sets))
        }
        expr => one(expr)?,
    };
    Ok(Transformed::new_transformed(expr, is_changed.get()))
}
