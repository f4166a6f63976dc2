//! Transactions that change a file of SQLite.
//!
//! There is one at a time, in the file as in SQLite itself: others of this process wait in line, and not in SQLite, which has
//! none.

use super::super::driver::{CommitError, Ran, Request, Transaction, Work};
use super::super::error::SourceError;
use super::open::{Kept, Lease};
use super::run;
use super::{Sqlite, describe, guard};
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::OwnedMutexGuard;

/// A transaction.
pub(super) struct Changing {
    sqlite: Arc<Sqlite>,
    kept: Option<Kept>,
    _turn: OwnedMutexGuard<()>,
}

impl Changing {
    /// Begins it.
    pub(super) fn begin(sqlite: &Arc<Sqlite>, work: &Work, turn: OwnedMutexGuard<()>) -> Result<Changing, SourceError> {
        let mut lease = sqlite.changes.lease()?;
        let source = sqlite.changes.source();
        let failed = |error: rusqlite::Error| run::source_error(&error, source, "");
        lease.watch(|| false)?;
        let targets = describe::with_dependents(&sqlite.connections.lease()?, &work.targets)?;
        guard::install_changing(lease.connection_mut()?, targets).map_err(failed)?;
        lease.begin().map_err(failed)?;
        Ok(Changing { sqlite: Arc::clone(sqlite), kept: Some(lease.kept()), _turn: turn })
    }

    /// Does something over its connection.
    fn leased<T>(&mut self, work: impl FnOnce(&mut Lease<'_>) -> Result<T, SourceError>) -> Result<T, SourceError> {
        let cancelled = || SourceError::Cancelled;
        let mut lease = self.sqlite.changes.again(self.kept.take().ok_or_else(cancelled)?);
        let outcome = work(&mut lease);
        self.kept = Some(lease.kept());
        outcome
    }
}

#[async_trait]
impl Transaction for Changing {
    async fn run(&mut self, request: Request) -> Result<Ran, SourceError> {
        self.leased(|lease| run::changed(lease, &request))
    }

    async fn commit(mut self: Box<Self>) -> Result<(), CommitError> {
        let source = self.sqlite.changes.source().to_owned();
        let ended = self.leased(|lease| lease.commit().map_err(|error| run::source_error(&error, &source, "")));
        // Where it does not last, it is taken back when it is dropped.
        ended.map_err(CommitError::Refused)
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            self.sqlite.changes.again(kept).roll_back();
        }
    }
}
