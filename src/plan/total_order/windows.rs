//! Functions over the rows around, and the first row of each group: where rows are equal in what these are sorted by, they
//! are sorted on by what tells them apart.

use super::TotalOrder;
use super::chance::{self, Obstacle, worse};
use super::facts::{Columns, Facts};
use super::walk::column_of;
use crate::plan::nested_lists::{compares_rows, has_compared_type};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction};
use datafusion::logical_expr::{
    Distinct, DistinctOn, Expr, LogicalPlan, Projection, SortExpr, Window, WindowFrameBound, WindowFrameUnits,
    WindowFunctionDefinition,
};
use std::sync::Arc;

/// What a function makes of rows that are equal in the order of its window.
enum Ties {
    /// The same, whichever comes first.
    Same,
    /// A choice, and any is right.
    Free,
    /// A choice that a further key would change the meaning of.
    Fixed,
}

impl TotalOrder<'_> {
    /// The functions of a window; those that take rows by their place have a total order.
    pub(super) fn windows(&self, it: Window) -> Result<(LogicalPlan, Facts)> {
        let (input, mut facts) = self.walk_arc(it.input)?;
        let ties = self.all_ties(&facts, input.schema())?;
        let mut settled = Vec::new();
        let mut found = Vec::new();
        for expr in &it.window_expr {
            let (further, why) = self.window(expr, input.schema(), &facts, ties.as_deref())?;
            settled.push(further);
            found.push(why);
        }
        facts.chance.extend(found);
        let width = facts.chance.len();
        facts.determined.extend(facts.keys.iter().map(|key| (key.clone(), (0..width).collect())).collect::<Vec<_>>());
        Ok((rebuilt(Window { input, ..it }, settled)?, facts))
    }

    /// A function with an order of its own where it needs one; why it may have another value each time.
    fn window(
        &self,
        expr: &Expr,
        schema: &DFSchema,
        facts: &Facts,
        ties: Option<&[SortExpr]>,
    ) -> Result<(Option<Expr>, Option<Obstacle>)> {
        let Some(call) = function(expr) else { return Ok((None, Some(Obstacle::Unknown))) };
        let (kind, own) = sensitivity(call, schema)?;
        let why = worse(self.chance(expr, schema, facts)?, own);
        let params = &call.params;
        let by = params.partition_by.iter().chain(params.order_by.iter().map(|key| &key.expr));
        let told: Columns = by.filter_map(|key| column_of(key, schema)).collect();
        if matches!(kind, Ties::Same) || facts.tells_all(&told) {
            return Ok((None, why));
        }
        let is_told = |tie: &SortExpr| !compares_rows(call) || has_compared_type(&tie.expr, schema);
        match (kind, ties.filter(|ties| ties.iter().all(is_told))) {
            (Ties::Free, Some(ties)) => {
                let mut call = call.clone();
                let more = ties.iter().filter(|tie| column_of(&tie.expr, schema).is_none_or(|at| !told.contains(&at)));
                call.params.order_by.extend(more.cloned());
                let name = expr.schema_name().to_string();
                Ok((Some(Expr::WindowFunction(Box::new(call)).alias(name)), why))
            }
            _ => {
                Ok((None, worse(why, Some(Obstacle::Ties(chance::call_in_words(call.fun.name(), &call.params.args))))))
            }
        }
    }

    /// The first row for each value of some expressions: it is the same one each time.
    pub(super) fn distinct_on(&self, it: DistinctOn) -> Result<(LogicalPlan, Facts)> {
        let (input, facts) = self.walk_arc(it.input)?;
        let mut it = DistinctOn { input, ..it };
        let schema = Arc::clone(it.input.schema());
        let mut found = self.projected(&it.select_expr, &schema, &facts)?;
        let mut order: Vec<SortExpr> = match &it.sort_expr {
            Some(order) => order.clone(),
            None => it.on_expr.iter().map(|expr| expr.clone().sort(true, false)).collect(),
        };
        let told: Columns = order.iter().filter_map(|key| column_of(&key.expr, &schema)).collect();
        let mut why = None;
        for expr in it.on_expr.iter().chain(order.iter().map(|key| &key.expr)) {
            why = worse(why, self.chance(expr, &schema, &facts)?);
        }
        if !facts.tells_all(&told) {
            match self.all_ties(&facts, &schema)? {
                Some(ties) => {
                    let is_new = |tie: &SortExpr| column_of(&tie.expr, &schema).is_none_or(|at| !told.contains(&at));
                    order.extend(ties.into_iter().filter(is_new));
                    it.sort_expr = Some(order);
                }
                None => why = worse(why, Some(Obstacle::Ties("DISTINCT ON".to_owned()))),
            }
        }
        let places = it.on_expr.iter().map(|expr| it.select_expr.iter().position(|one| one.clone().unalias() == *expr));
        if let Some(key) = places.collect::<Option<Columns>>() {
            found = found.identified_by(key);
        }
        Ok((LogicalPlan::Distinct(Distinct::On(it)), found.with_rows(why)))
    }
}

