//! Puts joins in the order that is cheapest: the engine joins tables in the order that a query names them.
//!
//! A region is a tree of inner joins, with the filters and the columns picked between them; what it joins are its
//! relations, and any other node is one, outer joins among them. Of a region, all conditions are collected. Equal
//! columns become classes, so that two relations can be joined by an equality that only follows from those of the
//! query. The sizes of the relations are guessed ([`estimate`]), the cheapest order is looked for ([`search`]), and the
//! region is built anew.
//!
//! Works on plans that are optimised: their filters are where they belong. It is no rule of the optimiser, because what
//! tables hold can only be asked for asynchronously, and because plans that are made at start must not depend on it. It
//! changes nothing of what comes out: neither rows nor schema, only their order where the query asks for none. Where
//! anything is not known, or the query's own order is about as good, the plan stays as it is.

mod build;
mod estimate;
mod pairs;
mod region;
mod search;
mod selectivity;
mod sizes;
#[cfg(test)]
mod tests;

pub(crate) use pairs::most_pairs;
pub(crate) use sizes::Sizes;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::Optimizer;
use datafusion::optimizer::optimize_projections::OptimizeProjections;
use estimate::Estimate;
use region::{Region, is_part};
use std::sync::Arc;

/// So many relations have different orders. Of two, the engine itself builds the hash table of the smaller.
const FEWEST: usize = 3;
/// An order must be so many times cheaper than the query's own. Sizes are guesses: within a fifth of each other two orders
/// are alike, and whoever wrote the query may know more than its statistics do.
const WORTH: f64 = 1.2;

/// Whether a plan has joins that could be put in another order, so that it is worth asking for sizes.
pub(crate) fn has_choice(plan: &LogicalPlan) -> bool {
    let mut found = false;
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        found = found || is_part(node) && Region::of(node).is_some_and(|region| region.relations.len() >= FEWEST);
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

/// The plan, already optimised, with its joins in the cheapest order.
///
/// Errors: columns that are not needed any more cannot be left out; the plan was not one of the optimiser.
pub(crate) fn reorder(plan: LogicalPlan, sizes: &Sizes, state: &SessionState) -> Result<LogicalPlan> {
    let before = Arc::clone(plan.schema());
    let reordered = outside(plan.clone(), sizes)?;
    if !reordered.transformed {
        return Ok(plan);
    }
    // Joins carry no column that only the query's own order needed there.
    let narrow = Optimizer::with_rules(vec![Arc::new(OptimizeProjections::new())]);
    let reordered = narrow.optimize(reordered.data, state, |_, _| {})?;
    Ok(if before.logically_equivalent_names_and_types(reordered.schema()) { reordered } else { plan })
}

/// Goes on where no region is open.
fn outside(plan: LogicalPlan, sizes: &Sizes) -> Result<Transformed<LogicalPlan>> {
    if !is_part(&plan) {
        return below(plan, sizes, outside);
    }
    let Some(region) = Region::of(&plan).filter(|region| region.relations.len() >= FEWEST) else {
        return inside(plan, sizes);
    };
    let Some((region, tree)) = better(region, sizes) else { return inside(plan, sizes) };
    let schema = Arc::clone(plan.schema());
    match build::build(region, &tree, schema, |relation| Ok(outside(relation, sizes)?.data)) {
        Ok(built) => Ok(Transformed::yes(built)),
        // Such as names that are ambiguous where they stand now.
        Err(_) => inside(plan, sizes),
    }
}

/// Goes on in a region that stays as it is.
fn inside(plan: LogicalPlan, sizes: &Sizes) -> Result<Transformed<LogicalPlan>> {
    if is_part(&plan) { below(plan, sizes, inside) } else { outside(plan, sizes) }
}

fn below(
    plan: LogicalPlan,
    sizes: &Sizes,
    go_on: fn(LogicalPlan, &Sizes) -> Result<Transformed<LogicalPlan>>,
) -> Result<Transformed<LogicalPlan>> {
    plan.map_uncorrelated_subqueries(|subquery| outside(subquery, sizes))?
        .transform_sibling(|plan| plan.map_children(|child| go_on(child, sizes)))
}

/// The order that is worth the change.
fn better(mut region: Region, sizes: &Sizes) -> Option<(Region, search::Tree)> {
    let estimates: Vec<Estimate> =
        region.relations.iter().map(|relation| Estimate::of(relation, sizes)).collect::<Option<_>>()?;
    let graph = region.graph(&estimates)?;
    let (own, best) = (graph.cost(&region.tree), graph.best()?);
    // Fewer relations than the query's own order has would be other rows: there is nothing to compare then.
    (own.cost > best.cost * WORTH && own.set == best.set).then_some((region, best.tree))
}
