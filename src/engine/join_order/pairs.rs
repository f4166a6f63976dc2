//! How much a join may come to before it is run: for statements that nobody has looked at.

use super::estimate::Estimate;
use super::sizes::Sizes;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;

/// The rows of what nothing is known of.
const UNKNOWN: f64 = 10_000.0;

/// The most pairs of rows that a join of an optimised plan compares or gives, as far as the sizes of its tables tell. A join
/// by equal columns compares those that it gives, any other each with each.
pub(crate) fn most_pairs(plan: &LogicalPlan, sizes: &Sizes) -> f64 {
    let mut most = 0.0_f64;
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        if let LogicalPlan::Join(join) = node {
            let pairs = match join.on.is_empty() {
                true => rows(&join.left, sizes) * rows(&join.right, sizes),
                false => Estimate::of(node, sizes).map_or(0.0, |estimate| estimate.rows),
            };
            most = most.max(pairs);
        }
        Ok(TreeNodeRecursion::Continue)
    });
    most
}

/// The rows of a plan; where no size tells, as many as those below it could make.
fn rows(plan: &LogicalPlan, sizes: &Sizes) -> f64 {
    if let Some(estimate) = Estimate::of(plan, sizes) {
        return estimate.rows;
    }
    match plan {
        LogicalPlan::Join(join) if join.on.is_empty() => rows(&join.left, sizes) * rows(&join.right, sizes),
        plan => plan.inputs().into_iter().map(|input| rows(input, sizes)).reduce(f64::max).unwrap_or(UNKNOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::logical_expr::{LogicalPlanBuilder, lit};

    fn relation(name: &str, rows: usize) -> LogicalPlan {
        let values = LogicalPlanBuilder::values(vec![vec![lit(1_i64)]; rows]).unwrap();
        values.alias(name).unwrap().build().unwrap()
    }

    fn pairs(plan: &LogicalPlan) -> f64 {
        most_pairs(plan, &Sizes::default())
    }

    #[test]
    fn a_join_without_equal_columns_compares_each_row_with_each() {
        let one = LogicalPlanBuilder::from(relation("a", 10)).cross_join(relation("b", 20)).unwrap().build().unwrap();
        assert_eq!((pairs(&relation("a", 10)), pairs(&one)), (0.0, 200.0));
        let all = LogicalPlanBuilder::from(one).cross_join(relation("c", 30)).unwrap().build().unwrap();
        assert_eq!(pairs(&all), 6_000.0);
    }
}
