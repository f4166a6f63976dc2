//! Which share of the rows a condition keeps: guesses, where nothing is known of a column the usual ones.

use super::estimate::{ColumnEstimate, Estimate, place};
use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use std::collections::HashMap;

/// An equality with a value, as if a column had 25 of them. A guess: it was chosen because TPC-H's Q8 is slower with 0.1
/// and no other of its queries is; there, too high a guess costs more than too low a one. Nothing else speaks for it.
const EQUALITY: f64 = 0.04;
/// A bound on one side.
const BOUND: f64 = 0.3;
/// What nothing is known of.
const UNKNOWN: f64 = 0.3;
/// A pattern, and nulls.
const PATTERN: f64 = 0.15;

/// The share of the relation's rows that a condition keeps, from 0 to 1.
pub(super) fn selectivity(condition: &Expr, relation: &Estimate) -> f64 {
    let mut bounds: HashMap<&Column, (f64, f64)> = HashMap::new();
    let mut share = 1.0;
    for part in split_conjunction(condition) {
        // Both bounds of a column are looked at together: a narrow range is not the product of two wide ones.
        match bound_of_range(part, relation) {
            Some((column, Bound::Below(most))) => {
                let known = bounds.entry(column).or_insert((0.0, 1.0));
                known.1 = known.1.min(most);
            }
            Some((column, Bound::Above(least))) => {
                let known = bounds.entry(column).or_insert((0.0, 1.0));
                known.0 = known.0.max(least);
            }
            None => share *= share_of_condition(part, relation),
        }
    }
    let least = 1.0 / relation.base.max(1.0);
    let ranges = bounds.values().map(|(from, to)| (to - from).max(least)).product::<f64>();
    (share * ranges).clamp(0.0, 1.0)
}

/// A bound as a share of the column's range.
enum Bound {
    Below(f64),
    Above(f64),
}

/// The bound that a comparison sets, where the column's range is known.
fn bound_of_range<'a>(condition: &'a Expr, relation: &Estimate) -> Option<(&'a Column, Bound)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = condition else { return None };
    let (column, op, value) = match (left.as_ref(), right.as_ref()) {
        (Expr::Column(column), Expr::Literal(value, _)) => (column, *op, value),
        (Expr::Literal(value, _), Expr::Column(column)) => (column, op.swap()?, value),
        _ => return None,
    };
    let ColumnEstimate { range: Some((least, greatest)), data_type: Some(data_type), .. } =
        relation.columns.get(column)?
    else {
        return None;
    };
    let share = share_below(value, (*least, *greatest)).filter(|_| value.data_type() == *data_type)?;
    match op {
        Operator::Lt | Operator::LtEq => Some((column, Bound::Below(share))),
        Operator::Gt | Operator::GtEq => Some((column, Bound::Above(share))),
        _ => None,
    }
}

/// The share of a range that lies below a value.
fn share_below(value: &ScalarValue, (least, greatest): (f64, f64)) -> Option<f64> {
    let width = greatest - least;
    (width > 0.0).then_some(())?;
    Some(((place(value)? - least) / width).clamp(0.0, 1.0))
}

fn share_of_condition(condition: &Expr, relation: &Estimate) -> f64 {
    let kept = |condition: &Expr| selectivity(condition, relation);
    let negated = |share: f64, is_negated: bool| if is_negated { 1.0 - share } else { share };
    match condition {
        Expr::Literal(ScalarValue::Boolean(Some(holds)), _) => f64::from(u8::from(*holds)),
        Expr::Literal(..) => 0.0,
        Expr::Column(_) => 0.5,
        Expr::Not(inner) => 1.0 - kept(inner),
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            1.0 - (1.0 - kept(left)) * (1.0 - kept(right))
        }
        Expr::BinaryExpr(BinaryExpr { op: Operator::And, .. }) => kept(condition),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::Eq | Operator::IsNotDistinctFrom => equality(left, right, relation),
            Operator::NotEq | Operator::IsDistinctFrom => 1.0 - equality(left, right, relation),
            Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq => BOUND,
            _ => UNKNOWN,
        },
        Expr::Between(between) => negated(BOUND * BOUND, between.negated),
        Expr::InList(list) => {
            let each = equality(&list.expr, &list.expr, relation);
            negated((each * list.list.len() as f64).min(1.0), list.negated)
        }
        Expr::Like(like) => negated(PATTERN, like.negated),
        Expr::IsNull(_) => PATTERN,
        Expr::IsNotNull(_) => 1.0,
        _ => UNKNOWN,
    }
}

/// The share of one value of a column among its rows.
fn equality(left: &Expr, right: &Expr, relation: &Estimate) -> f64 {
    let distinct = |side: &Expr| side.try_as_col().and_then(|column| relation.distinct(column));
    match distinct(left).or_else(|| distinct(right)) {
        Some(distinct) => 1.0 / distinct.max(1.0),
        // Of a few rows, one is the least that can be looked for.
        None => EQUALITY.max(1.0 / relation.base.max(1.0)),
    }
}
