//! What is not null where a condition holds, or fails.
//!
//! Conditions have three values; a `WHERE` keeps the rows of which its own is true. The markers of optional clauses
//! have the value that binding gives them: that of their condition where the placeholders they list have values, and
//! otherwise true behind `AND`, false behind `OR`.

use super::bare::bare;
use super::expression::Scope;
use super::facts::Implied;
use super::functions;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use datafusion::logical_expr::expr::{InList, InSubquery, ScalarFunction};
use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};

/// What is known of the value of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is true.
    True,
    /// It is false.
    False,
    /// It is false or null.
    NotTrue,
    /// It is true or null.
    NotFalse,
}

impl Outcome {
    /// The same said of the opposite condition.
    fn negated(self) -> Outcome {
        match self {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::NotTrue => Outcome::NotFalse,
            Outcome::NotFalse => Outcome::NotTrue,
        }
    }

    /// Whether a condition that is never null is true.
    fn holds(self) -> bool {
        matches!(self, Outcome::True | Outcome::NotFalse)
    }

    /// Whether the condition itself is not null.
    fn is_value(self) -> bool {
        matches!(self, Outcome::True | Outcome::False)
    }
}

impl<'p> Scope<'_, 'p> {
    /// What is not null where a condition comes out so.
    pub(super) fn implied(&self, expr: &'p Expr, outcome: Outcome) -> Implied<'p> {
        use Outcome::{False, NotFalse, NotTrue, True};
        let holds = outcome.holds();
        match expr {
            Expr::Alias(alias) => self.implied(&alias.expr, outcome),
            Expr::Not(inner) => self.implied(inner, outcome.negated()),
            Expr::BinaryExpr(binary) => self.connected(expr, binary, outcome),
            Expr::IsNull(inner) | Expr::IsUnknown(inner) if !holds => self.known(inner),
            Expr::IsNotNull(inner) | Expr::IsNotUnknown(inner) if holds => self.known(inner),
            Expr::IsTrue(inner) => self.implied(inner, if holds { True } else { NotTrue }),
            Expr::IsFalse(inner) => self.implied(inner, if holds { False } else { NotFalse }),
            Expr::IsNotTrue(inner) => self.implied(inner, if holds { NotTrue } else { True }),
            Expr::IsNotFalse(inner) => self.implied(inner, if holds { NotFalse } else { False }),
            Expr::ScalarFunction(call) if matches!(call.name(), OPTIONAL_AND | OPTIONAL_OR) => {
                self.clause(call, outcome)
            }
            Expr::InList(list) => self.in_list(list, outcome),
            Expr::InSubquery(within) => self.in_subquery(within, outcome),
            Expr::Between(between) => self.between(between, outcome),
            other if outcome.is_value() => self.known(other),
            _ => Implied::default(),
        }
    }

    fn connected(&self, expr: &'p Expr, binary: &'p BinaryExpr, outcome: Outcome) -> Implied<'p> {
        let (left, right) = (binary.left.as_ref(), binary.right.as_ref());
        let both_sides = || (self.implied(left, outcome), self.implied(right, outcome));
        match (binary.op, outcome.holds()) {
            (Operator::And, true) | (Operator::Or, false) => {
                let (left, right) = both_sides();
                left.and(right)
            }
            // One of the sides comes out so, and it is not known which.
            (Operator::And, false) | (Operator::Or, true) => {
                let (left, right) = both_sides();
                left.or(&right)
            }
            (Operator::IsDistinctFrom, true) | (Operator::IsNotDistinctFrom, false) => self.different(left, right),
            (Operator::IsDistinctFrom, false) | (Operator::IsNotDistinctFrom, true) => self.alike(left, right),
            _ if outcome.is_value() => self.known(expr),
            _ => Implied::default(),
        }
    }

    /// What is not NULL is distinct from it.
    fn different(&self, left: &'p Expr, right: &'p Expr) -> Implied<'p> {
        let is_null = |expr: &Expr| matches!(bare(expr), Expr::Literal(value, _) if value.is_null());
        match (is_null(left), is_null(right)) {
            (false, true) => self.known(left),
            (true, false) => self.known(right),
            _ => Implied::default(),
        }
    }

    /// What is not distinct from a value is one.
    fn alike(&self, left: &'p Expr, right: &'p Expr) -> Implied<'p> {
        // Nothing larger: every level of a nested expression would be looked at twice.
        let is_value = |expr: &'p Expr| {
            let expr = bare(expr);
            matches!(expr, Expr::Column(_) | Expr::Literal(..) | Expr::Placeholder(_)) && !self.nullable(expr)
        };
        let one = if is_value(right) { self.known(left) } else { Implied::default() };
        let other = if is_value(left) { self.known(right) } else { Implied::default() };
        one.and(other)
    }

    fn clause(&self, call: &'p ScalarFunction, outcome: Outcome) -> Implied<'p> {
        // A clause that is left out has the other outcome, so that this one applies.
        let applies = outcome.holds() == (call.name() == OPTIONAL_OR);
        match call.args.first() {
            Some(condition) if applies => self.in_clause(call).implied(condition, outcome),
            _ => Implied::default(),
        }
    }

    fn in_list(&self, list: &'p InList, outcome: Outcome) -> Implied<'p> {
        let found = outcome.holds() != list.negated;
        if outcome.is_value() && (found || !may_be_empty(list)) { self.known(&list.expr) } else { Implied::default() }
    }

    fn in_subquery(&self, within: &'p InSubquery, outcome: Outcome) -> Implied<'p> {
        let found = outcome.holds() != within.negated;
        if outcome.is_value() && found { self.known(&within.expr) } else { Implied::default() }
    }

    fn between(&self, between: &'p Between, outcome: Outcome) -> Implied<'p> {
        let inside = outcome.holds() != between.negated;
        if !outcome.is_value() {
            return Implied::default();
        }
        let tested = self.known(&between.expr);
        // Outside it lies beyond one of the bounds; the other may be null.
        if inside { tested.and(self.known(&between.low)).and(self.known(&between.high)) } else { tested }
    }

    /// What is not null where an expression is not.
    pub(super) fn known(&self, expr: &'p Expr) -> Implied<'p> {
        match expr {
            Expr::Alias(alias) => self.known(&alias.expr),
            Expr::Column(column) => {
                self.schema.maybe_index_of_column(column).map_or_else(Implied::default, Implied::column)
            }
            Expr::Not(inner) | Expr::Negative(inner) => self.known(inner),
            Expr::Cast(cast) => self.known(&cast.expr),
            Expr::TryCast(cast) => Implied::expr(expr).and(self.known(&cast.expr)),
            Expr::BinaryExpr(binary) if functions::is_plain_operator(binary.op) => {
                self.known(&binary.left).and(self.known(&binary.right))
            }
            Expr::Like(like) | Expr::SimilarTo(like) => self.known(&like.expr).and(self.known(&like.pattern)),
            Expr::Between(between) => self.known(&between.expr),
            Expr::InList(list) if !may_be_empty(list) => self.known(&list.expr),
            Expr::ScalarFunction(call) => self.known_call(expr, call),
            Expr::Case(_) | Expr::OuterReferenceColumn(..) | Expr::Placeholder(_) => Implied::expr(expr),
            _ => Implied::default(),
        }
    }

    fn known_call(&self, expr: &'p Expr, call: &'p ScalarFunction) -> Implied<'p> {
        if matches!(call.name(), OPTIONAL_AND | OPTIONAL_OR) {
            return Implied::default();
        }
        let subject = functions::subject(call.name());
        let strict = |at: usize| call.func.is_strict() || subject == Some(at);
        let args = call.args.iter().enumerate().filter(|(at, _)| strict(*at));
        args.fold(Implied::expr(expr), |implied, (_, arg)| implied.and(self.known(arg)))
    }
}

/// Whether a list may have no items: `IN << list >>` is one placeholder for all of them. Nothing is in such a list, and
/// NULL is not either.
fn may_be_empty(list: &InList) -> bool {
    list.list.iter().any(|item| matches!(bare(item), Expr::Placeholder(_)))
}
