//! What a SELECT may come to before it runs. Time, memory and rows are bounded while it does; this refuses what would only
//! use them up.

use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::failure::engine_error;
use crate::engine::join_order::{Sizes, most_pairs};
use crate::engine::stop;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;

/// The most pairs of rows that a join may compare or give.
const MOST_PAIRS: f64 = 1e9;
/// How often a SELECT may read tables, in all.
const MOST_SCANS: usize = 20;

/// Refuses a plan that is sure to come to too much.
///
/// Errors: `too-expensive`.
pub(super) async fn check(core: &Core, plan: &LogicalPlan) -> Result<(), CallError> {
    let (mut scans, mut is_recursive) = (0, false);
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        match node {
            LogicalPlan::TableScan(_) => scans += 1,
            LogicalPlan::RecursiveQuery(_) => is_recursive = true,
            _ => {}
        }
        Ok(TreeNodeRecursion::Continue)
    });
    if is_recursive {
        let message = "WITH RECURSIVE may go on for ever";
        return Err(too_expensive(message, "write the SELECT without it"));
    }
    if scans > MOST_SCANS {
        let message = format!("the SELECT reads tables {scans} times, and may {MOST_SCANS} times");
        return Err(too_expensive(&message, "ask in several calls"));
    }
    // What reads one table joins nothing.
    if scans < 2 {
        return Ok(());
    }
    let state = core.session().ctx.state();
    let optimized = stop::optimized(plan, &state).map_err(engine_error)?;
    let key = |table: &str| core.primary_key(table).to_vec();
    let sizes = Sizes::read(&optimized, &state, &key).await.map_err(engine_error)?;
    if most_pairs(&optimized, &sizes) > MOST_PAIRS {
        let message = "a join of the SELECT comes to more than 1,000,000,000 pairs of rows";
        return Err(too_expensive(message, "join tables by equal columns that tell rows apart, or filter them before"));
    }
    Ok(())
}

fn too_expensive(message: &str, hint: &str) -> CallError {
    CallError::about(CallCode::TooExpensive, "sql", message).hint(hint)
}
