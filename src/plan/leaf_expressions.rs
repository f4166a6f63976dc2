//! Fields of records that are read close to the data, where that is possible.
//!
//! DataFusion puts `n.sku` below the operators above the data, into a projection where there is one. Where that calls a
//! column as it was called below, with a table in front (`n AS t.n`, as for the items of a list that is taken apart), it
//! hands the other on as well: then two columns have one name, and the plan is refused. The query is right without the
//! step, so what it fails over stays as it is.

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DataFusionError, Result, SchemaError};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};
use std::sync::Arc;

/// The rules that do so.
const RULES: [&str; 2] = ["extract_leaf_expressions", "push_down_leaf_projections"];

/// A rule as it is, or one that leaves operators alone where two columns would have one name.
pub(super) fn unless_names_clash(rule: Arc<dyn OptimizerRule + Send + Sync>) -> Arc<dyn OptimizerRule + Send + Sync> {
    if RULES.contains(&rule.name()) { Arc::new(UnlessNamesClash(rule)) } else { rule }
}

#[derive(Debug)]
struct UnlessNamesClash(Arc<dyn OptimizerRule + Send + Sync>);

impl OptimizerRule for UnlessNamesClash {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.0.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let before = plan.clone();
        match self.0.rewrite(plan, config) {
            Err(error) if is_clash(&error) => Ok(Transformed::no(before)),
            done => done,
        }
    }
}

fn is_clash(error: &DataFusionError) -> bool {
    let DataFusionError::SchemaError(why, _) = error.find_root() else { return false };
    matches!(
        why.as_ref(),
        SchemaError::AmbiguousReference { .. }
            | SchemaError::DuplicateQualifiedField { .. }
            | SchemaError::DuplicateUnqualifiedField { .. }
    )
}
