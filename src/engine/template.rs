//! Physical plans that are made once and serve many calls.
//!
//! Planning costs several times what a small query does. What a plan depends on beside the values of its placeholders is
//! its [`Shape`] (which optional parameters are there, the limit, the choices) and the [`PlanVersion`] of each table (its
//! files, and whether they are held in memory). Where both are as before, a [`Template`] runs again with other values. It
//! serves one call at a time, since the values are its own ([`sent`]); a shape has as many as calls run at once.
//!
//! Not every plan can be kept: one with joins, repartitioning or the time of day in it, or with lists, is made for each
//! call. Nor should every plan be: a template runs on one thread. Where that took long, the next call of its shape is
//! planned for all cores.

mod sent;

use super::bind::BoundCall;
use super::hurry::Quick;
use super::open_table::PlanVersion;
use super::sources::{self, Reading, SOURCE};
use super::stop;
use crate::syntax::link::number;
use crate::tool::Contract;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::execution::{SessionState, TaskContext};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, Operator, Volatility};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::ScalarFunctionExpr;
use datafusion::physical_expr::expressions::{
    BinaryExpr, CaseExpr, CastExpr, Column, InListExpr, IsNotNullExpr, IsNullExpr, Literal, NegativeExpr, NotExpr,
};
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties, displayable};
use futures::StreamExt;
use sent::Sent;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// More shapes of a tool than that are not kept.
const MOST_SHAPES: usize = 64;
/// How often a template runs: what operators count of their work grows with every run.
const MOST_RUNS: u32 = 256;

/// What keeps taking longer on one thread is planned for all cores.
const LONG: Duration = Duration::from_millis(30);

/// Operators that can run again after they were reset, on one thread.
const REPEATABLE: [&str; 15] = [
    "AggregateExec",
    "BoundedWindowAggExec",
    "CoalescePartitionsExec",
    "CooperativeExec",
    "EmptyExec",
    "FilterExec",
    "GlobalLimitExec",
    "LocalLimitExec",
    "PlaceholderRowExec",
    "ProjectionExec",
    "SnapshotScan",
    "SortExec",
    "SortPreservingMergeExec",
    SOURCE,
    "WindowAggExec",
];
/// Those of them that let rows through as they come. Files are read by no others: where all rows are needed, several
/// threads and what filters learn while they run are worth more than a plan.
const STREAMING: [&str; 6] =
    ["CooperativeExec", "FilterExec", "GlobalLimitExec", "LocalLimitExec", "ProjectionExec", SOURCE];
/// The scan of files.
const FILES: &str = "DataSourceExec";

/// What a plan depends on beside values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// Which combination of choices.
    pub(super) choices: usize,
    /// Which placeholders have values.
    pub(super) present: Vec<bool>,
    pub(super) skip: u64,
    pub(super) limit: Option<u64>,
}

/// The templates of a tool.
#[derive(Default)]
pub(super) struct Templates(Mutex<Kept>);

/// What is kept as long as the tables are what they are.
#[derive(Default)]
struct Kept {
    versions: Vec<PlanVersion>,
    /// Those that wait for a call; `None` where a plan of that shape cannot be kept, or should not.
    shapes: HashMap<Shape, Option<Vec<Template>>>,
}

/// What there is for a call.
pub(super) enum Found {
    /// A plan.
    Template(Template),
    /// None yet.
    Nothing,
    /// None, and it is of no use to make one.
    Refused,
}

impl Templates {
    /// A template for a call, taken out of the store until [`Templates::give_back`].
    pub(super) fn take(&self, shape: &Shape, versions: &[PlanVersion]) -> Found {
        match self.kept(versions).shapes.get_mut(shape) {
            Some(Some(idle)) => idle.pop().map_or(Found::Nothing, Found::Template),
            Some(None) => Found::Refused,
            None => Found::Nothing,
        }
    }

