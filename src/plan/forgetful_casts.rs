//! A cast that forgets a part of an instant, `CAST(at AS date) = day`, stands in a function, where columns are compared.
//!
//! DataFusion guesses how many rows a filter keeps by narrowing the ranges of its columns. Where such a cast makes a range
//! wider than it was, the share is more than one, and the query fails ("Selectivity is out of limit"), depending on the
//! data. It looks into no function. Beside a constant the cast stays as it is: what reads files makes a range of it.

use super::in_lists::same;
use super::names;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator};
use datafusion::optimizer::AnalyzerRule;

/// The rule. Runs when types are coerced.
#[derive(Debug)]
pub(super) struct ForgetfulCasts;

impl AnalyzerRule for ForgetfulCasts {
    fn name(&self) -> &str {
        "qtool_forgetful_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !matches!(plan, LogicalPlan::Filter(_) | LogicalPlan::Join(_)) {
                return Ok(Transformed::no(plan));
            }
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| compared(expr, &schema)))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn compared(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if compares(op) && left.any_column_refs() && right.any_column_refs() =>
        {
            let wrapped = |side: Expr| side.transform_up(|expr| Ok(covered(expr, schema)));
            let (left, right) = (wrapped(*left)?, wrapped(*right)?);
            let is_changed = left.transformed || right.transformed;
            let compared = BinaryExpr::new(Box::new(left.data), op, Box::new(right.data));
            Ok(Transformed::new_transformed(Expr::BinaryExpr(compared), is_changed))
        }
        other => Ok(Transformed::no(other)),
    }
}

fn compares(op: Operator) -> bool {
    matches!(op, Operator::Eq | Operator::NotEq | Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq)
}

fn covered(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let (from, to) = match &expr {
        Expr::Cast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
        Expr::TryCast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
        _ => return Transformed::no(expr),
    };
    match from {
        Ok(from) if forgets(&from, to) => Transformed::yes(same(expr, 0)),
        _ => Transformed::no(expr),
    }
}

/// Whether instants of one type lose a part in another.
fn forgets(from: &DataType, to: &DataType) -> bool {
    let DataType::Timestamp(unit, _) = from else { return false };
    match to {
        DataType::Timestamp(coarser, _) => digits(*coarser) < digits(*unit),
        DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_) => true,
        _ => false,
    }
}

fn digits(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}
