//! Queries of which it is known that they can run: what most tools ask of one table. They need no plan to be made, which
//! takes longer than all else that is done to them.

use crate::plan;
use arrow::compute::can_cast_types;
use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Distinct, Expr, ExprSchemable, LogicalPlan, Operator};
use std::borrow::Cow;

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
    is_known && types && {
        let schema = schema_of(node);
        node.expressions().iter().all(|expr| is_plain_expression(expr, &schema))
    }
}

/// What the expressions of a node refer to.
pub(super) fn schema_of(node: &LogicalPlan) -> Cow<'_, DFSchema> {
    match node.inputs().as_slice() {
        [only] => Cow::Borrowed(only.schema().as_ref()),
        inputs => Cow::Owned(merge_schema(inputs)),
    }
}

fn is_plain_type(ty: &DataType) -> bool {
    !ty.is_nested() && !matches!(ty, DataType::Interval(_) | DataType::Duration(_) | DataType::Null)
}

/// Whether an expression compares columns and values, and no more: whatever fails in it fails because of a row.
pub(super) fn is_plain_expression(expr: &Expr, schema: &DFSchema) -> bool {
    let mut plain = true;
    // Looking at an expression does not fail.
    let _ = expr.apply(|expr| {
        plain &= is_plain_part(expr, schema);
        Ok(if plain { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    plain
}

/// The same, but for what is in it.
fn is_plain_part(expr: &Expr, schema: &DFSchema) -> bool {
    match expr {
        Expr::Alias(_)
        | Expr::Between(_)
        | Expr::Case(_)
        | Expr::Column(_)
        | Expr::InList(_)
        | Expr::IsNotNull(_)
        | Expr::IsNull(_)
        | Expr::Literal(..)
        | Expr::Not(_)
        | Expr::Placeholder(_) => true,
        // The pattern may end behind its escape.
        Expr::Like(like) => like.escape_char.is_none(),
        // A constant may be none of that type, and not every type can be cast to every other.
        Expr::Cast(cast) => {
            let to = cast.field.data_type();
            !is_constant(&cast.expr) && cast.expr.get_type(schema).is_ok_and(|from| can_cast_types(&from, to))
        }
        Expr::BinaryExpr(binary) => is_plain_operator(binary, schema),
        Expr::AggregateFunction(call) => {
            FUNCTIONS.contains(&call.func.name())
                && call.params.args.len() == 1
                && call.params.order_by.is_empty()
                && (!call.params.distinct || call.func.name() == "count")
        }
        Expr::ScalarFunction(call) if plan::is_bounded(&call.func) => !call.args.iter().all(is_constant),
        Expr::ScalarFunction(_) => super::marker(expr).is_some(),
        _ => false,
    }
}

fn is_plain_operator(binary: &BinaryExpr, schema: &DFSchema) -> bool {
    use Operator as Op;
    let is_number = |side: &Expr| side.get_type(schema).is_ok_and(|ty| ty.is_numeric());
    let are_numbers = || is_number(&binary.left) && is_number(&binary.right);
    let are_constants = || is_constant(&binary.left) && is_constant(&binary.right);
    match binary.op {
        Op::Eq
        | Op::NotEq
        | Op::Lt
        | Op::LtEq
        | Op::Gt
        | Op::GtEq
        | Op::IsDistinctFrom
        | Op::IsNotDistinctFrom
        | Op::And
        | Op::Or
        | Op::StringConcat => true,
        // Constants may become too large, and times have no kernel for all that is planned.
        Op::Plus | Op::Minus | Op::Multiply => are_numbers() && !are_constants(),
        // A number cannot be divided by 0.
        Op::Divide | Op::Modulo => are_numbers() && !matches!(binary.right.as_ref(), Expr::Literal(..) | Expr::Cast(_)),
        _ => false,
    }
}

/// Whether a value is written there.
fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(..)) || matches!(expr, Expr::Cast(cast) if is_constant(&cast.expr))
}
