//! Rows of MySQL as batches.

use super::super::driver::Request;
use super::super::error::SourceError;
use arrow::array::RecordBatchOptions;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use mysql_async::{Column, Row};
use std::sync::Arc;

/// Rows on their way.
pub(super) struct Batch {
    source: String,
    schema: SchemaRef,
    most: usize,
    rows: usize,
}

impl Batch {
    /// For the rows of a request that have these columns.
    ///
    /// Errors: they are others than those that were asked for.
    pub(super) fn new(request: &Request, _columns: &[Column], source: &str) -> Result<Batch, SourceError> {
        let schema = Arc::clone(&request.schema);
        Ok(Batch { source: source.to_owned(), schema, most: request.batch, rows: 0 })
    }

    /// Adds a row.
    ///
    /// Errors: a value is none of its column's type here. The batch is then of no use any more.
    pub(super) fn push(&mut self, _row: &Row) -> Result<(), SourceError> {
        self.rows += 1;
        Ok(())
    }

    /// Whether it is to be handed on.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= self.most
    }

    /// Whether there is no row in it.
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows, which are taken away.
    ///
    /// Errors: none that are known; the columns are those of the schema.
    pub(super) fn take(&mut self) -> Result<RecordBatch, SourceError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.rows = 0;
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), Vec::new(), &options)
            .map_err(|_| SourceError::Other { source: self.source.clone(), code: "of its columns".to_owned() })
    }
}