    /// Keeps a template for the next call.
    pub(super) fn give_back(&self, shape: Shape, template: Template) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Tables may have changed while it ran: then the plan holds rows that are gone.
        if template.runs < MOST_RUNS && kept.versions == template.versions {
            kept.make_room(&shape);
            if let Some(idle) = kept.shapes.entry(shape).or_insert_with(|| Some(Vec::new())) {
                idle.push(template);
            }
        }
    }

    /// Notes that plans of that shape are made for each call, as long as the tables are what they are.
    pub(super) fn refuse(&self, shape: Shape, versions: &[PlanVersion]) {
        let mut kept = self.kept(versions);
        kept.make_room(&shape);
        kept.shapes.insert(shape, None);
    }

    /// What is kept for tables of these versions. Plans over others hold rows that nobody asks for any more.
    fn kept(&self, versions: &[PlanVersion]) -> MutexGuard<'_, Kept> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.versions != versions {
            *kept = Kept { versions: versions.to_vec(), shapes: HashMap::new() };
        }
        kept
    }
}

impl Kept {
    /// All at once: with `n` optional parameters there are `2^n` shapes, and what is made anew is one plan for each that
    /// is still asked for. An order of use would be kept in every call.
    fn make_room(&mut self, shape: &Shape) {
        if self.shapes.len() >= MOST_SHAPES && !self.shapes.contains_key(shape) {
            self.shapes.clear();
        }
    }
}

/// A physical plan with functions in the place of its placeholders.
pub(super) struct Template {
    plan: Arc<dyn ExecutionPlan>,
    sent: Arc<Sent>,
    versions: Vec<PlanVersion>,
    runs: u32,
    /// How many runs, up to the last, took long.
    long_runs: u32,
    /// How long the steps of it take.
    pub(super) steps: Steps,
}

/// How long the steps of a plan take the thread that runs it, whatever the values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Steps {
    /// A bounded time.
    Short,
    /// A bounded time, and a server is waited for between them.
    Awaited,
    /// Nobody knows.
    Long,
}

impl Steps {
    /// Whether a thread that others wait for may run them.
    pub(super) fn quick(self) -> Option<Quick> {
        match self {
            Steps::Short => Some(Quick::Here),
            Steps::Awaited => Some(Quick::Awaited),
            Steps::Long => None,
        }
    }
}

impl Template {
    /// Plans for calls of one shape. `key` is the column of a table whose filters are pushed down. `plan` has its limit, and placeholders for the values that are there.
    ///
    /// Errors: the plan cannot be kept.
    pub(super) async fn make<'a>(
        contract: &Contract,
        plan: &LogicalPlan,
        state: &SessionState,
        key: &(dyn Fn(&str) -> Option<&'a str> + Sync),
        versions: Vec<PlanVersion>,
    ) -> Result<Template> {
        if depends_on_time(plan)? {
            return plan_err!("it depends on the time");
        }
        let sent = Arc::new(Sent::default());
        // With placeholders still in it: a placeholder has a type and no value, so no rule can put the value of this call
        // into what is kept. The functions that take their place come behind these rules; those of the physical planner
        // evaluate them at once and fail, which is how a plan that cannot be kept is found out.
        let plan = sources::push(stop::optimized(plan, state)?)?;
        if tells_a_function(&plan)? {
            return plan_err!("a function of many rows is told a value");
        }
        let plan = stop::watch_texts(stop::watch_patterns(with_functions(contract, plan, &sent)?)?)?;
        let mut state = state.clone();
        state.config_mut().options_mut().execution.parquet.pushdown_filters = finds_by_key(&plan, key)?;
        let plan = state.query_planner().create_physical_plan(&plan, &state).await?;
        if let Some(name) = unrepeatable(&plan) {
            return plan_err!("{name} cannot run again");
        }
        let steps = steps(&plan)?;
        Ok(Template { plan, sent, versions, runs: 0, long_runs: 0, steps })
    }

