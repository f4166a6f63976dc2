//! Reads a table to keep it, or to learn its order. Never in the way of a call: what fails here is not kept.

use super::budget::Reservation;
use super::order::Ascending;
use super::snapshot::{Snapshot, SnapshotBuilder, TooLarge};
use super::stamp::Stamp;
use super::{CachedTable, Finding};
use arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::execution::cache::cache_manager::CacheManagerConfig;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use futures::StreamExt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

/// How long a load waits for another one. A table that a call waits for is read much faster.
const PATIENCE: Duration = Duration::from_secs(1);

impl CachedTable {
    /// Decodes the table and keeps it, if it fits and its files do not change meanwhile. One load of them runs at a time;
    /// a second one waits for it and finds the table loaded. Nobody waits long: the query that loads may be lost.
    ///
    /// Errors: the files cannot be read, for logs. A call that reads them says so itself.
    pub(crate) async fn load(&self, state: &SessionState) -> Result<()> {
        let Some(_flight) = self.flight().await else { return Ok(()) };
        // Behind the wait: whoever read before may have found it all.
        let Some(before) = self.unread(|known| known.keeps_rows()) else { return Ok(()) };
        let read = self.read_rows(state).await;
        let (finding, result) = match read {
            Ok(Ok(snapshot)) => (Finding::Rows(Arc::new(snapshot)), Ok(())),
            Ok(Err(TooLarge)) => (Finding::NoRows, Ok(())),
            Err(error) => (Finding::NoRows, Err(error)),
        };
        self.keep(&before, finding);
        result
    }

    /// Reads the primary key of a table that is one file and learns whether the rows are sorted by it; then they are
    /// read as sorted for as long as the file does not change.
    ///
    /// Errors: the file cannot be read, for logs.
    pub(crate) async fn find_order(&self, state: &SessionState) -> Result<()> {
        if self.ordered.is_none() || !self.files.as_ref().is_some_and(|files| files.is_single()) {
            return Ok(());
        }
        let Some(_flight) = self.flight().await else { return Ok(()) };
        let Some(before) = self.unread(|known| known.order_is_open()) else { return Ok(()) };
        let (ascends, result) = match self.read_key(state).await {
            Ok(ascends) => (ascends, Ok(())),
            Err(error) => (false, Err(error)),
        };
        let table = self.ordered.as_ref().filter(|_| ascends).and_then(|ordered| ordered(&self.primary_key));
        self.keep(&before, Finding::Order(table));
        result
    }

    /// Waits until nobody else reads the files to keep them; `None` where that takes long.
    async fn flight(&self) -> Option<OwnedMutexGuard<()>> {
        let flight = Arc::clone(&self.observe(self.stamp().as_ref()).flight);
        timeout(PATIENCE, flight.lock_owned()).await.ok()
    }

    async fn read_rows(&self, state: &SessionState) -> Result<Result<Snapshot, TooLarge>> {
        let schema = self.inner.schema();
        let key = self.key_columns().unwrap_or_default();
        let mut snapshot = SnapshotBuilder::new(schema, key, Reservation::of(&self.budget));
        let fits = self.each(state, None, |batch| {
            Ok(match snapshot.push(batch)? {
                Ok(()) => ControlFlow::Continue(()),
                Err(TooLarge) => ControlFlow::Break(()),
            })
        });
        if fits.await?.is_break() {
            return Ok(Err(TooLarge));
        }
        snapshot.finish()
    }

    async fn read_key(&self, state: &SessionState) -> Result<bool> {
        let Some(columns) = self.key_columns() else { return Ok(false) };
        let schema = self.inner.schema().project(&columns)?;
        let Some(mut order) = Ascending::by((0..columns.len()).collect(), &schema) else { return Ok(false) };
        let read = self.each(state, Some(&columns), |batch| {
            order.push(&batch);
            Ok(if order.holds() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        Ok(read.await?.is_continue())
    }

    /// The rows of the files, in the order that the files have them.
    async fn each(
        &self,
        state: &SessionState,
        columns: Option<&Vec<usize>>,
        mut take: impl FnMut(RecordBatch) -> Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>> {
        let state = reading(state)?;
        let plan = self.inner.scan(&state, columns, &[], None).await?;
        // One after the other: rows are to be kept in the order of the files, and a load must not take a call's threads.
        for partition in 0..plan.properties().partitioning.partition_count() {
            let mut rows = plan.execute(partition, state.task_ctx())?;
            while let Some(batch) = rows.next().await {
                if take(batch?)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The places of the primary key's columns.
    fn key_columns(&self) -> Option<Vec<usize>> {
        let schema = self.inner.schema();
        let columns: Option<Vec<usize>> = self.primary_key.iter().map(|name| schema.index_of(name).ok()).collect();
        columns.filter(|columns| !columns.is_empty())
    }

    /// What the files look like, if they are to be read.
    fn unread(&self, wanted: impl FnOnce(&super::Known) -> bool) -> Option<Stamp> {
        let stamp = self.stamp()?;
        let known = self.observe(Some(&stamp));
        let wanted = self.keeps_anything() && stamp.is_settled() && wanted(&known);
        wanted.then_some(stamp)
    }

    /// Keeps what was found if the files are still what they were before.
    fn keep(&self, before: &Stamp, finding: Finding) {
        let after = self.stamp();
        let mut known = self.observe(after.as_ref());
        if after.as_ref() == Some(before) {
            known.learn(finding);
        }
    }
}

/// A session that reads a table from its first row to its last. What the engine keeps of files is told apart by size
/// and modification time only, so nothing of it is used.
fn reading(state: &SessionState) -> Result<SessionState> {
    // A session that makes a catalog puts it in the place of the one that it shares.
    let config = state.config().clone().with_create_default_catalog_and_schema(false);
    let mut config = config.with_target_partitions(1);
    config.options_mut().optimizer.repartition_file_scans = false;
    config.options_mut().execution.collect_statistics = false;
    let caches = CacheManagerConfig::default().with_list_files_cache_limit(0);
    let runtime = RuntimeEnvBuilder::from_runtime_env(state.runtime_env()).with_cache_manager(caches).build_arc()?;
    Ok(SessionStateBuilder::new_from_existing(state.clone()).with_config(config).with_runtime_env(runtime).build())
}
