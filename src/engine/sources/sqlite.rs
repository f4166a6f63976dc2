//! SQLite: a file, read in this process.

mod change;
mod copy;
mod ddl;
mod decode;
mod describe;
mod guard;
mod looked;
mod open;
mod prepare;
mod run;
mod survey;
mod types;

pub(super) use types::{column_type, row_of};

use super::driver::{Described, Driver, FEW, Reading, Request, Rows, Transaction, Work};
use super::error::SourceError;
use super::fixture_rows::{FixtureError, FixtureRows};
use super::io;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, StatementAnswer};
use crate::engine::open_table::DataVersion;
use crate::engine::tables::Roots;
use crate::project::{RefusedStatement, SqliteConfig, UnpreparedStatement};
use async_trait::async_trait;
use change::Changing;
use futures::{StreamExt, stream};
use open::{Connections, Lease, Purpose, Snapshot};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::{Mutex, mpsc};

/// How long the first rows of a table are looked at when it is described.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// How many batches may wait for who reads them. While rows are read, nobody can write into a database that is in no WAL
/// mode: what is done with them takes longer.
const WAITING: usize = 32;

/// A file of SQLite.
#[derive(Debug)]
pub(super) struct Sqlite {
    config: SqliteConfig,
    connections: Connections,
    /// Those that statements of authors are sent over.
    statements: Connections,
    /// Those that change data.
    changes: Connections,
    /// Whose turn it is to change data.
    turn: Arc<Mutex<()>>,
    /// The folder of a copy, which is removed with it.
    _folder: Option<TempDir>,
}

impl Sqlite {
    /// Nothing is opened before it is asked for.
    pub(super) fn new(name: &str, config: &SqliteConfig, roots: Roots) -> Sqlite {
        Sqlite {
            connections: Connections::new(name, config, roots.clone(), Purpose::Tables),
            statements: Connections::new(name, config, roots.clone(), Purpose::Statements),
            changes: Connections::new(name, config, roots, Purpose::Changes),
            config: config.clone(),
            turn: Arc::default(),
            _folder: None,
        }
    }

    /// A file with the tables that some statements make. It is gone with this, and what is written there need not last.
    ///
    /// Errors: it cannot be made, in words.
    pub(super) fn image(name: &str, ddl: &str) -> Result<Sqlite, String> {
        let folder = copy::made(ddl).map_err(|error| match error {
            FixtureError::NoCopy(why) | FixtureError::Row { why, .. } => why,
        })?;
        let roots = Roots::new(folder.path(), &[]).map_err(|error| error.message())?;
        let config = SqliteConfig { path: copy::COPY.to_owned(), ..SqliteConfig::default() };
        Ok(Sqlite { _folder: Some(folder), ..Sqlite::new(name, &config, roots) })
    }

    /// A copy of it, in which tables hold other rows.
    fn copied(&self, tables: &[FixtureRows]) -> Result<Sqlite, FixtureError> {
        let file = self.connections.path().map_err(|error| FixtureError::NoCopy(error.to_string()))?;
        let folder = copy::copied(&file, tables)?;
        let roots = Roots::new(folder.path(), &[]).map_err(|error| FixtureError::NoCopy(error.to_string()))?;
        let config = SqliteConfig { path: copy::COPY.to_owned(), ..self.config.clone() };
        let copy = Sqlite::new(self.connections.source(), &config, roots);
        Ok(Sqlite { _folder: Some(folder), ..copy })
    }
}

