//! Records tables: the lines of a folder with a contract, with the types that the contract says.
//!
//! Other lines of JSON are read by the engine's own reader, which learns their columns from them. Here a field may be in no record,
//! the file need not be there, and of two lines with one key the last one counts, as where they are written.

use super::cache::{Budget, CachedTable, Caching, LocalFiles};
use super::{Roots, TableError, columns, failure};
use crate::engine::open_table::OpenTable;
use crate::project::{CacheMode, FilesSource};
use crate::records::change::Record;
use crate::records::folder::RECORDS;
use crate::records::lines::read_records;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Mismatch, Strictness, shortened};
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

/// Rows of a batch.
const ROWS: usize = 8192;

/// Opens records. They are read once, so that a line that is none shows here and not in a call.
///
/// Errors: there is no such folder, or a line of the file does not fit.
pub(in crate::engine) fn open(
    (name, folder): (&str, &str),
    source: &FilesSource,
    roots: &Roots,
    budget: &Arc<Budget>,
) -> Result<Arc<dyn OpenTable>, TableError> {
    let types = columns::declared(source)?;
    let key = source.primary_key.first().cloned().unwrap_or_default();
    let fields = types.iter().map(|(name, ty)| Field::new(name, ty.to_arrow(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let path = roots.resolve_file(folder)?.join(RECORDS);
    let lines = Lines { path, schema: Arc::clone(&schema), key, types: types.into_iter().collect() };
    lines.read().map_err(|error| failure::unreadable(&source.path, &error.to_string()))?;
    let local = LocalFiles::one(lines.path.clone(), roots.allowed());
    let table = StreamingTable::try_new(schema, vec![Arc::new(lines)]);
    let table = table.map_err(|error| failure::engine(&source.path, &error, &[]))?;
    let caching = Caching {
        mode: CacheMode::Auto,
        budget: Arc::clone(budget),
        primary_key: source.primary_key.clone(),
        ordered: None,
        notes: None,
    };
    Ok(Arc::new(CachedTable::new(name, Arc::new(table), Some(local), caching)))
}

/// The file, and what its lines become.
#[derive(Debug, Clone)]
struct Lines {
    path: PathBuf,
    schema: SchemaRef,
    key: String,
    types: Vec<(String, Type)>,
}

impl Lines {
    fn read(&self) -> Result<Vec<RecordBatch>, Error> {
        let records = read_records(&self.path, &self.key)?;
        records.chunks(ROWS).map(|records| self.batch(records)).collect()
    }

    fn batch(&self, records: &[Record]) -> Result<RecordBatch, Error> {
        let columns = self.types.iter().map(|(name, ty)| self.column(records, name, ty));
        let columns = columns.collect::<Result<Vec<_>, Error>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(records.len()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options).map_err(Error::other)
    }

    fn column(&self, records: &[Record], name: &str, ty: &Type) -> Result<ArrayRef, Error> {
        if records.is_empty() {
            return Ok(new_empty_array(&ty.to_arrow()));
        }
        let cells = records.iter().map(|record| self.cell(record, name, ty)).collect::<Result<Vec<_>, Error>>()?;
        ScalarValue::iter_to_array(cells).map_err(Error::other)
    }

    /// A value as its type has it. Who writes past qtool may have written another.
    fn cell(&self, record: &Record, name: &str, ty: &Type) -> Result<ScalarValue, Error> {
        let Some(value) = record.get(name).filter(|value| !value.is_null()) else {
            return ScalarValue::try_from(ty.to_arrow()).map_err(Error::other);
        };
        read_value(value, ty).map_err(|mismatch| {
            let id = record.get(&self.key).map(shortened).unwrap_or_default();
            Error::new(ErrorKind::InvalidData, format!("`{name}` of the record {id}: {mismatch}"))
        })
    }
}

/// A value of a field, in its type.
///
/// Errors: it is none.
pub(in crate::engine) fn read_value(value: &Value, ty: &Type) -> Result<ScalarValue, Mismatch> {
    let strictly = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
    ty.coerce(value, &strictly).or_else(|mismatch| match ty {
        // A moment with an offset is the same in UTC, as DuckDB has it for Folio.
        Type::Timestamp(digits) => {
            let moment = Type::Timestamptz(*digits).coerce(value, &strictly).map_err(|_| mismatch.clone())?;
            moment.cast_to(&ty.to_arrow()).map_err(|_| mismatch)
        }
        // Folio writes numbers as the texts that they are in a CSV, and reads them as numbers.
        Type::Bigint | Type::Double | Type::Boolean if value.is_string() => {
            let leniently = Coercion { strictness: Strictness::Lax, ..Coercion::default() };
            ty.coerce(value, &leniently)
        }
        _ => Err(mismatch),
    })
}

impl PartitionStream for Lines {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _ctx: Arc<TaskContext>) -> SendableRecordBatchStream {
        let lines = self.clone();
        let read = async move {
            let read = tokio::task::spawn_blocking(move || lines.read()).await;
            let read = read.map_err(|error| DataFusionError::External(error.into()))?;
            let batches = read?.into_iter().map(Ok::<_, DataFusionError>);
            Ok::<_, DataFusionError>(stream::iter(batches))
        };
        let batches = stream::once(read).try_flatten();
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches.boxed()))
    }
}
