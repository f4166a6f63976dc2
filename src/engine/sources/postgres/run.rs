//! A query over a server of PostgreSQL.

use super::super::driver::Request;
use super::super::error::SourceError;
use super::super::identity::Setting;
use super::super::server::rows::Sent;
use super::alone::{self, NotRead};
use super::decode::Batch;
use super::describe;
use super::encode::parameters;
use super::error::{error_of_an_author, source_error};
use super::session::overtime;
use super::transaction::END;
use super::{Connections, Lease};
use crate::engine::deadline::Deadline;
use futures::TryStreamExt;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio_postgres::RowStream;
use tokio_postgres::error::Severity;
use tokio_postgres::types::{ToSql, Type};

/// How long a statement may go on that nobody waits for any more: most end of themselves, with the last row that was wanted,
/// and to cancel one costs its connection.
const GRACE: Duration = Duration::from_millis(10);

/// What tells the server until when a transaction may go on, before a number of milliseconds.
pub(super) const TIMEOUT: &str = "; SET LOCAL statement_timeout = ";

/// Runs a query, and sends its rows. What ends it early is that nobody reads them.
///
/// A connection that has rested may be gone without a word: the server was restarted. Then the query is run once more, over a
/// new one.
pub(super) async fn rows(connections: &Connections, request: &Request, sender: &Sender<Sent>) {
    let as_usual = Reader { sender, keeps: true, may_be_alone: true };
    let first = match run(connections, request, as_usual).await {
        Err(Failure { fate: Fate::Lost, .. }) => {
            connections.forget_resting();
            run(connections, request, as_usual).await
        }
        // What the server has kept of it was of the tables as they were.
        Err(Failure { fate: Fate::Outdated, .. }) => {
            run(connections, request, Reader { keeps: false, ..as_usual }).await
        }
        Err(Failure { fate: Fate::Outgrown, .. }) => {
            run(connections, request, Reader { may_be_alone: false, ..as_usual }).await
        }
        outcome => outcome,
    };
    if let Err(Failure { error, .. }) = first {
        // Nobody may read it any more.
        let _ = sender.send(Err(error)).await;
    }
}

/// Who reads the rows, and how.
#[derive(Clone, Copy)]
struct Reader<'a> {
    sender: &'a Sender<Sent>,
    /// Whether what the server keeps of the text may be used.
    keeps: bool,
    /// Whether the statement may go without a transaction.
    may_be_alone: bool,
}

async fn run(connections: &Connections, request: &Request, reader: Reader<'_>) -> Result<(), Failure> {
    let sender = reader.sender;
    let lease = tokio::select! {
        lease = connections.lease() => lease.map_err(|error| Failure { error, fate: Fate::Closed })?,
        () = sender.closed() => {
            if request.deadline.is_some_and(Deadline::is_over) {
                connections.waited_in_vain();
            }
            return Ok(());
        }
    };
    read_with(lease, connections.source(), request, reader).await
}

/// Reads the rows over a connection, which is given back where it rests.
async fn read_with(lease: Lease, source: &str, request: &Request, reader: Reader<'_>) -> Result<(), Failure> {
    let sender = reader.sender;
    let is_heard = AtomicBool::new(false);
    let outcome = {
        let mut reading = pin!(read(&lease, source, request, reader, &is_heard));
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
            let is_usable = matches!(failure.fate, Fate::Failed | Fate::Outdated);
            if is_usable && lease.client().batch_execute(end(&lease, request)).await.is_ok() {
                lease.give_back();
            }
            Err(failure)
        }
        None => {
            let is_late = request.deadline.is_some_and(Deadline::is_over);
            lease.give_up(is_late && !is_heard.load(Ordering::Relaxed));
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
    /// It takes the next statement when the transaction is over.
    Failed,
    /// The same, and the text of an author may be run once more: it had no rows, and was kept.
    Outdated,
    /// It is closed, and the statement is run once more, in a transaction.
    Outgrown,
    /// It is closed.
    Closed,
    /// It was gone before there was a row.
    Lost,
}

/// Reads the rows. `is_heard` is set when the server has answered.
async fn read(
    lease: &Lease,
    source: &str,
    request: &Request,
    Reader { sender, keeps: may_be_kept, may_be_alone }: Reader<'_>,
    is_heard: &AtomicBool,
) -> Result<(), Failure> {
    let mut batch: Option<Batch> = None;
    let failed = |error: tokio_postgres::Error, has_rows: bool| {
        lease.forget(&request.sql);
        let meant = source_error(&error, source, &request.outline.table);
        let is_changed = matches!(meant, SourceError::Changed { .. });
        let fate = match is_of_the_statement(&error) {
            true if request.outline.is_authored && may_be_kept && is_changed && !has_rows => Fate::Outdated,
            true => Fate::Failed,
            false if !has_rows => Fate::Lost,
            false => Fate::Closed,
        };
        let error = match request.outline.is_authored {
            true => error_of_an_author(&error, source, &request.outline.table),
            false => meant,
        };
        Failure { error, fate }
    };
    let wrong = |error: SourceError| Failure { error, fate: Fate::Closed };
    if may_be_alone && alone::is_enough(lease, request) {
        let rows = alone::rows(lease, source, request, is_heard).await.map_err(|error| match error {
            NotRead::Failed(error) => failed(error, false),
            NotRead::Wrong(error) => wrong(error),
            NotRead::Changed => wrong(changed(source, request)),
            NotRead::Outgrown => Failure { error: changed(source, request), fate: Fate::Outgrown },
        });
        for batch in rows? {
            let _ = sender.send(Ok(batch)).await;
        }
        return Ok(());
    }
    let begun = begin(lease, source, request, (may_be_kept, is_heard)).await;
    let mut rows = pin!(begun.map_err(|error| match error {
        NotBegun::Failed(error) => failed(error, false),
        NotBegun::Changed(error) => wrong(error),
    })?);
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
    lease.client().batch_execute(end(lease, request)).await.map_err(|error| failed(error, true))
}

/// What the transaction of a request ends with.
fn end(lease: &Lease, request: &Request) -> &'static str {
    if request.outline.has_functions { lease.sessions().end_behind_functions() } else { END }
}

