//! Parts of a statement by themselves, as written: what they are, or why they are nothing.

use super::super::planner;
use super::evaluated;
use crate::catalog::Catalog;
use datafusion::common::{Result, ScalarValue};
use sqlparser::ast::{Expr, Select, SelectItem, SetExpr, Statement};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

/// The value of an expression by itself; none where it has none before a call.
///
/// Errors: also what is no constant, in words that no constant has.
pub(super) fn value(expr: &Expr) -> Result<Option<ScalarValue>> {
    let Some(statement) = selected(expr) else { return Ok(None) };
    let plan = planner::plan(vec![("constant", statement)], &[], &Catalog::default()).and_then(planner::analyze)?;
    planner::value(&plan).map_or(Ok(None), |expr| evaluated::value(&expr))
}

/// `SELECT expr`.
fn selected(expr: &Expr) -> Option<Statement> {
    let mut statement = Parser::parse_sql(&GenericDialect {}, "SELECT 1").ok()?.pop()?;
    if let Statement::Query(query) = &mut statement
        && let SetExpr::Select(select) = query.body.as_mut()
    {
        let select: &mut Select = select;
        select.projection = vec![SelectItem::UnnamedExpr(expr.clone())];
    }
    Some(statement)
}
