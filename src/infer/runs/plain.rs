//! Queries of which it is known that they can run: what most tools ask of one table. They need no plan to be made, which
//! takes longer than all else that is done to them.

use crate::plan;
use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, Operator};

/// What most groups ask for.
const FUNCTIONS: [&str; 5] = ["avg", "count", "max", "min", "sum"];

/// Whether a plan has only operators and expressions that the engine carries out for every type that they are analysed
/// with.
pub(super) fn is_plain(plan: &LogicalPlan) -> bool {
    let mut plain = true;
    // Looking at a plan does not fail.
    let _ = plan.apply(|node| {
        plain &= is_plain_node(node);
        Ok(if plain { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    plain
}

fn is_plain_node(node: &LogicalPlan) -> bool {
    let is_known = match node {
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Aggregate(_)
        | LogicalPlan::Distinct(Distinct::All(_))
        | LogicalPlan::Union(_)
        | LogicalPlan::SubqueryAlias(_) => true,
        LogicalPlan::Join(join) => !join.null_aware,
        LogicalPlan::TableScan(scan) => scan.filters.is_empty(),
        _ => false,
    };
    let types = node.schema().fields().iter().all(|field| is_plain_type(field.data_type()));
    is_known && types && node.expressions().iter().all(is_plain_expression)
}

fn is_plain_type(ty: &DataType) -> bool {
    !ty.is_nested() && !matches!(ty, DataType::Interval(_) | DataType::Duration(_) | DataType::Null)
}

/// Whether an expression compares columns and values, and no more.
pub(super) fn is_plain_expression(expr: &Expr) -> bool {
    let mut plain = true;
    // Looking at an expression does not fail.
    let _ = expr.apply(|expr| {
        plain &= match expr {
            Expr::Alias(_)
            | Expr::Between(_)
            | Expr::Case(_)
            | Expr::Column(_)
            | Expr::InList(_)
            | Expr::IsNotNull(_)
            | Expr::IsNull(_)
            | Expr::Like(_)
            | Expr::Literal(..)
            | Expr::Not(_)
            | Expr::Placeholder(_) => true,
            // A constant may be none of that type, and a number cannot be divided by 0.
            Expr::Cast(cast) => !matches!(cast.expr.as_ref(), Expr::Literal(..)),
            Expr::BinaryExpr(binary) => {
                !matches!(binary.op, Operator::Divide | Operator::Modulo)
                    || !matches!(binary.right.as_ref(), Expr::Literal(..) | Expr::Cast(_))
            }
            Expr::AggregateFunction(call) => {
                FUNCTIONS.contains(&call.func.name())
                    && call.params.order_by.is_empty()
                    && (!call.params.distinct || call.func.name() == "count")
            }
            Expr::ScalarFunction(call) => plan::is_bounded(&call.func) || super::marker(expr).is_some(),
            _ => false,
        };
        Ok(if plain { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    plain
}
