//! Runs plans in this process: by one that is kept ([`kept`]), or by one that is made for the call.

mod kept;
mod steady;

use super::{Executor, Selection, SelectionPlan};
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::failure::engine_error;
use crate::engine::hurry::{LastQuick, Quick, hurried};
use crate::engine::join_order::{self, Sizes};
use crate::engine::open_table::Wants;
use crate::engine::sources::{self, Identity, SourceError};
use crate::engine::template::Templates;
use crate::engine::{limits, stop};
use crate::plan::functions::{Constants, counting_constants};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use futures::FutureExt;
use std::future::poll_fn;
use std::sync::Arc;

/// The most bytes that the copies of a literal may take: the engine may write one out for every row of a batch.
const MAX_COPIES: usize = 64 << 20;

/// How often a query is run whose database is written meanwhile.
const MOST_TRIES: usize = 10;

/// What runs the plans of one tool here.
pub(in crate::engine) struct Local {
    core: Arc<Core>,
    /// Physical plans for further calls.
    templates: Templates,
    /// Whether the last rows took so little that the next need no threads of their own.
    quick: LastQuick,
}

impl Executor for Local {
    async fn rows(&self, selection: &Selection<'_>) -> Result<Vec<RecordBatch>, CallError> {
        self.steadily(&selection.contract.tables, || self.rows_once(selection).boxed()).await
    }

    async fn rows_at_once(&self, selection: &Selection<'_>) -> Option<Result<Vec<RecordBatch>, CallError>> {
        let Some(ready) = self.ready(selection) else {
            self.quick.put(None);
            return None;
        };
        match hurried(self.run_kept(selection, ready)).await {
            // A database that would have been waited for, or has changed: all of it is done again where it may take long.
            Err(error) if SourceError::of(&error).is_some_and(SourceError::may_pass) => {
                self.quick.put(None);
                None
            }
            rows => Some(rows.map_err(engine_error)),
        }
    }

    fn quick(&self) -> Option<Quick> {
        self.quick.get()
    }

    /// What a server runs for such a call, after some others.
    async fn explain(&self, selection: &Selection<'_>) -> Result<String, CallError> {
        let session = self.core.session();
        for table in self.core.opened(&selection.contract.tables) {
            let _ = table.plan_version();
            if table.wants() != Wants::Nothing {
                // Where that fails, the plan shows it.
                let _ = table.read_ahead(&session.template_state).await;
            }
        }
        if let Some((plan, wanted)) = self.wanted(selection)
            && let Ok(template) = self.template(selection, plan, wanted.versions).await
        {
            return Ok(with_values(&template.to_string(), selection));
        }
        let state = self.state(selection);
        let plan = selection.capped(selection.bound()?).map_err(engine_error)?;
        let plan = self.optimized(&plan, &state).await.map_err(engine_error)?;
        let physical = state.query_planner().create_physical_plan(&plan, &state).await.map_err(engine_error)?;
        Ok(displayable(physical.as_ref()).indent(false).to_string())
    }
}

impl Local {
    pub(in crate::engine) fn new(core: &Arc<Core>) -> Local {
        Local { core: Arc::clone(core), templates: Templates::default(), quick: LastQuick::default() }
    }

    async fn rows_once(&self, selection: &Selection<'_>) -> Result<Vec<RecordBatch>, CallError> {
        // That a table has changed may be found out while it is planned for, and once more when it is asked.
        for is_last in [false, false, true] {
            let rows = match self.by_kept_plan(selection).await {
                Some(rows) => rows,
                None => {
                    let plan = selection.capped(selection.bound()?).map_err(engine_error)?;
                    self.execute(&plan, self.state(selection)).await
                }
            };
            match rows {
                // A table of a database has become another. The next plan is made for what it is now.
                Err(error) if !is_last && SourceError::is_of_a_change(&error) => {}
                rows => return rows.map_err(engine_error),
            }
        }
        Err(CallError::internal("a plan was made again and again"))
    }

    /// The session at the moment of the call.
    fn state(&self, selection: &Selection<'_>) -> SessionState {
        let mut state = self.core.session().ctx.state();
        state.execution_props_mut().query_execution_start_time = Some(selection.call.now);
        let identity = Identity::of_call(selection.contract, selection.call);
        state.config_mut().set_extension(Arc::new(identity));
        if let Some(deadline) = selection.call.deadline {
            state.config_mut().set_extension(Arc::new(deadline));
        }
        state
    }

    /// Runs a plan that is made for the call.
    async fn execute(&self, plan: &LogicalPlan, mut state: SessionState) -> Result<Vec<RecordBatch>, DataFusionError> {
        let plan = self.optimized(plan, &state).await?;
        let plan = stop::watch_joins(stop::watch_texts(stop::watch_patterns(plan)?)?)?;
        let rows = batch_size(&plan, state.config().batch_size());
        let config = state.config().clone().with_batch_size(rows);
        *state.config_mut() = config;
        for _ in 0..MOST_TRIES {
            let physical = stop::watch_operators(physical_plan(&plan, &state).await?)?;
            // Each scan reads its database in a transaction of its own: between two of them, somebody may have written.
            let before = sources::states_of_shared(&physical);
            let environment = limits::environment(state.runtime_env(), &self.core.limits);
            let context = TaskContext::from(&state).with_runtime(environment);
            let rows = collect(Arc::clone(&physical), Arc::new(context)).await?;
            if before == sources::states_of_shared(&physical) {
                return Ok(rows);
            }
        }
        Err(DataFusionError::External(Box::new(SourceError::Written)))
    }

    /// The plan as it is run: with its joins in a good order, and with what databases do given to them.
    async fn optimized(&self, plan: &LogicalPlan, state: &SessionState) -> Result<LogicalPlan, DataFusionError> {
        let plan = self.reordered(stop::optimized(plan, state)?, state).await?;
        sources::push(plan)
    }

    /// The plan, with its joins in a good order.
    async fn reordered(&self, plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan, DataFusionError> {
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
    match planned(plan, state).await {
        Ok(physical) => Ok(physical),
        Err(error) => {
            let mut alone = state.clone();
            let options = alone.config_mut().options_mut();
            options.execution.target_partitions = 1;
            // The parts of a union are sorted together: sorted each for itself, they lose keys that one of them has for
            // constants or twice, and the merge has no order then.
            options.optimizer.repartition_sorts = false;
            planned(plan, &alone).await.map_err(|_| error)
        }
    }
}

/// The physical plan, with as many constants in it as one may have.
async fn planned(plan: &LogicalPlan, state: &SessionState) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
    let mut planning = state.query_planner().create_physical_plan(plan, state);
    poll_fn(|context| counting_constants(Constants::Plan, || planning.as_mut().poll(context))).await
}

/// A plan that is kept, as it is printed, with the values of a call in the place of its placeholders.
fn with_values(plan: &str, selection: &Selection<'_>) -> String {
    let value = |name: &str| {
        let at = selection.contract.slots().position(|slot| slot.parameter == name)?;
        selection.call.slot(selection.contract, at).map(ToString::to_string)
    };
    let mut out = String::with_capacity(plan.len());
    let mut rest = plan;
    // From the left to the right: nothing in a value is read as a placeholder.
    while let Some((before, behind)) = rest.split_once("<< ") {
        out.push_str(before);
        match behind.split_once(" >>").and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                out.push_str(&value);
                rest = after;
            }
            None => {
                out.push_str("<< ");
                rest = behind;
            }
        }
    }
    out + rest
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
