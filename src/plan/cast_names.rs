//! Calls over many rows that differ in their casts only, made to differ in their names as well.
//!
//! DataFusion leaves casts out of the names of columns: `sum(n::int)` and `sum(n::smallint)` beside each other would be two
//! columns of one name, whatever their aliases. The function that stands for a cast is in the name.

use super::functions::Functions;
use crate::syntax::normalized;
use crate::syntax::written_call::call;
use sqlparser::ast::{
    CastKind, DataType, Expr, Function, Ident, Select, Spanned, Statement, Value, Visit, VisitMut, Visitor, VisitorMut,
};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Writes the casts to numbers in such calls as calls of `arrow_cast`.
pub(super) fn tell_apart(statement: &mut Statement, functions: &Functions) {
    if Visit::visit(statement, &mut HasCast).is_continue() {
        return;
    }
    let mut alike = Alike { functions, found: HashSet::new() };
    let _ = Visit::visit(statement, &mut alike);
    if !alike.found.is_empty() {
        let _ = VisitMut::visit(statement, &mut Tell(alike.found));
    }
}

/// The calls, without casts, that one SELECT has with several.
struct Alike<'a> {
    functions: &'a Functions,
    found: HashSet<String>,
}

impl Visitor for Alike<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut calls = Calls { functions: self.functions, found: HashMap::new() };
        let _ = select.projection.visit(&mut calls);
        let _ = select.having.visit(&mut calls);
        let _ = select.qualify.visit(&mut calls);
        let several = calls.found.into_iter().filter(|(_, written)| written.len() > 1);
        self.found.extend(several.map(|(bare, _)| bare));
        ControlFlow::Continue(())
    }
}

struct HasCast;

impl Visitor for HasCast {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Cast { .. }) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The calls of a SELECT: what is left of them without casts, and all that this is written as.
struct Calls<'a> {
    functions: &'a Functions,
    found: HashMap<String, HashSet<String>>,
}

impl Calls<'_> {
    /// Whether a call is of many rows: those of one are columns only where their names are given.
    fn is_of_rows(&self, call: &Function) -> bool {
        let name = match call.name.0.as_slice() {
            [part] => part.as_ident().map(normalized).unwrap_or_default(),
            _ => String::new(),
        };
        call.over.is_some() || self.functions.aggregate.contains_key(&name)
    }
}

impl Visitor for Calls<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr
            && self.is_of_rows(call)
        {
            self.found.entry(bare(expr)).or_default().insert(expr.to_string());
        }
        ControlFlow::Continue(())
    }
}

/// A call without casts.
fn bare(call: &Expr) -> String {
    let mut call = call.clone();
    let _ = VisitMut::visit(&mut call, &mut Strip);
    call.to_string()
}

struct Strip;

impl VisitorMut for Strip {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Cast { expr: inner, .. } = expr {
            *expr = std::mem::replace(inner.as_mut(), Expr::value(Value::Null));
        }
        ControlFlow::Continue(())
    }
}

struct Tell(HashSet<String>);

impl VisitorMut for Tell {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::Function(_)) && self.0.contains(&bare(expr)) {
            let _ = VisitMut::visit(expr, &mut ToCalls);
        }
        ControlFlow::Continue(())
    }
}

struct ToCalls;

impl VisitorMut for ToCalls {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let span = expr.span();
        if let Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr: inner, data_type, .. } = expr
            && let Some(ty) = arrow_name(data_type)
            // The type of a placeholder is asked for by its cast.
            && !matches!(inner.as_ref(), Expr::Value(value) if matches!(value.value, Value::Placeholder(_)))
        {
            let value = std::mem::replace(inner.as_mut(), Expr::value(Value::Null));
            let ty = Expr::value(Value::SingleQuotedString(ty.to_owned()));
            *expr = call(Ident::with_span(span, "arrow_cast"), [value, ty]);
        }
        ControlFlow::Continue(())
    }
}

/// The engine's own name of a type of numbers.
fn arrow_name(ty: &DataType) -> Option<&'static str> {
    Some(match ty {
        DataType::SmallInt(_) | DataType::Int2(_) => "Int16",
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => "Int32",
        DataType::BigInt(_) | DataType::Int8(_) => "Int64",
        DataType::Real | DataType::Float4 => "Float32",
        DataType::Double(_) | DataType::DoublePrecision | DataType::Float8 => "Float64",
        _ => return None,
    })
}
