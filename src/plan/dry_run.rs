//! Makes the physical plan of a query over tables without data, to learn whether it can be made at all.
//!
//! Nothing is read. Its operators and functions begin, and get a batch without rows: some refuse their arguments only
//! then.

use super::functions::{Constants, counting_constants};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::{TableType, provider_as_source};
use datafusion::execution::{SessionState, SessionStateBuilder, SessionStateDefaults, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_expr::window::{PlainAggregateWindowExpr, SlidingAggregateWindowExpr, StandardWindowExpr};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::memory::MemoryStream;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream, collect,
};
use datafusion::prelude::SessionConfig;
use futures::FutureExt;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime};

/// On one thread, as the plans that a server keeps, and as it plans where there is no plan for all cores.
static STATE: LazyLock<SessionState> = LazyLock::new(|| state(None));

/// The same, with one pass of the optimizer.
static IN_ONE_PASS: LazyLock<SessionState> = LazyLock::new(|| state(Some(1)));

fn state(passes: Option<usize>) -> SessionState {
    let mut config = SessionConfig::new().with_information_schema(false).with_target_partitions(1);
    config.options_mut().execution.time_zone = Some("+00:00".to_owned());
    super::configure(config.options_mut());
    if let Some(passes) = passes {
        config.options_mut().optimizer.max_passes = passes;
    }
    SessionStateBuilder::new()
        .with_config(config)
        .with_session_id("dry run".to_owned())
        // Some rules look for an aggregate by its name.
        .with_aggregate_functions(SessionStateDefaults::default_aggregate_functions())
        .with_analyzer_rules(super::analyzer().rules)
        .with_optimizer_rules(super::optimizer().rules)
        .with_physical_optimizer_rules(super::physical_optimizer().rules)
        .build()
}

/// The plans that can run, by their hashes: a project has many queries that differ in names alone, and combinations of
/// choices and clauses that make the same plan.
static RUN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
/// More than that are not kept.
const MOST_KEPT: usize = 1 << 16;

/// Operators ask for a runtime. This one has no threads.
static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| Builder::new_current_thread().build().ok());

/// Makes the physical plan of an analysed plan with values in it, and throws it away. `is_final` says that every call has
/// this very plan: no value in it is another one later.
///
/// Errors: what DataFusion cannot plan, or what a function says of its arguments before there are rows.
pub fn dry_run(plan: LogicalPlan, is_final: bool) -> Result<()> {
    let key = key(&plan, is_final);
    if RUN.lock().unwrap_or_else(PoisonError::into_inner).contains(&key) {
        return Ok(());
    }
    try_run(plan, is_final)?;
    let mut run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    if run.len() >= MOST_KEPT {
        run.clear();
    }
    run.insert(key);
    Ok(())
}

/// What a plan is remembered by. One that is final is judged by more than one that has typical values.
fn key(plan: &LogicalPlan, is_final: bool) -> u64 {
    // Not the hasher of maps, which has other keys in every process.
    let mut hasher = DefaultHasher::new();
    plan.hash(&mut hasher);
    is_final.hash(&mut hasher);
    hasher.finish()
}

fn try_run(plan: LogicalPlan, is_final: bool) -> Result<()> {
    let plan = over_nothing(plan)?;
    // Further passes make few plans faster, and fewer ones possible; they are half of the time that it takes.
    try_state(plan.clone(), is_final, &IN_ONE_PASS).or_else(|_| try_state(plan, is_final, &STATE))
}

fn try_state(plan: LogicalPlan, is_final: bool, state: &SessionState) -> Result<()> {
    let plan = counting_constants(Constants::Plan, || state.optimize(&plan))?;
    let planned = || futures::executor::block_on(state.query_planner().create_physical_plan(&plan, state));
    let physical = counting_constants(Constants::Plan, planned)?;
    physical.apply(|node| begin(node).map(|()| TreeNodeRecursion::Continue))?;
    if reads_tables_alone(&physical)? { run(physical, is_final, state) } else { Ok(()) }
}

/// Whether all rows would come from tables, so that there are none.
fn reads_tables_alone(physical: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    let mut alone = true;
    physical.apply(|node| {
        alone &= !node.children().is_empty() || node.is::<Scan>();
        Ok(if alone { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    })?;
    Ok(alone)
}

/// Sends a batch without rows through a plan: what an operator or a function does not do for a type, it refuses.
///
/// Errors: those that are not about a value, which may be another one in a call; all, where every call has this plan.
fn run(physical: Arc<dyn ExecutionPlan>, is_final: bool, state: &SessionState) -> Result<()> {
    let Some(runtime) = RUNTIME.as_ref() else { return Ok(()) };
    let rows = AssertUnwindSafe(collect(physical, Arc::new(TaskContext::from(state)))).catch_unwind();
    match runtime.block_on(rows) {
        Ok(Err(error)) => match error.find_root() {
            DataFusionError::NotImplemented(_) => Err(error),
            // What is internal is about the time of the call, which a dry run has not.
            DataFusionError::Execution(_) | DataFusionError::ArrowError(..) if is_final => Err(error),
            _ => Ok(()),
        },
        Ok(Ok(_)) | Err(_) => Ok(()),
    }
}

/// Makes what an operator makes of its functions when it begins.
fn begin(node: &Arc<dyn ExecutionPlan>) -> Result<()> {
    if let Some(aggregate) = node.downcast_ref::<AggregateExec>() {
        for function in aggregate.aggr_expr() {
            function.create_accumulator()?;
        }
    }
    let windows = node.downcast_ref::<WindowAggExec>().map(WindowAggExec::window_expr);
    let windows =
        windows.or_else(|| node.downcast_ref::<BoundedWindowAggExec>().map(BoundedWindowAggExec::window_expr));
    for window in windows.unwrap_or_default() {
        let window = window.as_any();
        if let Some(function) = window.downcast_ref::<StandardWindowExpr>() {
            function.get_standard_func_expr().create_evaluator()?;
        } else if let Some(aggregate) = window.downcast_ref::<PlainAggregateWindowExpr>() {
            aggregate.get_aggregate_expr().create_accumulator()?;
        } else if let Some(aggregate) = window.downcast_ref::<SlidingAggregateWindowExpr>() {
            aggregate.get_aggregate_expr().create_sliding_accumulator()?;
        }
    }
    Ok(())
}

/// The plan over tables that have no rows, and of which nothing else is known either.
fn over_nothing(plan: LogicalPlan) -> Result<LogicalPlan> {
    let plan = plan.transform_down_with_subqueries(|node| {
        Ok(match node {
            LogicalPlan::TableScan(mut scan) => {
                scan.source = provider_as_source(Arc::new(Nothing(scan.source.schema())));
                Transformed::yes(LogicalPlan::TableScan(scan))
            }
            other => Transformed::no(other),
        })
    })?;
    Ok(plan.data)
}

/// A table of a schema.
#[derive(Debug)]
struct Nothing(SchemaRef);

#[async_trait::async_trait]
impl TableProvider for Nothing {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.0)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(columns) => Arc::new(self.0.project(columns)?),
            None => Arc::clone(&self.0),
        };
        Ok(Arc::new(Scan::new(schema)))
    }
}

/// The scan of a table that is never carried out.
#[derive(Debug)]
struct Scan(Arc<PlanProperties>);

impl Scan {
    fn new(schema: SchemaRef) -> Scan {
        Scan(Arc::new(PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )))
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scan")
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &str {
        "Scan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.0
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, _: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let nothing = RecordBatch::new_empty(self.schema());
        Ok(Box::pin(MemoryStream::try_new(vec![nothing], self.schema(), None)?))
    }
}
