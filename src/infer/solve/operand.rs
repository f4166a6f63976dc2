//! What an arithmetic operator asks of an operand that has no type, from what stands beside it and what the result is
//! used as.

use crate::infer::constraint::Strength;
use crate::ty::Type;
use sqlparser::ast::BinaryOperator;

/// An operand without a type, and what is around it.
pub(super) struct Operand<'a> {
    pub op: &'a BinaryOperator,
    /// What the result is used as.
    pub expected: Option<&'a (Type, Strength)>,
    /// Whether it is time for what is likely.
    pub likely: bool,
    /// Whether it is time for guesses.
    pub guessing: bool,
}

impl Operand<'_> {
    /// What stands beside `sibling` in this operation. `is_left`: in front of it.
    pub(super) fn beside(&self, (sibling, strength): &(Type, Strength), is_left: bool) -> Option<(Type, Strength)> {
        let is_sum = matches!(self.op, BinaryOperator::Plus | BinaryOperator::Minus);
        let is_minus = matches!(self.op, BinaryOperator::Minus);
        let guess = |ty: Type| self.guessing.then_some((ty, Strength::Guess));
        match sibling {
            Type::Date | Type::Timestamp(_) | Type::Timestamptz(_) | Type::Time if is_sum => {
                if is_minus && is_left {
                    return Some((sibling.clone(), *strength));
                }
                match self.expected {
                    // The distance of two points in time.
                    Some((Type::Interval, strength)) if is_minus => {
                        // Two dates are a number of days apart, a date and a timestamp an interval.
                        let ty = if *sibling == Type::Date { Type::Timestamp(6) } else { sibling.clone() };
                        Some((ty, *strength))
                    }
                    Some((ty, strength)) if is_minus && ty.is_numeric() => Some((sibling.clone(), *strength)),
                    _ => (self.guessing || self.likely).then_some((Type::Interval, Strength::Likely)),
                }
            }
            Type::Interval if !is_sum => guess(Type::Bigint),
            Type::Interval if is_sum => match self.expected {
                Some((Type::Interval, strength)) => Some((Type::Interval, *strength)),
                Some((ty, strength)) if is_temporal(ty) && (is_left || !is_minus) => Some((ty.clone(), *strength)),
                _ if is_minus && !is_left => guess(Type::Interval),
                _ => None,
            },
            number if number.is_numeric() => self.beside_number(number, *strength),
            _ => None,
        }
    }

    fn beside_number(&self, sibling: &Type, strength: Strength) -> Option<(Type, Strength)> {
        let of_sibling = width(sibling, self.op);
        if of_sibling == FACTOR && strength >= Strength::Literal {
            // A product with a decimal is one, also where a double is made of it afterwards. A constant that is one was cast.
            return Some((of_sibling, strength));
        }
        match self.expected {
            // `day > << x >> + 7`
            Some((ty, strength)) if is_temporal(ty) => Some((ty.clone(), *strength)),
            Some((ty, expected)) if ty.is_numeric() => {
                let of_expected = width(ty, self.op);
                match (strength, *expected) {
                    (Strength::Use, Strength::Use) => Some((wider(&of_sibling, &of_expected), Strength::Use)),
                    (Strength::Use, _) => Some((of_sibling, Strength::Use)),
                    // A constant with a point is no whole number, whatever it is compared with.
                    (_, Strength::Use) if of_expected == Type::Bigint => Some((of_sibling, Strength::Use)),
                    (_, Strength::Use) => Some((of_expected, Strength::Use)),
                    // The factor of a decimal is one, such as `1 - << rebate >>`.
                    (Strength::Literal, Strength::Literal) if matches!(ty, Type::Decimal(..)) => {
                        Some((of_expected, Strength::Literal))
                    }
                    _ if self.guessing => Some((wider(&of_sibling, &of_expected), Strength::Guess)),
                    _ => None,
                }
            }
            _ if strength == Strength::Use => Some((of_sibling, Strength::Use)),
            _ => self.guessing.then_some((of_sibling, Strength::Guess)),
        }
    }
}

/// What two operands without a type are, of which the result is used as a type: numbers, a point in time and a span, or
/// two points in time.
pub(super) fn both(op: &BinaryOperator, (ty, strength): &(Type, Strength)) -> Option<[(Type, Strength); 2]> {
    let likely = |left: Type, right: Type| Some([(left, Strength::Likely), (right, Strength::Likely)]);
    match (op, ty) {
        (op, ty) if ty.is_numeric() => {
            let ty = width(ty, op);
            Some([(ty.clone(), *strength), (ty, *strength)])
        }
        (BinaryOperator::Plus | BinaryOperator::Minus, ty) if is_temporal(ty) => likely(ty.clone(), Type::Interval),
        (BinaryOperator::Plus, Type::Interval) => likely(Type::Interval, Type::Interval),
        (BinaryOperator::Minus, Type::Interval) => likely(Type::Timestamp(6), Type::Timestamp(6)),
        _ => None,
    }
}

fn is_temporal(ty: &Type) -> bool {
    matches!(ty, Type::Date | Type::Time | Type::Timestamp(_) | Type::Timestamptz(_))
}

/// What multiplies a decimal: rates and shares have up to six digits behind the point, and the product stays exact.
const FACTOR: Type = Type::Decimal(18, 6);

/// The type that a literal would have in that place: a whole number is a bigint, any other a double. Beside a decimal, an
/// addend has its digits, a factor six behind the point, and a divisor any.
pub(super) fn width(ty: &Type, op: &BinaryOperator) -> Type {
    match ty {
        ty if ty.is_integer() => Type::Bigint,
        Type::Decimal(..) if matches!(op, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Modulo) => {
            ty.clone()
        }
        Type::Decimal(..) if matches!(op, BinaryOperator::Multiply) => FACTOR,
        _ => Type::Double,
    }
}

fn wider(one: &Type, other: &Type) -> Type {
    match (one, other) {
        (Type::Decimal(..), Type::Bigint) => one.clone(),
        (Type::Bigint, Type::Decimal(..)) => other.clone(),
        _ => one.join(other).unwrap_or(Type::Double),
    }
}
