//! Calls of functions.

use super::parts::is_list;
use super::written_numbers::{exact_beside_decimals, exact_beside_lists};
use super::{Collector, field};
use crate::infer::checked::Checked;
use crate::infer::constraint::{Argument, Constraint, Strength, Term};
use crate::infer::scope::{Relation, Scope};
use crate::infer::signature::Callee;
use crate::infer::units::{PART_UNITS, TRUNC_UNITS};
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, normalized};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{HigherOrderReturnFieldArgs, HigherOrderUDF, LambdaParametersProgress, ValueOrLambda};
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, LambdaFunction,
    ObjectName, Value, WindowType,
};
use std::sync::Arc;

impl<'a> Collector<'a> {
    /// A call as it is written.
    pub(super) fn function<'s>(&mut self, function: &'a Function, scope: &'s Scope<'s, 'a>) -> Term {
        if let Some(filter) = &function.filter {
            self.condition(filter, scope);
        }
        if let Some(WindowType::WindowSpec(spec)) = &function.over {
            self.window_spec(spec, scope);
        }
        self.sort(&function.within_group, scope);
        let mut args: Vec<&'a Expr> = Vec::new();
        let mut named: Vec<Option<String>> = Vec::new();
        match &function.args {
            FunctionArguments::None => {}
            FunctionArguments::Subquery(query) => {
                self.query(query, Some(scope));
            }
            FunctionArguments::List(list) => {
                for clause in &list.clauses {
                    match clause {
                        FunctionArgumentClause::OrderBy(by) => self.sort(by, scope),
                        FunctionArgumentClause::Limit(count) => {
                            let term = self.expr(count, scope);
                            self.row_count(&term);
                        }
                        _ => {}
                    }
                }
                for arg in &list.args {
                    let (name, arg) = match arg {
                        FunctionArg::Unnamed(arg) => (None, arg),
                        FunctionArg::Named { name, arg, .. } => (Some(normalized(name)), arg),
                        FunctionArg::ExprNamed { name: Expr::Identifier(name), arg, .. } => {
                            (Some(normalized(name)), arg)
                        }
                        FunctionArg::ExprNamed { arg, .. } => (None, arg),
                    };
                    if let FunctionArgExpr::Expr(expr) = arg {
                        args.push(expr);
                        named.push(name);
                    }
                }
            }
        }
        let name = match function.name.0.as_slice() {
            [part] => part.as_ident().map(normalized).unwrap_or_default(),
            _ => String::new(),
        };
        self.in_order(&name, &mut args, &named);
        // `WITHIN GROUP (ORDER BY x)` gives the first argument.
        args.splice(0..0, function.within_group.iter().map(|by| &by.expr));
        match name.as_str() {
            OPTIONAL_AND | OPTIONAL_OR => {
                // Behind the condition stands what the clause needs.
                if let Some(condition) = args.first() {
                    self.condition(condition, scope);
                }
                Term::Typed(DataType::Boolean)
            }
            _ if function.over.is_some() => self.over(&function.name, &name, &args, scope),
            _ => self.called_at(&function.name, &name, &args, scope),
        }
    }

    /// Puts arguments that are given by name where the function has them.
    fn in_order(&self, function: &str, args: &mut [&'a Expr], named: &[Option<String>]) {
        if named.iter().all(Option::is_none) {
            return;
        }
        let signature = (self.functions.scalar.get(function).map(|function| function.signature()))
            .or_else(|| self.functions.window.get(function).map(|function| function.signature()))
            .or_else(|| self.functions.aggregate.get(function).map(|function| function.signature()));
        let Some(names) = signature.and_then(|signature| signature.parameter_names.as_ref()) else { return };
        let position = |at: usize| {
            let name = named.get(at).and_then(Option::as_ref);
            name.map_or(Some(at), |name| names.iter().position(|known| known.eq_ignore_ascii_case(name)))
        };
        let mut placed: Vec<(usize, &'a Expr)> =
            args.iter().enumerate().map(|(at, arg)| (position(at).unwrap_or(at), *arg)).collect();
        placed.sort_by_key(|(at, _)| *at);
        for (arg, (_, expr)) in args.iter_mut().zip(placed) {
            *arg = expr;
        }
    }

    /// A call that has a syntax of its own.
    pub(super) fn called<'s>(&mut self, name: &str, args: &[&'a Expr], scope: &'s Scope<'s, 'a>) -> Term {
        self.called_at(&ObjectName(Vec::new()), name, args, scope)
    }

    /// A call of a function with these arguments; `at` is where its name stands.
    fn called_at<'s>(&mut self, at: &ObjectName, name: &str, args: &[&'a Expr], scope: &'s Scope<'s, 'a>) -> Term {
        if let Some(function) = self.functions.higher_order.get(name) {
            return self.higher_order(&Arc::clone(function), args, scope);
        }
        let mut terms: Vec<Term> = args.iter().map(|arg| self.expr(arg, scope)).collect();
        if name.starts_with("array_") || name.starts_with("list_") {
            exact_beside_lists(args.iter().copied(), &mut terms);
        }
        if let Some(term) = self.known_call(name, args, &terms) {
            return term;
        }
        match (name, terms.as_slice()) {
            ("coalesce" | "greatest" | "least" | "nvl" | "ifnull", [_, ..]) => {
                let (what, written) = match name {
                    "greatest" => ("greatest", "greatest"),
                    "least" => ("least", "least"),
                    "nvl" => ("coalesce", "nvl"),
                    "ifnull" => ("coalesce", "ifnull"),
                    _ => ("coalesce", "coalesce"),
                };
                self.beside(written, args.iter().copied(), &terms);
                exact_beside_decimals(args.iter().copied(), &mut terms);
                return self.merged(what, terms);
            }
            ("nullif", [value, other]) => {
                self.beside("nullif", args.iter().copied(), &terms);
                self.alike("nullif", [value.clone(), other.clone()]);
                return value.clone();
            }
            ("array_has" | "list_has" | "array_contains" | "list_contains", [list, value]) => {
                if let [items, looked_for] = args {
                    self.beside_items("array_has", (looked_for, value), (items, list));
                }
            }
            ("nvl2", [_, one, other]) => {
                self.beside("nvl2", args.iter().skip(1).copied(), &[one.clone(), other.clone()]);
                return self.merged("nvl2", vec![one.clone(), other.clone()]);
            }
            ("date_diff" | "datediff", [_, start, end]) => {
                self.alike("date_diff", [start.clone(), end.clone()]);
            }
            // A number is the place of an item.
            ("json_extract" | "json_extract_string" | "json_exists", [_, key]) => {
                self.ask(key, Type::Text, Strength::Likely);
            }
            ("unnest" | "unnest_outer", [list]) => return self.item_of(list.clone()),
            ("grouping", _) => return Term::Typed(DataType::Int32),
            ("map" | "make_map", _) if !terms.iter().any(|term| term.ground().is_some_and(is_list)) => {
                let mut sides = (Vec::new(), Vec::new());
                for (at, term) in terms.into_iter().enumerate() {
                    if at % 2 == 0 { sides.0.push(term) } else { sides.1.push(term) }
                }
                return self.map_of(sides.0, sides.1);
            }
            _ => {}
        }
        self.values_of_some_kind(name, &terms);
        if let Some(function) = self.functions.scalar.get(name) {
            return self.call(at, Callee::Scalar(Arc::clone(function)), &terms, args);
        }
        if let Some(function) = self.functions.aggregate.get(name) {
            return self.call(at, Callee::Aggregate(Arc::clone(function)), &terms, args);
        }
        match self.functions.window.get(name) {
            Some(function) => self.call(at, Callee::Window(Arc::clone(function)), &terms, args),
            None => Term::Unknown,
        }
    }

    /// A call with OVER.
    fn over<'s>(&mut self, at: &ObjectName, name: &str, args: &[&'a Expr], scope: &'s Scope<'s, 'a>) -> Term {
        match self.functions.window.get(name) {
            Some(function) => {
                let terms: Vec<Term> = args.iter().map(|arg| self.expr(arg, scope)).collect();
                // What `lag` and `lead` give where there is no such row is alike what they give otherwise.
                if let ("lag" | "lead", [value, _, default]) = (name, terms.as_slice()) {
                    let what = if name == "lag" { "lag" } else { "lead" };
                    if let [at, _, other] = args {
                        self.beside_default(what, (*at, value), (*other, default));
                    }
                    self.alike("default", [value.clone(), default.clone()]);
                }
                if let ("lag" | "lead" | "nth_value", [_, offset, ..]) = (name, terms.as_slice()) {
                    self.must_be(offset, Type::Bigint);
                    let position = self.occurrence(offset).filter(|_| name == "nth_value");
                    self.found.positions.extend(position);
                }
                if let ("lag" | "lead" | "nth_value" | "first_value" | "last_value", [value, ..]) =
                    (name, terms.as_slice())
                {
                    return value.as_column();
                }
                self.call(at, Callee::Window(Arc::clone(function)), &terms, args)
            }
            None => self.called_at(at, name, args, scope),
        }
    }

    fn units(&mut self, name: &str, terms: &[Term]) {
        let units = match name {
            "date_trunc" | "datetrunc" | "date_diff" | "datediff" => TRUNC_UNITS,
            "date_part" | "datepart" => PART_UNITS,
            _ => return,
        };
        if let Some(at) = terms.first().and_then(|term| self.occurrence(term)) {
            self.found.units.insert(at, units);
        }
    }

    /// What a function takes some values of only, though its type says nothing of them.
    fn values_of_some_kind(&mut self, name: &str, terms: &[Term]) {
        self.units(name, terms);
        let term = |at: usize| terms.get(at).and_then(|term| self.occurrence(term));
        match name {
            // What they order by comes first.
            "percentile_cont" | "quantile_cont" | "approx_percentile_cont" => self.found.shares.extend(term(1)),
            "approx_percentile_cont_with_weight" => self.found.shares.extend(term(2)),
            "to_char" | "date_format" => {
                // A span of time has forms that are called by a name.
                let is_of_time = |ty: &DataType| !matches!(ty, DataType::Duration(_) | DataType::Interval(_));
                if terms.first().and_then(Term::ground).is_some_and(is_of_time) {
                    self.found.formats.extend(term(1));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, at: &ObjectName, callee: Callee, terms: &[Term], args: &[&'a Expr]) -> Term {
        self.check(at, || Checked::Call(callee.clone(), terms.to_vec()));
        self.beside_numbers(&callee, terms, args);
        let arguments: Vec<Argument> =
            terms.iter().zip(args).map(|(term, arg)| Argument { term: term.clone(), value: value_of(arg) }).collect();
        self.mark_beside_wrong(terms);
        if terms.iter().any(|term| matches!(term, Term::Unknown | Term::Wrong)) {
            // What is open beside something unknown may still be told by the signature.
            if !terms.iter().any(|term| matches!(term, Term::Open(_))) {
                return if terms.contains(&Term::Wrong) { Term::Wrong } else { Term::Unknown };
            }
        } else if let Some(types) = terms.iter().map(|term| term.ground().cloned()).collect::<Option<Vec<_>>>() {
            let values: Vec<Option<ScalarValue>> = arguments.into_iter().map(|argument| argument.value).collect();
            let result = callee.result(&types, &values);
            return result.map_or(Term::Unknown, |ty| Term::Typed(of_call(ty, &types)));
        }
        let result = self.found.constraints.cell();
        self.found.constraints.list.push(Constraint::Call { callee, arguments, result });
        Term::Open(result)
    }

    /// A function that takes functions: their parameters are items of its lists.
    fn higher_order<'s>(
        &mut self,
        function: &Arc<HigherOrderUDF>,
        args: &[&'a Expr],
        scope: &'s Scope<'s, 'a>,
    ) -> Term {
        let terms: Vec<Option<Term>> = args
            .iter()
            .map(|arg| match arg {
                Expr::Lambda(_) => None,
                value => Some(self.expr(value, scope)),
            })
            .collect();
        let mut fields: Vec<ValueOrLambda<FieldRef, Option<FieldRef>>> = Vec::new();
        for term in &terms {
            fields.push(match term {
                None => ValueOrLambda::Lambda(None),
                Some(term) => {
                    let ty = term.ground().cloned().unwrap_or(DataType::Null);
                    ValueOrLambda::Value(Arc::new(Field::new("argument", ty, true)))
                }
            });
        }
        let lambdas = |progress| match progress {
            LambdaParametersProgress::Partial(parameters) => parameters,
            LambdaParametersProgress::Complete(parameters) => parameters.into_iter().map(Some).collect(),
        };
        let parameters: Vec<Option<Vec<FieldRef>>> =
            function.lambda_parameters(0, &fields).map(lambdas).unwrap_or_default();
        let mut parameters = parameters.into_iter();
        for (arg, of_field) in args.iter().zip(&mut fields) {
            let Expr::Lambda(lambda) = arg else { continue };
            let types = parameters.next().flatten().unwrap_or_default();
            let body = self.lambda(lambda, &types, scope);
            if let Some(ty) = body.ground() {
                *of_field = ValueOrLambda::Lambda(Some(Arc::new(Field::new("body", ty.clone(), true))));
            }
            // What decides which items stay, or whether one is there, is a condition.
            if matches!(function.name(), "array_filter" | "array_any_match" | "array_all_match") {
                self.must_be(&body, Type::Boolean);
                *of_field = ValueOrLambda::Lambda(Some(Arc::new(Field::new("body", DataType::Boolean, true))));
            }
        }
        let known: Option<Vec<ValueOrLambda<FieldRef, FieldRef>>> = fields
            .into_iter()
            .map(|field| match field {
                ValueOrLambda::Value(field) => Some(ValueOrLambda::Value(field)),
                ValueOrLambda::Lambda(field) => field.map(ValueOrLambda::Lambda),
            })
            .collect();
        let is_open = terms.iter().flatten().any(|term| term.ground().is_none());
        let Some(known) = known.filter(|_| !is_open) else { return Term::Unknown };
        let values: Vec<Option<&ScalarValue>> = vec![None; known.len()];
        let arguments = HigherOrderReturnFieldArgs { arg_fields: &known, scalar_arguments: &values };
        let field = function.return_field_from_args(arguments);
        field.map_or(Term::Unknown, |field| Term::Typed(field.data_type().clone()))
    }

    fn lambda<'s>(&mut self, lambda: &'a LambdaFunction, types: &[FieldRef], scope: &'s Scope<'s, 'a>) -> Term {
        let parameters = lambda.params.iter().enumerate().map(|(at, parameter)| {
            let ty = types.get(at).map(|field| field.data_type().clone()).filter(|ty| *ty != DataType::Null);
            field(normalized(&parameter.name), ty.map_or(Term::Unknown, Term::Typed))
        });
        let relation = Relation { qualifier: None, fields: parameters.collect(), is_complete: true };
        let scope = Scope { relations: vec![relation], outer: Some(scope), ..Scope::default() };
        self.expr(&lambda.body, &scope)
    }
}

/// The value of a literal: some results depend on it (`arrow_cast(x, 'Int32')`).
pub(super) fn value_of(expr: &Expr) -> Option<ScalarValue> {
    match expr {
        Expr::Nested(inner) => value_of(inner),
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => {
                Some(ScalarValue::Utf8(Some(text.clone())))
            }
            Value::Number(digits, _) => match digits.parse::<i64>() {
                Ok(number) => Some(ScalarValue::Int64(Some(number))),
                Err(_) => digits.parse().ok().map(|number| ScalarValue::Float64(Some(number))),
            },
            Value::Boolean(value) => Some(ScalarValue::Boolean(Some(*value))),
            _ => None,
        },
        _ => None,
    }
}

/// A count or a rank has no sign because it needs none: it is never beyond a `bigint`, as a column without a sign may be.
fn of_call(result: DataType, arguments: &[DataType]) -> DataType {
    let is_count = result == DataType::UInt64 && !arguments.contains(&DataType::UInt64);
    if is_count { DataType::Int64 } else { result }
}
