//! The rows that a statement that changes data gives: those that it has written, or those of a query.

use super::condition::{self, parts};
use sqlparser::ast::{Expr, OutputClause, SelectItem, SetExpr, Statement};

/// The rows that a statement gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// Those of a query.
    Query,
    /// Those that were written, with these columns of the table as they are; `*` for all of them.
    Written(Vec<String>),
}

/// The rows that a statement gives.
pub(super) fn returned(statement: &Statement) -> Option<Returned> {
    let written = |items: &Vec<SelectItem>| Returned::Written(items.iter().filter_map(bare_item).collect());
    match statement {
        Statement::Insert(insert) => insert.returning.as_ref().map(written),
        Statement::Update(update) => update.returning.as_ref().map(written),
        Statement::Delete(delete) => delete.returning.as_ref().map(written),
        Statement::Merge(merge) => match &merge.output {
            Some(OutputClause::Returning { .. }) => Some(Returned::Query),
            _ => None,
        },
        Statement::Query(query) => match query.body.as_ref() {
            SetExpr::Insert(own) | SetExpr::Update(own) | SetExpr::Delete(own) | SetExpr::Merge(own) => returned(own),
            _ => Some(Returned::Query),
        },
        _ => None,
    }
}

/// Whether the rows that a statement gives are those that it has written: not those of a table beside it, nor those of before.
pub(super) fn shows_written_rows(statement: &Statement) -> bool {
    let is_before = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. } => {
            let of = |column: &condition::Column| {
                column.of.as_ref().is_some_and(|of| of.eq_ignore_ascii_case("old") || of.eq_ignore_ascii_case("new"))
            };
            parts(expression).columns.iter().any(of)
        }
        _ => false,
    };
    let (items, is_alone) = match statement {
        Statement::Insert(insert) => (&insert.returning, true),
        Statement::Update(update) => (&update.returning, update.from.is_none() && update.table.joins.is_empty()),
        Statement::Delete(delete) => (&delete.returning, delete.using.is_none()),
        _ => return false,
    };
    is_alone && items.as_ref().is_some_and(|items| !items.iter().any(is_before))
}

/// The column that an item of a list is, under its own name.
fn bare_item(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::UnnamedExpr(expression) => bare_column(expression),
        SelectItem::Wildcard(_) => Some("*".to_owned()),
        _ => None,
    }
}

/// The column that an item is, under its own name.
fn bare_column(expression: &Expr) -> Option<String> {
    condition::bare(expression).map(|column| column.name)
}
