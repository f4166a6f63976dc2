//! Runs a statement: the plan for the choices of the call, by an executor.

use super::{Order, RunOutput};
use crate::engine::called_programs::CalledPrograms;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::executor::{Executor, Local, Selection, SelectionPlan, total_rows};
use crate::engine::failure::{engine_error, internal_error};
use crate::engine::hurry::Quick;
use crate::engine::planned::{KeyedTables, PerCall, PlanWith, Planned, chosen_plan, plan_every_choice};
use crate::engine::unplanned::Unplanned;
use crate::project::AutomaticParameter;
use crate::tool::Tool;
use datafusion::arrow::array::RecordBatch;
use datafusion::logical_expr::{FetchType, LogicalPlan};
use std::borrow::Cow;
use std::sync::Arc;

/// What runs a statement.
pub(in crate::engine) struct QueryRunner<E> {
    /// One for every combination of choices.
    plans: Vec<Planned>,
    /// How many rows each of them gives at most, where that is a number in the statement.
    own_limits: Vec<Option<u64>>,
    executor: E,
    /// The programs whose rows it selects from.
    programs: Option<CalledPrograms>,
}

impl QueryRunner<Local> {
    /// Plans the statement over the tables of this process.
    pub(in crate::engine) fn plan(tool: &Tool, core: &Arc<Core>) -> Result<QueryRunner<Local>, Unplanned> {
        let functions = &core.session().functions;
        let programs = CalledPrograms::of(tool, core)?;
        let mut tables = Cow::Borrowed(&core.tables);
        if let Some(programs) = &programs {
            tables.to_mut().extend(programs.sources());
        }
        let with = PlanWith { tables: &tables, functions, keyed: KeyedTables::Opened(&core.opened) };
        Ok(QueryRunner { programs, ..QueryRunner::new(plan_every_choice(tool, with)?, Local::new(core)) })
    }
}

impl<E: Executor> QueryRunner<E> {
    pub(in crate::engine) fn new(plans: Vec<Planned>, executor: E) -> QueryRunner<E> {
        let own_limits = plans.iter().map(own_limit).collect();
        QueryRunner { plans, own_limits, executor, programs: None }
    }

    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let mut selection = self.selection(order)?;
        if let Some(programs) = &self.programs {
            let plan = programs.plan_with_rows(selection.bound()?, order).await?;
            selection = Selection::of(order.contract, order.call, SelectionPlan::Own(plan));
        }
        let batches = self.executor.rows(&selection).await?;
        self.output(order, &selection, batches).await
    }

    /// The same where that is known to take little time. Planning never is.
    pub(super) async fn run_at_once(&self, order: Order<'_>) -> Option<Result<RunOutput, CallError>> {
        if self.programs.is_some() {
            return None;
        }
        let choices = chosen_plan(order.contract, &|name| order.call.text(name));
        let Some(Planned::Once(plan)) = self.plans.get(choices) else { return None };
        let selection = Selection::of(order.contract, order.call, SelectionPlan::Shared { plan, choices });
        match self.executor.rows_at_once(&selection).await? {
            Ok(batches) => Some(self.output(order, &selection, batches).await),
            Err(error) => Some(Err(error)),
        }
    }

    pub(super) fn quick(&self) -> Option<Quick> {
        // What a program takes is known to nobody.
        self.executor.quick().filter(|_| self.programs.is_none())
    }

    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        self.executor.explain(&self.selection(order)?).await
    }

    fn selection<'a>(&'a self, order: Order<'a>) -> Result<Selection<'a>, CallError> {
        let choices = chosen_plan(order.contract, &|name| order.call.text(name));
        let plan = match self.plans.get(choices) {
            Some(Planned::Once(plan)) => SelectionPlan::Shared { plan, choices },
            Some(Planned::PerCall(per_call)) => SelectionPlan::Own(plan_with_values(per_call, order)?),
            None => return Err(CallError::internal("no such choice")),
        };
        Ok(Selection::of(order.contract, order.call, plan))
    }

    async fn output(
        &self,
        order: Order<'_>,
        selection: &Selection<'_>,
        batches: Vec<RecordBatch>,
    ) -> Result<RunOutput, CallError> {
        let total = total_rows(&self.executor, selection, &batches).await?;
        let has_pages = order.contract.expose.contains(&AutomaticParameter::Cursor);
        let choices = chosen_plan(order.contract, &|name| order.call.text(name));
        let own_limit = self.own_limits.get(choices).copied().flatten();
        Ok(RunOutput { batches, total, has_pages, own_limit, ..RunOutput::default() })
    }
}

/// The number behind the outermost LIMIT or FETCH. That of a call is none of the statement's own.
fn own_limit(planned: &Planned) -> Option<u64> {
    let Planned::Once(plan) = planned else { return None };
    let mut plan = plan;
    loop {
        plan = match plan {
            LogicalPlan::Limit(limit) => {
                return match limit.get_fetch_type() {
                    Ok(FetchType::Literal(Some(rows))) => u64::try_from(rows).ok(),
                    _ => None,
                };
            }
            LogicalPlan::Projection(projection) => &projection.input,
            LogicalPlan::SubqueryAlias(alias) => &alias.input,
            _ => return None,
        };
    }
}

/// A plan that the planner itself needs values for.
fn plan_with_values(per_call: &PerCall, order: Order<'_>) -> Result<LogicalPlan, CallError> {
    let plan = per_call.plan(&|at| order.call.slot(order.contract, at).cloned()).map_err(engine_error)?;
    order.call.apply(order.contract, &plan).map_err(|error| internal_error(&error))
}
