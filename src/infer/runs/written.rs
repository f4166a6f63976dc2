//! Where a constant is written that is known to be wrong: the argument of a function or of an operator.

use super::super::functions;
use super::by_itself::value;
use super::samples::{Blamed, PATTERN};
use crate::plan::zones::AT_ZONE;
use crate::syntax::link::LinkedQuery;
use crate::syntax::normalized;
use sqlparser::ast::{
    BinaryOperator, DateTimeField, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Statement,
    Visit, Visitor,
};
use std::ops::ControlFlow;

/// What is written there.
pub(super) enum Written {
    /// An expression.
    Expr(Expr),
    /// The word before `FROM` in `extract`, with what stands behind it.
    Word(DateTimeField, Expr),
}

/// Everything that is this constant in that place, in the order of the text.
pub(super) fn places(blamed: &Blamed, linked: &LinkedQuery<'_>) -> Vec<Written> {
    let find = |search: &dyn Fn(&Statement) -> Vec<Written>| -> Vec<Written> {
        linked.parts.iter().flat_map(|part| search(&part.statement)).collect()
    };
    let found = find(&|statement| Search::new(blamed, true).run(statement));
    if found.is_empty() { find(&|statement| Search::new(blamed, false).run(statement)) } else { found }
}

struct Search<'a> {
    blamed: &'a Blamed,
    /// Whether all must be alike: the place among the arguments, the columns on the other side.
    is_strict: bool,
    /// How many branches are open that may never be taken.
    lazy: usize,
    found: Vec<Written>,
}

impl<'a> Search<'a> {
    fn new(blamed: &'a Blamed, is_strict: bool) -> Search<'a> {
        Search { blamed, is_strict, lazy: 0, found: Vec::new() }
    }

    fn run(mut self, statement: &Statement) -> Vec<Written> {
        let _ = statement.visit(&mut self);
        self.found
    }

    fn is_it(&self, expr: &Expr) -> bool {
        let wanted = &self.blamed.value;
        let is_operand = !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Subquery(_));
        let found = if is_operand { value(expr).ok().flatten() } else { None };
        // Of doubles, a division by zero has a result.
        let is_divisor = matches!(self.blamed.of.as_str(), "/" | "%");
        found
            .filter(|found| !is_divisor || !found.data_type().is_floating())
            .is_some_and(|found| found.cast_to(&wanted.data_type()).is_ok_and(|found| found == *wanted))
    }

    fn note(&mut self, expr: &Expr) {
        if self.is_it(expr) {
            self.found.push(Written::Expr(expr.clone()));
        }
    }

    fn call(&mut self, call: &Function) {
        if named(call).as_deref() != Some(self.blamed.of.as_str()) {
            return;
        }
        let args = arguments(call);
        if self.is_strict {
            if let Some(arg) = args.get(self.blamed.at) {
                self.note(arg);
            }
        } else if let Some(arg) = args.into_iter().find(|arg| self.is_it(arg)) {
            self.found.push(Written::Expr(arg.clone()));
        }
    }

    fn operator(&mut self, op: &BinaryOperator, left: &Expr, right: &Expr) {
        let of = self.blamed.of.as_str();
        let is_match = matches!(
            op,
            BinaryOperator::PGRegexMatch
                | BinaryOperator::PGRegexIMatch
                | BinaryOperator::PGRegexNotMatch
                | BinaryOperator::PGRegexNotIMatch
        );
        if of == PATTERN && is_match || of == op.to_string() && (!self.is_strict || columns(left) == self.blamed.beside)
        {
            self.note(right);
        }
    }
}

impl Visitor for Search<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.lazy += usize::from(matches!(expr, Expr::Case { .. }));
        if self.lazy > 0 && self.is_strict {
            return ControlFlow::Continue(());
        }
        let of = self.blamed.of.as_str();
        match expr {
            Expr::Function(call) => self.call(call),
            Expr::BinaryOp { left, op, right } => self.operator(op, left, right),
            Expr::SimilarTo { pattern, .. } if of == PATTERN => self.note(pattern),
            Expr::Substring { substring_for: Some(length), .. } if of == "substr" => self.note(length),
            Expr::AtTimeZone { time_zone, .. } if of == AT_ZONE => self.note(time_zone),
            Expr::Extract { field, expr, .. } if of == "date_part" => {
                let written = field.to_string().to_lowercase();
                let is_it = |text: &str| text.trim_matches('\'').to_lowercase() == written.trim_matches('\'');
                if self.blamed.value.try_as_str().flatten().is_some_and(is_it) {
                    self.found.push(Written::Word(field.clone(), expr.as_ref().clone()));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.lazy -= usize::from(matches!(expr, Expr::Case { .. }));
        ControlFlow::Continue(())
    }
}

/// The first name of the function that is called.
fn named(call: &Function) -> Option<String> {
    let [part] = call.name.0.as_slice() else { return None };
    let name = normalized(part.as_ident()?);
    let all = functions::all();
    let known = all.scalar.get(&name).map(|function| function.name());
    let known = known.or_else(|| all.aggregate.get(&name).map(|function| function.name()));
    let known = known.or_else(|| all.window.get(&name).map(|function| function.name()));
    known.map(str::to_owned)
}

fn arguments(call: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &call.args else { return Vec::new() };
    list.args.iter().filter_map(argument).collect()
}

fn argument(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
        | FunctionArg::Named { arg: FunctionArgExpr::Expr(expr), .. } => Some(expr),
        _ => None,
    }
}

/// The names of the columns in an expression, sorted.
fn columns(expr: &Expr) -> Vec<String> {
    struct Columns(Vec<String>);
    impl Visitor for Columns {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            let last: Option<&Ident> = match expr {
                Expr::Identifier(name) => Some(name),
                Expr::CompoundIdentifier(path) => path.last(),
                _ => None,
            };
            self.0.extend(last.map(|name| name.value.to_lowercase()));
            ControlFlow::Continue(())
        }
    }
    let mut found = Columns(Vec::new());
    let _ = expr.visit(&mut found);
    found.0.sort();
    found.0.dedup();
    found.0
}
