//! `cast_to_type(x, y)` and `try_cast_to_type(x, y)` as the casts that they are: of `x` to the type of `y`.
//!
//! DataFusion makes casts of them when it makes a plan faster, behind every rule that is about casts: one of them cut what
//! is behind the point, and knew no zone of the project. Runs when sums have their types, and before casts are looked at.

use super::names;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast, try_cast};
use datafusion::optimizer::AnalyzerRule;

/// What such a call gives null for, where `x` is no value of the type.
const TRIES: &str = "try_cast_to_type";

/// The rule.
#[derive(Debug)]
pub(super) struct CastsToTypes;

impl AnalyzerRule for CastsToTypes {
    fn name(&self) -> &str {
        "qtool_casts_to_types"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !plan.expressions().iter().any(has_one) {
                return Ok(Transformed::no(plan));
            }
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| in_expression(expr, &schema))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

/// The expression with casts in it.
///
/// Errors: none of its own.
pub(super) fn in_expression(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    expr.transform_up(|expr| Ok(rewritten(expr, schema)))
}

fn has_one(expr: &Expr) -> bool {
    expr.exists(|expr| Ok(matches!(expr, Expr::ScalarFunction(call) if is_one(call)))).unwrap_or(true)
}

fn is_one(call: &ScalarFunction) -> bool {
    matches!(call.name(), "cast_to_type" | TRIES)
}

fn rewritten(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let (value, to, tries) = match &expr {
        Expr::ScalarFunction(call) if is_one(call) => match call.args.as_slice() {
            [value, like] => (value.clone(), like.get_type(schema), call.name() == TRIES),
            _ => return Transformed::no(expr),
        },
        _ => return Transformed::no(expr),
    };
    match to {
        Ok(to) => Transformed::yes(if tries { try_cast(value, to) } else { cast(value, to) }),
        Err(_) => Transformed::no(expr),
    }
}
