//! Numbers that are written in a query beside decimals, which are decimals there.
//!
//! The planner's side of it is `plan/exact_numbers.rs`.

use crate::infer::constraint::Term;
use crate::infer::signature;
use crate::plan::exact_numbers;
use arrow::datatypes::DataType;
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value, ValueWithSpan};

/// Makes decimals of the numbers with a point that become one value with a decimal.
pub(super) fn exact_beside_decimals<'e>(exprs: impl Iterator<Item = &'e Expr>, terms: &mut [Term]) {
    if terms.iter().any(|term| term.ground().is_some_and(DataType::is_decimal)) {
        for (expr, term) in exprs.zip(terms) {
            if *term == Term::Constant(DataType::Float64)
                && let Some(ty) = exact_number(expr)
            {
                *term = Term::Constant(ty);
            }
        }
    }
}

/// Makes decimals of the numbers with a point that a function of lists is given beside a list of decimals: of its items'
/// type where they fit.
pub(super) fn exact_beside_lists<'e>(exprs: impl Iterator<Item = &'e Expr>, terms: &mut [Term]) {
    let item = terms.iter().find_map(|term| match term.ground() {
        Some(DataType::List(item)) if item.data_type().is_decimal() => Some(item.data_type().clone()),
        _ => None,
    });
    let Some(item) = item else { return };
    for (expr, term) in exprs.zip(terms) {
        if *term == Term::Constant(DataType::Float64)
            && let Some(ty) = exact_number(expr)
        {
            let fits = exact_numbers::together([&item, &ty]).as_ref() == Some(&item);
            *term = Term::Constant(if fits { item.clone() } else { ty });
        }
    }
}

/// The decimal that numbers in a query are beside a decimal, where one of them has a point.
pub(super) fn exact_number(expr: &Expr) -> Option<DataType> {
    exact_type(expr).and_then(|(ty, has_point)| has_point.then_some(ty))
}

/// The decimal that an expression of numbers is, and whether one of them has a point.
fn exact_type(expr: &Expr) -> Option<(DataType, bool)> {
    use BinaryOperator as Op;
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => {
            let ty = exact_numbers::decimal_type(digits.parse().ok()?)?;
            Some((ty, digits.parse::<i64>().is_err()))
        }
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr: inner } => {
            exact_type(inner)
        }
        Expr::BinaryOp { left, op: op @ (Op::Plus | Op::Minus | Op::Multiply), right } => {
            // The right side first: long sums are deep on the left, and most have a column on the right.
            let (right, of_right) = exact_type(right)?;
            let (left, of_left) = exact_type(left)?;
            Some((signature::of_operator(&left, op, &right)?, of_left || of_right))
        }
        Expr::Case { conditions, else_result, .. } => {
            let mut numbers = Vec::with_capacity(conditions.len() + 1);
            for result in conditions.iter().map(|when| &when.result).chain(else_result.as_deref()) {
                numbers.push(exact_type(result)?);
            }
            let has_point = numbers.iter().any(|(_, has_point)| *has_point);
            Some((exact_numbers::together(numbers.iter().map(|(ty, _)| ty))?, has_point))
        }
        _ => None,
    }
}
