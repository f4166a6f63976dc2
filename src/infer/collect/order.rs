//! Names in expressions of ORDER BY that are both a column of the result and one of a table.
//!
//! By itself, a name there is the column of the result. In an expression other databases read that of the table, and
//! DataFusion that of the result: so it has to be said which is meant.

use super::Collector;
use crate::infer::scope::Scope;
use crate::plan::order_items;
use crate::plan::order_names::OrderNames;
use crate::syntax::normalized;
use sqlparser::ast::{Expr, GroupByExpr, OrderBy, OrderByKind, Select, SelectItem};

impl<'a> Collector<'a> {
    pub(super) fn order_names(&mut self, select: &'a Select, order_by: Option<&'a OrderBy>, scope: &Scope<'_, 'a>) {
        let Some(OrderBy { kind: OrderByKind::Expressions(exprs), .. }) = order_by else { return };
        let renamed: Vec<String> = select.projection.iter().filter_map(|item| self.renamed(item, select)).collect();
        let is_column =
            |expr: &Expr| matches!(bare(expr), Expr::Identifier(_)) || order_items::column_of(select, expr).is_some();
        for by in exprs.iter().filter(|by| !is_column(&by.expr)) {
            for ident in self.names_in(&by.expr).alone {
                let name = normalized(&ident);
                if renamed.contains(&name)
                    && scope.has_column(&name)
                    && let Some(place) = self.place(&ident, &ident)
                {
                    self.found.orders.push((place, name));
                }
            }
        }
    }

    /// The name of a column of the result, where it may be confused with a column of a table that it is not.
    fn renamed(&self, item: &'a SelectItem, select: &'a Select) -> Option<String> {
        let SelectItem::ExprWithAlias { expr, alias } = item else { return None };
        let name = normalized(alias);
        let source = match bare(expr) {
            Expr::Identifier(ident) => Some(normalized(ident)),
            Expr::CompoundIdentifier(parts) => parts.last().map(normalized),
            _ => None,
        };
        if source.as_ref() == Some(&name) {
            return None;
        }
        // Of groups, only what is grouped by is a column of a table outside of aggregates.
        let is_free = match &select.group_by {
            GroupByExpr::All(_) => !self.names_in(expr).has_aggregate,
            GroupByExpr::Expressions(keys, _) if keys.is_empty() => !self.names_in(expr).has_aggregate,
            GroupByExpr::Expressions(keys, _) => keys.iter().any(|key| self.names_in(key).has(&name)),
        };
        is_free.then_some(name)
    }

    fn names_in(&self, expr: &Expr) -> OrderNames<'a> {
        OrderNames::of(expr, self.functions)
    }
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => bare(inner),
        other => other,
    }
}
