//! Runs one call: bind, cap, optimise, execute, encode.

use super::bind::{Arguments, BoundCall, Caller, bind};
use super::cursor::Position;
use super::encode::Rows;
use super::error::CallError;
use super::refresh::Source;
use super::result::CallResult;
use super::{Engine, Planned, Prepared, limits};
use crate::project::{AutomaticParameter, TableFormat};
use crate::tool::{OutputColumn, Parameter, Tool};
use crate::ty::Type;
use chrono::{DateTime, Utc};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Field;
use datafusion::common::DataFusionError;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::{collect, displayable};
use std::sync::Arc;

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
        let late = || {
            CallError::new("timeout", format!("the query took longer than {} s", timeout.as_secs_f32()))
                .hint("narrow the arguments")
        };
        let deadline = tokio::time::Instant::now() + timeout;
        let turn = tokio::time::timeout_at(deadline, self.gate.enter()).await.map_err(|_| late())??;
        let source = Arc::clone(&self.source);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let query = async move {
            prepared.refresh(&source, false).await;
            finish(Run::of(source, &prepared, &arguments, &caller).await?).await
        };
        match tokio::time::timeout_at(deadline, self.threads.run(query, turn)).await {
            Ok(Ok(result)) => result,
            Ok(Err(failed)) => Err(failed.into()),
            Err(_) => Err(late()),
        }
    }

    /// How many calls wait for their turn.
    pub fn waiting(&self) -> usize {
        self.gate.waiting()
    }
}

/// A call that is planned.
struct Run {
    source: Arc<Source>,
    tool: Arc<Tool>,
    arguments: Arguments,
    caller: Caller,
    contract: Arc<str>,
    skip: u64,
    plan: LogicalPlan,
    limit: Option<u64>,
    format: TableFormat,
    notes: Vec<String>,
    now: DateTime<Utc>,
}

