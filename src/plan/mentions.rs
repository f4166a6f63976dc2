//! Whether a rule has anything to do: most plans have no spans of time and no instants in them, and need not be rewritten.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};

/// The functions that give points in time, or whatever their second argument says.
const TEMPORAL: [&str; 12] = [
    "arrow_cast",
    "arrow_try_cast",
    "current_time",
    "from_unixtime",
    "make_time",
    "now",
    "timezone",
    "to_local_time",
    "to_time",
    "to_timestamp",
    "to_unixtime",
    "date_bin",
];

/// Whether a column, a literal, a placeholder or a cast anywhere in the plan is of such a type.
pub(super) fn mentions(plan: &LogicalPlan, is: &dyn Fn(&DataType) -> bool) -> bool {
    let mut found = false;
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        found |= node.schema().fields().iter().any(|field| has(field.data_type(), is));
        if !found {
            node.apply_expressions(|expr| {
                expr.apply(|expr| {
                    found |= expression(expr, is);
                    Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
                })
            })?;
        }
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

/// Whether a function anywhere in the plan gives points in time of its own.
pub(super) fn calls_temporal(plan: &LogicalPlan) -> bool {
    let mut found = false;
    let _ = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= matches!(expr, Expr::ScalarFunction(call) if is_temporal(call.name()));
                Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    });
    found
}

fn is_temporal(name: &str) -> bool {
    TEMPORAL.contains(&name) || name.starts_with("to_timestamp_")
}

fn expression(expr: &Expr, is: &dyn Fn(&DataType) -> bool) -> bool {
    match expr {
        Expr::Literal(value, _) => has(&value.data_type(), is),
        Expr::Cast(cast) => has(cast.field.data_type(), is),
        Expr::TryCast(cast) => has(cast.field.data_type(), is),
        Expr::Placeholder(placeholder) => placeholder.field.as_ref().is_some_and(|field| has(field.data_type(), is)),
        _ => false,
    }
}

/// Whether a type is such a one, or has one in it.
fn has(ty: &DataType, is: &dyn Fn(&DataType) -> bool) -> bool {
    is(ty)
        || match ty {
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _)
            | DataType::Map(item, _) => has(item.data_type(), is),
            DataType::Struct(fields) => fields.iter().any(|field| has(field.data_type(), is)),
            DataType::Dictionary(_, value) => has(value, is),
            DataType::RunEndEncoded(_, value) => has(value.data_type(), is),
            _ => false,
        }
}
