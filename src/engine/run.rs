//! Runs one call: bind, cap, optimise, execute, encode.

use super::bind::{Arguments, BoundCall, Caller, bind};
use super::cursor::Position;
use super::encode::{Rows, table_schema};
use super::error::CallError;
use super::join_order::{self, Sizes};
use super::refresh::Source;
use super::result::CallResult;
use super::stop::Stop;
use super::tables::cache::{Version, Wants};
use super::template::{Found, Shape, Template};
use super::{Engine, Planned, Prepared, limits};
use crate::project::AutomaticParameter;
use crate::tool::{OutputColumn, Parameter, Tool};
use crate::ty::Type;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Field;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::{collect, displayable};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

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
        if let Some(outcome) = self.at_once(name, arguments, caller).await {
            return outcome;
        }
        self.on_a_thread(name, arguments, caller, Run::finish).await
    }

    /// Runs a call where it is, if there is a plan for it whose steps are short whatever the arguments are, and calls of
    /// the tool take little time: handing it to other threads would take longer. `None` where it needs threads of its own.
    async fn at_once(
        &self,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Option<Result<CallResult, CallError>> {
        let prepared = self.tools.get(name).filter(|prepared| prepared.quick.load(Ordering::Relaxed))?;
        let _turn = self.gate.at_once()?;
        let run = async {
            let run = match Run::of(Arc::clone(&self.source), prepared, arguments, caller, Stop::default()).await {
                Ok(run) => run,
                Err(error) => return Some(Err(error)),
            };
            let Some(ready) = run.ready() else {
                prepared.quick.store(false, Ordering::Relaxed);
                return None;
            };
            Some(match run.run(ready).await {
                Ok(batches) => run.result(&batches).await,
                Err(error) => Err(engine_error(error)),
            })
        };
        let timeout = prepared.tool().timeout.0;
        match tokio::time::timeout(timeout, AssertUnwindSafe(run).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Some(Err(CallError::internal("a query panicked"))),
            Err(_) => Some(Err(late(timeout))),
        }
    }

    /// The physical plan of a call, for its author: which filters reach the scans, what is read of which file.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn explain_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<String, CallError> {
        self.on_a_thread(name, arguments, caller, Run::explain).await
    }

    /// Plans a call on threads of its own, and does something with it.
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
        let late = || late(timeout);
        let deadline = tokio::time::Instant::now() + timeout;
        let turn = tokio::time::timeout_at(deadline, self.gate.enter()).await.map_err(|_| late())??;
        let source = Arc::clone(&self.source);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let stop = Stop::default();
        let query = {
            let (prepared, stop) = (Arc::clone(&prepared), stop.clone());
            async move {
                prepared.refresh(&source, false).await;
                finish(Run::of(source, &prepared, &arguments, &caller, stop).await?).await
            }
        };
        let outcome = match tokio::time::timeout_at(deadline, self.threads.run(query, stop, turn)).await {
            Ok(Ok(result)) => result,
            Ok(Err(failed)) => Err(failed.into()),
            Err(_) => Err(late()),
        };
        self.keep_tables(&prepared);
        outcome
    }

    /// Reads the tables of a tool into memory that are worth it and large, beside the calls.
    fn keep_tables(&self, prepared: &Prepared) {
        for table in self.source.cached(&prepared.tables) {
            let (wants, wants_order) = (table.wants(), table.wants_order());
            if wants != Wants::Later && !wants_order {
                continue;
            }
            let (table, source, threads) = (Arc::clone(table), Arc::clone(&self.source), self.threads.clone());
            tokio::spawn(async move {
                let read = async move {
                    if wants_order {
                        table.find_order(&source.template_state).await
                    } else {
                        table.load(&source.template_state).await
                    }
                };
                // It reads again or from the files where that fails.
                let _ = threads.run(read, Stop::default(), ()).await;
            });
        }
    }

    /// How many calls wait for their turn.
    pub fn waiting(&self) -> usize {
        self.gate.waiting()
    }
}

fn late(timeout: Duration) -> CallError {
    CallError::new("timeout", format!("the query took longer than {} s", timeout.as_secs_f32()))
        .hint("narrow the arguments")
}

