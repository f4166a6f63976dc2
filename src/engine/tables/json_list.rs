//! Files of JSON that are no lines: one list of objects, or objects that go over several lines.

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::physical_plan::{FileScanConfig, FileScanConfigBuilder, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_plan::{ExecutionPlan, Partitioning};
use object_store::{ObjectMeta, ObjectStore};
use std::sync::Arc;

/// DataFusion's format for JSON, which it cuts into ranges at line ends for several threads where the file is large, lists
/// as well: here it never does.
#[derive(Debug)]
pub(super) struct UncutJsonFormat(JsonFormat);

impl UncutJsonFormat {
    /// One object after the other, each over several lines.
    pub(super) fn of_objects(compression: FileCompressionType) -> UncutJsonFormat {
        UncutJsonFormat(JsonFormat::default().with_file_compression_type(compression))
    }

    /// A list of objects.
    pub(super) fn of_list(compression: FileCompressionType) -> UncutJsonFormat {
        UncutJsonFormat(JsonFormat::default().with_newline_delimited(false).with_file_compression_type(compression))
    }
}

#[async_trait]
impl FileFormat for UncutJsonFormat {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.0.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.0.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.0.infer_schema(state, store, objects).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        self.0.infer_stats(state, store, table_schema, object).await
    }

    async fn create_physical_plan(&self, state: &dyn Session, conf: FileScanConfig) -> Result<Arc<dyn ExecutionPlan>> {
        // A scan whose partitioning is given is not cut any further.
        let given = Partitioning::UnknownPartitioning(conf.file_groups.len());
        let conf = FileScanConfigBuilder::from(conf).with_output_partitioning(Some(given)).build();
        self.0.create_physical_plan(state, conf).await
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        self.0.file_source(table_schema)
    }
}
