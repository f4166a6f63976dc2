//! `x > ANY (SELECT …)` and its like, of which DataFusion makes an EXISTS with `x` beside the column of the subquery.
//!
//! Where the subquery reads the table that `x` is a column of, both were called alike, and a column was compared with
//! itself. So the column of the subquery has a name that no other one has.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::expr::SetComparison;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Subquery};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::Arc;

/// What the column of such a subquery is called.
const VALUE: &str = "qtool_set_value";

/// The rule. It comes before DataFusion's.
#[derive(Debug)]
pub(super) struct SetComparisons;

impl OptimizerRule for SetComparisons {
    fn name(&self) -> &str {
        "qtool_set_comparisons"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        plan.transform_up_with_subqueries(|node| node.map_expressions(|expr| expr.transform_up(named)))
    }
}

fn named(expr: Expr) -> Result<Transformed<Expr>> {
    let Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) = expr else {
        return Ok(Transformed::no(expr));
    };
    let plan = subquery.subquery.as_ref().clone();
    let Some((table, field)) = plan.schema().iter().next().filter(|(_, field)| field.name() != VALUE) else {
        return Ok(Transformed::no(Expr::SetComparison(SetComparison { expr, subquery, op, quantifier })));
    };
    let value = Expr::from((table, field)).alias(VALUE);
    let plan = LogicalPlanBuilder::from(plan).project([value])?.build()?;
    let subquery = Subquery { subquery: Arc::new(plan), ..subquery };
    Ok(Transformed::yes(Expr::SetComparison(SetComparison { expr, subquery, op, quantifier })))
}
