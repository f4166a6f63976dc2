//! What is computed stays above the operators that leave rows out, and what a CASE guards in the condition of a join stays
//! in it.
//!
//! DataFusion puts projections below other operators wherever rows become narrower by it: `SELECT id, a * b … WHERE id = 1`
//! was computed before the filter, and failed over a row that it leaves out. And it computes what belongs to one side of a
//! nested loop join before the join, out of a CASE too. So its rule does not see these operators.
//!
//! Nor does it see projections with functions of items, `x -> x > 5`: put over the input of the one below, their variables
//! kept the place that they had behind fewer columns, and the call failed.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::ExpressionPlacement;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{CaseExpr, LambdaVariable};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::NestedLoopJoinExec;
use datafusion::physical_plan::projection::{ProjectionExec, try_embed_projection};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use std::fmt;
use std::sync::Arc;

type Plan = Arc<dyn ExecutionPlan>;

/// DataFusion's rule, over operators that it may put projections below.
#[derive(Debug)]
pub(super) struct Projections(pub(super) Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for Projections {
    fn optimize(&self, plan: Plan, config: &ConfigOptions) -> Result<Plan> {
        if !plan.exists(|node| Ok(computes(node) || guards(node)))? {
            return self.0.optimize(plan, config);
        }
        let covered = plan.transform_up(|node| {
            let stays = leaves_rows_out(&node) || guards(&node) || has_variables(&node);
            Ok(if stays { Transformed::yes(Covered::plan(node)) } else { Transformed::no(node) })
        })?;
        let pushed = self.0.optimize(covered.data, config)?;
        let uncovered = pushed.transform_up(|node| match node.downcast_ref::<Covered>() {
            Some(covered) => Ok(Transformed::yes(Arc::clone(&covered.operator))),
            None => Ok(Transformed::no(node)),
        })?;
        Ok(uncovered.data.transform_up(with_few_columns)?.data)
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

/// Whether an operator computes more than a field of a record.
fn computes(node: &Plan) -> bool {
    let is_computed = |expr: &Arc<dyn PhysicalExpr>| expr.placement() == ExpressionPlacement::KeepInPlace;
    node.downcast_ref::<ProjectionExec>()
        .is_some_and(|projection| projection.expr().iter().any(|column| is_computed(&column.expr)))
}

/// Whether a projection has variables, whose places are counted from the columns below.
fn has_variables(node: &Plan) -> bool {
    let has = |expr: &Arc<dyn PhysicalExpr>| expr.exists(|expr| Ok(expr.is::<LambdaVariable>())).unwrap_or(true);
    node.downcast_ref::<ProjectionExec>()
        .is_some_and(|projection| projection.expr().iter().any(|column| has(&column.expr)))
}

/// Whether what is above an operator sees fewer rows than what is below, as far as projections are put below it.
fn leaves_rows_out(node: &Plan) -> bool {
    let is_cut = node.fetch().is_some() && node.children().len() == 1 && !node.is::<ProjectionExec>();
    is_cut || node.is::<FilterExec>()
}

/// Whether an operator is a join whose condition evaluates a part of itself for some pairs only.
fn guards(node: &Plan) -> bool {
    let Some(filter) = node.downcast_ref::<NestedLoopJoinExec>().and_then(NestedLoopJoinExec::filter) else {
        return false;
    };
    filter.expression().exists(|expr| Ok(expr.is::<CaseExpr>())).unwrap_or(true)
}

/// A filter that hands on no columns but those that the projection above it reads.
fn with_few_columns(node: Plan) -> Result<Transformed<Plan>> {
    let Some(projection) = node.downcast_ref::<ProjectionExec>() else { return Ok(Transformed::no(node)) };
    let Some(filter) = projection.input().downcast_ref::<FilterExec>() else { return Ok(Transformed::no(node)) };
    Ok(match try_embed_projection(projection, filter)? {
        Some(embedded) if embedded.schema() == projection.schema() => Transformed::yes(embedded),
        _ => Transformed::no(node),
    })
}

/// An operator that a rule does not see, though it sees those below.
#[derive(Debug)]
struct Covered {
    operator: Plan,
}

impl Covered {
    fn plan(operator: Plan) -> Plan {
        Arc::new(Covered { operator })
    }
}

impl DisplayAs for Covered {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ExecutionPlan for Covered {
    fn name(&self) -> &str {
        "Covered"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.operator.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.operator.maintains_input_order()
    }

    fn fetch(&self) -> Option<usize> {
        self.operator.fetch()
    }

    fn children(&self) -> Vec<&Plan> {
        self.operator.children()
    }

    fn apply_expressions(
        &self,
        each: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.operator.apply_expressions(each)
    }

    fn replace_children(self: Arc<Self>, children: Vec<Plan>, options: ReplaceChildrenOptions) -> Result<Plan> {
        Ok(Covered::plan(Arc::clone(&self.operator).replace_children(children, options)?))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Plan>) -> Result<Plan> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, _: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        internal_err!("an operator is covered while a rule runs only")
    }
}
