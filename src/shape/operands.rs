//! Which placeholders make a comparison NULL or false where they are absent.

use crate::syntax::ast::{normalized, number};
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectNamePart, UnaryOperator,
    Value,
};

/// Whether a condition stands under an odd number of NOTs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    AsWritten,
    Negated,
}

impl Sense {
    pub(super) fn flipped(self) -> Sense {
        match self {
            Sense::AsWritten => Sense::Negated,
            Sense::Negated => Sense::AsWritten,
        }
    }
}

/// The placeholders whose absence makes a comparison NULL or false; none of what is no comparison.
pub(super) fn compared(condition: &Expr, sense: Sense) -> Vec<usize> {
    match condition {
        Expr::Nested(inner) => compared(inner, sense),
        Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => compared(inner, sense.flipped()),
        // Of rows that are compared for being other ones, another value may decide.
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if sense == Sense::AsWritten => {
            [left, right].into_iter().flat_map(|side| row(side)).collect()
        }
        Expr::BinaryOp { left, op, right } if compares(op) => operands(&[left, right]),
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. } => operands(&[expr, pattern]),
        Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => operands(&[left, right]),
        // Outside of an interval with one end missing there are still the rows beyond the other end.
        Expr::Between { expr, negated, .. } if *negated != (sense == Sense::Negated) => operand(expr),
        Expr::Between { expr, low, high, .. } => operands(&[expr, low, high]),
        Expr::InSubquery { expr, .. } => operand(expr),
        // Among other items an absent one is no loss, but NOT IN a list with NULL holds for nothing.
        Expr::InList { expr, list, negated } => {
            let is_negated = *negated != (sense == Sense::Negated);
            let items = if is_negated || list.len() == 1 { list.as_slice() } else { &[] };
            operand(expr).into_iter().chain(items.iter().flat_map(operand)).collect()
        }
        _ => Vec::new(),
    }
}

/// Those of a row value, or of a value alone.
fn row(side: &Expr) -> Vec<usize> {
    match side {
        Expr::Tuple(values) => values.iter().flat_map(operand).collect(),
        value => operand(value),
    }
}

fn operands(all: &[&Expr]) -> Vec<usize> {
    all.iter().flat_map(|one| operand(one)).collect()
}

/// The placeholders that make an operand NULL: most functions may do otherwise, as `coalesce` does.
pub(super) fn operand(expr: &Expr) -> Vec<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(written) => number(written).into_iter().collect(),
            _ => Vec::new(),
        },
        Expr::Nested(inner)
        | Expr::Cast { expr: inner, .. }
        | Expr::Collate { expr: inner, .. }
        | Expr::Ceil { expr: inner, .. }
        | Expr::Floor { expr: inner, .. } => operand(inner),
        Expr::UnaryOp { op: UnaryOperator::Plus | UnaryOperator::Minus, expr: inner } => operand(inner),
        Expr::BinaryOp { left, op, right } if computes(op) => operands(&[left, right]),
        Expr::Trim { expr, trim_what, trim_characters, .. } => {
            let what = trim_what.iter().flat_map(|what| operand(what));
            let characters = trim_characters.iter().flatten().flat_map(operand);
            operand(expr).into_iter().chain(what).chain(characters).collect()
        }
        Expr::Substring { expr, substring_from, substring_for, .. } => {
            let bounds = substring_from.iter().chain(substring_for).flat_map(|bound| operand(bound));
            operand(expr).into_iter().chain(bounds).collect()
        }
        Expr::Function(function) if passes_null(function) => arguments(function).flat_map(operand).collect(),
        _ => Vec::new(),
    }
}

/// Functions of texts and numbers that are NULL where any of their arguments is.
fn passes_null(function: &Function) -> bool {
    const NAMES: [&str; 11] =
        ["abs", "btrim", "length", "lower", "ltrim", "round", "rtrim", "substr", "substring", "trim", "upper"];
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => NAMES.contains(&normalized(name).as_str()),
        _ => false,
    }
}

fn arguments(function: &Function) -> impl Iterator<Item = &Expr> {
    let arguments: &[FunctionArg] = match &function.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
    };
    arguments.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    })
}

fn compares(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::PGRegexMatch
            | BinaryOperator::PGRegexIMatch
            | BinaryOperator::PGRegexNotMatch
            | BinaryOperator::PGRegexNotIMatch
            | BinaryOperator::PGLikeMatch
            | BinaryOperator::PGILikeMatch
            | BinaryOperator::PGNotLikeMatch
            | BinaryOperator::PGNotILikeMatch
    )
}

fn computes(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::StringConcat
    )
}
