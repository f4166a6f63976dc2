//! Numbers that are written below a cast to a decimal are read digit by digit: the planner makes doubles of them, and
//! `CAST(123456789012345678.12 AS decimal(20,2))` was 123456789012345671.68.
//!
//! A text in the place of the number is read so. It is rounded half away from zero, as other decimals are.

use sqlparser::ast::{DataType, Expr, Spanned, Statement, UnaryOperator, Value, VisitMut, VisitorMut};
use std::ops::ControlFlow;

/// Digits on one side of the point that DataFusion reads of a text.
const MOST: usize = 60;

/// Replaces such numbers.
pub(super) fn to_texts(statement: &mut Statement) {
    let _ = statement.visit(&mut Texts);
}

struct Texts;

impl VisitorMut for Texts {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Cast { expr: inner, data_type, .. } = expr
            && matches!(data_type, DataType::Decimal(_) | DataType::Numeric(_) | DataType::Dec(_))
            && let Some(digits) = written(inner)
        {
            let span = inner.span();
            **inner = Expr::Value(Value::SingleQuotedString(digits).with_span(span));
        }
        ControlFlow::Continue(())
    }
}

/// The digits of a number that an expression is, with its sign; `None` where it is another expression, or has an exponent.
fn written(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) => written(inner),
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => number(expr),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => number(expr).map(|digits| format!("-{digits}")),
        other => number(other),
    }
}

fn number(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) => number(inner),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) if are_plain(digits) => Some(digits.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn are_plain(number: &str) -> bool {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_side = |side: &str| side.len() <= MOST && side.bytes().all(|byte| byte.is_ascii_digit());
    is_side(whole) && is_side(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;

    fn planned(sql: &str) -> String {
        let mut statement = parse_text(sql, &|_| None).unwrap();
        to_texts(&mut statement);
        statement.to_string()
    }

    #[test]
    fn numbers_below_casts_to_decimals_are_texts() {
        let casts = "SELECT CAST(1.005 AS DECIMAL(10,2)), (-1.5)::NUMERIC(3,1), TRY_CAST(.5 AS DECIMAL)";
        let texts = "SELECT CAST('1.005' AS DECIMAL(10,2)), '-1.5'::NUMERIC(3,1), TRY_CAST('.5' AS DECIMAL)";
        assert_eq!(planned(casts), texts);
    }

    #[test]
    fn other_casts_stay_as_they_are() {
        for sql in [
            "SELECT CAST(1.005 AS DOUBLE), CAST(a AS DECIMAL(10,2)), CAST(1.5 * 2 AS DECIMAL(10,2))",
            "SELECT CAST(1e3 AS DECIMAL(10,2)), CAST('1' AS DECIMAL(10,2)), -(a::DECIMAL(3,1))",
        ] {
            assert_eq!(planned(sql), sql);
        }
    }
}
