//! Expressions of a plan in the place of others that give the same.

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// The plan with what `rewrite` makes of its expressions, under the names that they had; as it is where none of them
/// `is_wanted`.
pub(super) fn rewritten(
    plan: LogicalPlan,
    is_wanted: &dyn Fn(&Expr) -> bool,
    rewrite: &dyn Fn(Expr, &DFSchema) -> Transformed<Expr>,
) -> Result<LogicalPlan> {
    if !has_any(&plan, is_wanted)? {
        return Ok(plan);
    }
    let watched = plan.transform_down_with_subqueries(|node| {
        let names = NamePreserver::new(&node);
        let schema = match &node {
            LogicalPlan::TableScan(scan) => {
                DFSchema::try_from_qualified_schema(scan.table_name.clone(), &scan.source.schema())?
            }
            other => merge_schema(&other.inputs()),
        };
        node.map_expressions(|expr| {
            let name = names.save(&expr);
            let watched = expr.transform_up(|expr| Ok(rewrite(expr, &schema)))?;
            Ok(watched.update_data(|expr| name.restore(expr)))
        })
    })?;
    Ok(watched.data)
}

fn has_any(plan: &LogicalPlan, is_wanted: &dyn Fn(&Expr) -> bool) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= is_wanted(expr);
                Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    })?;
    Ok(found)
}
