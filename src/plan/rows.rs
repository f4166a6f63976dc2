//! Rows that are ordered, `(a, b) < (c, d)`, column by column: `a < c OR a = c AND b < d`, as in PostgreSQL.
//!
//! DataFusion compares them as records, in which NULL is the least value: such a condition of a page, `(at, id) < (…)`, let
//! rows without a value pass. Column by column it is neither true nor false of them.

use datafusion::common::Result;
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::planner::RawBinaryExpr;
use sqlparser::ast::BinaryOperator;

/// The comparison of two rows of the same length; `None` where it is another expression. `compare` compares two columns.
pub(super) fn ordered(expr: &RawBinaryExpr, compare: impl Fn(RawBinaryExpr) -> Result<Expr>) -> Result<Option<Expr>> {
    let before = match expr.op {
        BinaryOperator::Lt | BinaryOperator::LtEq => BinaryOperator::Lt,
        BinaryOperator::Gt | BinaryOperator::GtEq => BinaryOperator::Gt,
        _ => return Ok(None),
    };
    let (Some(left), Some(right)) = (columns(&expr.left), columns(&expr.right)) else { return Ok(None) };
    let pair = |op: &BinaryOperator, (left, right): (&Expr, &Expr)| {
        compare(RawBinaryExpr { op: op.clone(), left: left.clone(), right: right.clone() })
    };
    let mut pairs = left.iter().zip(right).rev();
    let (Some(last), true) = (pairs.next(), left.len() == right.len()) else { return Ok(None) };
    let mut rest = pair(&expr.op, last)?;
    for columns in pairs {
        rest = pair(&before, columns)?.or(pair(&BinaryOperator::Eq, columns)?.and(rest));
    }
    Ok(Some(rest))
}

/// The columns of a row; `None` where an expression is none, or would be evaluated twice with two values.
fn columns(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::ScalarFunction(call) if call.name() == "struct" && !expr.is_volatile() => Some(&call.args),
        _ => None,
    }
}
