//! Numbers with a point that are written beside a decimal, in sums, differences, products and remainders: they are
//! decimals there, as in PostgreSQL and DuckDB.
//!
//! The planner makes doubles of them, and a decimal beside a double is a double: 3.10 * 1.1 was 3.4100000000000006. The
//! values of a call are never read so: their types are known before. A quotient is a double, as in DuckDB, and never a
//! decimal: DataFusion's is cut off after four more digits.

use datafusion::arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType};
use datafusion::common::DFSchema;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{BinaryExpr, Cast, Expr, ExprSchemable, Operator};

/// Digits on either side of the point that a double keeps for certain, and that DataFusion's decimal beside a double has.
const DIGITS: usize = 15;

/// Digits in front of the point that a result has at least, so that none of a size that occurs fails.
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

/// Whether a decimal takes a written number of that type in an operation: the result has room for all digits, or for as
/// many in front of the point as occur.
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
            (precision - scale).max(of_number - behind) + scale.max(behind) < most || most - scale.max(behind) >= WHOLE
        }
        _ => false,
    }
}

/// Whether it is a quotient with a decimal in it, and no other number than exact ones.
pub(crate) fn is_quotient(left: &DataType, op: Operator, right: &DataType) -> bool {
    let is_exact = |ty: &DataType| ty.is_decimal() || ty.is_integer();
    op == Operator::Divide && is_exact(left) && is_exact(right) && (left.is_decimal() || right.is_decimal())
}

/// The type that has the digits of several decimals, on both sides of the point.
pub(crate) fn together<'a>(types: impl IntoIterator<Item = &'a DataType>) -> Option<DataType> {
    let (mut whole, mut behind) = (0, 0);
    for ty in types {
        let DataType::Decimal128(precision, scale) = ty else { return None };
        whole = whole.max(i16::from(*precision) - i16::from(*scale));
        behind = behind.max(i16::from(*scale));
    }
    let precision =
        u8::try_from(whole + behind).ok().filter(|digits| (1..=DECIMAL128_MAX_PRECISION).contains(digits))?;
    Some(DataType::Decimal128(precision, i8::try_from(behind).ok()?))
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
        Expr::Case(case) => read_case(case),
        _ => None,
    }
}

/// A CASE of which all results are numbers.
fn read_case(case: &Case) -> Option<(Expr, bool)> {
    let mut case = case.clone();
    let mut has_point = false;
    let mut types = Vec::with_capacity(case.when_then_expr.len() + 1);
    let Case { when_then_expr, else_expr, .. } = &mut case;
    let mut results: Vec<&mut Box<Expr>> = when_then_expr.iter_mut().map(|(_, then)| then).chain(else_expr).collect();
    for result in &mut results {
        let (exact, with_point) = read(result)?;
        // No column is in it, so no schema tells its type.
        types.push(exact.get_type(&DFSchema::empty()).ok()?);
        ***result = exact;
        has_point |= with_point;
    }
    let ty = together(&types)?;
    for result in results {
        let exact = std::mem::take(&mut **result);
        **result = Expr::Cast(Cast::new(Box::new(exact), ty.clone()));
    }
    Some((Expr::Case(case), has_point))
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
    fn decimals_are_put_together_by_their_sides_of_the_point() {
        let decimal = DataType::Decimal128;
        assert_eq!(together(&[decimal(2, 1), decimal(3, 3), decimal(3, 0)]), Some(decimal(6, 3)));
        assert_eq!(together(&[decimal(38, 0), decimal(1, 1)]), None);
        assert_eq!(together(&[]), None);
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
        assert!(takes((38, 2), (2, 1), Operator::Plus));
        assert!(!takes((38, 30), (2, 1), Operator::Plus));
        assert!(!takes((12, 2), (2, 1), Operator::Divide));
    }
}
