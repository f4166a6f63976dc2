//! From a checked call to its rows: by a plan that is kept, or by one that is made for the call.

use super::Run;
use super::failure::engine_error;
use crate::engine::error::CallError;
use crate::engine::join_order::{self, Sizes};
use crate::engine::open_table::{PlanVersion, Wants};
use crate::engine::template::{Found, Shape, Template};
use crate::engine::{Planned, limits, stop};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, ScalarValue, plan_err};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use futures::FutureExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Calls whose query takes less than that are run where they come in.
const QUICK: Duration = Duration::from_millis(2);
/// A value that is longer than that has a plan of its own, whose batches are smaller.
const LONG_VALUE: usize = 4096;
/// The most bytes that the copies of a literal may take: the engine may write one out for every row of a batch.
const MAX_COPIES: usize = 64 << 20;

/// What a plan that is kept must be good for, and the values to run it with.
struct Wanted {
    shape: Shape,
    values: Vec<Option<ScalarValue>>,
    versions: Vec<PlanVersion>,
}

/// A plan that is kept, taken out for a call.
pub(super) struct Ready {
    template: Template,
    wanted: Wanted,
}

impl Run {
    /// All rows of the call, one more than its limit at most.
    pub(super) async fn rows(&self) -> Result<Vec<RecordBatch>, CallError> {
        self.steadily(|| self.rows_once().boxed()).await
    }

    async fn rows_once(&self) -> Result<Vec<RecordBatch>, CallError> {
        match self.by_template().await {
            Some(rows) => rows.map_err(engine_error),
            None => self.execute(&self.capped(self.plan()?).map_err(engine_error)?).await,
        }
    }

    /// The physical plan that a server runs for such a call, after some others.
    pub(super) async fn explain(self) -> Result<String, CallError> {
        for table in self.core.opened(&self.prepared.tables) {
            let _ = table.plan_version();
            if table.wants() != Wants::Nothing {
                // Where that fails, the plan shows it.
                let _ = table.read_ahead(&self.core.session().template_state).await;
            }
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

    /// A plan with the limit of the call.
    fn capped(&self, plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
        // One more than asked for tells whether there is more, without counting.
        let fetch = self.checked.call.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        if fetch.is_none() && self.checked.call.skip == 0 {
            return Ok(plan);
        }
        let skip = usize::try_from(self.checked.call.skip).unwrap_or(usize::MAX);
        LogicalPlanBuilder::from(plan).limit(skip, fetch).and_then(LogicalPlanBuilder::build)
    }

    /// The session at the moment of the call.
    fn state(&self) -> SessionState {
        let mut state = self.core.session().ctx.state();
        state.execution_props_mut().query_execution_start_time = Some(self.checked.call.now);
        state
    }

    /// The rows by a plan that is kept; `None` where there is none for such calls.
    async fn by_template(&self) -> Option<Result<Vec<RecordBatch>, DataFusionError>> {
        let (plan, mut wanted) = self.wanted()?;
        if self.loads_small_tables().await {
            wanted.versions = self.core.plan_versions(&self.prepared.tables)?;
        }
        let template = match self.prepared.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) => template,
            Found::Refused => return None,
            Found::Nothing => match self.template(plan, wanted.versions.clone()).await {
                Ok(template) => template,
                Err(why) => {
                    let (tool, why) = (self.checked.tool.contract.name.as_str(), why.strip_backtrace());
                    tracing::debug!(tool, why, "the plan is made for each call");
                    self.prepared.templates.refuse(wanted.shape, &wanted.versions);
                    return None;
                }
            },
        };
        Some(self.run(Ready { template, wanted }).await)
    }

    /// Reads those tables into memory that are small enough for a call to wait; whether there were any. Asked behind
    /// [`Run::wanted`], which looks at the files.
    async fn loads_small_tables(&self) -> bool {
        let mut any = false;
        for table in self.core.opened(&self.prepared.tables).filter(|table| table.wants() == Wants::Now) {
            any = true;
            // Where that fails, it is read from its files, and the query says what is wrong.
            let _ = table.read_ahead(&self.core.session().template_state).await;
        }
        any
    }

    /// A plan that is there for the call and whose steps are short, whatever the values are.
    pub(super) fn ready(&self) -> Option<Ready> {
        let (_, wanted) = self.wanted()?;
        match self.prepared.templates.take(&wanted.shape, &wanted.versions) {
            Found::Template(template) if template.is_simple => Some(Ready { template, wanted }),
            Found::Template(template) => {
                self.prepared.templates.give_back(wanted.shape, template);
                None
            }
            Found::Nothing | Found::Refused => None,
        }
    }

