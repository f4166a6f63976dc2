//! Rows made of many rows: groups and windows.

use super::expression::Scope;
use super::facts::Facts;
use super::{Plans, functions};
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction};
use datafusion::logical_expr::utils::grouping_set_to_exprlist;
use datafusion::logical_expr::{
    Aggregate, Expr, GroupingSet, Window, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowFunctionDefinition,
};

impl<'p> Plans<'p> {
    /// The groups, for grouping sets the number of the set, and the aggregates.
    pub(super) fn aggregate(&self, aggregate: &'p Aggregate) -> Facts<'p> {
        let facts = self.facts(&aggregate.input);
        let scope = Scope::new(self, aggregate.input.schema(), &facts);
        let groups = aggregate.group_expr.as_slice();
        let Ok(exprs) = grouping_set_to_exprlist(groups) else {
            return Facts::default();
        };
        let mut columns: Vec<bool> =
            exprs.into_iter().map(|expr| is_left_out(groups, expr) || scope.nullable(expr)).collect();
        if matches!(groups, [Expr::GroupingSet(_)]) {
            columns.push(false);
        }
        columns.extend(aggregate.aggr_expr.iter().map(|expr| aggregated(&scope, groups, expr)));
        Facts::of(columns)
    }

    /// The columns there were, and the functions of the window.
    pub(super) fn window(&self, window: &'p Window) -> Facts<'p> {
        let facts = self.facts(&window.input);
        let scope = Scope::new(self, window.input.schema(), &facts);
        facts.beside(&Facts::of(window.window_expr.iter().map(|expr| windowed(&scope, expr)).collect()))
    }
}

/// Whether there are rows that a grouping expression takes no part in, and is null.
fn is_left_out(groups: &[Expr], expr: &Expr) -> bool {
    match groups {
        [Expr::GroupingSet(GroupingSet::GroupingSets(sets))] => !sets.iter().all(|set| set.contains(expr)),
        [Expr::GroupingSet(_)] => true,
        _ => false,
    }
}

/// Whether every row is made of at least one row: without groups there is one even for no rows at all.
fn are_never_empty(groups: &[Expr]) -> bool {
    match groups {
        [Expr::GroupingSet(GroupingSet::GroupingSets(sets))] => sets.iter().all(|set| !set.is_empty()),
        plain => !plain.is_empty() && !plain.iter().any(|expr| matches!(expr, Expr::GroupingSet(_))),
    }
}

fn aggregated<'p>(scope: &Scope<'_, 'p>, groups: &[Expr], expr: &'p Expr) -> bool {
    match expr {
        Expr::Alias(alias) => aggregated(scope, groups, &alias.expr),
        Expr::AggregateFunction(AggregateFunction { func, params }) => {
            let has_values = are_never_empty(groups)
                && params.filter.is_none()
                && functions::is_of_any_row(func.name())
                && !params.args.iter().any(|arg| scope.nullable(arg));
            // The counting ones say of themselves that they are never null.
            func.is_nullable() && !has_values
        }
        _ => true,
    }
}

fn windowed<'p>(scope: &Scope<'_, 'p>, expr: &'p Expr) -> bool {
    match expr {
        Expr::Alias(alias) => windowed(scope, &alias.expr),
        Expr::WindowFunction(window) => {
            let WindowFunction { fun, params } = window.as_ref();
            let name = match fun {
                WindowFunctionDefinition::AggregateUDF(aggregate) => aggregate.name(),
                WindowFunctionDefinition::WindowUDF(function) => function.name(),
            };
            let has_values = has_its_own_row(&params.window_frame)
                && params.filter.is_none()
                && functions::is_of_any_row_in_a_window(name)
                && !params.args.iter().any(|arg| scope.nullable(arg));
            name != "count" && !functions::is_numbering(name) && !has_values
        }
        _ => true,
    }
}

/// Whether the window of every row holds that row. One that is counted in values is not looked at: what is near NULL
/// or NaN?
fn has_its_own_row(frame: &WindowFrame) -> bool {
    let counts_rows = frame.units == WindowFrameUnits::Rows;
    let from_here_back = match &frame.start_bound {
        WindowFrameBound::CurrentRow => true,
        WindowFrameBound::Preceding(distance) => counts_rows || distance.is_null(),
        WindowFrameBound::Following(_) => false,
    };
    let from_here_on = match &frame.end_bound {
        WindowFrameBound::CurrentRow => true,
        WindowFrameBound::Following(distance) => counts_rows || distance.is_null(),
        WindowFrameBound::Preceding(_) => false,
    };
    from_here_back && from_here_on
}
