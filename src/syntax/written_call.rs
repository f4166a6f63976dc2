//! A call of a function, and two conditions in one, as nodes of the syntax tree.

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