#[async_trait]
impl Driver for Sqlite {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Sqlite
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let mut lease = self.connections.lease()?;
        let began = Instant::now();
        // A view may never give a row.
        lease.watch(move || began.elapsed() > LONGEST_LOOK)?;
        let (_reading, version) = reading(&lease)?;
        Ok(Described { version: Some(version), ..describe::table(&lease, name)? })
    }

    fn with_rows(&self, tables: &[FixtureRows]) -> Option<Result<Arc<dyn Driver>, FixtureError>> {
        Some(self.copied(tables).map(|copy| Arc::new(copy) as Arc<dyn Driver>))
    }

    fn is_reachable(&self) -> bool {
        self.connections.lease().is_ok()
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        survey::tables(&mut self.connections.lease()?)
    }

    async fn names(&self) -> Result<Vec<ListedTable>, SourceError> {
        describe::names(&self.connections.lease()?)
    }

    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let tables = self.connections.lease()?;
        let columns = prepare::columns(&mut self.statements.lease()?, &tables, text, of)?;
        let written = match &of.change {
            Some(change) => describe::written(&tables, &change.tables)?,
            None => Vec::new(),
        };
        // It has no types of parameters: every value may stand everywhere.
        Ok(StatementAnswer { columns, parameters: Vec::new(), written })
    }

    fn reading(&self, most: Option<usize>) -> Reading {
        if most.is_some_and(|most| most <= FEW) { Reading::AtOnce } else { Reading::Long }
    }

    fn rows(self: Arc<Self>, request: Request) -> Rows {
        if self.reading(request.most) == Reading::AtOnce {
            return stream::once(async move { self.few(&request) }).flat_map(stream::iter).boxed();
        }
        let (sender, receiver) = mpsc::channel(WAITING);
        let Some(runtime) = io::blocking() else {
            let busy = SourceError::Busy { source: self.connections.source().to_owned() };
            return stream::once(async { Err(busy) }).boxed();
        };
        runtime.spawn_blocking(move || {
            let sent = |rows| sender.blocking_send(Ok(rows)).is_ok();
            // The receiver is gone where nobody waits any more.
            let is_given_up = {
                let sender = sender.clone();
                move || sender.is_closed()
            };
            let outcome = self.lease(&request).and_then(|mut lease| {
                lease.watch(is_given_up)?;
                let outcome = run::rows(&lease, &request, sent);
                lease.judged(outcome)
            });
            if let Err(error) = outcome {
                let _ = sender.blocking_send(Err(error));
            }
        });
        stream::unfold(receiver, |mut receiver| async { receiver.recv().await.map(|rows| (rows, receiver)) }).boxed()
    }

    async fn acts_by_itself(&self, table: &[String]) -> Result<bool, SourceError> {
        describe::acts_by_itself(&self.connections.lease()?, table)
    }

    async fn begin(self: Arc<Self>, work: Work) -> Result<Box<dyn Transaction>, SourceError> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        Ok(Box::new(Changing::begin(&self, &work, turn)?))
    }

    fn schema_version(&self) -> Result<Option<u64>, SourceError> {
        let lease = self.connections.lease()?;
        let (_reading, version) = reading(&lease)?;
        Ok(Some(version))
    }

    fn data_version(&self) -> DataVersion {
        self.connections.data_version()
    }

    fn data_state(&self) -> DataVersion {
        self.connections.data_state()
    }
}

/// Begins to read over a connection; with the state of the schema. Where somebody else holds the file, that is found out once,
/// and is told.
fn reading<'a>(lease: &'a Lease<'_>) -> Result<(Snapshot<'a>, u64), SourceError> {
    let begun = lease.reading().and_then(|reading| Ok((reading, lease.schema_state()?)));
    begun.map_err(|error| run::source_error(&error, lease.source(), ""))
}

impl Sqlite {
    /// A connection that a query may be sent over.
    fn lease(&self, request: &Request) -> Result<Lease<'_>, SourceError> {
        if request.outline.is_authored { self.statements.lease() } else { self.connections.lease() }
    }

    /// A few rows, read at once.
    fn few(&self, request: &Request) -> Vec<Result<arrow::record_batch::RecordBatch, SourceError>> {
        let mut batches = Vec::new();
        let outcome = self.lease(request).and_then(|mut lease| {
            lease.watch(|| false)?;
            let outcome = run::rows(&lease, request, |rows| {
                batches.push(Ok(rows));
                true
            });
            lease.judged(outcome)
        });
        batches.extend(outcome.err().map(Err));
        batches
    }
}
