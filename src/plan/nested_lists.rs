//! Lists of lists and of records where two of them are compared one by one.
//!
//! Sorts and groups go by rows that are written as bytes, and know an order of all values. `min` and `max`, and the frame
//! of a window that ends at the rows equal to its own, compare values, and know none of a list whose items are lists or
//! records: such a query failed when it ran, depending on its rows.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result, plan_err};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, WindowFrameUnits, WindowFunctionDefinition};
use datafusion::optimizer::AnalyzerRule;

/// The window functions that take values out of a frame.
const OF_FRAMES: [&str; 3] = ["first_value", "last_value", "nth_value"];

/// Refuses what would compare them.
#[derive(Debug)]
pub(super) struct NestedLists;

impl AnalyzerRule for NestedLists {
    fn name(&self) -> &str {
        "qtool_nested_lists"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|node| {
            if matches!(node, LogicalPlan::Window(_) | LogicalPlan::Aggregate(_)) {
                let schema = merge_schema(&node.inputs());
                node.apply_expressions(|expr| expr.apply(|expr| checked(expr, &schema)))?;
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(plan)
    }
}

fn checked(expr: &Expr, schema: &DFSchema) -> Result<TreeNodeRecursion> {
    let (name, args) = match expr {
        Expr::AggregateFunction(call) => (call.func.name(), &call.params.args),
        Expr::WindowFunction(call) => {
            if compares_rows(call) && call.params.order_by.iter().any(|key| !has_compared_type(&key.expr, schema)) {
                return plan_err!(
                    "the frame of a window ends at rows that are equal, which is not told of lists of lists or records: \
                     end it with ROWS"
                );
            }
            (call.fun.name(), &call.params.args)
        }
        _ => return Ok(TreeNodeRecursion::Continue),
    };
    if matches!(name, "min" | "max") && args.iter().any(|arg| !has_compared_type(arg, schema)) {
        return plan_err!(
            "`{name}` compares no lists of lists or records: `first_value(x ORDER BY x)` gives the first of them"
        );
    }
    Ok(TreeNodeRecursion::Continue)
}

/// Whether a function goes by which rows are equal in the order of its window.
pub(super) fn compares_rows(call: &WindowFunction) -> bool {
    let has_frame = match &call.fun {
        WindowFunctionDefinition::AggregateUDF(_) => true,
        WindowFunctionDefinition::WindowUDF(function) => OF_FRAMES.contains(&function.name()),
    };
    has_frame && call.params.window_frame.units != WindowFrameUnits::Rows
}

/// Whether two values of an expression can be compared.
pub(super) fn has_compared_type(expr: &Expr, schema: &DFSchema) -> bool {
    expr.get_type(schema).map_or(true, |ty| is_compared(&ty))
}

fn is_compared(ty: &DataType) -> bool {
    match ty {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            !item.data_type().is_nested()
        }
        DataType::Struct(fields) => fields.iter().all(|field| is_compared(field.data_type())),
        DataType::Map(..) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::session_sql::select;
    use datafusion::prelude::SessionContext;

    #[tokio::test]
    async fn lists_of_lists_are_not_compared_one_by_one() {
        let ctx = SessionContext::new();
        let rows = "FROM (VALUES (1, [[3], [4]]), (2, [[1]])) AS t(id, ll)";
        for (columns, is_right) in [
            ("max(ll)", false),
            ("sum(id) OVER (ORDER BY ll)", false),
            ("first_value(id) OVER (ORDER BY ll)", false),
            ("max(ll[1])", true),
            ("row_number() OVER (ORDER BY ll)", true),
            ("rank() OVER (ORDER BY ll)", true),
            ("sum(id) OVER (ORDER BY ll ROWS UNBOUNDED PRECEDING)", true),
            ("sum(id) OVER (PARTITION BY ll ORDER BY id)", true),
        ] {
            let plan = select(&ctx, &format!("SELECT {columns} {rows}")).await.unwrap().logical_plan().clone();
            let planned = NestedLists.analyze(plan, &ConfigOptions::new()).is_ok();
            assert_eq!(planned, is_right, "{columns}");
        }
    }
}
