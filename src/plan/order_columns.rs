//! What is ordered by and names a column of a table that a column of the result is called like.
//!
//! `SELECT yr, count(*) AS n … ORDER BY sum(n)` sums up the `n` of the table, and `SELECT -id AS id … ORDER BY t.id` goes
//! by that of the table. DataFusion takes the column of the result for both, and then finds an aggregate of an aggregate,
//! or two columns of one name; in the order of a window it finds no column of the result at all. So they are columns of the query below, where there is nothing to confuse them with:
//! `SELECT * EXCLUDE (o) FROM (SELECT yr, count(*) AS n, sum(n) AS o …) ORDER BY o`.

use super::functions::Functions;
use super::order_names::{OrderNames, is_aggregate};
use crate::syntax::link::parse_text;
use crate::syntax::normalized;
use datafusion::common::{DataFusionError, Diagnostic, Result, Span, internal_err};
use sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, ObjectName, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
    Statement, TableFactor, VisitMut, VisitorMut,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Puts such expressions into queries below.
pub(super) fn put_below(statement: &mut Statement, functions: &Functions) -> Result<()> {
    match VisitMut::visit(statement, &mut Queries { functions, around: 0, outside: Vec::new() }) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

struct Queries<'a> {
    functions: &'a Functions,
    /// How many queries are open that the one inside may name columns of.
    around: usize,
    /// Those outside of tables in FROM, which cannot.
    outside: Vec<usize>,
}

fn is_inside_of_another(expr: &Expr) -> bool {
    matches!(expr, Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. })
}

impl VisitorMut for Queries<'_> {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        self.around += usize::from(is_inside_of_another(expr));
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        self.around -= usize::from(is_inside_of_another(expr)).min(self.around);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Self::Break> {
        if let TableFactor::Derived { lateral, .. } = factor {
            self.outside.push(self.around);
            self.around = usize::from(*lateral);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Self::Break> {
        if matches!(factor, TableFactor::Derived { .. }) {
            self.around = self.outside.pop().unwrap_or_default();
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<Self::Break> {
        match put_orders_below(query, self) {
            Err(error) => ControlFlow::Break(error),
            Ok(()) => ControlFlow::Continue(()),
        }
    }
}

fn put_orders_below(query: &mut Query, queries: &Queries<'_>) -> Result<()> {
    let Query { body, order_by: Some(order), .. } = query else { return Ok(()) };
    let (SetExpr::Select(select), OrderByKind::Expressions(orders)) = (body.as_mut(), &mut order.kind) else {
        return Ok(());
    };
    let result = Columns::of(select);
    let Some(hidden) = orders.iter().find_map(|by| result.hidden_name(&by.expr, queries.functions)) else {
        return Ok(());
    };
    // What DISTINCT leaves has no other columns to go by, and a query in FROM cannot name the columns around it.
    if queries.around > 0 || select.distinct.is_some() {
        let message = format!("`{hidden}` in ORDER BY is a column of the result too: give that another name with AS");
        let told = Diagnostic::new_error(message.clone(), Span::try_from_sqlparser_span(hidden.span));
        return Err(DataFusionError::Plan(message).with_diagnostic(told));
    }
    let mut below = Vec::new();
    for by in orders {
        below.extend(result.put(by, below.len(), queries.functions));
    }
    let hidden = below.iter().map(|(name, _)| ObjectName::from(name.clone())).collect();
    select.projection.extend(below.into_iter().map(|(alias, expr)| SelectItem::ExprWithAlias { expr, alias }));
    around(body, hidden)
}

/// `SELECT * EXCLUDE (hidden) FROM (body)`
fn around(body: &mut Box<SetExpr>, hidden: Vec<ObjectName>) -> Result<()> {
    let written = parse_text("SELECT * FROM (SELECT 1) AS ordered", &|_| None);
    let Ok(Statement::Query(mut outer)) = written else { return internal_err!("no query around a query") };
    if let SetExpr::Select(select) = outer.body.as_mut()
        && let [SelectItem::Wildcard(options)] = select.projection.as_mut_slice()
        && let [table] = select.from.as_mut_slice()
        && let TableFactor::Derived { subquery, .. } = &mut table.relation
    {
        options.opt_exclude = Some(ExcludeSelectItem::Multiple(hidden));
        std::mem::swap(&mut subquery.body, body);
    } else {
        return internal_err!("a query around a query is another");
    }
    *body = outer.body;
    Ok(())
}

/// The columns of a result that have a name of their own.
struct Columns {
    /// What they are computed from, by their names.
    named: HashMap<String, Expr>,
}

impl Columns {
    fn of(select: &Select) -> Columns {
        let named = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => Some((normalized(alias), expr.clone())),
            _ => None,
        });
        Columns { named: named.collect() }
    }

    /// The name that the planner would take for a column of the result, where it is one of a table.
    fn hidden_name(&self, expr: &Expr, functions: &Functions) -> Option<Ident> {
        if self.named.is_empty() || is_name(expr) {
            return None;
        }
        let names = OrderNames::of(expr, functions);
        let others = names.in_aggregates.into_iter().chain(names.in_windows);
        names.of_tables.into_iter().chain(others).find(|name| self.is_another(&normalized(name)))
    }

    /// Whether a column of the result is called so, and is no column of that name.
    fn is_another(&self, name: &str) -> bool {
        self.named.get(name).is_some_and(|expr| match bare(expr) {
            Expr::Identifier(source) => normalized(source) != name,
            Expr::CompoundIdentifier(parts) => parts.last().is_none_or(|source| normalized(source) != name),
            _ => true,
        })
    }

    /// The column below for what is ordered by, which is its name then. A column of the result is there already, and a
    /// number is the place of one.
    fn put(&self, by: &mut OrderByExpr, at: usize, functions: &Functions) -> Option<(Ident, Expr)> {
        match bare(&by.expr) {
            Expr::Value(_) => return None,
            Expr::Identifier(name) if self.named.contains_key(&normalized(name)) => return None,
            _ => {}
        }
        let name = Ident::with_quote('"', format!("ordered by {}", at + 1));
        let mut expr = std::mem::replace(&mut by.expr, Expr::Identifier(name.clone()));
        let _ = VisitMut::visit(&mut expr, &mut WrittenOut { columns: self, functions, inside: 0 });
        Some((name, expr))
    }
}

fn is_name(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Identifier(_) | Expr::Value(_))
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => bare(inner),
        other => other,
    }
}

/// Writes out the columns of the result that an expression names: below, there are none. That a name is not that of a
/// table's column as well has been checked.
struct WrittenOut<'a> {
    columns: &'a Columns,
    functions: &'a Functions,
    /// How many aggregates and queries are open, where the names are those of tables.
    inside: usize,
}

impl VisitorMut for WrittenOut<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.inside += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.inside = self.inside.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr
            && is_aggregate(call, self.functions)
        {
            self.inside += 1;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(call) if is_aggregate(call, self.functions) => self.inside = self.inside.saturating_sub(1),
            Expr::Identifier(name) if self.inside == 0 => {
                let name = normalized(name);
                if let Some(source) = self.columns.named.get(&name)
                    && self.columns.is_another(&name)
                {
                    *expr = Expr::Nested(Box::new(source.clone()));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
