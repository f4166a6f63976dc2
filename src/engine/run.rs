//! Runs one call: bind, cap, optimise, execute, encode.

use super::bind::{Arguments, BoundCall, Caller, bind};
use super::encode::Rows;
use super::error::CallError;
use super::result::CallResult;
use super::{Engine, Planned, Prepared};
use crate::project::TableFormat;
use crate::tool::Tool;
use chrono::{DateTime, Utc};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::{collect, displayable};
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// The most bytes of rows that a result holds; what is beyond is cut in whole rows.
const MAX_BYTES: usize = 256 << 10;

impl Engine {
    /// Calls a tool. Dropping the future stops the query; a panic inside it becomes an error of this call alone.
    ///
    /// Errors: `unknown-tool`, what is wrong with the arguments, `timeout`, `internal-error`.
    pub async fn call(&self, name: &str, arguments: &Arguments) -> Result<CallResult, CallError> {
        self.call_as(name, arguments, &Caller::default()).await
    }

    /// Calls a tool on behalf of somebody: parameters that are bound to the caller take their values from there.
    ///
    /// Errors: as [`Engine::call`], and `not-permitted` where the caller lacks what a parameter is bound to.
    pub async fn call_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<CallResult, CallError> {
        self.on_a_thread(name, arguments, caller, Run::finish).await
    }

    /// The physical plan of a call, for its author: which filters reach the scans, what is read of which file.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn explain_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<String, CallError> {
        self.on_a_thread(name, arguments, caller, Run::explain).await
    }

    /// Plans a call on a thread of its own, and does something with it.
    async fn on_a_thread<T: Send + 'static, F: Future<Output = Result<T, CallError>> + Send>(
        &self,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
        finish: impl FnOnce(Run) -> F + Send + 'static,
    ) -> Result<T, CallError> {
        let Some(prepared) = self.tools.get(name).cloned() else {
            return Err(CallError::new("unknown-tool", "there is no tool of this name"));
        };
        let timeout = prepared.tool().timeout.0;
        let source = Arc::clone(&self.source);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        // A task of its own: a panic ends it and nothing else.
        let mut task = AbortOnDrop(self.threads.spawn(async move {
            prepared.refresh(&source, false).await;
            finish(Run::of(source.ctx.clone(), &prepared, &arguments, &caller)?).await
        }));
        match tokio::time::timeout(timeout, &mut task.0).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => Err(CallError::internal(panic.to_string())),
            Err(_) => Err(CallError::new("timeout", format!("the query took longer than {} s", timeout.as_secs_f32()))
                .hint("narrow the arguments")),
        }
    }
}

/// A task that ends when nobody waits for it any more.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A call that is planned.
struct Run {
    ctx: SessionContext,
    tool: Arc<Tool>,
    plan: LogicalPlan,
    limit: Option<u64>,
    format: TableFormat,
    notes: Vec<String>,
    now: DateTime<Utc>,
}

impl Run {
    fn of(ctx: SessionContext, prepared: &Prepared, arguments: &Arguments, caller: &Caller) -> Result<Run, CallError> {
        let tool = prepared.tool();
        let bound = bind(&tool, arguments, caller, &prepared.defaults)?;
        bound.check_rules(&tool, &prepared.rules, &prepared.defaults)?;
        let internal = |error: DataFusionError| CallError::internal(error.strip_backtrace());
        let planned =
            prepared.plan(&tool, &|name| bound.text(name)).ok_or_else(|| CallError::internal("no such choice"))?;
        let plan = match planned {
            Planned::Once(plan) => bound.apply(&tool, plan).map_err(internal)?,
            Planned::PerCall(per_call) => {
                let plan = per_call
                    .plan(&|at| {
                        let sent = bound.slot(&tool, at).cloned();
                        sent.or_else(|| per_call.typical.get(at).cloned().flatten())
                    })
                    .map_err(engine_error)?;
                bound.apply(&tool, &plan).map_err(internal)?
            }
        };
        let BoundCall { limit, format, notes, now, .. } = bound;
        Ok(Run { ctx, tool, plan, limit, format, notes, now })
    }