/// A call whose arguments are checked.
struct Run {
    source: Arc<Source>,
    prepared: Arc<Prepared>,
    tool: Arc<Tool>,
    arguments: Arguments,
    caller: Caller,
    call: BoundCall,
    /// Which combination of choices.
    choices: usize,
    /// The plan of a tool that is not written in SQL.
    native: Option<LogicalPlan>,
    notes: Vec<String>,
    stop: Stop,
}

impl Run {
    async fn of(
        source: Arc<Source>,
        prepared: &Arc<Prepared>,
        arguments: &Arguments,
        caller: &Caller,
        stop: Stop,
    ) -> Result<Run, CallError> {
        let tool = prepared.tool();
        let page = page(&source, prepared, &tool, arguments, caller);
        let bound = match &tool.native_input {
            // Its own arguments are checked against its schema.
            Some(_) => bind(&tool, &automatic(arguments), caller, &prepared.defaults, page)?,
            None => bind(&tool, arguments, caller, &prepared.defaults, page)?,
        };
        bound.check_rules(&tool, &prepared.rules, &prepared.defaults)?;
        let choices = Prepared::choices(&tool, &|name| bound.text(name));
        let native = match prepared.plans.get(choices) {
            Some(Planned::Native(native)) => Some(native.plan(arguments, caller, Arc::clone(&source)).await?),
            Some(_) => None,
            None => return Err(CallError::internal("no such choice")),
        };
        let (arguments, caller, prepared) = (arguments.clone(), caller.clone(), Arc::clone(prepared));
        let mut call = bound;
        let notes = std::mem::take(&mut call.notes);
        Ok(Run { source, prepared, tool, arguments, caller, call, choices, native, notes, stop })
    }

    /// The plan with the values of the call.
    fn plan(&self) -> Result<LogicalPlan, CallError> {
        let internal = |error: DataFusionError| CallError::internal(error.strip_backtrace());
        let (call, tool) = (&self.call, self.tool.as_ref());
        match (&self.native, self.prepared.plans.get(self.choices)) {
            (Some(plan), _) => Ok(plan.clone()),
            (None, Some(Planned::Once(plan))) => call.apply(tool, plan).map_err(internal),
            (None, Some(Planned::PerCall(per_call))) => {
                let plan = per_call
                    .plan(&|at| {
                        let sent = call.slot(tool, at).cloned();
                        sent.or_else(|| per_call.typical.get(at).cloned().flatten())
                    })
                    .map_err(engine_error)?;
                call.apply(tool, &plan).map_err(internal)
            }
            (None, _) => Err(CallError::internal("no such choice")),
        }
    }

    /// A plan with the limit of the call.
    fn capped(&self, plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
        // One more than asked for tells whether there is more, without counting.
        let fetch = self.call.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        if fetch.is_none() && self.call.skip == 0 {
            return Ok(plan);
        }
        let skip = usize::try_from(self.call.skip).unwrap_or(usize::MAX);
        LogicalPlanBuilder::from(plan).limit(skip, fetch).and_then(LogicalPlanBuilder::build)
    }

    async fn explain(self) -> Result<String, CallError> {
        for table in self.source.cached(&self.prepared.tables) {
            // As a server has them after some calls. Where that fails, the plan shows it.
            let _ = table.version();
            let _ = match table.wants() {
                Wants::Now | Wants::Later => table.load(&self.source.template_state).await,
                Wants::Nothing => table.find_order(&self.source.template_state).await,
            };
        }
        if let Some((plan, wanted)) = self.wanted()
            && let Ok(template) = self.template(plan, wanted.versions).await
        {
            return Ok(template.to_string());
        }
        let (state, plan) = (self.state(), self.capped(self.plan()?).map_err(engine_error)?);
        let plan = self.optimized(&plan, &state).await.map_err(engine_error)?;
        let physical = state.query_planner().create_physical_plan(&plan, &state).await.map_err(engine_error)?;
        Ok(displayable(physical.as_ref()).indent(false).to_string())
    }

    async fn finish(self) -> Result<CallResult, CallError> {
        let batches = match self.by_template().await {
            Some(batches) => batches.map_err(engine_error)?,
            None => self.execute(&self.capped(self.plan()?).map_err(engine_error)?).await?,
        };
        self.result(&batches).await
    }

