//! Rows for programs: a JSON object a line, Arrow's IPC stream, Parquet. A batch is written when it is asked for.

use super::json_lines::JsonLines;
use super::{EncodeError, Rows};
use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::StreamWriter;
use datafusion::parquet::arrow::ArrowWriter;
use std::sync::Arc;

impl Rows {
    /// A line of JSON for every row, in one piece of text per batch.
    pub fn into_json_lines(self) -> impl Iterator<Item = String> + Send + 'static {
        let (columns, numbers) = (self.columns.clone(), self.numbers.clone());
        self.cut().into_iter().map(move |batch| {
            let (columns, numbers) = (columns.clone(), numbers.clone());
            let rows = Rows { columns, numbers, len: batch.num_rows(), batches: vec![batch] };
            rows.write_as::<JsonLines>(usize::MAX).text
        })
    }

    /// Arrow's IPC stream (<https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format>): the schema, then a
    /// piece for every batch, then the end.
    ///
    /// Errors: a type that IPC cannot hold.
    pub fn into_arrow_stream(
        self,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, EncodeError>> + Send + 'static, EncodeError> {
        let schema = self.schema();
        let mut writer = StreamWriter::try_new(Vec::new(), &schema).map_err(|error| failed(&error))?;
        let mut batches = self.cut().into_iter();
        let mut is_over = false;
        let mut is_first = true;
        Ok(std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            if !std::mem::take(&mut is_first) || writer.get_ref().is_empty() {
                let written = match batches.next() {
                    Some(batch) => renamed(&batch, &schema).and_then(|batch| writer.write(&batch)),
                    None => {
                        is_over = true;
                        writer.finish()
                    }
                };
                if let Err(error) = written {
                    is_over = true;
                    return Some(Err(failed(&error)));
                }
            }
            Some(Ok(std::mem::take(writer.get_mut())))
        }))
    }

    /// A Parquet file.
    ///
    /// Errors: a type that Parquet cannot hold.
    pub fn parquet(&self) -> Result<Vec<u8>, EncodeError> {
        let schema = self.schema();
        let mut writer = ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), None).map_err(|error| failed(&error))?;
        for batch in self.clone().cut() {
            let batch = renamed(&batch, &schema).map_err(|error| failed(&error))?;
            writer.write(&batch).map_err(|error| failed(&error))?;
        }
        writer.into_inner().map_err(|error| failed(&error))
    }

    /// The schema with the names that the tool publishes: of the batches, or of the columns' types where there are none.
    fn schema(&self) -> SchemaRef {
        let held = self.batches.first().map(RecordBatch::schema);
        let field = |(at, (name, ty)): (usize, &(String, crate::ty::Type))| {
            let data_type =
                held.as_ref().and_then(|schema| schema.fields().get(at).map(|field| field.data_type().clone()));
            Field::new(name, data_type.unwrap_or_else(|| ty.to_arrow()), true)
        };
        Arc::new(Schema::new(self.columns.iter().enumerate().map(field).collect::<Vec<_>>()))
    }

    /// The batches without the rows behind the last.
    fn cut(self) -> Vec<RecordBatch> {
        let mut left = self.len;
        let cut = self.batches.into_iter().map(|batch| {
            let rows = batch.num_rows().min(left);
            left -= rows;
            batch.slice(0, rows)
        });
        cut.filter(|batch| batch.num_rows() > 0).collect()
    }
}

/// The batch under the schema that is published.
fn renamed(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), batch.columns().to_vec(), &options)
}

fn failed(error: &dyn std::fmt::Display) -> EncodeError {
    EncodeError { message: error.to_string() }
}
