//! JSON with columns that are declared texts: numbers, `true` and `false` in them are read as they are written.
//!
//! DataFusion's reader refuses them, and as numbers they would come out changed: `1.10` as `1.1`, `1` beside `2.5` as `1.0`.
//! Arrow's keeps what is written, if it is asked to.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::json::ReaderBuilder;
use arrow::json::reader::Decoder;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener, FileScanConfig, FileSource, JsonSource};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use std::sync::Arc;
use tokio_util::bytes::Bytes;

/// How many rows are read at once where nobody says so.
const ROWS: usize = 8192;

/// The format of JSON with declared texts, which reads a file in one piece.
#[derive(Debug)]
pub(super) struct JsonTextFormat {
    format: JsonFormat,
    layout: Rows,
}

/// How rows follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// With white space between.
    Lines,
    /// In square brackets, with commas between.
    List,
}

impl JsonTextFormat {
    pub(super) fn new(compression: FileCompressionType, layout: Rows) -> JsonTextFormat {
        JsonTextFormat { format: JsonFormat::default().with_file_compression_type(compression), layout }
    }
}

#[async_trait]
impl FileFormat for JsonTextFormat {
    fn get_ext(&self) -> String {
        self.format.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.format.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.format.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.format.infer_schema(state, store, objects).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        self.format.infer_stats(state, store, table_schema, object).await
    }

    async fn create_physical_plan(&self, state: &dyn Session, conf: FileScanConfig) -> Result<Arc<dyn ExecutionPlan>> {
        self.format.create_physical_plan(state, conf).await
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(TextSource { inner: Arc::new(JsonSource::new(table_schema)), rows: ROWS, layout: self.layout })
    }
}

/// DataFusion's source of JSON, with a reader of our own.
struct TextSource {
    inner: Arc<dyn FileSource>,
    /// How many rows are read at once.
    rows: usize,
    layout: Rows,
}

impl FileSource for TextSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let schema = self.table_schema().file_schema();
        let projection = match self.inner.projection() {
            Some(wanted) => SplitProjection::new(schema, wanted),
            None => SplitProjection::unprojected(self.table_schema()),
        };
        let opener = TextOpener {
            store,
            schema: Arc::new(schema.project(&projection.file_indices)?),
            compression: config.file_compression_type,
            rows: self.rows,
            layout: self.layout,
        };
        ProjectionOpener::try_new(projection, Arc::new(opener), schema)
    }

    fn table_schema(&self) -> &TableSchema {
        self.inner.table_schema()
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Arc::new(TextSource { inner: Arc::clone(&self.inner), rows, layout: self.layout })
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        self.inner.projection()
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        self.inner.metrics()
    }

    fn file_type(&self) -> &str {
        self.inner.file_type()
    }

    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let inner = self.inner.try_pushdown_projection(projection)?;
        let (rows, layout) = (self.rows, self.layout);
        Ok(inner.map(|inner| Arc::new(TextSource { inner, rows, layout }) as Arc<dyn FileSource>))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.inner.apply_expressions(f)
    }
}

/// Opens a file.
struct TextOpener {
    store: Arc<dyn ObjectStore>,
    schema: SchemaRef,
    compression: FileCompressionType,
    rows: usize,
    layout: Rows,
}

impl FileOpener for TextOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        if file.range.is_some() {
            return Err(DataFusionError::Internal("a part of a file of JSON is not read alone".to_owned()));
        }
        let (store, compression, layout) = (Arc::clone(&self.store), self.compression, self.layout);
        let reader = ReaderBuilder::new(Arc::clone(&self.schema)).with_batch_size(self.rows);
        let decoder = reader.with_coerce_primitive(true).build_decoder()?;
        Ok(Box::pin(async move {
            let got = store.get(&file.object_meta.location).await?;
            let parts = got.into_stream().map_err(DataFusionError::from).boxed();
            let parts = compression.convert_stream(parts)?;
            let parts = match layout {
                Rows::Lines => parts,
                Rows::List => apart(parts),
            };
            Ok(batches(Reading { parts, rest: Bytes::new(), decoder, is_over: false }))
        }))
    }
}

/// What is left of a file.
struct Reading {
    parts: BoxStream<'static, Result<Bytes>>,
    rest: Bytes,
    decoder: Decoder,
    is_over: bool,
}

