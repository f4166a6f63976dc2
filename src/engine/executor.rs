//! Who runs plans: a runner asks an [`Executor`] for the rows of a [`Selection`]. That of this process is [`Local`].

mod local;

pub(super) use local::Local;

use super::bind::BoundCall;
use super::error::CallError;
use super::failure::{engine_error, internal_error};
use super::hurry::Quick;
use crate::tool::Contract;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::common::DataFusionError;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};

/// The rows that a call asks for.
pub(super) struct Selection<'a> {
    /// What the tool is called by.
    contract: &'a Contract,
    call: &'a BoundCall,
    plan: SelectionPlan<'a>,
    /// Rows in front of the first.
    skip: u64,
    /// Rows at most; one more is read, which tells whether there are more without counting.
    limit: Option<u64>,
}

/// What gives the rows of a selection.
pub(super) enum SelectionPlan<'a> {
    /// A plan that other calls share, with placeholders for the values of this one. `choices` says which of the tool's
    /// plans it is.
    Shared { plan: &'a LogicalPlan, choices: usize },
    /// A plan of this call alone.
    Own(LogicalPlan),
}

/// Runs plans, here or elsewhere.
pub(super) trait Executor: Send + Sync {
    /// The rows of a selection, one more than its limit at most.
    fn rows(&self, selection: &Selection<'_>) -> impl Future<Output = Result<Vec<RecordBatch>, CallError>> + Send;

    /// The same on the thread of whoever asks, where that is known to take little time whatever the values are; `None`
    /// where it is not.
    fn rows_at_once(
        &self,
        selection: &Selection<'_>,
    ) -> impl Future<Output = Option<Result<Vec<RecordBatch>, CallError>>> + Send;

    /// Whether the last rows took so little time that it is worth asking for the next at once; `None` where they did not.
    fn quick(&self) -> Option<Quick>;

    /// The physical plan that gives such rows, for the author of the tool.
    fn explain(&self, selection: &Selection<'_>) -> impl Future<Output = Result<String, CallError>> + Send;
}

impl<'a> Selection<'a> {
    /// The rows of a call's page.
    pub(super) fn of(contract: &'a Contract, call: &'a BoundCall, plan: SelectionPlan<'a>) -> Selection<'a> {
        Selection { contract, call, plan, skip: call.skip, limit: call.limit }
    }

    /// All rows of a plan, of which a call shows something else. The plan bounds them itself.
    pub(super) fn whole(contract: &'a Contract, call: &'a BoundCall, plan: LogicalPlan) -> Selection<'a> {
        Selection { contract, call, plan: SelectionPlan::Own(plan), skip: 0, limit: None }
    }

    /// The number of rows there are without a limit.
    fn counted(&self) -> Result<Selection<'a>, CallError> {
        let plan = LogicalPlanBuilder::from(self.bound()?)
            .aggregate(Vec::<Expr>::new(), vec![count(lit(1_i64))])
            .and_then(LogicalPlanBuilder::build)
            .map_err(engine_error)?;
        Ok(Selection { plan: SelectionPlan::Own(plan), skip: 0, limit: None, ..*self })
    }

    /// The plan with the values of the call.
    pub(super) fn bound(&self) -> Result<LogicalPlan, CallError> {
        let internal = |error: DataFusionError| internal_error(&error);
        match &self.plan {
            SelectionPlan::Shared { plan, .. } => self.call.apply(self.contract, plan).map_err(internal),
            SelectionPlan::Own(plan) => Ok(plan.clone()),
        }
    }

    /// A plan with the limit of the selection.
    fn capped(&self, plan: LogicalPlan) -> Result<LogicalPlan, DataFusionError> {
        let fetch = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1));
        if fetch.is_none() && self.skip == 0 {
            return Ok(plan);
        }
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
        LogicalPlanBuilder::from(plan).limit(skip, fetch).and_then(LogicalPlanBuilder::build)
    }
}

/// How many rows a call would have without a limit, where its tool says so and `read` are not all.
pub(super) async fn total_rows<E: Executor>(
    executor: &E,
    selection: &Selection<'_>,
    read: &[RecordBatch],
) -> Result<Option<u64>, CallError> {
    let rows: usize = read.iter().map(RecordBatch::num_rows).sum();
    let has_more = selection.limit.is_some_and(|limit| rows as u64 > limit);
    if !has_more || !selection.contract.count_total {
        return Ok(None);
    }
    let batches = executor.rows(&selection.counted()?).await?;
    let counts = batches.first().and_then(|batch| batch.column(0).as_primitive_opt::<Int64Type>());
    let counted = counts.map(|counts| counts.value(0) as u64);
    counted.map(Some).ok_or_else(|| CallError::internal("the count has no value"))
}