    /// The rows for some values, and how long the thread was busy.
    pub(super) async fn run(
        &mut self,
        values: Vec<Option<ScalarValue>>,
        context: Arc<TaskContext>,
    ) -> Result<(Vec<RecordBatch>, Duration)> {
        self.runs += 1;
        // Taken away again however this ends, also when the call is given up: nothing of a caller waits in a kept plan.
        let _given = Given::to(&self.sent, values);
        // Operators keep what they have learnt of the rows of a run: the hash table of an aggregate, the bound that a sort
        // with a limit hands down to its scan. Run again without this, a top-N gives the rows of the call before.
        let plan = reset_plan_states(Arc::clone(&self.plan))?;
        // The only part: `unrepeatable` sees to it.
        let mut rows = plan.execute(0, context)?;
        let mut batches = Vec::new();
        let mut busy = Duration::ZERO;
        loop {
            // Only the time in which the thread was busy: a call that waits for a disk needs no more cores.
            let next = std::future::poll_fn(|context| {
                let began = Instant::now();
                let polled = rows.poll_next_unpin(context);
                busy += began.elapsed();
                polled
            });
            match next.await.transpose()? {
                Some(batch) => {
                    crate::plan::stop::check()?;
                    batches.push(batch);
                }
                None => return Ok((batches, busy)),
            }
        }
    }
}

impl Template {
    /// Notes how long a run took on a thread that had a core for itself.
    pub(super) fn took(&mut self, busy: Duration) {
        self.long_runs = if busy > LONG { self.long_runs + 1 } else { 0 };
    }

    /// Whether it keeps taking so long that plans for all cores are better. One long run may be the fault of whatever
    /// else the machine does.
    pub(super) fn is_too_long(&self) -> bool {
        self.long_runs >= 3
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&displayable(self.plan.as_ref()).indent(false).to_string().replace(" >>()", " >>"))
    }
}

/// The values of a call as long as it runs.
struct Given<'a>(&'a Sent);

impl Given<'_> {
    fn to(sent: &Sent, values: Vec<Option<ScalarValue>>) -> Given<'_> {
        sent.set(values);
        Given(sent)
    }
}

impl Drop for Given<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl Shape {
    /// The shape of a call, and its values; `None` where a value is a list, which plans hold as it is. A list that is not
    /// there is a clause left out, or NULL.
    pub(super) fn of(
        contract: &Contract,
        choices: usize,
        call: &BoundCall,
    ) -> Option<(Shape, Vec<Option<ScalarValue>>)> {
        let values: Vec<Option<ScalarValue>> =
            (0..contract.slots().count()).map(|at| call.slot(contract, at).cloned()).collect();
        if contract.slots().zip(&values).any(|(slot, value)| slot.list && value.is_some()) {
            return None;
        }
        let present = values.iter().map(Option::is_some).collect();
        Some((Shape { choices, present, skip: call.skip, limit: call.limit }, values))
    }
}

/// Whether a function in the plan has another value at every call.
fn depends_on_time(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= matches!(expr, Expr::ScalarFunction(call) if call.func.signature().volatility != Volatility::Immutable);
                Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    })?;
    Ok(found)
}

/// Whether a value is an argument of an aggregate or a window function by itself, as a delimiter or an offset is. Many of
/// them want to know it before they begin, and take a literal alone.
fn tells_a_function(plan: &LogicalPlan) -> Result<bool> {
    let is_told = |arg: &Expr| {
        let sent = arg.exists(|expr| Ok(matches!(expr, Expr::Placeholder(_)))).unwrap_or(true);
        sent && !arg.any_column_refs()
    };
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                found |= match expr {
                    Expr::AggregateFunction(call) => call.params.args.iter().any(is_told),
                    Expr::WindowFunction(call) => call.params.args.iter().any(is_told),
                    _ => false,
                };
                Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    })?;
    Ok(found)
}

/// Whether a filter asks for the primary key of a table. Then a few rows of a file are wanted, and other columns are read
/// for those alone. Where rows are filtered by something else until a limit is reached, reading all columns of the first
/// rows takes less than reading the filters' columns of many.
fn finds_by_key<'a>(plan: &LogicalPlan, key: &(dyn Fn(&str) -> Option<&'a str> + Sync)) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Some(key) = key(scan.table_name.table())
        {
            found |= scan.filters.iter().any(|filter| filter.column_refs().iter().any(|column| column.name == key));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(found)
}

