//! Tests of truth and of NULL: they have a result for every value, which is never NULL.

use datafusion::logical_expr::Expr;

/// Whether an expression is one.
pub(super) fn is_test(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::IsNotNull(_)
            | Expr::IsNull(_)
            | Expr::IsTrue(_)
            | Expr::IsFalse(_)
            | Expr::IsUnknown(_)
            | Expr::IsNotTrue(_)
            | Expr::IsNotFalse(_)
            | Expr::IsNotUnknown(_)
    )
}
