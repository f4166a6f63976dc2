//! A table, decoded.

use super::bounds::Bounds;
use super::budget::Reservation;
use super::order::Ascending;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::BatchCoalescer;
use arrow::datatypes::{DataType, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::stats::Precision;
use datafusion::common::{DFSchema, DataFusionError, Result, Statistics};
use std::fmt;
use std::sync::Arc;

/// How many rows a batch has: what a lookup looks through.
pub(super) const BATCH_ROWS: usize = 8192;
/// How many orders of single columns the planner is told. It compares them pairwise.
const MOST_ORDERS: usize = 16;

/// The rows of a table, with what is known of them.
pub(super) struct Snapshot {
    schema: SchemaRef,
    columns: DFSchema,
    batches: Vec<RecordBatch>,
    bounds: Vec<Bounds>,
    orders: Vec<Vec<usize>>,
    statistics: Statistics,
    rows: usize,
    /// Given back when the last plan over the rows is gone, for so long they take up memory.
    reserved: Reservation,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("rows", &self.rows).field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

impl Snapshot {
    /// The schema of the batches.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The schema, for expressions over the columns.
    pub(super) fn columns(&self) -> &DFSchema {
        &self.columns
    }

    /// The rows in the order of the files, [`BATCH_ROWS`] in all batches but the last.
    pub(super) fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// What is known of a column.
    pub(super) fn bounds(&self, column: usize) -> Option<&Bounds> {
        self.bounds.get(column)
    }

    /// The orders that the rows have: columns by place, ascending, without nulls.
    pub(super) fn orders(&self) -> &[Vec<usize>] {
        &self.orders
    }

    /// What the planner may know: all of it exact but the bounds of floats.
    pub(super) fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The memory that the batches take.
    pub(super) fn bytes(&self) -> usize {
        self.reserved.bytes()
    }
}

/// A snapshot on its way.
pub(super) struct SnapshotBuilder {
    schema: SchemaRef,
    chunks: BatchCoalescer,
    batches: Vec<RecordBatch>,
    orders: Vec<Ascending>,
    reserved: Reservation,
}

/// The rows do not fit into the budget.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl SnapshotBuilder {
    /// Of a table of that schema; `primary_key` are the places of its key's columns.
    pub(super) fn new(schema: SchemaRef, primary_key: Vec<usize>, reserved: Reservation) -> SnapshotBuilder {
        let mut orders: Vec<Ascending> = Vec::new();
        if primary_key.len() > 1 {
            orders.extend(Ascending::by(primary_key, &schema));
        }
        orders.extend((0..schema.fields().len()).filter_map(|at| Ascending::by(vec![at], &schema)));
        let chunks = BatchCoalescer::new(Arc::clone(&schema), BATCH_ROWS);
        SnapshotBuilder { schema, chunks, batches: Vec::new(), orders, reserved }
    }

    /// With batches of another size.
    #[cfg(test)]
    pub(super) fn in_batches_of(mut self, rows: usize) -> SnapshotBuilder {
        self.chunks = BatchCoalescer::new(Arc::clone(&self.schema), rows);
        self
    }

    /// Takes the next rows.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<Result<(), TooLarge>> {
        // Plans differ from the table in metadata, and in what they know to be never null.
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let (_, columns, _) = batch.into_parts();
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?;
        if self.schema.fields().is_empty() {
            return Err(DataFusionError::Execution("a table without columns is not kept".to_owned()));
        }
        self.chunks.push_batch(batch)?;
        self.take()
    }

    /// All rows are there.
    pub(super) fn finish(mut self) -> Result<Result<Snapshot, TooLarge>> {
        self.chunks.finish_buffered_batch()?;
        if self.take()? == Err(TooLarge) {
            return Ok(Err(TooLarge));
        }
        let SnapshotBuilder { schema, batches, orders, reserved, .. } = self;
        let bounds: Vec<Bounds> = (0..schema.fields().len()).map(|at| Bounds::of(&column(&batches, at))).collect();
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        let statistics = Statistics {
            num_rows: Precision::Exact(rows),
            total_byte_size: Precision::Inexact(reserved.bytes()),
            column_statistics: bounds.iter().map(Bounds::statistics).collect(),
        };
        let holding = orders.into_iter().filter(Ascending::holds).take(MOST_ORDERS);
        let orders = holding.map(|order| order.columns().to_vec()).collect();
        let columns = DFSchema::try_from(Arc::clone(&schema))?;
        Ok(Ok(Snapshot { schema, columns, batches, bounds, orders, statistics, rows, reserved }))
    }

    fn take(&mut self) -> Result<Result<(), TooLarge>> {
        while let Some(batch) = self.chunks.next_completed_batch() {
            let batch = compact(batch)?;
            if !self.reserved.grow(batch.get_array_memory_size()) {
                return Ok(Err(TooLarge));
            }
            for order in &mut self.orders {
                order.push(&batch);
            }
            self.batches.push(batch);
        }
        Ok(Ok(()))
    }
}

fn column(batches: &[RecordBatch], at: usize) -> Vec<&ArrayRef> {
    batches.iter().filter_map(|batch| batch.columns().get(at)).collect()
}

/// Gives back what the values do not need: the readers' buffers hold whole columns or pages.
fn compact(batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
    let (schema, columns, rows) = batch.into_parts();
    let fitting = |array: ArrayRef| {
        let mut array = compact_views(&array).unwrap_or(array);
        // The last batch has room for as many rows as the others.
        array.shrink_to_fit();
        array
    };
    let columns = columns.into_iter().map(fitting).collect();
    RecordBatch::try_new_with_options(schema, columns, &RecordBatchOptions::new().with_row_count(Some(rows)))
}

fn compact_views(array: &ArrayRef) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::Utf8View => {
            let views = array.as_string_view_opt()?;
            is_garbage(views.total_buffer_bytes_used(), views.data_buffers()).then(|| Arc::new(views.gc()) as ArrayRef)
        }
        DataType::BinaryView => {
            let views = array.as_binary_view_opt()?;
            is_garbage(views.total_buffer_bytes_used(), views.data_buffers()).then(|| Arc::new(views.gc()) as ArrayRef)
        }
        _ => None,
    }
}

fn is_garbage(used: usize, buffers: &[arrow::buffer::Buffer]) -> bool {
    let held: usize = buffers.iter().map(arrow::buffer::Buffer::capacity).sum();
    held > used.saturating_mul(2).saturating_add(4096)
}