/// The plan with functions for its placeholders.
fn with_functions(contract: &Contract, plan: LogicalPlan, sent: &Arc<Sent>) -> Result<LogicalPlan> {
    let replaced = plan.transform_down_with_subqueries(|node| {
        let names = NamePreserver::new(&node);
        node.map_expressions(|expr| {
            let name = names.save(&expr);
            let replaced = expr.transform_down(|expr| match expr {
                Expr::Placeholder(placeholder) => {
                    let slot = number(&placeholder.id).and_then(|at| Some((at, contract.slot(at)?)));
                    let Some(((at, slot), field)) = slot.zip(placeholder.field) else {
                        return plan_err!("no such placeholder");
                    };
                    Ok(Transformed::yes(sent::function(at, &slot.parameter, field.data_type().clone(), sent)))
                }
                other => Ok(Transformed::no(other)),
            })?;
            Ok(replaced.update_data(|expr| name.restore(expr)))
        })
    })?;
    Ok(replaced.data)
}

/// The operator because of which a plan cannot be kept.
fn unrepeatable(plan: &Arc<dyn ExecutionPlan>) -> Option<String> {
    if plan.output_partitioning().partition_count() != 1 {
        return Some("what has several parts".to_owned());
    }
    let mut found = None;
    let mut reads_files = false;
    let mut streams = true;
    // Looking at a plan does not fail.
    let _ = plan.apply(|node| {
        let name = node.name();
        reads_files |= name == FILES || sources::reads_rows(node);
        streams &= name == FILES || STREAMING.contains(&name) || stops_early(node);
        if name != FILES && !REPEATABLE.contains(&name) {
            found = Some(name.to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    });
    if found.is_none() && reads_files && !streams { Some("what needs all rows of files".to_owned()) } else { found }
}

/// Whether rows are sorted that come in order already, up to those that are equal in its first key: then the first of them
/// are known before all are read.
fn stops_early(node: &Arc<dyn ExecutionPlan>) -> bool {
    let Some(sort) = node.downcast_ref::<SortExec>().filter(|sort| sort.fetch().is_some()) else { return false };
    let first = sort.expr().first().clone();
    sort.input().equivalence_properties().ordering_satisfy([first]).unwrap_or(false)
}

/// Of what kind the steps are: short where every expression is a comparison or simple arithmetic, so that a batch of rows
/// takes a bounded time whatever values were sent, and the rows are in memory, or few that a database is asked for.
fn steps(plan: &Arc<dyn ExecutionPlan>) -> Result<Steps> {
    let (mut is_short, mut waits) = (true, false);
    plan.apply(|node| {
        let reading = sources::reading(node);
        waits |= reading == Some(Reading::Awaited);
        is_short &= node.name() != FILES && reading != Some(Reading::Long);
        node.apply_expressions(&mut |expr| {
            expr.apply(|expr| {
                is_short &= is_bounded(expr);
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(match (is_short, waits) {
        (false, _) => Steps::Long,
        (true, false) => Steps::Short,
        (true, true) => Steps::Awaited,
    })
}

fn is_bounded(expr: &Arc<dyn PhysicalExpr>) -> bool {
    if let Some(binary) = expr.downcast_ref::<BinaryExpr>() {
        return !matches!(
            binary.op(),
            Operator::RegexMatch
                | Operator::RegexIMatch
                | Operator::RegexNotMatch
                | Operator::RegexNotIMatch
                | Operator::StringConcat
        );
    }
    if let Some(call) = expr.downcast_ref::<ScalarFunctionExpr>() {
        return sent::is_sent(call.fun()) || crate::plan::is_bounded(call.fun());
    }
    expr.is::<Column>()
        || expr.is::<Literal>()
        || expr.is::<CastExpr>()
        || expr.is::<NotExpr>()
        || expr.is::<IsNullExpr>()
        || expr.is::<IsNotNullExpr>()
        || expr.is::<NegativeExpr>()
        || expr.is::<InListExpr>()
        || expr.is::<CaseExpr>()
}