impl Run {
    async fn of(
        source: Arc<Source>,
        prepared: &Prepared,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Result<Run, CallError> {
        let tool = prepared.tool();
        let page = page(&source, prepared, &tool, arguments, caller);
        let bound = match &tool.native_input {
            // Its own arguments are checked against its schema.
            Some(_) => bind(&tool, &automatic(arguments), caller, &prepared.defaults, page)?,
            None => bind(&tool, arguments, caller, &prepared.defaults, page)?,
        };
        bound.check_rules(&tool, &prepared.rules, &prepared.defaults)?;
        let internal = |error: DataFusionError| CallError::internal(error.strip_backtrace());
        let planned =
            prepared.plan(&tool, &|name| bound.text(name)).ok_or_else(|| CallError::internal("no such choice"))?;
        let plan = match planned {
            Planned::Native(native) => native.plan(arguments, caller, Arc::clone(&source)).await?,
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
        let BoundCall { limit, format, notes, now, skip, .. } = bound;
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let contract = prepared.contract.clone();
        Ok(Run { source, tool, arguments, caller, contract, skip, plan, limit, format, notes, now })
    }

    /// The plan with the limit of the call.
    fn capped(&self) -> Result<LogicalPlan, CallError> {
        // One more than asked for tells whether there is more, without counting.
        let fetch = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        if fetch.is_none() && self.skip == 0 {
            return Ok(self.plan.clone());
        }
        LogicalPlanBuilder::from(self.plan.clone())
            .limit(usize::try_from(self.skip).unwrap_or(usize::MAX), fetch)
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
        let own;
        let columns = match &self.tool.native_input {
            Some(_) => {
                own = columns_of(&self.plan)?;
                &own
            }
            None => &self.tool.columns,
        };
        let mut rows = Rows::from_batches(columns, &batches).map_err(|error| CallError::internal(error.to_string()))?;
        let read = rows.rows.len() as u64;
        let more = self.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = self.limit {
            rows.rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let most = self.source.limits.max_bytes;
        let fitting = rows.fitting(most, self.format);
        let cut = fitting < rows.rows.len();
        if cut {
            rows.rows.truncate(fitting);
            self.notes.push(format!("the result was cut after {fitting} rows at {} KiB", most >> 10));
        }
        let total = match (more, self.tool.count_total) {
            (false, _) => Some(self.skip + read),
            (true, true) => Some(self.count().await?),
            (true, false) => None,
        };
        let truncated = more || cut;
        let next_cursor = (truncated && fitting > 0).then(|| self.next(fitting)).flatten();
        if truncated {
            self.notes.extend(self.how_to_go_on(next_cursor.is_some(), cut));
        }
        self.notes.append(&mut rows.notes);
        Ok(CallResult { rows, format: self.format, total, truncated, next_cursor, notes: self.notes })
    }

    /// The cursor of the page behind this one.
    fn next(&self, rows: usize) -> Option<String> {
        let is_exposed = self.tool.expose.contains(&AutomaticParameter::Cursor);
        let position = Position { skip: self.skip + rows as u64, now: self.now };
        is_exposed.then(|| self.source.key.write(&self.contract, &self.arguments, &self.caller, position))
    }

    /// What an agent can do who did not get all rows.
    fn how_to_go_on(&self, has_cursor: bool, cut: bool) -> Option<String> {
        let mut ways = Vec::new();
        if has_cursor {
            ways.push("call again with the same arguments and `cursor`".to_owned());
        }
        let most = self.tool.result_limit.rows();
        if !cut && self.tool.expose.contains(&AutomaticParameter::Limit) && self.limit < most {
            ways.extend(most.map(|most| format!("ask for more with `limit` (at most {most})")));
        }
        let unsent = |parameter: &&Parameter| {
            let sent = self.arguments.get(&parameter.name).is_some_and(|value| !value.is_null());
            !sent && !parameter.required && parameter.choices.is_empty()
        };
        let names: Vec<String> =
            self.tool.published().filter(unsent).map(|parameter| format!("`{}`", parameter.name)).collect();
        if !names.is_empty() {
            ways.push(format!("narrow with {}", names.join(", ")));
        }
        (!ways.is_empty()).then(|| format!("more rows exist: {}", ways.join(", or ")))
    }

    /// The session at the moment of the call.
    fn state(&self) -> SessionState {
        let mut state = self.source.ctx.state();
        state.execution_props_mut().query_execution_start_time = Some(self.now);
        state
    }

    async fn execute(&self, plan: &LogicalPlan) -> Result<Vec<RecordBatch>, CallError> {
        let mut state = self.state();
        let plan = state.optimize(plan).map_err(engine_error)?;
        let rows = batch_size(&plan, state.config().batch_size());
        let config = state.config().clone().with_batch_size(rows);
        *state.config_mut() = config;
        let physical = state.query_planner().create_physical_plan(&plan, &state).await.map_err(engine_error)?;
        let environment = limits::environment(state.runtime_env(), &self.source.limits);
        let context = TaskContext::from(&state).with_runtime(environment);
        collect(physical, Arc::new(context)).await.map_err(engine_error)
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

/// The most bytes that the copies of a literal may take: the engine may write one out for every row of a batch.
const MAX_COPIES: usize = 64 << 20;

/// How many rows are worked on at once: fewer where the plan has long literals.
fn batch_size(plan: &LogicalPlan, usual: usize) -> usize {
    let mut longest = 1;
    // Looking at a plan does not fail.
    let _ = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let Expr::Literal(value, _) = expr {
                    longest = longest.max(value.size());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    usual.min(MAX_COPIES / longest).max(1)
}

/// The arguments that qtool adds.
fn automatic(arguments: &Arguments) -> Arguments {
    let is_automatic = |name: &&String| crate::name::RESERVED.contains(&name.as_str());
    arguments.iter().filter(|(name, _)| is_automatic(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The columns of a plan, for a tool that does not say which it has.
fn columns_of(plan: &LogicalPlan) -> Result<Vec<OutputColumn>, CallError> {
    let column = |field: &Arc<Field>| match Type::from_arrow(field.data_type()) {
        Some(ty) => Ok(OutputColumn { name: field.name().clone(), ty, nullable: true, description: None }),
        None => Err(CallError::internal(format!("column {} has type {}", field.name(), field.data_type()))),
    };
    plan.schema().fields().iter().map(column).collect()
}

/// The page that a call asks for; the first where it asks for none.
fn page(
    source: &Source,
    prepared: &Prepared,
    tool: &Tool,
    arguments: &Arguments,
    caller: &Caller,
) -> Result<Option<Position>, CallError> {
    let exposed = tool.expose.contains(&AutomaticParameter::Cursor);
    let Some(sent) = arguments.get("cursor").filter(|sent| exposed && !sent.is_null()) else { return Ok(None) };
    let page = sent.as_str().and_then(|text| source.key.read(text, &prepared.contract, arguments, caller));
    page.map(Some).ok_or_else(|| {
        let message = "the argument `cursor` must be `next_cursor` of an earlier page of the same call";
        CallError::about("invalid-argument", "cursor", message)
            .expected("`next_cursor` of an earlier page", crate::ty::coerce::shortened(sent))
            .hint("send the arguments of that call again, or leave out `cursor` to begin anew")
    })
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
