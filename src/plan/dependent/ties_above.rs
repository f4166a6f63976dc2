//! Which conditions on outer rows DataFusion may take out of a subquery, and put into the join that it makes of it.
//!
//! A condition is taken out through all that stands above it. That is right where this gives the same rows before and
//! behind the condition. DataFusion refuses some of what does not, and passes over the rest: a window would number the
//! rows of all outer rows, an outer join would lose those that have no match, and an aggregate of an aggregate without
//! groups would not see the row that this has for no rows at all.

use datafusion::common::JoinType;
use datafusion::logical_expr::{Distinct, Join, LogicalPlan};

/// What stands above an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    /// What computes a row of each row, or leaves it out.
    Rows,
    /// Something that puts rows together.
    Other,
}

/// Whether the conditions on outer rows in a subquery may be taken out of it.
pub(super) fn may_be_taken_out(plan: &LogicalPlan) -> bool {
    may_be(plan, Above::Rows)
}

fn may_be(plan: &LogicalPlan, above: Above) -> bool {
    if !is_tied(plan) {
        return true;
    }
    match plan {
        LogicalPlan::Projection(it) => may_be(&it.input, above),
        LogicalPlan::SubqueryAlias(it) => may_be(&it.input, above),
        LogicalPlan::Filter(it) => may_be(&it.input, above),
        LogicalPlan::Sort(it) => may_be(&it.input, above),
        LogicalPlan::Limit(it) => may_be(&it.input, above),
        LogicalPlan::Distinct(Distinct::All(input)) => may_be(input, above),
        LogicalPlan::Aggregate(it) => {
            (above == Above::Rows || !it.group_expr.is_empty()) && may_be(&it.input, Above::Other)
        }
        LogicalPlan::Join(it) => {
            [&it.left, &it.right].into_iter().all(|side| may_be(side, Above::Other)) && is_of_kept_sides(it)
        }
        LogicalPlan::Values(_) | LogicalPlan::EmptyRelation(_) | LogicalPlan::TableScan(_) => true,
        _ => false,
    }
}

/// Whether no side is tied to outer rows whose rows are missing where they match nothing.
fn is_of_kept_sides(join: &Join) -> bool {
    match join.join_type {
        JoinType::Inner => true,
        JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => !is_tied(&join.right),
        JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => !is_tied(&join.left),
        JoinType::Full => !is_tied(&join.left) && !is_tied(&join.right),
    }
}

fn is_tied(plan: &LogicalPlan) -> bool {
    !plan.all_out_ref_exprs().is_empty()
}