    /// The result of these rows.
    async fn result(mut self, batches: &[RecordBatch]) -> Result<CallResult, CallError> {
        let own;
        let columns = match &self.tool.native_input {
            Some(_) => {
                own = columns_of(&self.plan()?)?;
                &own
            }
            None => &self.tool.columns,
        };
        let mut rows = Rows::from_batches(columns, batches).map_err(|error| CallError::internal(error.to_string()))?;
        let table_schema = match &self.tool.native_input {
            Some(_) => table_schema(columns),
            None => Arc::clone(&self.prepared.table_schema),
        };
        let read = rows.len() as u64;
        let more = self.call.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = self.call.limit {
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let most = self.source.limits.max_bytes;
        let mut written = rows.write(self.call.format, most);
        let fitting = written.rows;
        let cut = fitting < rows.len();
        if cut {
            rows.truncate(fitting);
            self.notes.push(format!("the result was cut after {fitting} rows at {} KiB", most >> 10));
        }
        let total = match (more, self.tool.count_total) {
            (false, _) => Some(self.call.skip + read),
            (true, true) => Some(self.count().await?),
            (true, false) => None,
        };
        let truncated = more || cut;
        let next_cursor = (truncated && fitting > 0).then(|| self.next(fitting)).flatten();
        if truncated {
            self.notes.extend(self.how_to_go_on(next_cursor.is_some(), cut));
        }
        self.notes.append(&mut written.notes);
        let (table, format, notes) = (written.text, self.call.format, self.notes);
        Ok(CallResult { rows, table, table_schema, format, total, truncated, next_cursor, notes })
    }

    /// The cursor of the page behind this one.
    fn next(&self, rows: usize) -> Option<String> {
        let is_exposed = self.tool.expose.contains(&AutomaticParameter::Cursor);
        let position = Position { skip: self.call.skip + rows as u64, now: self.call.now };
        is_exposed.then(|| self.source.key.write(&self.prepared.contract, &self.arguments, &self.caller, position))
    }

    /// What an agent can do who did not get all rows.
    fn how_to_go_on(&self, has_cursor: bool, cut: bool) -> Option<String> {
        let mut ways = Vec::new();
        if has_cursor {
            ways.push("call again with the same arguments and `cursor`".to_owned());
        }
        let most = self.tool.result_limit.rows();
        if !cut && self.tool.expose.contains(&AutomaticParameter::Limit) && self.call.limit < most {
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
        state.execution_props_mut().query_execution_start_time = Some(self.call.now);
        state
    }

    /// The rows by a plan that is kept; `None` where there is none for such calls.
    async fn by_template(&self) -> Option<Result<Vec<RecordBatch>, DataFusionError>> {
        for table in self.source.cached(&self.prepared.tables) {
            // What it wants depends on its files.
            if table.version().is_some() && table.wants() == Wants::Now {
                // Where that fails, it is read from its files, and the query says what is wrong.
                let _ = table.load(&self.source.template_state).await;
            }
        }
        let (plan, wanted) = self.wanted()?;
        let template = match self.prepared.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) => template,
            Found::Refused => return None,
            Found::Nothing => match self.template(plan, wanted.versions.clone()).await {
                Ok(template) => template,
                Err(why) => {
                    let (tool, why) = (self.tool.name.as_str(), why.strip_backtrace());
                    tracing::debug!(tool, why, "the plan is made for each call");
                    self.prepared.templates.refuse(wanted.shape, &wanted.versions);
                    return None;
                }
            },
        };
        Some(self.run((template, wanted)).await)
    }

