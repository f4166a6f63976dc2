//! Transactions that change data in a server of PostgreSQL.

use super::super::driver::{CommitError, Ran, Request, Transaction, Work};
use super::super::error::SourceError;
use super::super::io;
use super::decode::Batch;
use super::encode::parameters;
use super::error::{error_of_a_change, source_error};
use super::run::{TIMEOUT, is_of_the_statement, set_config, settings};
use super::session::overtime;
use super::{Connections, Lease};
use async_trait::async_trait;
use futures::TryStreamExt;
use std::pin::pin;
use std::time::Duration;
use tokio_postgres::Error;

/// How long the end of a transaction is waited for that nobody waits for any more.
const ENDING: Duration = Duration::from_secs(2);

/// A transaction.
pub(super) struct Changing {
    /// The connection, until it is given back.
    lease: Option<Lease>,
    source: String,
    state: State,
}

/// What is known of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It takes the next statement, if it is the end of the transaction.
    Waiting,
    /// A statement runs, or nobody knows.
    Running,
    /// It is gone.
    Lost,
}

impl Changing {
    /// Begins it. A connection that has rested may be gone without a word: then another one is taken.
    pub(super) async fn begin(connections: &Connections, work: &Work) -> Result<Changing, SourceError> {
        match Changing::begun(connections, work).await {
            Err((SourceError::Down { .. }, true)) => {
                connections.forget_resting();
                Changing::begun(connections, work).await.map_err(|(error, _)| error)
            }
            outcome => outcome.map_err(|(error, _)| error),
        }
    }

    /// The same over one connection; with the failure, whether there was one.
    async fn begun(connections: &Connections, work: &Work) -> Result<Changing, (SourceError, bool)> {
        let lease = connections.lease().await.map_err(|error| (error, false))?;
        let source = connections.source().to_owned();
        let failed = |error: Error| (source_error(&error, connections.source(), ""), true);
        let limit = work.deadline.map_or_else(|| "DEFAULT".to_owned(), |deadline| overtime(deadline).to_string());
        let begin = [&lease.sessions().begin_changing(work.isolation), TIMEOUT, &limit].concat();
        let mut changing = Changing { lease: Some(lease), source, state: State::Running };
        let client = || changing.lease.as_ref().map(|lease| lease.client());
        let gone = || (SourceError::Cancelled, false);
        client().ok_or_else(gone)?.batch_execute(&begin).await.map_err(failed)?;
        if !work.session.is_empty() {
            let (text, values) = (set_config(work.session.len()), settings(&work.session));
            client().ok_or_else(gone)?.execute_typed(&text, &values).await.map_err(failed)?;
        }
        changing.state = State::Waiting;
        Ok(changing)
    }

    fn lease(&self) -> Result<&Lease, SourceError> {
        self.lease.as_ref().ok_or(SourceError::Cancelled)
    }

    async fn ran(&self, request: &Request) -> Result<Ran, Failure> {
        let wrong = |error: SourceError| Failure { error, is_of_the_statement: false };
        let failed = |error: Error| Failure {
            error: error_of_a_change(&error, &self.source, &request.outline.table),
            is_of_the_statement: is_of_the_statement(&error),
        };
        let client = self.lease().map_err(wrong)?.client();
        let rows = client.query_typed_raw(&request.sql, parameters(&request.binds)).await.map_err(failed)?;
        let mut rows = pin!(rows);
        let (mut batch, mut ran): (Option<Batch>, Ran) = (None, Ran::default());
        while let Some(row) = rows.try_next().await.map_err(failed)? {
            if batch.is_none() {
                batch = Some(Batch::new(request, row.columns(), &self.source).map_err(wrong)?);
            }
            let Some(batch) = &mut batch else { continue };
            batch.push(&row).map_err(wrong)?;
            if batch.is_full() {
                ran.batches.push(batch.take().map_err(wrong)?);
            }
        }
        if let Some(mut batch) = batch.filter(|batch| !batch.is_empty()) {
            ran.batches.push(batch.take().map_err(wrong)?);
        }
        if request.outline.writes {
            ran.changed = rows.rows_affected().unwrap_or_default();
        }
        Ok(ran)
    }
}

struct Failure {
    error: SourceError,
    is_of_the_statement: bool,
}

#[async_trait]
impl Transaction for Changing {
    async fn run(&mut self, request: Request) -> Result<Ran, SourceError> {
        self.state = State::Running;
        match self.ran(&request).await {
            Ok(ran) => {
                self.state = State::Waiting;
                Ok(ran)
            }
            Err(failure) => {
                self.state = if failure.is_of_the_statement { State::Waiting } else { State::Lost };
                Err(failure.error)
            }
        }
    }

    async fn check(&mut self) -> Result<(), SourceError> {
        self.state = State::Running;
        let outcome = self.lease()?.client().batch_execute("SET CONSTRAINTS ALL IMMEDIATE").await;
        self.state = if outcome.is_ok() { State::Waiting } else { State::Lost };
        outcome.map_err(|error| error_of_a_change(&error, &self.source, ""))
    }

    async fn commit(mut self: Box<Self>) -> Result<(), CommitError> {
        self.state = State::Running;
        let lease = self.lease().map_err(CommitError::Refused)?;
        let outcome = lease.client().batch_execute("COMMIT").await;
        match outcome {
            Ok(()) => {}
            Err(error) if error.as_db_error().is_some() => {
                self.state = if is_of_the_statement(&error) { State::Waiting } else { State::Lost };
                return Err(CommitError::Refused(error_of_a_change(&error, &self.source, "")));
            }
            Err(error) => {
                self.state = State::Lost;
                return Err(CommitError::Unknown(source_error(&error, &self.source, "")));
            }
        }
        let Some(lease) = self.lease.take() else { return Ok(()) };
        if let Some(reset) = lease.sessions().behind_changes() {
            if lease.client().batch_execute(reset).await.is_err() {
                return Ok(());
            }
            if let Some(limit) = lease.time_limit(None) {
                lease.has_time_limit(&limit);
            }
        }
        lease.give_back();
        Ok(())
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        let Some(lease) = self.lease.take() else { return };
        match self.state {
            State::Lost => {}
            State::Running => lease.cancel(),
            State::Waiting => {
                let Some(runtime) = io::runtime() else { return };
                runtime.spawn(async move {
                    let end = lease.sessions().end_behind_functions();
                    let ended = tokio::time::timeout(ENDING, lease.client().batch_execute(end)).await;
                    if matches!(ended, Ok(Ok(()))) {
                        lease.give_back();
                    }
                });
            }
        }
    }
}
