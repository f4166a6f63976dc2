//! The plan's leaf that reads a snapshot.
//!
//! The filters stay above: here they only tell which batches need not be looked at. That is told when rows are first
//! asked for, as the filters above evaluate theirs, because a plan is run many times and its values change.

use super::prune::{Comparison, comparisons, remaining};
use super::snapshot::Snapshot;
use arrow::compute::SortOptions;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{ColumnStatistics, DataFusionError, Result, Statistics};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::execution_plan::{
    Boundedness, CardinalityEffect, EmissionType, SchedulingType, apply_expression_roots,
};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, RecordBatchStream,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures::Stream;
use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Fewer rows are read in one partition: to hand them around costs more than to filter them.
const ROWS_IN_ONE: usize = 65_536;

/// Reads a snapshot.
#[derive(Debug, Clone)]
pub(super) struct SnapshotScan {
    table: Arc<str>,
    snapshot: Arc<Snapshot>,
    /// The places of the columns to read.
    columns: Arc<[usize]>,
    filters: Vec<Arc<dyn PhysicalExpr>>,
    comparisons: Arc<[Comparison]>,
    fetch: Option<usize>,
    /// The batches of every partition.
    partitions: Arc<[Range<usize>]>,
    properties: Arc<PlanProperties>,
}

/// What to read of a snapshot.
pub(super) struct Wanted<'a> {
    /// The places of the columns; `None` for all of them.
    pub(super) projection: Option<&'a [usize]>,
    /// What rows will be filtered by, over all columns of the table.
    pub(super) filters: Vec<Arc<dyn PhysicalExpr>>,
    /// How many rows of every partition are enough.
    pub(super) fetch: Option<usize>,
    /// How many partitions there may be.
    pub(super) partitions: usize,
}

impl SnapshotScan {
    /// Reads a table's snapshot.
    ///
    /// Errors: a projection to a column that does not exist.
    pub(super) fn new(table: Arc<str>, snapshot: Arc<Snapshot>, wanted: Wanted<'_>) -> Result<SnapshotScan> {
        let all = snapshot.schema().fields().len();
        let columns: Arc<[usize]> = wanted.projection.map_or_else(|| (0..all).collect(), Arc::from);
        let schema = match wanted.projection {
            Some(projection) => Arc::new(snapshot.schema().project(projection)?),
            None => Arc::clone(snapshot.schema()),
        };
        let partitions: Arc<[Range<usize>]> = split(&snapshot, wanted.partitions).into();
        let properties = PlanProperties::new(
            EquivalenceProperties::new_with_orderings(Arc::clone(&schema), orderings(&snapshot, &columns, &schema)),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(SnapshotScan {
            table,
            columns,
            comparisons: comparisons(&wanted.filters).into(),
            filters: wanted.filters,
            fetch: wanted.fetch,
            partitions,
            properties: Arc::new(properties.with_scheduling_type(SchedulingType::Cooperative)),
            snapshot,
        })
    }

    fn fetching(&self, fetch: Option<usize>) -> SnapshotScan {
        SnapshotScan { fetch, ..self.clone() }
    }

    /// The statistics of one partition, or of the whole table, before filters and `fetch`.
    fn unfiltered(&self, partition: Option<usize>) -> Statistics {
        let all = self.snapshot.statistics();
        let Some(range) = partition.and_then(|partition| self.partitions.get(partition)) else {
            let column = |at: &usize| all.column_statistics.get(*at).cloned().unwrap_or_default();
            return Statistics {
                num_rows: all.num_rows,
                total_byte_size: Precision::Absent,
                column_statistics: self.columns.iter().map(column).collect(),
            };
        };
        let batches = self.snapshot.batches().get(range.clone()).unwrap_or_default();
        Statistics {
            num_rows: Precision::Exact(batches.iter().map(RecordBatch::num_rows).sum()),
            total_byte_size: Precision::Absent,
            column_statistics: self.columns.iter().map(|_| ColumnStatistics::new_unknown()).collect(),
        }
    }
}

/// Contiguous ranges of batches, as equal as they can be.
fn split(snapshot: &Snapshot, most: usize) -> Vec<Range<usize>> {
    let batches = snapshot.batches().len();
    let count = if snapshot.rows() < ROWS_IN_ONE { 1 } else { most.clamp(1, batches.max(1)) };
    (0..count).map(|at| at * batches / count..(at + 1) * batches / count).collect()
}

/// The orders that are left of the table's in a projection: of a key, the part before the first column that is gone.
fn orderings(snapshot: &Snapshot, columns: &[usize], schema: &Schema) -> Vec<Vec<PhysicalSortExpr>> {
    // The order that SQL means by default. Which way nulls sort does not matter to rows without any.
    let options = SortOptions { descending: false, nulls_first: false };
    let sorted = |column: &usize| {
        let at = columns.iter().position(|projected| projected == column)?;
        let field = schema.fields().get(at)?;
        Some(PhysicalSortExpr::new(Arc::new(Column::new(field.name(), at)), options))
    };
    let orders = snapshot.orders().iter().map(|order| order.iter().map_while(sorted).collect::<Vec<_>>());
    orders.filter(|order| !order.is_empty()).collect()
}

impl DisplayAs for SnapshotScan {
    fn fmt_as(&self, _t: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SnapshotScan: {}, rows={}", self.table, self.snapshot.rows())?;
        if let Some(fetch) = self.fetch {
            write!(f, ", fetch={fetch}")?;
        }
        for (at, filter) in self.filters.iter().enumerate() {
            write!(f, "{}{filter}", if at == 0 { ", filters=" } else { " AND " })?;
        }
        Ok(())
    }
}

impl ExecutionPlan for SnapshotScan {
    fn name(&self) -> &str {
        "SnapshotScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(&self.filters, f)
    }

