//! Queries of which it is known that they can run: what most tools ask of one table. They need no plan to be made, which
//! takes longer than all else that is done to them.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};

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
        | LogicalPlan::SubqueryAlias(_) => true,
        LogicalPlan::TableScan(scan) => scan.filters.is_empty(),
        _ => false,
    };
    let types = node.schema().fields().iter().all(|field| is_plain_type(field.data_type()));
    is_known && types && node.expressions().iter().all(is_plain_expression)
}

fn is_plain_type(ty: &DataType) -> bool {
    !ty.is_nested() && !matches!(ty, DataType::Interval(_) | DataType::Duration(_) | DataType::Null)
}

fn is_plain_expression(expr: &Expr) -> bool {
    let mut plain = true;
    // Looking at an expression does not fail.
    let _ = expr.apply(|expr| {
        plain &= matches!(
            expr,
            Expr::Alias(_)
                | Expr::Between(_)
                | Expr::BinaryExpr(_)
                | Expr::Cast(_)
                | Expr::Column(_)
                | Expr::InList(_)
                | Expr::IsNotNull(_)
                | Expr::IsNull(_)
                | Expr::Like(_)
                | Expr::Literal(..)
                | Expr::Not(_)
                | Expr::Placeholder(_)
        ) || super::marker(expr).is_some();
        Ok(if plain { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    plain
}
