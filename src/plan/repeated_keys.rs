//! `DISTINCT ON … ORDER BY a, b, a` sorts by each key once.
//!
//! DataFusion makes `first_value` of it, which panics at the first row where its order holds a key twice. The second one
//! decides nothing: rows that differ in it were told apart by the first.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::Sort;
use datafusion::logical_expr::{Distinct, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

/// Leaves out what is sorted by a second time. Runs last: other rules make keys equal, and add some.
#[derive(Debug)]
pub(super) struct RepeatedKeys;

impl AnalyzerRule for RepeatedKeys {
    fn name(&self) -> &str {
        "repeated_keys"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let analyzed = plan.transform_up_with_subqueries(|node| {
            Ok(match node {
                LogicalPlan::Distinct(Distinct::On(mut distinct)) if distinct.sort_expr.is_some() => {
                    distinct.sort_expr = distinct.sort_expr.map(once);
                    Transformed::yes(LogicalPlan::Distinct(Distinct::On(distinct)))
                }
                other => Transformed::no(other),
            })
        })?;
        Ok(analyzed.data)
    }
}

/// The first of each key.
fn once(keys: Vec<Sort>) -> Vec<Sort> {
    let mut kept: Vec<Sort> = Vec::with_capacity(keys.len());
    for key in keys {
        if !kept.iter().any(|one| one.expr == key.expr) {
            kept.push(key);
        }
    }
    kept
}
