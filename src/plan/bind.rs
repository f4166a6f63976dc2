//! Replaces expressions in a plan where its columns must keep their names: what is put in for a placeholder changes how
//! an expression would be called.

use super::names;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::{Expr, LogicalPlan};

/// The plan with every expression replaced that `replace` has another one for, subqueries included.
///
/// Errors: those of `replace`; a plan whose parts do not fit together any more.
pub fn bind(plan: &LogicalPlan, replace: &dyn Fn(Expr) -> Result<Transformed<Expr>>) -> Result<LogicalPlan> {
    // Downwards: an optional clause decides before the placeholders of a subquery inside it are replaced.
    let bound = plan
        .clone()
        .transform_down_with_subqueries(|node| names::map_expressions(node, &|expr| expr.transform_down(replace)))?;
    // Upwards: a literal is less nullable than the placeholder it replaces.
    let plan = bound.data.transform_up_with_subqueries(|node| node.recompute_schema().map(Transformed::yes))?;
    Ok(plan.data)
}
