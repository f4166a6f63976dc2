//! The form that a call has here, as a text with places for the arguments: the arguments and the rest of the call are put
//! into it.

use crate::syntax::dialect::QueryDialect;
use crate::syntax::written_call::both;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, Ident, ObjectName,
    VisitMut, VisitorMut,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Tokenizer};
use std::ops::ControlFlow;

/// What the places of one, two and three arguments are called in a template.
pub(super) const ONE: &[&str] = &["arg_0"];
pub(super) const TWO: &[&str] = &["arg_0", "arg_1"];
pub(super) const THREE: &[&str] = &["arg_0", "arg_1", "arg_2"];

/// The form of a template with the arguments in it.
pub(super) fn filled(template: &str, names: &[&str], args: &[Expr]) -> Option<Expr> {
    // Tokens without places: they stand in no file.
    let tokens = Tokenizer::new(&QueryDialect, template).tokenize().ok()?;
    let mut form = Parser::new(&QueryDialect).with_tokens(tokens).parse_expr().ok()?;
    let _ = VisitMut::visit(&mut form, &mut Fill { names, args });
    Some(form)
}

struct Fill<'a> {
    names: &'a [&'a str],
    args: &'a [Expr],
}

impl VisitorMut for Fill<'_> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Identifier(ident) = expr
            && let Some(at) = self.names.iter().position(|name| *name == ident.value)
            && let Some(arg) = self.args.get(at)
        {
            *expr = match arg {
                Expr::BinaryOp { .. } | Expr::Lambda(_) => Expr::Nested(Box::new(arg.clone())),
                arg => arg.clone(),
            };
        }
        ControlFlow::Continue(())
    }
}

/// The form with what else stands in the call: `DISTINCT`, an order, a filter, a window.
pub(super) fn carried_over(mut form: Function, call: &Function, span: Span) -> Option<Expr> {
    let FunctionArguments::List(from) = &call.args else { return None };
    let has_order = matches!(&form.args, FunctionArguments::List(list) if !list.clauses.is_empty());
    let has_more = from.duplicate_treatment.is_some() || !from.clauses.is_empty() || !call.within_group.is_empty();
    // `count(*)` takes nothing of the kind.
    let is_star = form.args.to_string().contains('*');
    if (has_order && (has_more || call.over.is_some())) || (is_star && has_more) {
        return None;
    }
    if let FunctionArguments::List(list) = &mut form.args {
        list.duplicate_treatment = from.duplicate_treatment;
        for clause in &from.clauses {
            match clause {
                // `GROUP_CONCAT(x SEPARATOR '; ')`
                FunctionArgumentClause::Separator(separator) => {
                    list.args.truncate(1);
                    list.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(separator.clone()))));
                }
                clause => list.clauses.push(clause.clone()),
            }
        }
        // `LISTAGG(x, ',') WITHIN GROUP (ORDER BY y)`
        if !call.within_group.is_empty() {
            list.clauses.push(FunctionArgumentClause::OrderBy(call.within_group.clone()));
        }
    }
    form.filter = match (form.filter.take(), &call.filter) {
        (Some(own), Some(more)) => Some(Box::new(both(*own, more.as_ref().clone()))),
        (own, more) => own.or_else(|| more.clone()),
    };
    form.over.clone_from(&call.over);
    form.null_treatment = call.null_treatment;
    form.name = ObjectName::from(vec![named(&form.name, span)?]);
    Some(Expr::Function(form))
}

/// The name of a function, at the place of the name that was written.
fn named(name: &ObjectName, span: Span) -> Option<Ident> {
    let mut ident = name.0.first()?.as_ident()?.clone();
    ident.span = span;
    Some(ident)
}
