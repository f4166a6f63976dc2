//! Calls of functions as nodes of the syntax tree: what stands in one that was written, and how one is made; and two
//! conditions in one.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
    ObjectName,
};

/// The call of a function with these arguments.
pub(crate) fn call(name: Ident, args: impl IntoIterator<Item = Expr>) -> Expr {
    let arg = |arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg));
    Expr::Function(Function {
        name: ObjectName::from(name),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.into_iter().map(arg).collect(),
            clauses: Vec::new(),
        }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    })
}

/// Both conditions.
pub(super) fn both(one: Expr, other: Expr) -> Expr {
    let nested = |expr: Expr| Box::new(Expr::Nested(Box::new(expr)));
    Expr::BinaryOp { left: nested(one), op: BinaryOperator::And, right: nested(other) }
}

/// The arguments, where all are expressions without names.
pub(super) fn plain_args(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let arg = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(arg).collect()
}

/// Whether nothing but arguments stands in a call.
pub(super) fn is_bare(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else { return false };
    list.duplicate_treatment.is_none()
        && list.clauses.is_empty()
        && function.filter.is_none()
        && function.over.is_none()
        && function.within_group.is_empty()
        && function.null_treatment.is_none()
}
