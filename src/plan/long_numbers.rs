//! Numbers of more digits than a double has, in comparisons: the planner makes doubles of them, and no value of a decimal column
//! was equal to `12345678901234567890.123456`.
//!
//! A text below a cast to a decimal is read digit by digit. Beside what is no decimal and no integer it is made the double again
//! that it was: a decimal that is cast to one may be its neighbour. Numbers of up to 17 digits stay as they are: that many tell
//! all doubles apart, and are written of them.

use datafusion::arrow::datatypes::DataType as ArrowType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr as Planned;
use sqlparser::ast::{
    BinaryOperator, CastKind, DataType, ExactNumberInfo, Expr, Spanned, Statement, UnaryOperator, Value, VisitMut,
    VisitorMut,
};
use std::ops::ControlFlow;

/// The digits that tell all doubles apart.
const OF_DOUBLES: usize = 17;

/// The digits of the longest decimal.
const OF_DECIMALS: usize = 38;

/// A longer list stays one: comparisons stand inside of one another.
const MOST_ITEMS: usize = 64;

/// Replaces such numbers.
pub(super) fn to_decimals(statement: &mut Statement) {
    let _ = statement.visit(&mut Decimals);
}

struct Decimals;

impl VisitorMut for Decimals {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        written_out(expr);
        if let Expr::BinaryOp { left, op, right } = expr
            && is_comparison(op)
        {
            replace(left);
            replace(right);
        }
        ControlFlow::Continue(())
    }
}

/// The double that such a number is beside values of a type; `None` where it stays a decimal, or is none of these.
pub(super) fn beside(number: &Planned, ty: &ArrowType) -> Option<Planned> {
    let Planned::Cast(cast) = number else { return None };
    let Planned::Literal(text, _) = cast.expr.as_ref() else { return None };
    let is_exact = ty.is_decimal() || ty.is_integer();
    let is_number = cast.field.data_type().is_decimal() && !is_exact;
    let text = text.try_as_str().flatten().filter(|_| is_number)?;
    of_number(text.trim_start_matches('-'))?;
    text.parse::<f64>().ok().map(|number| Planned::Literal(ScalarValue::Float64(Some(number)), None))
}

fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq, Spaceship};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq | Spaceship)
}

/// Makes comparisons of a range and of a list with such a number: of the sides of a comparison it is known what each is beside.
fn written_out(expr: &mut Expr) {
    let compared = |left: &Expr, op: BinaryOperator, right: &Expr| {
        let (mut left, mut right) = (left.clone(), right.clone());
        replace(&mut left);
        replace(&mut right);
        Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
    };
    let (parts, between, is_negated) = match expr {
        Expr::Between { expr, negated, low, high } if is_column(expr) && (is_long(low) || is_long(high)) => {
            let parts = vec![compared(expr, BinaryOperator::GtEq, low), compared(expr, BinaryOperator::LtEq, high)];
            (parts, BinaryOperator::And, *negated)
        }
        Expr::InList { expr, list, negated }
            if is_column(expr) && list.len() <= MOST_ITEMS && list.iter().any(is_long) =>
        {
            let parts = list.iter().map(|item| compared(expr, BinaryOperator::Eq, item)).collect();
            (parts, BinaryOperator::Or, *negated)
        }
        _ => return,
    };
    let both =
        |left: Expr, right: Expr| Expr::BinaryOp { left: Box::new(left), op: between.clone(), right: Box::new(right) };
    let Some(all) = parts.into_iter().reduce(both) else { return };
    let all = Expr::Nested(Box::new(all));
    *expr = if is_negated { Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(all) } } else { all };
}

/// What may stand there several times: it is the same each time, and as fast.
fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

fn is_long(expr: &Expr) -> bool {
    long(expr, "").is_some()
}

fn replace(side: &mut Expr) {
    let Some((digits, precision, scale)) = long(side, "") else { return };
    let span = side.span();
    let text = Expr::Value(Value::SingleQuotedString(digits).with_span(span));
    *side = Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(text),
        data_type: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(precision, scale)),
        array: false,
        format: None,
    };
}

/// A number with its sign, its digits and those behind its point, where they are many.
fn long(expr: &Expr, sign: &str) -> Option<(String, u64, i64)> {
    match expr {
        Expr::Nested(inner) => long(inner, sign),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } if sign.is_empty() => long(expr, "-"),
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => {
                of_number(number).map(|(digits, scale)| (format!("{sign}{number}"), digits, scale))
            }
            _ => None,
        },
        _ => None,
    }
}

fn of_number(number: &str) -> Option<(u64, i64)> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let are_digits = |side: &str| side.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(fraction) || number.parse::<u64>().is_ok() {
        return None;
    }
    let whole = whole.trim_start_matches('0').len();
    let significant = match whole {
        0 => fraction.trim_start_matches('0').len(),
        whole => whole + fraction.len(),
    };
    let digits = (whole + fraction.len()).max(1);
    let is_long = significant > OF_DOUBLES && digits <= OF_DECIMALS;
    is_long.then_some((u64::try_from(digits).ok()?, i64::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;

    fn planned(sql: &str) -> String {
        let mut statement = parse_text(sql, &|_| None).unwrap();
        to_decimals(&mut statement);
        statement.to_string()
    }

    #[test]
    fn long_numbers_of_comparisons_are_decimals() {
        assert_eq!(
            planned("SELECT a FROM t WHERE b = 12345678901234567890.123456 OR -0.1234567890123456789 < b"),
            "SELECT a FROM t WHERE b = CAST('12345678901234567890.123456' AS DECIMAL(26,6)) \
             OR CAST('-0.1234567890123456789' AS DECIMAL(19,19)) < b"
        );
        assert_eq!(
            planned("SELECT a FROM t WHERE 123456789012345678901 >= b"),
            "SELECT a FROM t WHERE CAST('123456789012345678901' AS DECIMAL(21,0)) >= b"
        );
    }

    #[test]
    fn ranges_and_lists_of_such_numbers_are_comparisons() {
        assert_eq!(
            planned(
                "SELECT a FROM t WHERE b BETWEEN 1 AND 12345678901234567890.5 AND c NOT IN (1, 12345678901234567890.5)"
            ),
            "SELECT a FROM t WHERE (b >= 1 AND b <= CAST('12345678901234567890.5' AS DECIMAL(21,1))) \
             AND NOT (c = 1 OR c = CAST('12345678901234567890.5' AS DECIMAL(21,1)))"
        );
    }

    #[test]
    fn numbers_that_doubles_are_written_as_stay() {
        for sql in [
            "SELECT a FROM t WHERE b = 0.30000000000000004 AND c < 18446744073709551615 AND d = 1.5e300",
            "SELECT 3.14159265358979323846 * r FROM t WHERE 2 * 3.14159265358979323846 * r > 1",
            "SELECT a FROM t WHERE b = 1234567890123456789012345678901234567890.5",
        ] {
            assert_eq!(planned(sql), sql);
        }
    }
}
