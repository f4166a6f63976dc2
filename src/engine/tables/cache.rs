//! Tables that are kept decoded in memory for as long as their files do not change.
//!
//! A table's files are looked at in every call ([`stamp`]): a changed file is seen by the next call, and no row of the
//! one before is served. Loading is not done here on its own account: the engine asks [`OpenTable::wants`] and calls
//! [`OpenTable::read_ahead`], in a call or behind it.

mod bounds;
mod budget;
mod load;
mod order;
mod prune;
mod scan;
mod snapshot;
pub(crate) mod stamp;
#[cfg(test)]
mod tests;

pub(crate) use budget::{Budget, Reservation};
pub(crate) use stamp::{LocalFiles, OpenStamp};

use crate::engine::open_table::{DataVersion, Notes, OpenTable, PlanVersion, Pushdown, Wants};
use crate::project::CacheMode;
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::{Constraints, Result, Statistics};
use datafusion::datasource::{TableProvider, TableType};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use futures::FutureExt;
use futures::future::BoxFuture;
use scan::{SnapshotScan, Wanted};
use snapshot::Snapshot;
use stamp::Stamp;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files of at most so many bytes are loaded while a call waits.
const LOADED_AT_ONCE: u64 = 4 << 20;
/// How many times larger a table is in memory than its files. A guess: the load itself keeps to the budget.
const DECODED: u64 = 4;

/// Counts the states that all tables were in.
static STATES: AtomicU64 = AtomicU64::new(1);

/// A number that no other state has in this process.
fn next_state() -> u64 {
    STATES.fetch_add(1, Ordering::Relaxed)
}

/// Opens the table as one that is sorted by these columns.
pub(crate) type OpenOrdered = Box<dyn Fn(&[String]) -> Option<Arc<dyn TableProvider>> + Send + Sync>;

/// How a table is kept.
pub(crate) struct Caching {
    /// What is kept.
    pub(crate) mode: CacheMode,
    /// The memory that all tables share.
    pub(crate) budget: Arc<Budget>,
    /// The columns of the declared primary key.
    pub(crate) primary_key: Vec<String>,
    /// Opens the same files as sorted by the primary key.
    pub(crate) ordered: Option<OpenOrdered>,
    /// What is said beside the rows.
    pub(crate) notes: Option<Notes>,
}

/// A table that may be kept in memory.
pub(crate) struct CachedTable {
    name: Arc<str>,
    inner: Arc<dyn TableProvider>,
    files: Option<LocalFiles>,
    mode: CacheMode,
    budget: Arc<Budget>,
    primary_key: Vec<String>,
    ordered: Option<OpenOrdered>,
    notes: Option<Notes>,
    known: Mutex<Known>,
}

/// What is known of the files as they were last seen.
#[derive(Debug)]
struct Known {
    stamp: Option<Stamp>,
    /// The number of the files' content.
    content: u64,
    /// The number of the way that they are read: another one once their rows or their order are known.
    way: u64,
    rows: Option<Arc<Snapshot>>,
    /// The rows were read and not kept.
    refused: bool,
    ordered: Option<Arc<dyn TableProvider>>,
    /// The order was looked for.
    order_known: bool,
    /// Held by whoever reads these files to keep them. Who reads others has nothing to do with it: a query that does not
    /// stop holds it for ever.
    flight: Arc<tokio::sync::Mutex<()>>,
}

/// What reading a table shows.
enum Finding {
    Rows(Arc<Snapshot>),
    NoRows,
    Order(Option<Arc<dyn TableProvider>>),
}

/// How a call reads the table.
enum Source {
    Rows(Arc<Snapshot>),
    Files(Arc<dyn TableProvider>),
}

impl Known {
    /// Of files in a new state: rows and plans of the states before are of no use to anybody from now on.
    fn nothing(stamp: Option<Stamp>) -> Known {
        let (rows, ordered, flight) = (None, None, Arc::default());
        let state = next_state();
        Known { stamp, content: state, way: state, rows, refused: false, ordered, order_known: false, flight }
    }

