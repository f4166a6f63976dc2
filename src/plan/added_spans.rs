//! Instants of seconds or milliseconds that a span is added to count microseconds, as in PostgreSQL and DuckDB.
//!
//! DataFusion adds in the unit of the instant and drops what is finer: a millisecond plus a microsecond stayed as it was.

use super::decimals::columns::with_types_of_inputs;
use super::names;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, cast};
use datafusion::optimizer::AnalyzerRule;
use std::borrow::Cow;

/// Has the instants count microseconds. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct AddedSpans;

impl AnalyzerRule for AddedSpans {
    fn name(&self) -> &str {
        "qtool_added_spans"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let mut changed = false;
        let operator = |plan: LogicalPlan| {
            let done = rewritten(plan)?;
            changed |= done.transformed;
            // What is above a column of another type has another type too.
            if changed { done.map_data(with_types_of_inputs) } else { Ok(done) }
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn rewritten(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    if !plan.expressions().iter().any(adds) {
        return Ok(Transformed::no(plan));
    }
    let schema = match &plan {
        LogicalPlan::TableScan(scan) => scan.projected_schema.as_ref().clone(),
        other => merge_schema(&other.inputs()),
    };
    names::map_expressions(plan, &|expr| expr.transform_up(|expr| widened(expr, &schema)))
}

fn adds(expr: &Expr) -> bool {
    let is_one =
        |expr: &Expr| matches!(expr, Expr::BinaryExpr(BinaryExpr { op: Operator::Plus | Operator::Minus, .. }));
    expr.exists(|expr| Ok(is_one(expr))).unwrap_or(true)
}

fn widened(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::Plus | Operator::Minus), right }) = expr else {
        return Ok(Transformed::no(expr));
    };
    let is_span = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| matches!(ty, DataType::Interval(_)));
    let (one, other) = if is_span(&right) {
        (in_microseconds(*left, schema), Transformed::no(*right))
    } else if is_span(&left) {
        (Transformed::no(*left), in_microseconds(*right, schema))
    } else {
        (Transformed::no(*left), Transformed::no(*right))
    };
    let is_changed = one.transformed || other.transformed;
    let added = BinaryExpr::new(Box::new(one.data), op, Box::new(other.data));
    Ok(Transformed::new_transformed(Expr::BinaryExpr(added), is_changed))
}

fn in_microseconds(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr.get_type(schema).ok().as_ref().and_then(finer) {
        Some(finer) => Transformed::yes(cast(expr, finer)),
        None => Transformed::no(expr),
    }
}

/// The type in microseconds of an instant that counts less finely.
fn finer(ty: &DataType) -> Option<DataType> {
    match ty {
        DataType::Timestamp(TimeUnit::Second | TimeUnit::Millisecond, zone) => {
            Some(DataType::Timestamp(TimeUnit::Microsecond, zone.clone()))
        }
        _ => None,
    }
}

/// The types that the sides of `+` or `-` are computed in, for inference: as the rule has them.
pub(crate) fn sides<'a>(left: &'a DataType, right: &'a DataType) -> (Cow<'a, DataType>, Cow<'a, DataType>) {
    let is_span = |ty: &DataType| matches!(ty, DataType::Interval(_));
    let beside = |ty: &'a DataType, other: &DataType| {
        let finer = if is_span(other) { finer(ty) } else { None };
        finer.map_or(Cow::Borrowed(ty), Cow::Owned)
    };
    (beside(left, right), beside(right, left))
}
