//! Builds a region anew, in another order.

use super::region::{Region, equality};
use super::search::{Set, Tree, is_within};
use datafusion::common::{Column, DFSchemaRef, JoinType, NullEquality, Result, internal_err};
use datafusion::logical_expr::logical_plan::{Filter, Join, Projection};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, JoinConstraint, LogicalPlan};
use std::sync::Arc;

/// The region in the order of the tree, with the columns of `schema`. `finish` is applied to every relation.
///
/// Errors: names that are ambiguous in another order; those of `finish`.
pub(super) fn build(
    region: Region,
    tree: &Tree,
    schema: DFSchemaRef,
    finish: impl Fn(LogicalPlan) -> Result<LogicalPlan>,
) -> Result<LogicalPlan> {
    let built = part(&region, tree, &finish)?.plan;
    let built = filtered(built, region.constants)?;
    Ok(LogicalPlan::Projection(Projection::new_from_schema(Arc::new(built), schema)))
}

/// A part of a region that is built.
struct Part {
    plan: LogicalPlan,
    set: Set,
}

fn part(region: &Region, tree: &Tree, finish: &impl Fn(LogicalPlan) -> Result<LogicalPlan>) -> Result<Part> {
    match tree {
        Tree::Relation(at) => {
            let Some((relation, filters)) = region.relations.get(*at).zip(region.filters.get(*at)) else {
                return internal_err!("a relation is missing");
            };
            Ok(Part { plan: filtered(finish(relation.clone())?, filters.clone())?, set: 1 << at })
        }
        Tree::Join(left, right) => join(region, part(region, left, finish)?, part(region, right, finish)?),
    }
}

fn join(region: &Region, left: Part, right: Part) -> Result<Part> {
    let set = left.set | right.set;
    let mut on: Vec<(Expr, Expr)> = region.classes.iter().filter_map(|class| keys(class, &left, &right)).collect();
    let mut filters = Vec::new();
    for (expr, condition) in &region.conditions {
        let is_new = !is_within(condition.relations, left.set) && !is_within(condition.relations, right.set);
        if !is_new || !is_within(condition.relations, set) {
            continue;
        }
        match (equality(expr), condition.sides) {
            (Some((one, other)), Some((side, _))) if condition.joins(left.set, right.set) => {
                let (one, other) = if is_within(side, left.set) { (one, other) } else { (other, one) };
                on.push((one.clone(), other.clone()));
            }
            _ => filters.push(expr.clone()),
        }
    }
    let join = Join::try_new(
        Arc::new(left.plan),
        Arc::new(right.plan),
        on,
        conjunction(filters),
        JoinType::Inner,
        JoinConstraint::On,
        NullEquality::NullEqualsNothing,
        false,
    )?;
    Ok(Part { plan: LogicalPlan::Join(join), set })
}

/// One column of a class on either side: within a side, all of them are equal already.
fn keys(class: &[(Column, usize)], left: &Part, right: &Part) -> Option<(Expr, Expr)> {
    let of = |part: &Part| {
        let (column, _) = class.iter().find(|(_, at)| part.set & (1 << at) != 0)?;
        Some(Expr::Column(column.clone()))
    };
    Some((of(left)?, of(right)?))
}

fn filtered(plan: LogicalPlan, filters: Vec<Expr>) -> Result<LogicalPlan> {
    match conjunction(filters) {
        Some(filter) => Ok(LogicalPlan::Filter(Filter::try_new(filter, Arc::new(plan))?)),
        None => Ok(plan),
    }
}
