//! What the engine needs of a table, wherever its data lies.
//!
//! Every kind of table opens into an [`OpenTable`]; what plans and runs calls knows no more of it. A kind that tells no
//! versions is served as well, only slower: its plans are made for each call.

use super::tables::cache::stamp::Stamp;
use crate::catalog::Table;
use datafusion::catalog::TableProvider;
use datafusion::common::Result;
use datafusion::execution::SessionState;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use std::collections::HashMap;
use std::sync::Arc;

/// The tables of an engine, by name.
pub(super) type OpenTables = HashMap<String, Arc<dyn OpenTable>>;

/// A table that is open.
pub(crate) trait OpenTable: Send + Sync {
    /// What is scanned.
    fn provider(self: Arc<Self>) -> Arc<dyn TableProvider>;

    /// The columns of the declared primary key; none where none is declared.
    fn primary_key(&self) -> &[String];

    /// Its schema as the data has it.
    fn table(self: Arc<Self>) -> Table {
        Table::from_arrow(&self.provider().schema())
    }

    /// What a plan that is made now depends on; `None` where that cannot be told, and no plan is good for two calls.
    fn plan_version(&self) -> Option<PlanVersion> {
        None
    }

    /// Which rows there are now.
    fn data_version(&self) -> DataVersion {
        DataVersion::Untold
    }

    /// Which filters are worth evaluating while the table is read.
    fn pushdown(&self) -> Pushdown {
        Pushdown::Nothing
    }

    /// Whether reading something ahead would make later calls faster. Asked behind [`OpenTable::plan_version`].
    fn wants(&self) -> Wants {
        Wants::Nothing
    }

    /// Reads ahead what it wants.
    ///
    /// Errors: the data cannot be read, for logs. A call that reads it says so itself.
    fn read_ahead<'a>(&'a self, _state: &'a SessionState) -> BoxFuture<'a, Result<()>> {
        ready(Ok(())).boxed()
    }

    /// The database that it lies in, where that cannot be reached now.
    fn unreachable_source(&self) -> Option<String> {
        None
    }

    /// The database that it lies in, where that is a server, which may keep a call waiting.
    fn server(&self) -> Option<Arc<str>> {
        None
    }

    /// What is to be said beside its rows: what of its data could not be read.
    fn note(&self) -> Option<String> {
        None
    }

    /// What its files look like now, for who reads them while they may be rewritten; `None` where that cannot be told, or
    /// there are none on this machine.
    fn seen(&self) -> Option<Stamp> {
        None
    }
}

/// What a physical plan over a table depends on beside its schema: which files there are, what is known of their rows, and
/// whether rows are held in memory. While it is equal, a plan that is kept gives the rows of now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PlanVersion(u64);

impl PlanVersion {
    /// A number for each state that plans are made for, of all that a table is ever in.
    pub(crate) fn of(number: u64) -> PlanVersion {
        PlanVersion(number)
    }
}

/// Which rows a table has. While it is equal, they are the same, however they are read: a result that is kept holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataVersion {
    /// A number for each state of the data, of all that a table is ever in.
    Of(u64),
    /// It cannot be told at this moment. A result is not kept.
    Unsettled,
    /// Nobody ever learns that the rows have changed. How long a result is kept is for its author to say.
    Untold,
}

/// Which filters are worth evaluating while a table is read, so that the other columns are read of few rows only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pushdown {
    /// None: where rows are filtered until a limit is reached, reading all columns of the first rows takes less.
    Nothing,
    /// Those that ask for the first column of the primary key: few rows are wanted.
    ByKey,
}

/// Whether something of a table is to be read ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wants {
    /// No: it has been read, does not fit, or must not be kept.
    Nothing,
    /// Yes, and soon done: the call may wait for it.
    Now,
    /// Yes, behind the calls.
    Later,
}

/// A table of which nothing is known but how to read it.
pub(super) struct PlainTable {
    pub(super) provider: Arc<dyn TableProvider>,
    pub(super) primary_key: Vec<String>,
    /// What is said beside its rows.
    pub(super) notes: Option<Notes>,
}

/// What is to be said of a table, as it was read last.
pub(crate) type Notes = Arc<dyn Fn() -> Option<String> + Send + Sync>;

impl OpenTable for PlainTable {
    fn provider(self: Arc<Self>) -> Arc<dyn TableProvider> {
        Arc::clone(&self.provider)
    }

    fn primary_key(&self) -> &[String] {
        &self.primary_key
    }

    fn note(&self) -> Option<String> {
        self.notes.as_ref().and_then(|notes| notes())
    }
}

#[cfg(test)]
mod tests;
