//! Rows and records that are compared: `(a, b) = (1, 2)`, `row(a, b) = (1, 2)`, `size = struct(1, 2)`.

use crate::syntax::ast::joined_name;
use crate::syntax::link::number;
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value};

use super::call::value_of;

/// The items of rows, by their positions; `None` where one is no row, or has another number of items.
pub(super) fn by_position<'e>(rows: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Vec<&'e Expr>>> {
    let mut columns: Option<Vec<Vec<&'e Expr>>> = None;
    for expr in rows {
        let items = row(expr)?;
        let columns = columns.get_or_insert_with(|| vec![Vec::new(); items.len()]);
        if columns.len() != items.len() {
            return None;
        }
        for (column, item) in columns.iter_mut().zip(items) {
            column.push(item);
        }
    }
    columns
}

fn row(expr: &Expr) -> Option<Vec<&Expr>> {
    match expr {
        Expr::Nested(inner) => row(inner),
        Expr::Tuple(items) => Some(items.iter().collect()),
        Expr::Struct { values, fields } if fields.is_empty() => Some(values.iter().collect()),
        Expr::Function(function) if matches!(name(function).as_str(), "row" | "struct") => arguments(function),
        _ => None,
    }
}

/// What a record is made of, each with the name of its field where one is written.
pub(super) fn record_parts(expr: &Expr) -> Option<Vec<(Option<String>, &Expr)>> {
    match expr {
        Expr::Nested(inner) => record_parts(inner),
        Expr::Dictionary(fields) => {
            Some(fields.iter().map(|field| (Some(field.key.value.clone()), field.value.as_ref())).collect())
        }
        Expr::Function(function) if name(function) == "named_struct" => {
            let arguments = arguments(function)?;
            let pairs = arguments.iter().step_by(2).zip(arguments.iter().skip(1).step_by(2));
            let text = |name: &Expr| value_of(name).and_then(|name| name.try_as_str().flatten().map(str::to_owned));
            Some(pairs.map(|(name, value)| (text(name), *value)).collect())
        }
        expr => Some(row(expr)?.into_iter().map(item).collect()),
    }
}

/// What a record is made of, with the names that the engine gives to fields without one.
pub(super) fn named_parts(expr: &Expr) -> Option<Vec<(String, &Expr)>> {
    let parts = record_parts(expr)?.into_iter().enumerate();
    Some(parts.map(|(at, (name, part))| (name.unwrap_or_else(|| format!("c{at}")), part)).collect())
}

/// `x AS a` in `struct(x AS a)`, or what stands there without a name.
fn item(expr: &Expr) -> (Option<String>, &Expr) {
    match expr {
        Expr::Named { expr, name } => (Some(name.value.clone()), expr.as_ref()),
        expr => (None, expr),
    }
}

/// The number of a bare placeholder.
pub(super) fn placeholder(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Nested(inner) => placeholder(inner),
        Expr::Value(value) => match &value.value {
            Value::Placeholder(id) => number(id),
            _ => None,
        },
        _ => None,
    }
}

fn name(function: &Function) -> String {
    joined_name(&function.name).unwrap_or_default()
}

fn arguments(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let each = list.args.iter().map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    });
    each.collect()
}