    fn keeps_rows(&self) -> bool {
        self.rows.is_none() && !self.refused
    }

    fn order_is_open(&self) -> bool {
        !self.order_known
    }

    fn learn(&mut self, finding: Finding) {
        match finding {
            Finding::Rows(rows) => self.rows = Some(rows),
            // Files are read as before, so plans over them stay good: no new way.
            Finding::NoRows => {
                self.refused = true;
                return;
            }
            Finding::Order(ordered) => {
                self.order_known = true;
                if ordered.is_none() {
                    return;
                }
                self.ordered = ordered;
            }
        }
        self.way = next_state();
    }
}

impl CachedTable {
    /// A table that reads from another one. `files` are the files behind it; without them nothing is kept.
    pub(crate) fn new(
        name: &str,
        inner: Arc<dyn TableProvider>,
        files: Option<LocalFiles>,
        caching: Caching,
    ) -> CachedTable {
        let Caching { mode, budget, primary_key, ordered, notes } = caching;
        CachedTable {
            name: name.into(),
            inner,
            files,
            mode,
            budget,
            primary_key,
            ordered,
            notes,
            known: Mutex::new(Known::nothing(None)),
        }
    }

    /// The table as its files are now; `None` where that cannot be told. Looks at every file. If a file changed, the rows
    /// that were kept are dropped.
    fn now(&self) -> Option<MutexGuard<'_, Known>> {
        let stamp = self.stamp();
        let known = self.observe(stamp.as_ref());
        known.stamp.is_some().then_some(known)
    }

    /// Whether the rows are to be loaded, as the files were when last looked at.
    fn wants_rows(&self) -> Wants {
        // Asked in every call: what is in memory is asked first, since a stamp takes a system call for each file.
        if !matches!(self.mode, CacheMode::Auto | CacheMode::Memory) || !self.known().keeps_rows() {
            return Wants::Nothing;
        }
        let Some(stamp) = self.stamp() else { return Wants::Nothing };
        if !self.observe(Some(&stamp)).keeps_rows() || !stamp.is_settled() {
            return Wants::Nothing;
        }
        let bytes = stamp.bytes();
        // Who asks for memory gets it while there is any; what happens by itself must leave room for other tables.
        let (expected, most) = match self.mode {
            CacheMode::Memory => (bytes, self.budget.most()),
            _ => (bytes.saturating_mul(DECODED), self.budget.left()),
        };
        if expected > u64::try_from(most).unwrap_or(u64::MAX) {
            Wants::Nothing
        } else if bytes <= LOADED_AT_ONCE {
            Wants::Now
        } else if self.is_being_read() {
            // Somebody reads it already.
            Wants::Nothing
        } else {
            Wants::Later
        }
    }

    /// Whether it is worth finding out if the files are sorted by the primary key: their rows are not to be kept, and it
    /// is not known.
    fn wants_order(&self) -> bool {
        let could_be = self.ordered.is_some() && self.keeps_anything() && !self.primary_key.is_empty();
        // What is known is asked first: looking at the files takes longer.
        let is_open = could_be && self.known().order_is_open();
        if !is_open || self.wants_rows() != Wants::Nothing || self.is_being_read() {
            return false;
        }
        let known = self.known();
        known.stamp.is_some() && known.rows.is_none() && known.order_is_open()
    }

    /// How much memory the kept rows take, in bytes; `None` where none are kept.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> Option<usize> {
        self.known().rows.as_ref().map(|rows| rows.bytes())
    }

    /// Whether somebody reads the files, as they were when last looked at, to keep them.
    fn is_being_read(&self) -> bool {
        self.known().flight.try_lock().is_err()
    }

    fn keeps_anything(&self) -> bool {
        self.mode != CacheMode::None
    }

    fn stamp(&self) -> Option<Stamp> {
        self.files.as_ref().filter(|_| self.keeps_anything())?.stamp()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what is not known of files that look like this.
    fn observe(&self, stamp: Option<&Stamp>) -> MutexGuard<'_, Known> {
        let mut known = self.known();
        if stamp.is_none() || known.stamp.as_ref() != stamp {
            // A version for every change would be made of every call where there is no stamp.
            let settled = stamp.filter(|stamp| stamp.is_settled());
            if settled.is_some() || known.stamp.is_some() {
                *known = Known::nothing(settled.cloned());
            }
        }
        known
    }

    fn source(&self) -> Source {
        let stamp = self.stamp();
        let known = self.observe(stamp.as_ref());
        match (&known.rows, &known.ordered) {
            (Some(rows), _) => Source::Rows(Arc::clone(rows)),
            (None, Some(ordered)) => Source::Files(Arc::clone(ordered)),
            (None, None) => Source::Files(Arc::clone(&self.inner)),
        }
    }

    fn scan_rows(
        &self,
        state: &dyn Session,
        rows: Arc<Snapshot>,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
    ) -> Result<SnapshotScan> {
        // A filter that cannot be planned alone leaves out no batch; it is planned above all the same.
        let plan = |filter: &Expr| state.create_physical_expr(filter.clone(), rows.columns()).ok();
        let filters = filters.iter().filter_map(plan).collect();
        let partitions = state.config().target_partitions();
        let wanted = Wanted { projection: projection.map(Vec::as_slice), filters, fetch: None, partitions };
        SnapshotScan::new(Arc::clone(&self.name), Arc::clone(&rows), wanted)
    }
}

