//! Texts and lists that an operator puts together (`||`), and functions that the planner and the optimizer have made, by functions
//! that know how large their results become.

use super::rewritten::rewritten;
use crate::plan::functions::{capped_again, joined_texts};
use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator};

/// The plan, already optimised, with functions for such operators.
pub(in crate::engine) fn watch_texts(plan: LogicalPlan) -> Result<LogicalPlan> {
    rewritten(plan, &puts_together, &watch)
}

/// The plan, not yet optimised, with functions for those that are constants: the optimizer evaluates them.
pub(in crate::engine) fn watch_constant_texts(plan: LogicalPlan) -> Result<LogicalPlan> {
    let is_constant = |expr: &Expr| puts_together(expr) && expr.column_refs().is_empty();
    rewritten(plan, &is_constant, &|expr, schema| match is_constant(&expr) {
        true => watch(expr, schema),
        false => Transformed::no(expr),
    })
}

/// Whether an expression is such an operator, of texts, or a function without its limit.
fn puts_together(expr: &Expr) -> bool {
    match expr {
        Expr::BinaryExpr(binary) => binary.op == Operator::StringConcat,
        Expr::ScalarFunction(call) => capped_again(&call.func).is_some(),
        _ => false,
    }
}

fn watch(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_text = |side: &Expr| {
        let ty = side.get_type(schema).ok();
        ty.filter(|ty| matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View))
    };
    match &expr {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::StringConcat, right })
            if is_text(left).is_some_and(|left| is_text(right) == Some(left)) =>
        {
            let args = vec![left.as_ref().clone(), right.as_ref().clone()];
            Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(joined_texts(), args)))
        }
        Expr::ScalarFunction(call) => match capped_again(&call.func) {
            Some(func) => Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(func, call.args.clone()))),
            None => Transformed::no(expr),
        },
        _ => Transformed::no(expr),
    }
}
