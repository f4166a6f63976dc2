//! The first rows of a union, where an item of the order is one value in each part of it.
//!
//! `SELECT 4 AS a, id FROM t UNION ALL SELECT 5, id FROM t ORDER BY id, a DESC LIMIT 1`: within a part `a` orders nothing,
//! and DataFusion leaves it out of the sort of each. But the sorts of all parts share what they have found: a row that is not
//! below the last of the first rows by `id` alone is left out, and it may have been the one that `a` puts first. Which of
//! them comes then is a matter of which part is the faster. So each part is sorted by the whole order.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_expr::projection::update_expr;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};
use std::sync::Arc;

type Plan = Arc<dyn ExecutionPlan>;

/// Sorts the parts of what is merged by the order of the merge. Runs before filters are made of the first rows.
#[derive(Debug)]
pub(super) struct SharedTop;

impl PhysicalOptimizerRule for SharedTop {
    fn optimize(&self, plan: Plan, _: &ConfigOptions) -> Result<Plan> {
        let sorted = plan.transform_up(|node| {
            let Some(merge) = node.downcast_ref::<SortPreservingMergeExec>() else { return Ok(Transformed::no(node)) };
            Ok(match sorted(merge.input(), merge.expr())? {
                Some(input) => Transformed::yes(over(&node, input)?),
                None => Transformed::no(node),
            })
        })?;
        Ok(sorted.data)
    }

    fn name(&self) -> &str {
        "shared_top"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Parts that are sorted by a whole order; `None` where nothing is to be done.
fn sorted(plan: &Plan, order: &LexOrdering) -> Result<Option<Plan>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        if sort.fetch().is_none() || !sort.preserve_partitioning() || sort.expr() == order {
            return Ok(None);
        }
        let whole = SortExec::new(order.clone(), Arc::clone(sort.input())).with_fetch(sort.fetch());
        return Ok(Some(Arc::new(whole.with_preserve_partitioning(true))));
    }
    let order = match plan.downcast_ref::<ProjectionExec>() {
        Some(projection) => match below(order, projection)? {
            Some(order) => order,
            None => return Ok(None),
        },
        None => order.clone(),
    };
    // What hands on rows in the order that they come in, part by part.
    match plan.children().as_slice() {
        [input] if plan.maintains_input_order() == [true] => {
            if plan.schema() != input.schema() && !plan.is::<ProjectionExec>() {
                return Ok(None);
            }
            let Some(input) = sorted(input, &order)? else { return Ok(None) };
            over(plan, input).map(Some)
        }
        _ => Ok(None),
    }
}

/// The same node over another input.
fn over(plan: &Plan, input: Plan) -> Result<Plan> {
    Arc::clone(plan).replace_children(vec![input], ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
}

/// An order by the columns below a projection.
fn below(order: &LexOrdering, projection: &ProjectionExec) -> Result<Option<LexOrdering>> {
    let mut items = Vec::with_capacity(order.len());
    for item in order {
        let Some(expr) = update_expr(&item.expr, projection.expr(), true)? else { return Ok(None) };
        items.push(PhysicalSortExpr { expr, options: item.options });
    }
    Ok(LexOrdering::new(items))
}