/// The window with other functions in the place of some. Those with another order are an operator of their own.
fn rebuilt(it: Window, settled: Vec<Option<Expr>>) -> Result<LogicalPlan> {
    let (mut kept, mut further) = (Vec::new(), Vec::new());
    for (expr, settled) in it.window_expr.into_iter().zip(settled) {
        match settled {
            Some(expr) => further.push(expr),
            None => kept.push(expr),
        }
    }
    if further.is_empty() {
        return Ok(LogicalPlan::Window(Window { window_expr: kept, input: it.input, schema: it.schema }));
    }
    if kept.is_empty() {
        return Ok(LogicalPlan::Window(Window { window_expr: further, input: it.input, schema: it.schema }));
    }
    let below = LogicalPlan::Window(Window::try_new(kept, it.input)?);
    let above = LogicalPlan::Window(Window::try_new(further, Arc::new(below))?);
    let columns = it.schema.columns().into_iter().map(Expr::Column).collect();
    Ok(LogicalPlan::Projection(Projection::try_new_with_schema(columns, Arc::new(above), it.schema)?))
}

fn function(expr: &Expr) -> Option<&WindowFunction> {
    match expr {
        Expr::Alias(alias) => function(&alias.expr),
        Expr::WindowFunction(call) => Some(call),
        _ => None,
    }
}

/// What a function makes of ties, and what it leaves to chance beside them.
fn sensitivity(call: &WindowFunction, schema: &DFSchema) -> Result<(Ties, Option<Obstacle>)> {
    let params = &call.params;
    let name = call.fun.name();
    let by_rows = params.window_frame.units == WindowFrameUnits::Rows;
    let free_if = |free: bool| if free { Ties::Free } else { Ties::Fixed };
    Ok(match &call.fun {
        WindowFunctionDefinition::WindowUDF(_) => {
            let ties = match name {
                "rank" | "dense_rank" | "percent_rank" | "cume_dist" => Ties::Same,
                "row_number" | "ntile" | "lag" | "lead" => Ties::Free,
                "first_value" => free_if(by_rows || (from_start(call) && !ends_between(call))),
                "last_value" => free_if(by_rows || (to_end(call) && !starts_between(call))),
                _ => free_if(by_rows || (from_start(call) && to_end(call))),
            };
            (ties, None)
        }
        WindowFunctionDefinition::AggregateUDF(func) => {
            let as_aggregate = AggregateFunction::new_udf(
                Arc::clone(func),
                params.args.clone(),
                params.distinct,
                params.filter.clone(),
                Vec::new(),
                params.null_treatment,
            );
            let whole = from_start(call) && to_end(call);
            match chance::of_aggregate(&as_aggregate, schema, &|_| false)? {
                // The order of the rows is that of the window.
                Some(Obstacle::Ties(_)) => (free_if(by_rows || whole), None),
                own if by_rows && !whole => (Ties::Free, own),
                own => (Ties::Same, own),
            }
        }
    })
}

fn from_start(call: &WindowFunction) -> bool {
    matches!(&call.params.window_frame.start_bound, WindowFrameBound::Preceding(by) if by.is_null())
}

fn to_end(call: &WindowFunction) -> bool {
    matches!(&call.params.window_frame.end_bound, WindowFrameBound::Following(by) if by.is_null())
}

/// Whether a frame begins so many values away, which is told of one key only.
fn starts_between(call: &WindowFunction) -> bool {
    !from_start(call) && !matches!(call.params.window_frame.start_bound, WindowFrameBound::CurrentRow)
}

fn ends_between(call: &WindowFunction) -> bool {
    !to_end(call) && !matches!(call.params.window_frame.end_bound, WindowFrameBound::CurrentRow)
}
