//! Transactions that change data in a server of MySQL.

use super::super::driver::{CommitError, Ran, Request, Transaction, Work};
use super::super::error::SourceError;
use super::super::io;
use super::decode;
use super::encode::parameters;
use super::error::{is_of_the_statement, of_a_change, source_error};
use super::prepare::{WRITING, unmistaken};
use super::session::END;
use super::{Connections, Lease};
use crate::engine::deadline::Deadline;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::TryStreamExt;
use mysql_async::prelude::Queryable;
use mysql_async::{Column, Error, Params, Row};
use std::sync::Arc;
use std::time::Duration;

/// How long after the end of a call the server ends its statement by itself.
const OVERTIME: Duration = Duration::from_secs(1);

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
        let mut lease = connections.lease().await.map_err(|error| (error, false))?;
        let failed = |error: Error| (source_error(&error, connections.source(), ""), true);
        lease.limit(work.deadline.map(|deadline: Deadline| deadline.rest() + OVERTIME)).await.map_err(failed)?;
        // It holds for the next transaction alone, and is not said within one.
        let isolation = format!("SET TRANSACTION ISOLATION LEVEL {}", work.isolation.keywords());
        for text in [END, &isolation, WRITING] {
            lease.connection().query_drop(text).await.map_err(failed)?;
        }
        Ok(Changing { lease: Some(lease), source: connections.source().to_owned(), state: State::Waiting })
    }

    async fn ran(&mut self, request: &Request) -> Result<Ran, Failure> {
        let source = self.source.clone();
        let wrong = |error: SourceError| Failure { error, is_of_the_statement: false };
        let failed = |error: Error| Failure {
            error: of_a_change(&error, &source, &request.outline.table),
            is_of_the_statement: is_of_the_statement(&error),
        };
        let connection = self.lease.as_mut().ok_or_else(|| wrong(SourceError::Cancelled))?.connection();
        let statement = connection.prep(unmistaken(&request.sql)).await.map_err(failed)?;
        let values = Params::Positional(parameters(&request.binds));
        let mut ran = Ran::default();
        {
            let mut answer = connection.exec_iter(&statement, values).await.map_err(failed)?;
            let columns: Arc<[Column]> = answer.columns().unwrap_or_default();
            if columns.is_empty() {
                ran.changed = answer.affected_rows();
                answer.drop_result().await.map_err(failed)?;
            } else {
                let mut batch = decode::batch(request, &columns, &source).map_err(wrong)?;
                let unfit = |error: SourceError| wrong(decode::told_error(error, request, &columns, &source));
                if let Some(mut rows) = answer.stream::<Row>().await.map_err(failed)? {
                    while let Some(row) = rows.try_next().await.map_err(failed)? {
                        if batch.is_full() {
                            ran.batches.push(batch.take().map_err(wrong)?);
                        }
                        batch.push(&row).map_err(unfit)?;
                    }
                }
                if !batch.is_empty() {
                    ran.batches.push(batch.take().map_err(wrong)?);
                }
                // Of rows that come back, it does not say how many were changed: each is one.
                ran.changed = ran.batches.iter().map(RecordBatch::num_rows).sum::<usize>() as u64;
            }
        }
        connection.close(statement).await.map_err(failed)?;
        if !request.outline.writes {
            ran.changed = 0;
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

    async fn commit(mut self: Box<Self>) -> Result<(), CommitError> {
        self.state = State::Running;
        let Some(lease) = self.lease.as_mut() else { return Err(CommitError::Refused(SourceError::Cancelled)) };
        match lease.connection().query_drop("COMMIT").await {
            Ok(()) => {}
            Err(error) if is_of_the_statement(&error) => {
                self.state = State::Waiting;
                return Err(CommitError::Refused(of_a_change(&error, &self.source, "")));
            }
            Err(error) => {
                self.state = State::Lost;
                return Err(CommitError::Unknown(source_error(&error, &self.source, "")));
            }
        }
        // What its functions have said of the session is forgotten.
        if let Some(mut lease) = self.lease.take()
            && lease.reset().await.is_ok()
        {
            lease.give_back();
        }
        Ok(())
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        let Some(mut lease) = self.lease.take() else { return };
        match self.state {
            State::Lost => {}
            State::Running => lease.cancel(),
            State::Waiting => {
                let Some(runtime) = io::runtime() else { return };
                runtime.spawn(async move {
                    let ended = tokio::time::timeout(ENDING, lease.connection().query_drop(END)).await;
                    if matches!(ended, Ok(Ok(()))) && lease.reset().await.is_ok() {
                        lease.give_back();
                    }
                });
            }
        }
    }
}
