//! Operators that compute: `+`, `||`, `&`, `NOT`.

use super::Collector;
use super::comparisons::comparison;
use super::expr::BOOLEAN;
use super::parts::is_list;
use super::written_numbers::exact_number;
use crate::infer::checked::Checked;
use crate::infer::constraint::{Constraint, Strength, Term};
use crate::infer::scope::Scope;
use crate::infer::signature;
use crate::plan::added_spans::{BELOW_A_DAY, is_written_below_a_day};
use crate::ty::Type;
use arrow::datatypes::DataType;
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

impl<'a> Collector<'a> {
    pub(super) fn binary<'s>(
        &mut self,
        whole: &'a Expr,
        (left, op, right): (&'a Expr, &'a BinaryOperator, &'a Expr),
        scope: &'s Scope<'s, 'a>,
    ) -> Term {
        use BinaryOperator as Op;
        if let Some(what) = comparison(op) {
            return self.comparison(whole, (left, what, right), scope);
        }
        if is_match(op) {
            return self.matched([left, right], scope);
        }
        let is_sum = matches!(op, Op::Plus | Op::Minus);
        let exact = exact_number(left).or_else(|| exact_number(right));
        let [left, right] = [left, right].map(|side| {
            let term = self.expr(side, scope);
            if is_sum { added(side, term) } else { term }
        });
        match op {
            Op::And | Op::Or | Op::Xor => {
                self.must_be(&left, Type::Boolean);
                self.must_be(&right, Type::Boolean);
                BOOLEAN
            }
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
                self.arithmetic(whole, (left, op, right), exact)
            }
            Op::StringConcat => self.concatenation(left, right),
            Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::PGBitwiseXor
            | Op::PGBitwiseShiftLeft
            | Op::PGBitwiseShiftRight => {
                self.check(whole, || Checked::Operator(op.clone(), left.clone(), right.clone()));
                self.of_bits(left, right)
            }
            Op::AtArrow | Op::ArrowAt => {
                self.alike("@>", [left, right]);
                BOOLEAN
            }
            _ => Term::Unknown,
        }
    }

    fn arithmetic(
        &mut self,
        whole: &Expr,
        (left, op, right): (Term, &BinaryOperator, Term),
        exact: Option<DataType>,
    ) -> Term {
        self.check(whole, || Checked::Operator(op.clone(), left.clone(), right.clone()));
        let occurrences: Vec<usize> = [&left, &right].into_iter().filter_map(|term| self.occurrence(term)).collect();
        self.found.arithmetic.extend(occurrences);
        if let (Some(one), Some(other)) = (left.ground(), right.ground()) {
            let ty = signature::of_operator_with(one, op, other, exact.as_ref());
            return ty.map_or(Term::Unknown, |ty| computed(ty, [&left, &right]));
        }
        let result = self.found.constraints.cell();
        self.mark_beside_wrong(&[left.clone(), right.clone(), Term::Open(result)]);
        let constraint = Constraint::Arithmetic { op: op.clone(), left, right, exact, result };
        self.found.constraints.list.push(constraint);
        Term::Open(result)
    }

    fn concatenation(&mut self, left: Term, right: Term) -> Term {
        if let (Some(one), Some(other)) = (left.ground(), right.ground()) {
            return match [one, other].into_iter().find(|ty| is_list(ty)) {
                Some(list) => Term::Typed(list.clone()),
                None => computed(DataType::Utf8, [&left, &right]),
            };
        }
        let result = self.found.constraints.cell();
        self.mark_beside_wrong(&[left.clone(), right.clone(), Term::Open(result)]);
        self.found.constraints.list.push(Constraint::Concat { left, right, result });
        Term::Open(result)
    }

    fn of_bits(&mut self, left: Term, right: Term) -> Term {
        self.must_be(&left, Type::Bigint);
        self.must_be(&right, Type::Bigint);
        let known = [&left, &right].into_iter().filter_map(Term::ground).find(|ty| ty.is_integer());
        computed(known.cloned().unwrap_or(DataType::Int64), [&left, &right])
    }

    pub(super) fn unary<'s>(&mut self, op: UnaryOperator, inner: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        let term = self.expr(inner, scope);
        match op {
            UnaryOperator::Not => {
                self.must_be(&term, Type::Boolean);
                BOOLEAN
            }
            UnaryOperator::Minus | UnaryOperator::Plus => {
                self.found.arithmetic.extend(self.occurrence(&term));
                if let Term::Open(_) = term {
                    self.ask(&term, Type::Double, Strength::Guess);
                    let result = Term::Open(self.found.constraints.cell());
                    self.alike("-", [term, result.clone()]);
                    return result;
                }
                term
            }
            _ => term,
        }
    }
}

/// What is added: a day beside a written span of hours or less becomes an instant.
fn added(side: &Expr, term: Term) -> Term {
    if is_written_below_a_day(side) { Term::Constant(BELOW_A_DAY) } else { term }
}

/// What is computed of constants is a constant.
fn computed(ty: DataType, sides: [&Term; 2]) -> Term {
    if sides.iter().all(|side| matches!(side, Term::Constant(_))) { Term::Constant(ty) } else { Term::Typed(ty) }
}

/// Operators between a text and a pattern.
fn is_match(op: &BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(
        op,
        Op::PGRegexMatch
            | Op::PGRegexIMatch
            | Op::PGRegexNotMatch
            | Op::PGRegexNotIMatch
            | Op::Regexp
            | Op::PGLikeMatch
            | Op::PGILikeMatch
            | Op::PGNotLikeMatch
            | Op::PGNotILikeMatch
    )
}
