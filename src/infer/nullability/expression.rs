//! Whether an expression may be null, given what is known of the rows it is evaluated over.

use super::bare::bare;
use super::facts::{Facts, Implied};
use super::predicate::Outcome;
use super::{Plans, functions, rows};
use crate::infer::is_test::is_test;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{BinaryExpr, Case, Expr, ExprSchemable, Operator};

/// The rows that expressions are evaluated over.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a, 'p> {
    plans: &'a Plans<'p>,
    pub(super) schema: &'a DFSchema,
    pub(super) facts: &'a Facts<'p>,
    /// The placeholders that have values because the optional clause around applies: `$1 $2`.
    given: &'p str,
}

impl<'a, 'p> Scope<'a, 'p> {
    /// Rows of a schema, of which something is known.
    pub(super) fn new(plans: &'a Plans<'p>, schema: &'a DFSchema, facts: &'a Facts<'p>) -> Scope<'a, 'p> {
        Scope { plans, schema, facts, given: "" }
    }

    /// The same rows inside an optional clause that applies: the placeholders that its marker lists have values. Others
    /// may stand in it, behind the name of a column that is computed of them.
    pub(super) fn in_clause(self, marker: &'p ScalarFunction) -> Scope<'a, 'p> {
        match marker.args.get(1).map(bare) {
            Some(Expr::Literal(ScalarValue::Utf8(Some(given)), _)) => Scope { given, ..self },
            _ => self,
        }
    }

    /// The same rows where more is known of them.
    fn under<'b>(self, facts: &'b Facts<'p>) -> Scope<'b, 'p>
    where
        'a: 'b,
    {
        Scope { plans: self.plans, schema: self.schema, facts, given: self.given }
    }

    /// Whether an expression may be null.
    pub(super) fn nullable(&self, expr: &'p Expr) -> bool {
        if is_remembered(expr) && self.facts.settle(expr) {
            return false;
        }
        match expr {
            Expr::Alias(alias) => self.nullable(&alias.expr),
            Expr::Column(column) => {
                self.schema.maybe_index_of_column(column).is_none_or(|at| self.facts.may_be_null(at))
            }
            Expr::Literal(value, _) => value.is_null(),
            Expr::Placeholder(placeholder) => {
                !self.given.split(' ').any(|id| id == placeholder.id) && (self.plans.may_be_null)(&placeholder.id)
            }
            Expr::Not(inner) | Expr::Negative(inner) => self.nullable(inner),
            Expr::Exists(_) => false,
            test if is_test(test) => false,
            Expr::BinaryExpr(binary) => self.binary(binary),
            Expr::Like(like) | Expr::SimilarTo(like) => self.nullable(&like.expr) || self.nullable(&like.pattern),
            Expr::Between(between) => {
                self.nullable(&between.expr) || self.nullable(&between.low) || self.nullable(&between.high)
            }
            Expr::InList(list) => self.nullable(&list.expr) || list.list.iter().any(|item| self.nullable(item)),
            // One that fails is an error of the call. Nothing is cast to the null type but to be null.
            Expr::Cast(cast) => cast.field.data_type().is_null() || self.nullable(&cast.expr),
            Expr::Case(case) => self.case(case),
            Expr::ScalarFunction(call) => self.call(call),
            Expr::InSubquery(within) => {
                self.nullable(&within.expr) || self.plans.facts(&within.subquery.subquery).may_be_null(0)
            }
            Expr::ScalarSubquery(subquery) => {
                !rows::always_one(subquery) || self.plans.facts(&subquery.subquery).may_be_null(0)
            }
            _ => true,
        }
    }

    fn binary(&self, binary: &'p BinaryExpr) -> bool {
        match binary.op {
            Operator::IsDistinctFrom | Operator::IsNotDistinctFrom => false,
            Operator::And | Operator::Or => self.nullable(&binary.left) || self.nullable(&binary.right),
            plain if functions::is_plain_operator(plain) => self.nullable(&binary.left) || self.nullable(&binary.right),
            _ => true,
        }
    }

    /// A branch is evaluated for the rows that its condition holds of and none before it does.
    fn case(&self, case: &'p Case) -> bool {
        let Some(otherwise) = &case.else_expr else {
            return true;
        };
        let mut rest = self.facts.clone();
        for (when, then) in &case.when_then_expr {
            let scope = self.under(&rest);
            let (taken, passed) = match &case.expr {
                Some(base) => (scope.known(base).and(scope.known(when)), Implied::default()),
                None => (scope.implied(when, Outcome::True), scope.implied(when, Outcome::NotTrue)),
            };
            if scope.under(&rest.with(taken)).nullable(then) {
                return true;
            }
            rest.learn(passed);
        }
        self.under(&rest).nullable(otherwise)
    }

    fn call(&self, call: &'p ScalarFunction) -> bool {
        match call.name() {
            OPTIONAL_AND | OPTIONAL_OR => {
                call.args.first().is_none_or(|condition| self.in_clause(call).nullable(condition))
            }
            "coalesce" | "greatest" | "least" | "nvl" => call.args.iter().all(|arg| self.nullable(arg)),
            "nvl2" => call.args.iter().skip(1).any(|arg| self.nullable(arg)),
            // As a cast is.
            "arrow_cast" => {
                let ty = call.args.get(1).map(bare);
                let is_value = matches!(ty, Some(Expr::Literal(ScalarValue::Utf8(Some(ty)), _)) if ty != "Null");
                !is_value || call.args.first().is_none_or(|arg| self.nullable(arg))
            }
            // The parts of a day that the calendar does not reach are null; nanoseconds do not get that far.
            "date_part" => !call.args.get(1).is_some_and(|arg| self.is_nanoseconds(arg) && !self.nullable(arg)),
            name if functions::is_never_null(name) => false,
            name if functions::is_plain(name) || crate::plan::is_plain(&call.func) => {
                call.args.iter().any(|arg| self.nullable(arg))
            }
            _ => true,
        }
    }

    fn is_nanoseconds(&self, expr: &Expr) -> bool {
        matches!(expr.get_type(self.schema), Ok(DataType::Timestamp(TimeUnit::Nanosecond, _)))
    }
}

/// Whether an expression is one that [`Facts`] may know more of than its operands tell.
fn is_remembered(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Case(_)
            | Expr::OuterReferenceColumn(..)
            | Expr::Placeholder(_)
            | Expr::ScalarFunction(_)
            | Expr::TryCast(_)
    )
}
