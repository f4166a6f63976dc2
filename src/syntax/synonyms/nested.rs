//! Functions of structs and lists: `struct_pack` and `list_aggregate`.

use super::template::{ONE, filled};
use crate::syntax::ast::normalized;
use crate::syntax::written_call::{call, is_bare, plain_args};
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value};
use sqlparser::tokenizer::Span;

/// What `list_aggregate` makes of the items of a list.
const OF_ITEMS: [&str; 7] = ["sum", "avg", "min", "max", "median", "bool_and", "bool_or"];

/// `struct_pack(a := 1)`
pub(super) fn packed(function: &Function, span: Span) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if !is_bare(function) {
        return None;
    }
    let mut args = Vec::new();
    for arg in &list.args {
        let FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } = arg else { return None };
        args.push(Expr::value(Value::SingleQuotedString(normalized(name))));
        args.push(value.clone());
    }
    Some(call(Ident::with_span(span, "named_struct"), args))
}

/// `list_aggregate(list, 'sum')`: the sum over the items as rows.
pub(super) fn of_items(function: &Function) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [list, Expr::Value(aggregate)] = args.as_slice() else { return None };
    let Value::SingleQuotedString(aggregate) = &aggregate.value else { return None };
    let aggregate = OF_ITEMS.iter().find(|name| name.eq_ignore_ascii_case(aggregate))?;
    let template = format!("(SELECT {aggregate}(qtool_item) FROM unnest(arg_0) AS qtool_items(qtool_item))");
    filled(&template, ONE, std::slice::from_ref(list))
}
