//! Which conditions leave out rows at every call.

use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, ObjectNamePart, Visit, Visitor};
use std::ops::ControlFlow;

/// Whether a condition leaves out rows at every call: `true`, `1 = 1` and optional clauses do not.
pub(super) fn restricts(condition: &Expr) -> bool {
    match condition {
        Expr::Nested(inner) => restricts(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => restricts(left) || restricts(right),
        // What stands behind OR may admit every row; a clause is left out at some calls.
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            restricts(left) && (restricts(right) || is_optional_clause(right))
        }
        _ => !is_optional_clause(condition) && names_a_column(condition),
    }
}

/// Whether a join has a condition that leaves out rows of its left and of its right side: an outer join keeps all.
pub(super) fn restricted_sides(operator: &JoinOperator) -> (bool, bool) {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::StraightJoin(constraint)
        | JoinOperator::Semi(constraint)
        | JoinOperator::LeftSemi(constraint)
        | JoinOperator::RightSemi(constraint)
        | JoinOperator::Anti(constraint)
        | JoinOperator::LeftAnti(constraint)
        | JoinOperator::RightAnti(constraint) => (is_condition(constraint), is_condition(constraint)),
        JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => (false, is_condition(constraint)),
        JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => (is_condition(constraint), false),
        JoinOperator::AsOf { .. } => (true, true),
        _ => (false, false),
    }
}

/// Whether a join has rows without one of its left and of its right side: an outer join has, and one that asks for what is
/// not there.
pub(super) fn optional_sides(operator: &JoinOperator) -> (bool, bool) {
    match operator {
        JoinOperator::Left(_)
        | JoinOperator::LeftOuter(_)
        | JoinOperator::Anti(_)
        | JoinOperator::LeftAnti(_)
        | JoinOperator::OuterApply => (false, true),
        JoinOperator::Right(_) | JoinOperator::RightOuter(_) | JoinOperator::RightAnti(_) => (true, false),
        JoinOperator::FullOuter(_) => (true, true),
        _ => (false, false),
    }
}

fn is_condition(constraint: &JoinConstraint) -> bool {
    match constraint {
        JoinConstraint::On(condition) => restricts(condition),
        JoinConstraint::Using(_) | JoinConstraint::Natural => true,
        JoinConstraint::None => false,
    }
}

fn is_optional_clause(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return false };
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value == OPTIONAL_AND || name.value == OPTIONAL_OR,
        _ => false,
    }
}

fn names_a_column(expr: &Expr) -> bool {
    struct Columns;

    impl Visitor for Columns {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    expr.visit(&mut Columns).is_break()
}
