//! Pushes filters towards the scans, as DataFusion's rule of that name does, but none that would land on another column.
//!
//! DataFusion's operators find a filter's columns in their inputs by name. Behind a join two columns may be called alike:
//! after its sides were swapped, `a.id <> 7` was evaluated over `b.id`. So a filter goes below an operator only where each
//! of its columns is found at the place where the operator has it from ([`lineage`]); else it stays where it is, which is
//! always right.

use super::lineage;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr_common::physical_expr::is_volatile;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::filter_pushdown::{
    ChildFilterPushdownResult, ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation, PushedDown,
    PushedDownPredicate,
};
use std::sync::Arc;

type Filter = Arc<dyn PhysicalExpr>;
type Plan = Arc<dyn ExecutionPlan>;
type Pushed = FilterPushdownPropagation<Plan>;

/// The rule in one of its two phases: filters of the query, and those that operators learn while they run.
#[derive(Debug)]
pub(super) struct FilterPushdown(pub(super) FilterPushdownPhase);

impl PhysicalOptimizerRule for FilterPushdown {
    fn optimize(&self, plan: Plan, config: &ConfigOptions) -> Result<Plan> {
        let pushed = Walk { config, phase: self.0 }.push(&plan, Vec::new())?;
        Ok(pushed.updated_node.unwrap_or(plan))
    }

    fn name(&self) -> &str {
        match self.0 {
            FilterPushdownPhase::Pre => "FilterPushdown",
            FilterPushdownPhase::Post => "FilterPushdown(Post)",
        }
    }

    fn schema_check(&self) -> bool {
        true
    }
}

struct Walk<'a> {
    config: &'a ConfigOptions,
    phase: FilterPushdownPhase,
}

impl Walk<'_> {
    /// Pushes the filters of the operators above into an operator, and its own into its inputs.
    fn push(&self, node: &Plan, filters: Vec<Filter>) -> Result<Pushed> {
        let passing: Vec<usize> = places(&filters, |filter| is_stable(filter) && lineage::is_kept(node, filter));
        let offered = passing.iter().filter_map(|at| filters.get(*at).cloned()).collect();
        let described = node.gather_filters_for_pushdown(self.phase, offered, self.config)?;
        let (theirs, own) = (described.parent_filters(), described.self_filters());
        let children = node.children();
        if theirs.len() != children.len() || own.len() != children.len() {
            return internal_err!("{} describes other inputs than it has", node.name());
        }
        let mut results: Vec<Vec<PushedDown>> = vec![Vec::new(); filters.len()];
        let (mut own_results, mut inputs) = (Vec::new(), Vec::new());
        for ((child, theirs), own) in children.into_iter().zip(theirs).zip(own) {
            let pushed = self.push_into(child, &theirs, own)?;
            for (at, result) in results.iter_mut().enumerate() {
                let offered = passing.iter().position(|passing| *passing == at);
                let answer = offered.and_then(|offered| pushed.theirs.get(offered).copied());
                result.push(answer.unwrap_or(PushedDown::No));
            }
            own_results.push(pushed.own);
            inputs.push(pushed.input);
        }
        let replaced = replace_children_if_necessary(Arc::clone(node), inputs)?;
        let parent_filters = filters
            .into_iter()
            .zip(results)
            .map(|(filter, child_results)| ChildFilterPushdownResult { filter, child_results })
            .collect();
        let result = ChildPushdownResult { parent_filters, self_filters: own_results };
        let mut answer = replaced.handle_child_pushdown_result(self.phase, result, self.config)?;
        if answer.updated_node.is_none() && !Arc::ptr_eq(&replaced, node) {
            answer.updated_node = Some(replaced);
        }
        Ok(answer)
    }

    /// Pushes into one input what the operators above and the operator itself want to have there.
    fn push_into(&self, child: &Plan, theirs: &[PushedDownPredicate], own: Vec<Filter>) -> Result<PushedInto> {
        let may_go = |filter: &Filter| is_stable(filter) && lineage::can_hold(child, filter);
        let own_going = places(&own, may_go);
        let theirs_going =
            places(theirs, |filter| matches!(filter.discriminant, PushedDown::Yes) && may_go(&filter.predicate));
        let going = own_going.iter().filter_map(|at| own.get(*at).cloned());
        let going = going.chain(theirs_going.iter().filter_map(|at| Some(Arc::clone(&theirs.get(*at)?.predicate))));
        let pushed = self.push(child, going.collect())?;
        if pushed.filters.len() != own_going.len() + theirs_going.len() {
            return internal_err!("{} answers for other filters than it was given", child.name());
        }
        let (own_answers, their_answers) = pushed.filters.split_at(own_going.len());
        let own_results = answers(own.len(), &own_going, own_answers);
        let own = own_results.into_iter().zip(own).map(|(result, filter)| result.wrap_expression(filter)).collect();
        Ok(PushedInto {
            input: pushed.updated_node.unwrap_or_else(|| Arc::clone(child)),
            own,
            theirs: answers(theirs.len(), &theirs_going, their_answers),
        })
    }
}

/// What came of pushing filters into one input.
struct PushedInto {
    input: Plan,
    own: Vec<PushedDownPredicate>,
    theirs: Vec<PushedDown>,
}

/// The places of those that something holds of.
fn places<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Vec<usize> {
    all.iter().enumerate().filter(|(_, one)| holds(one)).map(|(at, _)| at).collect()
}

/// The answers for all, where only some were asked.
fn answers(count: usize, asked: &[usize], answers: &[PushedDown]) -> Vec<PushedDown> {
    let answer = |at: usize| asked.iter().position(|asked| *asked == at).and_then(|place| answers.get(place).copied());
    (0..count).map(|at| answer(at).unwrap_or(PushedDown::No)).collect()
}

/// Whether it has the same value wherever it is evaluated.
fn is_stable(filter: &Filter) -> bool {
    let mut stable = true;
    // Looking at an expression does not fail.
    let _ = filter.apply(|expr| {
        stable &= !is_volatile(expr);
        Ok(if stable { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    stable
}
