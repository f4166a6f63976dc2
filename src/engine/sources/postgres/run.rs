//! A query over a server of PostgreSQL.

use super::super::driver::Request;
use super::super::error::SourceError;
use super::connections::{Connections, Lease};
use super::decode::Batch;
use super::encode::parameters;
use super::error::source_error;
use arrow::record_batch::RecordBatch;
use futures::TryStreamExt;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio_postgres::RowStream;
use tokio_postgres::error::Severity;

/// How long a statement may go on that nobody waits for any more: most end of themselves, with the last row that was wanted,
/// and to cancel one costs its connection.
const GRACE: Duration = Duration::from_millis(10);

/// Runs a query, and sends its rows. What ends it early is that nobody reads them.
///
/// A connection that has rested may be gone without a word: the server was restarted. Then the query is run once more, over a
/// new one.
pub(super) async fn rows(connections: &Connections, request: &Request, sender: &Sender<Sent>) {
    let first = match run(connections, request, sender).await {
        Err(Failure { fate: Fate::Lost, .. }) => {
            connections.forget_resting();
            run(connections, request, sender).await
        }
        outcome => outcome,
    };
    if let Err(Failure { error, .. }) = first {
        // Nobody may read it any more.
        let _ = sender.send(Err(error)).await;
    }
}

async fn run(connections: &Connections, request: &Request, sender: &Sender<Sent>) -> Result<(), Failure> {
    let lease = tokio::select! {
        lease = connections.lease() => lease.map_err(|error| Failure { error, fate: Fate::Closed })?,
        () = sender.closed() => return Ok(()),
    };
    read_with(lease, connections.source(), request, sender).await
}

/// What is sent to who reads the rows.
pub(super) type Sent = Result<RecordBatch, SourceError>;

/// Reads the rows over a connection, which is given back where it rests.
async fn read_with(lease: Lease, source: &str, request: &Request, sender: &Sender<Sent>) -> Result<(), Failure> {
    let outcome = {
        let mut reading = pin!(read(&lease, source, request, sender));
        let outcome = tokio::select! {
            outcome = &mut reading => Some(outcome),
            () = sender.closed() => None,
        };
        match outcome {
            None => tokio::time::timeout(GRACE, reading).await.ok(),
            outcome => outcome,
        }
    };
    match outcome {
        Some(Ok(())) => {
            lease.give_back();
            Ok(())
        }
        Some(Err(failure)) => {
            if failure.fate == Fate::Resting {
                lease.give_back();
            }
            Err(failure)
        }
        None => {
            lease.cancel();
            Ok(())
        }
    }
}

/// Why there are no more rows.
struct Failure {
    error: SourceError,
    fate: Fate,
}

/// What becomes of a connection whose statement has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It takes the next statement.
    Resting,
    /// It is closed.
    Closed,
    /// It was gone before there was a row.
    Lost,
}

async fn read(lease: &Lease, source: &str, request: &Request, sender: &Sender<Sent>) -> Result<(), Failure> {
    let mut batch: Option<Batch> = None;
    let failed = |error: tokio_postgres::Error, has_rows: bool| Failure {
        fate: match is_of_the_statement(&error) {
            true if lease.keeps_statements() => Fate::Resting,
            false if !has_rows => Fate::Lost,
            _ => Fate::Closed,
        },
        error: source_error(&error, source, &request.table),
    };
    let wrong = |error: SourceError| Failure { error, fate: Fate::Closed };
    let mut rows = pin!(begin(lease, request).await.map_err(|error| failed(error, false))?);
    while let Some(row) = rows.try_next().await.map_err(|error| failed(error, batch.is_some()))? {
        if batch.is_none() {
            batch = Some(Batch::new(request, row.columns(), source).map_err(wrong)?);
        }
        let Some(batch) = &mut batch else { continue };
        batch.push(&row).map_err(wrong)?;
        if batch.is_full() {
            // Who does not read any more is noticed by who waits for this.
            let _ = sender.send(Ok(batch.take().map_err(wrong)?)).await;
        }
    }
    if let Some(mut batch) = batch.filter(|batch| !batch.is_empty()) {
        let _ = sender.send(Ok(batch.take().map_err(wrong)?)).await;
    }
    if !lease.keeps_statements() {
        lease.client().batch_execute("COMMIT").await.map_err(|error| failed(error, true))?;
    }
    Ok(())
}

/// Sends a statement. Behind a pooler, what is said of a session does not last: then each statement is in a transaction that
/// is read-only by itself.
async fn begin(lease: &Lease, request: &Request) -> Result<RowStream, tokio_postgres::Error> {
    let client = lease.client();
    let statement = client.query_typed_raw(&request.sql, parameters(&request.binds));
    if lease.keeps_statements() {
        return statement.await;
    }
    // Both are under way before the first is answered.
    let (begun, rows) = futures::join!(client.batch_execute("BEGIN READ ONLY"), statement);
    begun?;
    rows
}

/// Whether an error is one of a statement alone, behind which the connection takes the next.
fn is_of_the_statement(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|told| told.parsed_severity() == Some(Severity::Error))
}
