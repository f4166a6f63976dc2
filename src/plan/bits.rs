//! Operators that go by the bits of whole numbers. The engine takes any number there and rounds it, so that 19.99 & 1 is 0;
//! PostgreSQL and DuckDB refuse it.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use sqlparser::ast::BinaryOperator;

/// What is to be known where such an operator is refused.
pub(crate) const WHOLE: &str = "whole numbers alone have bits: `CAST(x AS bigint)` rounds others";

/// Whether an operator is one of them. `^` is none: elsewhere it is a power, and that is told of it.
pub(crate) fn is_of_bits(op: &BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(op, Op::BitwiseAnd | Op::BitwiseOr | Op::PGBitwiseXor | Op::PGBitwiseShiftLeft | Op::PGBitwiseShiftRight)
}

/// Whether the numbers of a type have digits behind the point, or may have.
pub(crate) fn is_inexact(ty: &DataType) -> bool {
    ty.is_decimal() || ty.is_floating()
}

/// Refuses numbers without bits.
pub(super) fn check(op: &BinaryOperator, [left, right]: &[DataType; 2]) -> Result<()> {
    if is_of_bits(op) && (is_inexact(left) || is_inexact(right)) {
        return plan_err!("{op} does not take {left} and {right}: {WHOLE}");
    }
    Ok(())
}
