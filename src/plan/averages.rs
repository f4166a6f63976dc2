//! Has averages of whole numbers be those of [`averages`], which adds them up exactly.

use super::functions::averages::{self, is_whole};
use super::names;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, WindowFunctionDefinition};
use datafusion::optimizer::AnalyzerRule;

/// The rule. Runs before types are coerced, which makes floating-point numbers of the values.
#[derive(Debug)]
pub(super) struct WholeAverages;

impl AnalyzerRule for WholeAverages {
    fn name(&self) -> &str {
        "qtool_whole_averages"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !matches!(plan, LogicalPlan::Aggregate(_) | LogicalPlan::Window(_)) {
                return Ok(Transformed::no(plan));
            }
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| Ok(rewritten(expr, &schema))))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn rewritten(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_of_whole = |args: &[Expr]| match args {
        [arg] => arg.get_type(schema).is_ok_and(|ty| is_whole(&ty)),
        _ => false,
    };
    match expr {
        Expr::AggregateFunction(AggregateFunction { func, params })
            if func.name() == "avg" && is_of_whole(&params.args) && func != averages::of_whole() =>
        {
            Transformed::yes(Expr::AggregateFunction(AggregateFunction { func: averages::of_whole(), params }))
        }
        Expr::WindowFunction(call) if is_of_whole(&call.params.args) => {
            let WindowFunction { fun, params } = *call;
            let own = WindowFunctionDefinition::AggregateUDF(averages::of_whole());
            let is_average =
                matches!(&fun, WindowFunctionDefinition::AggregateUDF(function) if function.name() == "avg");
            let changed = is_average && fun != own;
            let fun = if changed { own } else { fun };
            Transformed::new_transformed(Expr::from(WindowFunction { fun, params }), changed)
        }
        other => Transformed::no(other),
    }
}
