//! Statements without a transaction around them: a few rows of tables, for nobody in particular.
//!
//! The server runs each in one of its own, which the session has for reading alone. That saves the words around it, and a round
//! trip for the last of them. Whether the tables are what the statement was written for is asked behind it: what a table is
//! then, and was when it was described, it was all the time between. Where it was answered a moment ago, a statement that the
//! server has kept does without the question (`confirmed.rs`): it costs as much as a row.

use super::super::driver::Request;
use super::super::error::SourceError;
use super::Lease;
use super::decode::Batch;
use super::describe;
use super::encode::parameters;
use arrow::record_batch::RecordBatch;
use futures::TryStreamExt;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio_postgres::RowStream;
use tokio_postgres::types::Type;

/// How many bytes are held until it is known of which tables they are.
const MOST_BYTES: usize = 16 << 20;

/// Why there are no rows.
pub(super) enum NotRead {
    /// The statement, or the connection, has failed.
    Failed(tokio_postgres::Error),
    /// A row is none of the table's.
    Wrong(SourceError),
    /// A table is not what it was.
    Changed,
    /// The rows are too large to be held.
    Outgrown,
}

impl From<tokio_postgres::Error> for NotRead {
    fn from(error: tokio_postgres::Error) -> NotRead {
        NotRead::Failed(error)
    }
}

/// Whether a statement needs no transaction. Functions of others may change the session for as long as it lasts, and behind a
/// pooler nothing that is said of it lasts.
pub(super) fn is_enough(lease: &Lease, request: &Request) -> bool {
    lease.keeps_statements()
        && !request.outline.is_authored
        && !request.outline.has_functions
        && request.session.is_empty()
        && request.most.is_some_and(|most| most <= request.batch)
}

/// The rows. `is_heard` is set when the server has answered.
pub(super) async fn rows(
    lease: &Lease,
    source: &str,
    request: &Request,
    is_heard: &AtomicBool,
) -> Result<Vec<RecordBatch>, NotRead> {
    let client = lease.client();
    let values = parameters(&request.binds);
    let types: Vec<Type> = values.iter().map(|(_, ty)| ty.clone()).collect();
    // Before all others: what has to be prepared first would be sent behind what it is to be in front of.
    let question = lease.kept(describe::VERSION, &describe::OF_VERSION).await?;
    let kept = lease.kept(&request.sql, &types).await?;
    // Of such a one the server sees for itself that its rows are what they were.
    let is_confirmed = kept.as_ref().is_some_and(|kept| lease.confirmed().holds(request, kept.since));
    let limited = async {
        match lease.time_limit(request.deadline) {
            Some(limit) => {
                client.batch_execute(&limit.statement()).await?;
                lease.has_time_limit(&limit);
                Ok(())
            }
            None => Ok::<(), NotRead>(()),
        }
    };
    let rows = async {
        let rows = match kept {
            Some(kept) => client.query_raw(&kept.statement, values.into_iter().map(|(value, _)| value)).await,
            None => client.query_typed_raw(&request.sql, values).await,
        };
        let rows = rows?;
        is_heard.store(true, Ordering::Relaxed);
        read(rows, source, request).await
    };
    let current = async {
        let asked = Instant::now();
        let is_current = is_confirmed || describe::are_current(client, question.as_ref(), request).await?;
        if is_current && !is_confirmed {
            lease.confirmed().confirm(request, asked);
        }
        Ok::<_, tokio_postgres::Error>(is_current)
    };
    // All are under way before the first is answered, and answered one behind the other.
    let (limited, rows, current) = futures::join!(limited, rows, current);
    limited?;
    let rows = rows?;
    match current? {
        true => Ok(rows),
        false => Err(NotRead::Changed),
    }
}

async fn read(rows: RowStream, source: &str, request: &Request) -> Result<Vec<RecordBatch>, NotRead> {
    let mut rows = pin!(rows);
    let (mut batch, mut batches, mut bytes): (Option<Batch>, Vec<RecordBatch>, usize) = (None, Vec::new(), 0);
    while let Some(row) = rows.try_next().await? {
        if batch.is_none() {
            batch = Some(Batch::new(request, row.columns(), source).map_err(NotRead::Wrong)?);
        }
        let Some(batch) = &mut batch else { continue };
        batch.push(&row).map_err(NotRead::Wrong)?;
        if batch.is_full() {
            let full = batch.take().map_err(NotRead::Wrong)?;
            bytes += full.get_array_memory_size();
            batches.push(full);
        }
        if bytes > MOST_BYTES {
            return Err(NotRead::Outgrown);
        }
    }
    if let Some(mut batch) = batch.filter(|batch| !batch.is_empty()) {
        batches.push(batch.take().map_err(NotRead::Wrong)?);
    }
    Ok(batches)
}
