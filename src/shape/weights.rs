//! What the parts of a set operation mean for its rows.

use sqlparser::ast::{SetExpr, SetOperator};

/// What it means for the rows of a query that one of its leaves has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// There are none.
    Decides,
    /// There are those of the others.
    Alternative,
    /// There are no fewer: it takes rows away.
    TakesAway,
}

/// That of each leaf of a query, from the first on.
pub(super) fn weights(body: &SetExpr) -> Vec<Weight> {
    let mut found = Vec::new();
    // The left side of a chain is the deep one.
    let mut open = vec![(body, Weight::Decides)];
    while let Some((body, weight)) = open.pop() {
        let SetExpr::SetOperation { op, left, right, .. } = body else {
            found.push(weight);
            continue;
        };
        let (of_left, of_right) = match (weight, op) {
            (Weight::TakesAway, _) => (Weight::TakesAway, Weight::TakesAway),
            (weight, SetOperator::Intersect) => (weight, weight),
            (_, SetOperator::Union) => (Weight::Alternative, Weight::Alternative),
            (weight, SetOperator::Except | SetOperator::Minus) => (weight, Weight::TakesAway),
        };
        open.push((right, of_right));
        open.push((left, of_left));
    }
    found
}
