mod files;
mod rows;

use super::budget::{Budget, Reservation};
use super::snapshot::{Snapshot, SnapshotBuilder};
use super::stamp::LocalFiles;
use super::{CachedTable, Caching, OpenTable, PlanVersion, Source, Wants};
use crate::plan::session_sql::select;
use crate::project::CacheMode;
use arrow::array::{ArrayRef, RecordBatch};
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// A session as the engine's: it lists folders anew.
fn session() -> SessionContext {
    let runtime = RuntimeEnvBuilder::default().with_object_list_cache_limit(0).build_arc().unwrap();
    SessionContext::new_with_config_rt(SessionConfig::new().with_target_partitions(4), runtime)
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn snapshot(batches: Vec<RecordBatch>, key: Vec<usize>, rows: usize) -> Arc<Snapshot> {
    let schema = batches[0].schema();
    let reserved = Reservation::of(&Budget::new(1 << 30));
    let mut builder = SnapshotBuilder::new(schema, key, reserved).in_batches_of(rows);
    for batch in batches {
        builder.push(batch).unwrap().unwrap();
    }
    Arc::new(builder.finish().unwrap().unwrap())
}

/// Every row as text, in order.
fn texts(batches: &[RecordBatch]) -> Vec<String> {
    let row = |batch: &RecordBatch, row| {
        let cells = batch.columns().iter().map(|column| array_value_to_string(column, row).unwrap());
        cells.collect::<Vec<_>>().join(",")
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |at| row(batch, at))).collect()
}

async fn query(ctx: &SessionContext, sql: &str) -> Vec<String> {
    texts(&select(ctx, sql).await.unwrap().collect().await.unwrap())
}

/// The table that another one is read from, with a count of how often.
#[derive(Debug)]
struct Counted {
    inner: Arc<dyn TableProvider>,
    scans: Arc<AtomicUsize>,
}

#[async_trait]
impl TableProvider for Counted {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn table_type(&self) -> TableType {
        self.inner.table_type()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.inner.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.scans.fetch_add(1, Ordering::Relaxed);
        tokio::task::yield_now().await;
        self.inner.scan(state, projection, filters, limit).await
    }
}

/// A folder with a table in it.
struct Files {
    dir: TempDir,
    ctx: SessionContext,
    scans: Arc<AtomicUsize>,
    budget: Arc<Budget>,
}

impl Files {
    fn new(text: &str) -> Files {
        let files =
            Files { dir: TempDir::new().unwrap(), ctx: session(), scans: Arc::default(), budget: Budget::new(1 << 20) };
        files.write(text);
        files
    }

    fn with_budget(self, bytes: usize) -> Files {
        Files { budget: Budget::new(bytes), ..self }
    }

    fn path(&self) -> std::path::PathBuf {
        self.dir.path().join("t.csv")
    }

    /// Writes the table in place, once a write shows in the file's times.
    fn write(&self, text: &str) {
        self.tick();
        fs::write(self.path(), text).unwrap();
    }

    /// Waits for the file system's clock.
    fn tick(&self) {
        let probe = self.dir.path().join("probe");
        let now = || {
            fs::write(&probe, "x").unwrap();
            let metadata = fs::metadata(&probe).unwrap();
            (metadata.mtime(), metadata.mtime_nsec())
        };
        let start = now();
        while now() == start {
            std::thread::yield_now();
        }
    }

    fn roots(&self) -> Arc<[std::path::PathBuf]> {
        vec![self.dir.path().canonicalize().unwrap()].into()
    }

    fn local(&self) -> LocalFiles {
        LocalFiles::one(self.path(), self.roots()).settled_after(Duration::ZERO)
    }

    async fn inner(&self) -> Arc<dyn TableProvider> {
        let path = self.path();
        self.ctx.deregister_table("inner").unwrap();
        self.ctx.register_csv("inner", path.to_str().unwrap(), Default::default()).await.unwrap();
        let inner = self.ctx.table_provider("inner").await.unwrap();
        Arc::new(Counted { inner, scans: Arc::clone(&self.scans) })
    }

    async fn table(&self) -> Arc<CachedTable> {
        self.table_of(self.local(), CacheMode::Auto).await
    }

    async fn table_of(&self, local: LocalFiles, mode: CacheMode) -> Arc<CachedTable> {
        let caching = Caching {
            mode,
            budget: Arc::clone(&self.budget),
            primary_key: vec!["a".to_owned()],
            ordered: None,
            notes: None,
        };
        let table = Arc::new(CachedTable::new("t", self.inner().await, Some(local), caching));
        self.ctx.deregister_table("t").unwrap();
        self.ctx.register_table("t", Arc::clone(&table) as Arc<dyn TableProvider>).unwrap();
        table
    }

    async fn load(&self, table: &CachedTable) {
        table.load(&self.ctx.state()).await.unwrap();
    }

    fn scans(&self) -> usize {
        self.scans.load(Ordering::Relaxed)
    }
}

fn symlink(to: &Path, link: &Path) {
    let _ = fs::remove_file(link);
    std::os::unix::fs::symlink(to, link).unwrap();
}