fn batches(reading: Reading) -> BoxStream<'static, Result<RecordBatch>> {
    let next = |mut reading: Reading| async move { Ok(reading.next().await?.map(|batch| (batch, reading))) };
    stream::try_unfold(reading, next).boxed()
}

impl Reading {
    /// The next rows; `None` at the end.
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if self.rest.is_empty() && !self.is_over {
                match self.parts.try_next().await? {
                    Some(part) => self.rest = part,
                    None => self.is_over = true,
                }
            }
            let read = self.decoder.decode(&self.rest)?;
            // As many rows as are wanted leave the others.
            let is_full = read < self.rest.len();
            self.rest = self.rest.slice(read..);
            if is_full || self.is_over {
                match self.decoder.flush()? {
                    Some(batch) => return Ok(Some(batch)),
                    None if self.is_over => return Ok(None),
                    None => {}
                }
            }
        }
    }
}

/// The rows of a list with white space between. That it is one list is checked before it is read.
fn apart(parts: BoxStream<'static, Result<Bytes>>) -> BoxStream<'static, Result<Bytes>> {
    let mut list = ListOfRows::default();
    parts.map_ok(move |part| Bytes::from(part.iter().map(|byte| list.byte(*byte)).collect::<Vec<u8>>())).boxed()
}

/// Where in a list of rows a reader is.
#[derive(Default)]
struct ListOfRows {
    depth: u64,
    in_text: bool,
    is_escaped: bool,
}

impl ListOfRows {
    /// The byte, or a space in the place of the brackets around all rows and the commas between them.
    fn byte(&mut self, byte: u8) -> u8 {
        if self.in_text {
            self.in_text = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return byte;
        }
        match byte {
            b'"' => self.in_text = true,
            b'[' | b'{' => {
                self.depth += 1;
                return if self.depth == 1 { b' ' } else { byte };
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                return if self.depth == 0 { b' ' } else { byte };
            }
            b',' if self.depth == 1 => return b' ',
            _ => {}
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::AsArray;
    use arrow::datatypes::{DataType, Field, Schema};

    async fn texts(text: &str, layout: Rows, size: usize) -> Vec<String> {
        let fields = vec![
            Field::new("a", DataType::Utf8, true),
            Field::new("l", DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))), true),
        ];
        let builder = ReaderBuilder::new(Arc::new(Schema::new(fields))).with_batch_size(2).with_coerce_primitive(true);
        let parts: Vec<Result<Bytes>> =
            text.as_bytes().chunks(size).map(|part| Ok(Bytes::copy_from_slice(part))).collect();
        let parts = stream::iter(parts).boxed();
        let parts = if layout == Rows::List { apart(parts) } else { parts };
        let reading = Reading { parts, rest: Bytes::new(), decoder: builder.build_decoder().unwrap(), is_over: false };
        let read: Vec<RecordBatch> = batches(reading).try_collect().await.unwrap();
        assert!(read.iter().all(|batch| batch.num_rows() <= 2));
        let column = |batch: &RecordBatch| -> Vec<String> {
            batch.column(0).as_string::<i32>().iter().map(|text| text.unwrap_or("NULL").to_owned()).collect()
        };
        read.iter().flat_map(column).collect()
    }

    #[tokio::test]
    async fn numbers_are_read_as_they_are_written() {
        let expected = ["1", "2.5", "1.10", "1e3", "-0", "x", "true", "NULL", "12345678901234567890123"];
        let rows = [
            "{\"a\": 1}",
            "{\"a\":2.5, \"l\": [1.0, \"]\", false]}",
            "{\"a\": 1.10}",
            "{\"a\": 1e3}",
            "{\"a\": -0}",
            "{\"a\": \"x\", \"l\": null}",
            "{\"a\": true}",
            "{\"l\": [\"a\\\",[\"]}",
            "{\"a\": 12345678901234567890123}",
        ];
        for size in [1, 2, 7, 1000] {
            assert_eq!(texts(&rows.join("\n"), Rows::Lines, size).await, expected);
            assert_eq!(texts(&format!(" [{} ]\n", rows.join(" ,\n")), Rows::List, size).await, expected);
            assert!(texts("[]", Rows::List, size).await.is_empty());
            assert!(texts("", Rows::Lines, size).await.is_empty());
        }
    }
}
