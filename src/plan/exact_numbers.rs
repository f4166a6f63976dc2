//! Numbers with a point that are written beside a decimal, in sums, differences, products and remainders: they are
//! decimals there, as in PostgreSQL and DuckDB.
//!
//! The planner makes doubles of them, and a decimal beside a double is a double: 3.10 * 1.1 was 3.4100000000000006. What
//! is divided stays a double, as in DuckDB. The values of a call are never read so: their types are known before.

use datafusion::arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

/// Digits on either side of the point that a double keeps for certain, and that DataFusion's decimal beside a double has.
const DIGITS: usize = 15;

/// Digits in front of the point that a product has at least, so that none of a size that occurs fails.
const WHOLE: i16 = 18;

/// A number that is written in a query, as a decimal: its digits as one integer, their number, and how many are behind the
/// point; `None` where it has more than 15 on either side of that.
pub(crate) fn decimal(number: f64) -> Option<(i128, u8, i8)> {
    let written = number.abs().to_string();
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    if !number.is_finite() || whole.len() > DIGITS || fraction.len() > DIGITS {
        return None;
    }
    let digits = format!("{whole}{fraction}").parse::<i128>().ok()?;
    let precision = u8::try_from(digits.to_string().len().max(fraction.len())).ok()?;
    let sign = if number.is_sign_negative() { -1 } else { 1 };
    Some((sign * digits, precision, i8::try_from(fraction.len()).ok()?))
}

/// The type of such a decimal.
pub(crate) fn decimal_type(number: f64) -> Option<DataType> {
    decimal(number).map(|(_, precision, scale)| DataType::Decimal128(precision, scale))
}

/// Whether a decimal takes a written number of that type in an operation: the result has room for all digits.
pub(crate) fn takes(decimal: &DataType, op: Operator, number: &DataType) -> bool {
    let (DataType::Decimal128(precision, scale), DataType::Decimal128(of_number, behind)) = (decimal, number) else {
        return false;
    };
    let [precision, scale, of_number, behind] =
        [i16::from(*precision), i16::from(*scale), i16::from(*of_number), i16::from(*behind)];
    let most = i16::from(DECIMAL128_MAX_PRECISION);
    match op {
        Operator::Multiply => precision + of_number < most || most - scale - behind >= WHOLE,
        Operator::Plus | Operator::Minus | Operator::Modulo => {
            (precision - scale).max(of_number - behind) + scale.max(behind) < most
        }
        _ => false,
    }
}

/// The number that an expression is, as an exact one: a number with a point, or what is calculated of numbers with one
/// among them; `None` where it is anything else.
pub(super) fn exact(expr: &Expr) -> Option<Expr> {
    read(expr).and_then(|(exact, has_point)| has_point.then_some(exact))
}

/// The same of any numbers, and whether one of them has a point.
fn read(expr: &Expr) -> Option<(Expr, bool)> {
    use Operator::{Minus, Multiply, Plus};
    match expr {
        Expr::Literal(ScalarValue::Float64(Some(number)), metadata) => {
            let (digits, precision, scale) = decimal(*number)?;
            Some((Expr::Literal(ScalarValue::Decimal128(Some(digits), precision, scale), metadata.clone()), true))
        }
        Expr::Literal(ScalarValue::Int64(Some(number)), metadata) => {
            let precision = u8::try_from(number.unsigned_abs().to_string().len()).ok()?;
            let digits = i128::from(*number);
            Some((Expr::Literal(ScalarValue::Decimal128(Some(digits), precision, 0), metadata.clone()), false))
        }
        Expr::Negative(inner) => {
            let (inner, has_point) = read(inner)?;
            Some((Expr::Negative(Box::new(inner)), has_point))
        }
        Expr::BinaryExpr(BinaryExpr { left, op: op @ (Plus | Minus | Multiply), right }) => {
            // The right side first: long sums are deep on the left, and most have a column on the right.
            let (right, of_right) = read(right)?;
            let (left, of_left) = read(left)?;
            Some((Expr::BinaryExpr(BinaryExpr::new(Box::new(left), *op, Box::new(right))), of_left || of_right))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_are_written() {
        assert_eq!(decimal(1.1), Some((11, 2, 1)));
        assert_eq!(decimal(-0.05), Some((-5, 2, 2)));
        assert_eq!(decimal(0.001), Some((1, 3, 3)));
        assert_eq!(decimal(100.0), Some((100, 3, 0)));
        assert_eq!(decimal(0.0), Some((0, 1, 0)));
        assert_eq!(decimal(1e-16), None);
        assert_eq!(decimal(1e15), None);
        assert_eq!(decimal(f64::NAN), None);
    }

    #[test]
    fn a_product_keeps_room_for_what_is_in_front_of_the_point() {
        let takes = |decimal, number, op| {
            let [decimal, number] = [decimal, number].map(|(digits, scale)| DataType::Decimal128(digits, scale));
            takes(&decimal, op, &number)
        };
        assert!(takes((12, 2), (2, 1), Operator::Multiply));
        assert!(takes((38, 2), (2, 1), Operator::Multiply));
        assert!(!takes((38, 20), (2, 1), Operator::Multiply));
        assert!(takes((36, 2), (2, 1), Operator::Plus));
        assert!(!takes((38, 2), (2, 1), Operator::Plus));
        assert!(!takes((12, 2), (2, 1), Operator::Divide));
    }
}
