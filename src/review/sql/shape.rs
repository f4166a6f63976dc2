//! A statement taken apart as far as changes of it are told apart: what each column is computed from, the conditions,
//! the order, and the rest.

use super::{compact, parsed};
use crate::tool::OutputColumn;
use sqlparser::ast::{BinaryOperator, Expr, OrderByKind, Query, Select, SelectItem, SetExpr, Statement};

/// The parts of a statement.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::review) struct Shape {
    /// What each column is computed from, in their order; empty where the columns are not written one by one.
    pub(in crate::review) computed: Vec<String>,
    /// What rows must meet: the conditions of WHERE, HAVING and QUALIFY.
    pub(in crate::review) conditions: Vec<String>,
    /// The keys of ORDER BY.
    pub(in crate::review) order: Vec<String>,
    /// All that is none of these.
    pub(in crate::review) rest: String,
}

impl Shape {
    /// Takes a statement apart; one that is no query is all rest. The number of a column in ORDER BY becomes its name.
    pub(in crate::review) fn of(text: &str, columns: &[OutputColumn]) -> Shape {
        let Some(Statement::Query(mut query)) = parsed(text) else {
            return Shape { rest: compact(text), ..Shape::default() };
        };
        let order = taken_order(&mut query, columns);
        let (mut computed, mut conditions) = (Vec::new(), Vec::new());
        if let SetExpr::Select(select) = query.body.as_mut() {
            computed = taken_columns(select, columns);
            conditions = taken_conditions(select);
        }
        Shape { computed, conditions, order, rest: query.to_string() }
    }
}

fn taken_order(query: &mut Query, columns: &[OutputColumn]) -> Vec<String> {
    let Some(order) = &query.order_by else { return Vec::new() };
    let OrderByKind::Expressions(keys) = &order.kind else { return Vec::new() };
    if order.interpolate.is_some() {
        return Vec::new();
    }
    let keys = keys.iter().map(|key| {
        let text = key.to_string();
        let (first, more) = text.split_once(' ').unwrap_or((text.as_str(), ""));
        let column = first.parse::<usize>().ok().and_then(|number| columns.get(number.checked_sub(1)?));
        column.map_or_else(|| text.clone(), |column| format!("{} {more}", column.name).trim_end().to_owned())
    });
    let keys = keys.collect();
    query.order_by = None;
    keys
}

fn taken_columns(select: &mut Select, columns: &[OutputColumn]) -> Vec<String> {
    let one = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) => Some(expr.to_string()),
        SelectItem::ExprWithAlias { expr, .. } => Some(expr.to_string()),
        _ => None,
    };
    let computed: Option<Vec<String>> = select.projection.iter().map(one).collect();
    match computed {
        Some(computed) if computed.len() == columns.len() => {
            select.projection = Vec::new();
            computed
        }
        _ => Vec::new(),
    }
}

fn taken_conditions(select: &mut Select) -> Vec<String> {
    let mut found = Vec::new();
    for (what, place) in
        [("where", &mut select.selection), ("having", &mut select.having), ("qualify", &mut select.qualify)]
    {
        let mut open: Vec<Expr> = place.take().into_iter().collect();
        while let Some(expr) = open.pop() {
            match expr {
                Expr::BinaryOp { left, op: BinaryOperator::And, right } => open.extend([*right, *left]),
                expr => found.push(format!("{what} {expr}")),
            }
        }
    }
    found
}
