//! Expressions without the names and casts around them.

use datafusion::logical_expr::Expr;

/// An expression without the names and casts around it.
pub(super) fn bare(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Alias(alias) => alias.expr.as_ref(),
            Expr::Cast(cast) => cast.expr.as_ref(),
            other => return other,
        };
    }
}
