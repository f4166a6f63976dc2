//! Replaces expressions in a plan where its columns must keep their names: what is put in for a placeholder changes how
//! an expression would be called.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, GroupingSet, LogicalPlan};

/// The plan with every expression replaced that `replace` has another one for, subqueries included.
///
/// Errors: those of `replace`; a plan whose parts do not fit together any more.
pub fn bind(plan: &LogicalPlan, replace: &dyn Fn(Expr) -> Result<Transformed<Expr>>) -> Result<LogicalPlan> {
    // Downwards: an optional clause decides before the placeholders of a subquery inside it are replaced.
    let bound = plan.clone().transform_down_with_subqueries(|node| {
        let names = NamePreserver::new(&node);
        node.map_expressions(|expr| named(expr, &names, replace))
    })?;
    // Upwards: a literal is less nullable than the placeholder it replaces.
    let plan = bound.data.transform_up_with_subqueries(|node| node.recompute_schema().map(Transformed::yes))?;
    Ok(plan.data)
}

/// Binds an expression that a plan node knows by its name, which the values in it must not change.
fn named(
    expr: Expr,
    names: &NamePreserver,
    replace: &dyn Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<Expr>> {
    let one = |expr: Expr| {
        let name = names.save(&expr);
        let bound = expr.transform_down(replace)?;
        Ok(bound.update_data(|expr| name.restore(expr)))
    };
    let all = |exprs: Vec<Expr>| -> Result<Vec<Expr>> {
        exprs.into_iter().map(|expr| one(expr).map(|bound| bound.data)).collect()
    };
    // A grouping set has no name of its own; those inside it have.
    Ok(match expr {
        Expr::GroupingSet(GroupingSet::Rollup(exprs)) => {
            Transformed::yes(Expr::GroupingSet(GroupingSet::Rollup(all(exprs)?)))
        }
        Expr::GroupingSet(GroupingSet::Cube(exprs)) => {
            Transformed::yes(Expr::GroupingSet(GroupingSet::Cube(all(exprs)?)))
        }
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            let sets = sets.into_iter().map(all).collect::<Result<_>>()?;
            Transformed::yes(Expr::GroupingSet(GroupingSet::GroupingSets(sets)))
        }
        expr => one(expr)?,
    })
}