    /// What a plan that is kept must be good for; `None` where none is kept for such calls.
    fn wanted(&self) -> Option<(&LogicalPlan, Wanted)> {
        let Some(Planned::Once(plan)) = self.planned() else { return None };
        let (shape, values) = Shape::of(&self.checked.tool, self.choices, &self.checked.call)?;
        // A batch of rows holds a copy of each for every row.
        if values.iter().flatten().any(|value| value.size() > LONG_VALUE) {
            return None;
        }
        Some((plan, Wanted { shape, values, versions: self.core.plan_versions(&self.prepared.tables)? }))
    }

    /// Runs a plan that is kept, and keeps it on.
    pub(super) async fn run(&self, ready: Ready) -> Result<Vec<RecordBatch>, DataFusionError> {
        let Ready { mut template, wanted } = ready;
        let environment = limits::environment(self.core.files.runtime_env().as_ref(), &self.core.limits);
        let context = self.core.task_context(environment);
        let (batches, busy) = template.run(wanted.values, context).await?;
        // Beside other queries it says nothing of the plan that a thread had to wait for a core.
        if self.core.threads.are_quiet() {
            template.took(busy);
        }
        let is_quick = template.is_simple && self.is_all_there_is() && busy < QUICK;
        self.prepared.quick.store(is_quick, Ordering::Relaxed);
        if template.is_too_long() {
            self.prepared.templates.refuse(wanted.shape, &wanted.versions);
        } else {
            self.prepared.templates.give_back(wanted.shape, template);
        }
        Ok(batches)
    }

    /// Whether the plan is all that a call takes time for: no rule is evaluated, nothing is counted or read anew.
    fn is_all_there_is(&self) -> bool {
        self.checked.tool.contract.rules.is_empty()
            && self.prepared.refreshed.is_empty()
            && !self.checked.tool.contract.count_total
    }

    /// Makes a template for the call's shape.
    async fn template(&self, plan: &LogicalPlan, versions: Vec<PlanVersion>) -> Result<Template, DataFusionError> {
        let plan = self.capped(self.checked.call.outline(&self.checked.tool.contract, plan)?)?;
        let key = |table: &str| self.core.pushed_column(table);
        let state = &self.core.session().template_state;
        let template = Template::make(&self.checked.tool, &plan, state, &key, versions.clone()).await?;
        // Files may have changed while it was planned.
        match self.core.plan_versions(&self.prepared.tables) {
            Some(now) if now == versions => Ok(template),
            _ => plan_err!("the tables have changed"),
        }
    }

    /// Runs a plan that is made for the call.
    pub(super) async fn execute(&self, plan: &LogicalPlan) -> Result<Vec<RecordBatch>, CallError> {
        let mut state = self.state();
        let plan = self.optimized(plan, &state).await.and_then(stop::watch_patterns);
        let plan = plan.and_then(stop::watch_joins).map_err(engine_error)?;
        let rows = batch_size(&plan, state.config().batch_size());
        let config = state.config().clone().with_batch_size(rows);
        *state.config_mut() = config;
        let physical = physical_plan(&plan, &state).await.map_err(engine_error)?;
        let physical = stop::watch_operators(physical).map_err(engine_error)?;
        let environment = limits::environment(state.runtime_env(), &self.core.limits);
        let context = TaskContext::from(&state).with_runtime(environment);
        collect(physical, Arc::new(context)).await.map_err(engine_error)
    }

    /// The plan, with its joins in a good order.
    async fn optimized(&self, plan: &LogicalPlan, state: &SessionState) -> Result<LogicalPlan, DataFusionError> {
        let plan = state.optimize(&stop::watch_heavy_patterns(plan.clone())?)?;
        if !join_order::has_choice(&plan) {
            return Ok(plan);
        }
        let key = |table: &str| self.core.primary_key(table).to_vec();
        match Sizes::read(&plan, state, &key).await {
            Ok(sizes) => join_order::reorder(plan, &sizes, state),
            // What is wrong with the tables will show when they are read.
            Err(_) => Ok(plan),
        }
    }
}

/// The physical plan for all cores; for one where DataFusion finds none for all, as for some unions that are ordered. That
/// there is one was found when the tool was compiled.
async fn physical_plan(plan: &LogicalPlan, state: &SessionState) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
    match state.query_planner().create_physical_plan(plan, state).await {
        Ok(physical) => Ok(physical),
        Err(error) => {
            let mut alone = state.clone();
            let options = alone.config_mut().options_mut();
            options.execution.target_partitions = 1;
            // The parts of a union are sorted together: sorted each for itself, they lose keys that one of them has for
            // constants or twice, and the merge has no order then.
            options.optimizer.repartition_sorts = false;
            alone.query_planner().create_physical_plan(plan, &alone).await.map_err(|_| error)
        }
    }
}

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