/// The statement that says who a transaction is for, by so many settings: they are forgotten with it.
pub(super) fn set_config(settings: usize) -> String {
    let call = |at: usize| format!("pg_catalog.set_config(${}, ${}, true)", 2 * at + 1, 2 * at + 2);
    format!("SELECT {}", (0..settings).map(call).collect::<Vec<_>>().join(", "))
}

/// Its values.
pub(super) fn settings(session: &[Setting]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    let texts = session.iter().flat_map(|(setting, value)| [setting, value]);
    texts.map(|text| (text as &(dyn ToSql + Sync), Type::TEXT)).collect()
}

/// Why a statement has no rows.
enum NotBegun {
    Failed(tokio_postgres::Error),
    Changed(SourceError),
}

impl From<tokio_postgres::Error> for NotBegun {
    fn from(error: tokio_postgres::Error) -> NotBegun {
        NotBegun::Failed(error)
    }
}

/// Sends a statement in a transaction of its own, with the question whether its tables are what the statement was written for.
/// `may_be_kept` is whether what the server has kept of the text is run; `is_heard` is set when it has answered.
async fn begin(
    lease: &Lease,
    source: &str,
    request: &Request,
    (may_be_kept, is_heard): (bool, &AtomicBool),
) -> Result<RowStream, NotBegun> {
    let (client, values) = (lease.client(), parameters(&request.binds));
    let keeps = lease.keeps_statements();
    let has_versions =
        request.outline.version.is_some() || request.outline.others.iter().any(|(_, version)| version.is_some());
    // Before all others: what has to be prepared first would be sent behind the rows, and answered behind them, which nobody
    // reads before it is.
    let question = match keeps && has_versions {
        true => lease.kept(describe::VERSION, &describe::OF_VERSION).await?,
        false => None,
    };
    let rows = async {
        let types: Vec<Type> = values.iter().map(|(_, ty)| ty.clone()).collect();
        // In the transaction: an author's names are looked for as it says.
        let kept = if keeps && may_be_kept { lease.kept(&request.sql, &types).await? } else { None };
        match kept {
            Some(kept) => client.query_raw(&kept.statement, values.into_iter().map(|(value, _)| value)).await,
            None => client.query_typed_raw(&request.sql, values).await,
        }
    };
    let current = describe::are_current(client, question.as_ref(), request);
    let beginning = beginning(lease, request);
    let begun = async {
        let begun = client.batch_execute(&beginning).await;
        is_heard.store(true, Ordering::Relaxed);
        begun
    };
    let told = async {
        match request.session.is_empty() {
            true => Ok(()),
            false => {
                client.execute_typed(&set_config(request.session.len()), &settings(&request.session)).await.map(drop)
            }
        }
    };
    // All are under way before the first is answered: where the first fails, none of the others is run.
    let (begun, told, current, rows) = futures::join!(begun, told, current, rows);
    begun?;
    told?;
    if !current? {
        return Err(NotBegun::Changed(changed(source, request)));
    }
    Ok(rows?)
}

/// What is said where a table is not what a statement was written for.
fn changed(source: &str, request: &Request) -> SourceError {
    SourceError::Changed { source: source.to_owned(), table: request.outline.table.to_string() }
}

/// How a transaction begins: with the moment at which the server ends it by itself.
fn beginning(lease: &Lease, request: &Request) -> String {
    let sessions = lease.sessions();
    let begin = if request.outline.is_authored { sessions.begin_authored() } else { sessions.begin() };
    // The session may have a limit of an earlier statement.
    let limit = request.deadline.map_or_else(|| "DEFAULT".to_owned(), |deadline| overtime(deadline).to_string());
    [&begin, TIMEOUT, &limit].concat()
}

/// Whether an error is one of a statement alone, behind which the connection takes the next.
pub(super) fn is_of_the_statement(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|told| told.parsed_severity() == Some(Severity::Error))
}