impl fmt::Debug for CachedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedTable").field("name", &self.name).field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl OpenTable for CachedTable {
    fn provider(self: Arc<Self>) -> Arc<dyn TableProvider> {
        self
    }

    fn primary_key(&self) -> &[String] {
        &self.primary_key
    }

    fn plan_version(&self) -> Option<PlanVersion> {
        self.now().map(|known| PlanVersion::of(known.way))
    }

    fn data_version(&self) -> DataVersion {
        self.now().map_or(DataVersion::Unsettled, |known| DataVersion::Of(known.content))
    }

    fn pushdown(&self) -> Pushdown {
        Pushdown::ByKey
    }

    fn wants(&self) -> Wants {
        match self.wants_rows() {
            Wants::Nothing if self.wants_order() => Wants::Later,
            wants => wants,
        }
    }

    fn read_ahead<'a>(&'a self, state: &'a SessionState) -> BoxFuture<'a, Result<()>> {
        async move { if self.wants_order() { self.find_order(state).await } else { self.load(state).await } }.boxed()
    }

    fn note(&self) -> Option<String> {
        self.notes.as_ref().and_then(|notes| notes())
    }

    fn seen(&self) -> Option<Stamp> {
        self.files.as_ref()?.stamp_of_many()
    }
}

// Not the inner table's logical plan: a view would be planned in the table's place.
#[async_trait]
impl TableProvider for CachedTable {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn constraints(&self) -> Option<&Constraints> {
        self.inner.constraints()
    }

    fn table_type(&self) -> TableType {
        self.inner.table_type()
    }

    fn statistics(&self) -> Option<Statistics> {
        self.inner.statistics()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // Filters leave out batches and row groups, and not rows: they are applied again above.
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // A limit counts rows behind the filters, which stay above.
        let fetch = limit.filter(|_| filters.is_empty());
        match self.source() {
            Source::Rows(rows) => {
                let scan = Arc::new(self.scan_rows(state, rows, projection, filters)?);
                Ok(if fetch.is_some() { scan.with_fetch(fetch).unwrap_or(scan) } else { scan })
            }
            Source::Files(table) => {
                let all: Vec<&Expr> = filters.iter().collect();
                let support = table.supports_filters_pushdown(&all)?;
                let taken = filters.iter().zip(support);
                let taken: Vec<Expr> = taken
                    .filter(|(_, support)| *support != TableProviderFilterPushDown::Unsupported)
                    .map(|(filter, _)| filter.clone())
                    .collect();
                table.scan(state, projection, &taken, fetch).await
            }
        }
    }
}