    /// The plan with the limit of the call.
    fn capped(&self) -> Result<LogicalPlan, CallError> {
        let Some(limit) = self.limit else { return Ok(self.plan.clone()) };
        // One more than asked for tells whether there is more, without counting.
        LogicalPlanBuilder::from(self.plan.clone())
            .limit(0, Some(usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1)))
            .and_then(LogicalPlanBuilder::build)
            .map_err(engine_error)
    }

    async fn explain(self) -> Result<String, CallError> {
        let physical = self.state().create_physical_plan(&self.capped()?).await.map_err(engine_error)?;
        Ok(displayable(physical.as_ref()).indent(false).to_string())
    }

    async fn finish(mut self) -> Result<CallResult, CallError> {
        let capped = self.capped()?;
        let batches = self.execute(&capped).await?;
        let mut rows =
            Rows::from_batches(&self.tool.columns, &batches).map_err(|error| CallError::internal(error.to_string()))?;
        let read = rows.rows.len() as u64;
        let more = self.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = self.limit {
            rows.rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let fitting = rows.fitting(MAX_BYTES, self.format);
        let cut = fitting < rows.rows.len();
        if cut {
            rows.rows.truncate(fitting);
            self.notes.push(format!(
                "the result was cut after {fitting} rows at {} KiB; ask for fewer rows or narrow the arguments",
                MAX_BYTES >> 10
            ));
        }
        let total = match (more, self.tool.count_total) {
            (false, _) => Some(read),
            (true, true) => Some(self.count().await?),
            (true, false) => None,
        };
        self.notes.append(&mut rows.notes);
        Ok(CallResult { rows, format: self.format, total, truncated: more || cut, notes: self.notes })
    }

    /// The session at the moment of the call.
    fn state(&self) -> SessionState {
        let mut state = self.ctx.state();
        state.execution_props_mut().query_execution_start_time = Some(self.now);
        state
    }

    async fn execute(&self, plan: &LogicalPlan) -> Result<Vec<RecordBatch>, CallError> {
        let state = self.state();
        let physical = state.create_physical_plan(plan).await.map_err(engine_error)?;
        collect(physical, state.task_ctx()).await.map_err(engine_error)
    }

    async fn count(&self) -> Result<u64, CallError> {
        let plan = LogicalPlanBuilder::from(self.plan.clone())
            .aggregate(Vec::<Expr>::new(), vec![count(lit(1_i64))])
            .and_then(LogicalPlanBuilder::build)
            .map_err(engine_error)?;
        let batches = self.execute(&plan).await?;
        let value = batches.first().and_then(|batch| {
            use datafusion::arrow::array::AsArray;
            let column = batch.column(0);
            column.as_primitive_opt::<datafusion::arrow::datatypes::Int64Type>().map(|counts| counts.value(0))
        });
        value.map(|counted| counted as u64).ok_or_else(|| CallError::internal("the count has no value"))
    }
}

fn unfit_arguments() -> CallError {
    CallError::new("query-failed", "the query cannot be run with these arguments")
        .hint("check their values against the descriptions")
}

/// What an agent can do something about is told; the rest is for the log.
fn engine_error(error: DataFusionError) -> CallError {
    let detail = error.strip_backtrace();
    let told = match error.find_root() {
        DataFusionError::ResourcesExhausted(_) => Some(
            CallError::new("out-of-memory", "the query needs more memory than it may take")
                .hint("narrow the arguments"),
        ),
        // LIKE and the regular expressions compile their pattern when they see it.
        _ if ["build regex", "regex parse error", "egular expression"].iter().any(|words| detail.contains(words)) => {
            Some(
                CallError::new("invalid-pattern", "a pattern in the query is no regular expression, or too large")
                    .hint("send a shorter or simpler pattern"),
            )
        }
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            arrow::error::ArrowError::DivideByZero => {
                Some(CallError::new("division-by-zero", "the query divides by zero for these arguments"))
            }
            arrow::error::ArrowError::CastError(_) | arrow::error::ArrowError::ParseError(_) => Some(CallError::new(
                "cast-failed",
                "a value in the query cannot be converted to the type it is used as",
            )),
            arrow::error::ArrowError::ComputeError(_) | arrow::error::ArrowError::InvalidArgumentError(_) => {
                Some(unfit_arguments())
            }
            arrow::error::ArrowError::ArithmeticOverflow(_) => {
                Some(CallError::new("overflow", "a number in the query became too large for these arguments"))
            }
            _ => None,
        },
        // The plan was fine before the arguments were put into it.
        DataFusionError::Execution(_) | DataFusionError::Plan(_) => Some(unfit_arguments()),
        _ => None,
    };
    match told {
        Some(told) => CallError { detail: Some(detail), ..told },
        None => CallError::internal(detail),
    }
}

#[cfg(test)]
mod tests;
