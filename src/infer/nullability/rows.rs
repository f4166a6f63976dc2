//! Whether a scalar subquery has a row: where it has none, its value is null.

use super::bare::bare;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    BinaryExpr, Distinct, EmptyRelation, Expr, FetchType, LogicalPlan, Operator, SkipType, Sort, Subquery,
};

/// Whether there is always exactly one row.
pub(super) fn always_one(subquery: &Subquery) -> bool {
    if subquery.outer_ref_columns.is_empty() {
        is_single(&subquery.subquery)
    } else {
        is_made_up_for(&subquery.subquery)
    }
}

fn is_single(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row, .. }) => *produce_one_row,
        LogicalPlan::Values(values) => values.values.len() == 1,
        LogicalPlan::Projection(projection) => is_single(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => is_single(&alias.input),
        LogicalPlan::Window(window) => is_single(&window.input),
        LogicalPlan::Distinct(Distinct::All(input)) => is_single(input),
        LogicalPlan::Sort(Sort { input, fetch: None, .. }) => is_single(input),
        LogicalPlan::Limit(limit) => {
            let skips_none = matches!(limit.get_skip_type(), Ok(SkipType::Literal(0)));
            let fetches = matches!(limit.get_fetch_type(), Ok(FetchType::Literal(None | Some(1..))));
            skips_none && fetches && is_single(&limit.input)
        }
        _ => false,
    }
}

/// A correlated subquery becomes a join with groups, and has no row for what finds none. For a plain aggregate of the
/// rows that a comparison of columns ties to the outer ones, the engine makes up for that with the aggregate of no
/// rows; of anything else it is not known to (<https://github.com/apache/datafusion/issues/10553>).
fn is_made_up_for(plan: &LogicalPlan) -> bool {
    match plan {
        // What is computed from the aggregate may be folded away, and nothing is made up for it then.
        LogicalPlan::Projection(projection) => {
            let is_plain = projection.expr.iter().all(|expr| matches!(bare(expr), Expr::Column(_)));
            is_plain && is_made_up_for(&projection.input)
        }
        LogicalPlan::Aggregate(aggregate) if aggregate.group_expr.is_empty() => match aggregate.input.as_ref() {
            LogicalPlan::Filter(filter) => split_conjunction(&filter.predicate).into_iter().any(is_tie),
            _ => false,
        },
        _ => false,
    }
}

/// `inner column = something of the outer row`.
fn is_tie(condition: &Expr) -> bool {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) = condition else {
        return false;
    };
    let ties = |inner: &Expr, outer: &Expr| {
        matches!(bare(inner), Expr::Column(_)) && outer.contains_outer() && !outer.any_column_refs()
    };
    ties(left, right) || ties(right, left)
}