    /// A plan that is there for the call, and can be run by whoever has it.
    fn ready(&self) -> Option<(Template, Wanted)> {
        let (_, wanted) = self.wanted()?;
        match self.prepared.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) if template.is_simple => Some((template, wanted)),
            Found::Template(template) => {
                self.prepared.templates.give_back(wanted.shape, template);
                None
            }
            Found::Nothing | Found::Refused => None,
        }
    }

    /// What a plan that is kept must be good for; `None` where none is kept for such calls.
    fn wanted(&self) -> Option<(&LogicalPlan, Wanted)> {
        let Some(Planned::Once(plan)) = self.prepared.plans.get(self.choices) else { return None };
        let (shape, values) = Shape::of(&self.tool, self.choices, &self.call)?;
        // A batch of rows holds a copy of each for every row.
        if values.iter().flatten().any(|value| value.size() > LONG_VALUE) {
            return None;
        }
        Some((plan, Wanted { shape, values, versions: self.source.versions(&self.prepared.tables)? }))
    }

    /// Runs a plan that is kept, and keeps it on.
    async fn run(&self, (mut template, wanted): (Template, Wanted)) -> Result<Vec<RecordBatch>, DataFusionError> {
        let environment = limits::environment(self.source.ctx.runtime_env().as_ref(), &self.source.limits);
        let context = self.source.task_context(environment);
        let (batches, busy) = template.run(wanted.values, context).await?;
        if self.source.threads.are_quiet() {
            template.took(busy);
        }
        let has_no_other_steps = self.prepared.rules.is_empty() && self.prepared.refreshed.is_empty();
        self.prepared.quick.store(template.is_simple && has_no_other_steps && busy < QUICK, Ordering::Relaxed);
        if template.is_too_long() {
            self.prepared.templates.refuse(wanted.shape, &wanted.versions);
        } else {
            self.prepared.templates.give_back(wanted.shape, template);
        }
        Ok(batches)
    }

    /// Makes a template for the call's shape.
    async fn template(&self, plan: &LogicalPlan, versions: Vec<Version>) -> Result<Template, DataFusionError> {
        let plan = self.capped(self.call.outline(&self.tool, plan)?)?;
        let key = |table: &str| {
            let cached = self.source.cached.get(table);
            cached.and_then(|table| table.primary_key().first()).map(String::as_str)
        };
        let state = &self.source.template_state;
        let template = Template::make(&self.tool, &plan, state, &key, versions.clone()).await?;
        // Files may have changed while it was planned.
        match self.source.versions(&self.prepared.tables) {
            Some(now) if now == versions => Ok(template),
            _ => datafusion::common::plan_err!("the tables have changed"),
        }
    }

    /// The plan, with its joins in a good order.
    async fn optimized(&self, plan: &LogicalPlan, state: &SessionState) -> Result<LogicalPlan, DataFusionError> {
        let plan = state.optimize(plan)?;
        if !join_order::has_choice(&plan) {
            return Ok(plan);
        }
        let key = |table: &str| {
            let cached = self.source.cached.get(table);
            cached.map(|table| table.primary_key().to_vec()).unwrap_or_default()
        };
        match Sizes::read(&plan, state, &key).await {
            Ok(sizes) => join_order::reorder(plan, &sizes, state),
            // What is wrong with the tables will show when they are read.
            Err(_) => Ok(plan),
        }
    }

    async fn execute(&self, plan: &LogicalPlan) -> Result<Vec<RecordBatch>, CallError> {
        let mut state = self.state();
        let plan = self.optimized(plan, &state).await.and_then(|plan| self.stop.watch(plan)).map_err(engine_error)?;
        let rows = batch_size(&plan, state.config().batch_size());
        let config = state.config().clone().with_batch_size(rows);
        *state.config_mut() = config;
        let physical = state.query_planner().create_physical_plan(&plan, &state).await.map_err(engine_error)?;
        let environment = limits::environment(state.runtime_env(), &self.source.limits);
        let context = TaskContext::from(&state).with_runtime(environment);
        collect(physical, Arc::new(context)).await.map_err(engine_error)
    }

    async fn count(&self) -> Result<u64, CallError> {
        let plan = LogicalPlanBuilder::from(self.plan()?)
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

/// What a plan that is kept must be good for, and the values to run it with.
struct Wanted {
    shape: Shape,
    values: Vec<Option<ScalarValue>>,
    versions: Vec<Version>,
}

/// Calls whose query takes less than that are run where they come in.
const QUICK: Duration = Duration::from_millis(2);
/// A value that is longer than that has a plan of its own, whose batches are smaller.
const LONG_VALUE: usize = 4096;

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
fn engine_error(mut error: DataFusionError) -> CallError {
    // Which rule met it first depends on whether the plan was kept.
    while let DataFusionError::Context(_, inner) = error {
        error = *inner;
    }
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