    fn replace_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        // A run leaves nothing behind.
        Ok(self)
    }

    fn execute(&self, partition: usize, _context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let Some(range) = self.partitions.get(partition) else {
            return Err(DataFusionError::Internal(format!("there is no partition {partition}")));
        };
        Ok(Box::pin(cooperative(SnapshotStream {
            snapshot: Arc::clone(&self.snapshot),
            columns: Arc::clone(&self.columns),
            comparisons: Arc::clone(&self.comparisons),
            schema: self.schema(),
            left: self.fetch,
            state: State::Untouched(range.clone()),
            most: FIRST,
        })))
    }

    fn statistics_from_inputs(&self, _inputs: &[Arc<Statistics>], args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let mut statistics = self.unfiltered(args.partition());
        if !self.filters.is_empty() {
            statistics = statistics.to_inexact();
        }
        let partitions = if args.partition().is_some() { 1 } else { self.partitions.len() };
        statistics.with_fetch(self.fetch, 0, partitions).map(Arc::new)
    }

    // Not `supports_limit_pushdown`: a leaf that hands a limit on to its children loses it.
    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(self.fetching(limit)))
    }

    fn fetch(&self) -> Option<usize> {
        self.fetch
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}

/// The rows of one partition.
struct SnapshotStream {
    snapshot: Arc<Snapshot>,
    columns: Arc<[usize]>,
    comparisons: Arc<[Comparison]>,
    schema: SchemaRef,
    /// How many rows are still wanted.
    left: Option<usize>,
    state: State,
    /// How many rows the next batch may have.
    most: usize,
}

enum State {
    Untouched(Range<usize>),
    Reading(Reading),
}

/// The batches that are left, and how much of the first has been handed out.
struct Reading {
    batches: std::iter::Peekable<std::vec::IntoIter<usize>>,
    from: usize,
}

/// The rows of the first batch that is handed out; every further one has twice as many. Where a limit is reached soon, a
/// whole batch would be filtered for a few of its rows.
const FIRST: usize = 512;

impl SnapshotStream {
    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.left == Some(0) {
            return None;
        }
        if let State::Untouched(range) = &self.state {
            let batches = remaining(&self.snapshot, &self.comparisons, range.clone());
            self.state = State::Reading(Reading { batches: batches.into_iter().peekable(), from: 0 });
        }
        let State::Reading(reading) = &mut self.state else { return None };
        let batch = self.snapshot.batches().get(*reading.batches.peek()?)?;
        let from = reading.from;
        let rows = self.left.unwrap_or(usize::MAX).min(self.most).min(batch.num_rows() - from);
        reading.from += rows;
        if reading.from >= batch.num_rows() {
            reading.from = 0;
            reading.batches.next();
        }
        self.most = self.most.saturating_mul(2);
        if let Some(left) = &mut self.left {
            *left -= rows;
        }
        Some(self.project(batch, from, rows))
    }

    /// Some rows of the wanted columns, without copying.
    fn project(&self, batch: &RecordBatch, from: usize, rows: usize) -> Result<RecordBatch> {
        let columns = self.columns.iter().filter_map(|at| batch.columns().get(*at));
        let cut = rows < batch.num_rows();
        let columns = columns.map(|column| if cut { column.slice(from, rows) } else { Arc::clone(column) }).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }
}

impl Stream for SnapshotStream {
    type Item = Result<RecordBatch>;

    fn poll_next(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.get_mut().next())
    }
}

impl RecordBatchStream for SnapshotStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
