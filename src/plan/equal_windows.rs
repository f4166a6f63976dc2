//! Window functions that are equal are computed once, whatever they are called.
//!
//! `lag(v, << a >>)` and `lag(v, << b >>)` are equal where a call sends the same for both. DataFusion would take the
//! function that they have in common out of the window, to where none can be.

use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Window};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// The rule.
#[derive(Debug)]
pub(super) struct EqualWindows;

impl OptimizerRule for EqualWindows {
    fn name(&self) -> &str {
        "qtool_equal_windows"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let mut has_windows = false;
        plan.apply_with_subqueries(|node| {
            has_windows |= matches!(node, LogicalPlan::Window(_));
            Ok(TreeNodeRecursion::Continue)
        })?;
        if has_windows { plan.transform_up_with_subqueries(rewrite) } else { Ok(Transformed::no(plan)) }
    }
}

fn rewrite(node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Window(window) = node else { return Ok(Transformed::no(node)) };
    let mut computed = below(&window.input);
    let given = window.input.schema().fields().len();
    let (mut once, mut picked) = (Vec::new(), Vec::new());
    for (at, column) in window.schema.columns().into_iter().enumerate() {
        let function = at.checked_sub(given).and_then(|at| window.window_expr.get(at));
        let Some(function) = function else {
            picked.push(Expr::Column(column));
            continue;
        };
        let bare = function.clone().unalias();
        if let Some((_, same)) = computed.iter().find(|(other, _)| *other == bare) {
            picked.push(Expr::Column(same.clone()).alias_qualified(column.relation, column.name));
            continue;
        }
        computed.push((bare, column.clone()));
        once.push(function.clone());
        picked.push(Expr::Column(column));
    }
    if once.len() == window.window_expr.len() {
        return Ok(Transformed::no(LogicalPlan::Window(window)));
    }
    let plan = if once.is_empty() {
        window.input.as_ref().clone()
    } else {
        LogicalPlan::Window(Window::try_new(once, window.input)?)
    };
    Ok(Transformed::yes(LogicalPlanBuilder::from(plan).project(picked)?.build()?))
}

/// The functions of the windows right below, which DataFusion looks at together, with the columns that they are.
fn below(plan: &LogicalPlan) -> Vec<(Expr, Column)> {
    let LogicalPlan::Window(window) = plan else { return Vec::new() };
    let mut computed = below(&window.input);
    let own = window.schema.columns().into_iter().skip(window.input.schema().fields().len());
    computed.extend(window.window_expr.iter().map(|function| function.clone().unalias()).zip(own));
    computed
}
