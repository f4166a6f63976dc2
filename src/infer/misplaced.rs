//! What stands where it can never stand: aggregates and windows in WHERE, positions of columns that there are not, a default
//! of `lag` that differs from row to row. The engine says so of the whole statement.

use super::Context;
use super::functions;
use super::places::place;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::ast::join_constraint;
use crate::syntax::link::LinkedQuery;
use crate::syntax::normalized;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, JoinConstraint, OrderBy, OrderByKind,
    Query, Select, SelectItem, SetExpr, Spanned, Value, Visit, Visitor,
};
use std::ops::ControlFlow;

/// Reports all of it.
pub(super) fn check(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    for part in &linked.parts {
        let _ = part.statement.visit(&mut Search { context, sink });
    }
}

struct Search<'a, 's> {
    context: Context<'a>,
    sink: &'s mut Diagnostics,
}

impl Visitor for Search<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &query.order_by
            && let Some(columns) = columns(&query.body)
        {
            keys.iter().for_each(|key| self.position("ORDER BY", &key.expr, columns));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if let Some(condition) = &select.selection {
            self.condition("WHERE", condition);
        }
        for join in select.from.iter().flat_map(|from| &from.joins) {
            if let Some(JoinConstraint::On(condition)) = join_constraint(&join.join_operator) {
                self.condition("ON", condition);
            }
        }
        if let GroupByExpr::Expressions(keys, _) = &select.group_by
            && let Some(columns) = selected(select)
        {
            keys.iter().for_each(|key| self.position("GROUP BY", key, columns));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr
            && call.over.is_some()
        {
            self.default(call);
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_, '_> {
    /// A condition on each row by itself.
    fn condition(&mut self, clause: &'static str, condition: &Expr) {
        let mut calls = Calls::default();
        let _ = condition.visit(&mut calls);
        for call in &calls.found {
            let name = name(call);
            let is_window = call.over.is_some();
            let all = functions::all();
            if !is_window && (!all.aggregate.contains_key(&name) || all.scalar.contains_key(&name)) {
                continue;
            }
            let Some(span) = place(call.name.span(), self.context) else { continue };
            let (why, help) = match (is_window, clause) {
                (true, "WHERE") => (
                    "is computed of the rows that WHERE leaves, and so cannot stand in it",
                    format!("put the condition behind QUALIFY: `QUALIFY {name}(…) OVER (…) …`"),
                ),
                (true, _) => ("looks at the rows of the join, and so cannot stand in ON", in_a_subquery()),
                (false, "WHERE") => (
                    "is computed of many rows, and WHERE looks at each row by itself",
                    format!("put the condition behind GROUP BY: `HAVING {name}(…) …`; or compute it in a subquery"),
                ),
                (false, _) => ("is computed of many rows, and ON looks at each row by itself", in_a_subquery()),
            };
            self.sink.push(codes::invalid_query(span, &format!("`{name}` {why}")).help(help));
        }
    }

    /// A number that stands for a column of the result.
    fn position(&mut self, clause: &str, key: &Expr, columns: usize) {
        let Expr::Value(value) = key else { return };
        let Value::Number(digits, _) = &value.value else { return };
        let Ok(position) = digits.parse::<usize>() else { return };
        if (1..=columns).contains(&position) {
            return;
        }
        if let Some(span) = place(value.span, self.context) {
            let plural = if columns == 1 { "" } else { "s" };
            let why = format!(
                "{clause} {position} means column {position} of the result, which has {columns} column{plural}"
            );
            self.sink
                .push(codes::invalid_query(span, &why).help("columns are counted from 1; or write the name of one"));
        }
    }

    /// What `lag` and `lead` give where there is no row.
    fn default(&mut self, call: &Function) {
        let name = name(call);
        let FunctionArguments::List(list) = &call.args else { return };
        if !matches!(name.as_str(), "lag" | "lead") {
            return;
        }
        let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(default))) = list.args.get(2) else { return };
        let mut columns = Columns(false);
        let _ = default.visit(&mut columns);
        if let (true, Some(span)) = (columns.0, place(default.span(), self.context)) {
            let why =
                format!("what `{name}` gives where there is no row is one value, and this may differ from row to row");
            let help = format!("write `coalesce({name}(…) OVER (…), …)`, where the column itself is never NULL");
            self.sink.push(codes::invalid_query(span, &why).help(help));
        }
    }
}

fn in_a_subquery() -> String {
    "compute it in a subquery, and join that".to_owned()
}

fn name(call: &Function) -> String {
    match call.name.0.as_slice() {
        [part] => part.as_ident().map(normalized).unwrap_or_default(),
        _ => String::new(),
    }
}

/// How many columns a query has, where that stands there.
fn columns(body: &SetExpr) -> Option<usize> {
    match body {
        SetExpr::Select(select) => selected(select),
        SetExpr::Query(query) => columns(&query.body),
        SetExpr::SetOperation { left, .. } => columns(left),
        _ => None,
    }
}

fn selected(select: &Select) -> Option<usize> {
    let is_one = |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
    select.projection.iter().all(is_one).then_some(select.projection.len())
}

/// The calls in a condition; those in subqueries are of other rows.
#[derive(Default)]
struct Calls {
    queries: usize,
    found: Vec<Function>,
}

impl Visitor for Calls {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries = self.queries.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let (0, Expr::Function(call)) = (self.queries, expr) {
            self.found.push(call.clone());
        }
        ControlFlow::Continue(())
    }
}

/// Whether there is a column in an expression.
struct Columns(bool);

impl Visitor for Columns {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0 |= matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Subquery(_));
        ControlFlow::Continue(())
    }
}
