//! A query over a server of MySQL.

use super::decode;
use super::describe;
use super::encode::parameters;
use super::error::{is_of_the_statement, of_an_author, source_error};
use super::prepare::unmistaken;
use super::session::{END, Ending, Session};
use super::{Connections, Lease};
use crate::engine::deadline::Deadline;
use crate::engine::sources::driver::Request;
use crate::engine::sources::error::SourceError;
use crate::engine::sources::server::rows::Sent;
use arrow::record_batch::RecordBatch;
use futures::TryStreamExt;
use mysql_async::prelude::Queryable;
use mysql_async::{Column, Conn, Params, Row, Statement};
use std::borrow::Cow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

/// How long a statement may go on that nobody waits for any more: most end of themselves, with the last row that was wanted.
const GRACE: Duration = Duration::from_millis(10);

/// How long after the end of a call the server ends its statement by itself. It is told to before that, unless the word does not
/// arrive.
const OVERTIME: Duration = Duration::from_secs(1);

/// How long one may take to end that was told to.
const DRAINING: Duration = Duration::from_secs(2);

/// How long is waited until it is told again.
const AGAIN: Duration = Duration::from_millis(100);

/// A text that is longer is not kept: it has a long list of values, and the next list has another length.
const LONGEST_KEPT: usize = 4_096;

/// Runs a query, and sends its rows. What ends it early is that nobody reads them.
///
/// A connection that has rested may be gone without a word: the server was restarted. Then the query is run once more, over a
/// new one.
pub(super) async fn rows(connections: &Connections, request: &Request, sender: &Sender<Sent>) {
    let outcome = match run(connections, request, sender).await {
        Err(Failure { fate: Fate::Lost, .. }) => {
            connections.forget_resting();
            run(connections, request, sender).await
        }
        outcome => outcome,
    };
    if let Err(Failure { error, .. }) = outcome {
        // Nobody may read it any more.
        let _ = sender.send(Err(error)).await;
    }
}

async fn run(connections: &Connections, request: &Request, sender: &Sender<Sent>) -> Result<(), Failure> {
    let lease = tokio::select! {
        lease = connections.lease() => lease.map_err(|error| Failure { error, fate: Fate::Closed })?,
        () = sender.closed() => {
            if request.deadline.is_some_and(Deadline::is_over) {
                connections.waited_in_vain();
            }
            return Ok(());
        }
    };
    read_with(lease, connections.source(), request, sender).await
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
    /// It is closed.
    Closed,
    /// It was gone before there was a row.
    Lost,
}

/// Reads the rows over a connection, which is given back where it rests.
async fn read_with(mut lease: Lease, source: &str, request: &Request, sender: &Sender<Sent>) -> Result<(), Failure> {
    let (ending, is_heard) = (lease.ending(), AtomicBool::new(false));
    let is_silent = || request.deadline.is_some_and(Deadline::is_over) && !is_heard.load(Ordering::Relaxed);
    let (outcome, was_ended) = {
        let mut reading = pin!(read(&mut lease, source, request, (sender, &is_heard)));
        let outcome = tokio::select! {
            outcome = &mut reading => Some(outcome),
            () = sender.closed() => timeout(GRACE, &mut reading).await.ok(),
        };
        match outcome {
            Some(outcome) => (Some(outcome), false),
            // Nobody would hear what it is told.
            None if is_silent() => (None, true),
            None => (ended(&ending, reading).await, true),
        }
    };
    let is_clean = match &outcome {
        None => {
            // Nobody takes its place before the statement is over.
            lease.give_up(is_silent());
            return Ok(());
        }
        Some(Ok(())) => true,
        Some(Err(failure)) => failure.fate == Fate::Failed,
    };
    if is_clean && rests(&mut lease, request, was_ended).await {
        lease.give_back();
    }
    match outcome {
        Some(Err(failure)) if !was_ended => Err(failure),
        _ => Ok(()),
    }
}

/// Ends what is read, and what it gives then; `None` where it does not end, or where the word that ends it may still arrive. It
/// is said more than once: between two statements of one reading, the server forgets it.
async fn ended<T>(ending: &Ending, mut reading: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    let began = Instant::now();
    loop {
        let (is_told, outcome) = futures::join!(ending.end(), timeout(AGAIN, &mut reading));
        match outcome {
            Ok(outcome) => return Some(outcome).filter(|_| is_told),
            Err(_) if !is_told || began.elapsed() > DRAINING => return None,
            Err(_) => {}
        }
    }
}

/// Makes a session fit for who comes next. Whether it is.
async fn rests(session: &mut Session, request: &Request, was_ended: bool) -> bool {
    // What was to end a statement may come behind its end, and then ends the next one, which is this.
    if was_ended && session.connection().query_drop(END).await.is_err_and(|error| !is_of_the_statement(&error)) {
        return false;
    }
    // What is said of a session, a transaction that is rolled back does not take back.
    match request.outline.has_functions {
        true => session.reset().await.is_ok(),
        false => session.connection().query_drop(END).await.is_ok(),
    }
}

/// Reads the rows. What stands beside who is sent them is set when the server has answered.
async fn read(
    session: &mut Session,
    source: &str,
    request: &Request,
    (sender, is_heard): (&Sender<Sent>, &AtomicBool),
) -> Result<(), Failure> {
    let limited = session.limit(request.deadline.map(|deadline| deadline.rest() + OVERTIME)).await;
    limited.map_err(|error| failed(&error, source, request, false))?;
    // Where there may be many batches, somebody may have enough of them before the last one is checked.
    if request.most.is_none_or(|most| most > request.batch) {
        check(session, source, request, false).await?;
    }
    let last = read_rows(session, source, request, (sender, is_heard)).await?;
    check(session, source, request, true).await?;
    if let Some(last) = last {
        let _ = sender.send(Ok(last)).await;
    }
    Ok(())
}

/// What a failed statement means. Before there was a row, the connection may have been gone.
fn failed(error: &mysql_async::Error, source: &str, request: &Request, has_rows: bool) -> Failure {
    let fate = match is_of_the_statement(error) {
        true => Fate::Failed,
        false if !has_rows => Fate::Lost,
        false => Fate::Closed,
    };
    let error = source_error(error, source, &request.outline.table);
    Failure {
        error: if request.outline.is_authored { of_an_author(error, &request.outline.table) } else { error },
        fate,
    }
}

/// Whether the tables are what the statement was written for. In one transaction, nobody changes what was read before.
async fn check(session: &mut Session, source: &str, request: &Request, has_rows: bool) -> Result<(), Failure> {
    let others = request.outline.others.iter().map(|(native, version)| (native, *version));
    for (native, known) in std::iter::once((&request.outline.native, request.outline.version)).chain(others) {
        if known.is_none() {
            continue;
        }
        let version = describe::version(session.connection(), native).await;
        if version.map_err(|error| failed(&error, source, request, has_rows))? != known {
            let error = SourceError::Changed { source: source.to_owned(), table: request.outline.table.to_string() };
            return Err(Failure { error, fate: Fate::Failed });
        }
    }
    Ok(())
}

/// Sends the rows but for those of the last batch, which it gives back.
async fn read_rows(
    session: &mut Session,
    source: &str,
    request: &Request,
    (sender, is_heard): (&Sender<Sent>, &AtomicBool),
) -> Result<Option<RecordBatch>, Failure> {
    let begun = |error: mysql_async::Error| failed(&error, source, request, false);
    let text =
        if request.outline.is_authored { Cow::Owned(unmistaken(&request.sql)) } else { Cow::Borrowed(&*request.sql) };
    let statement = session.connection().prep(&*text).await.map_err(begun)?;
    is_heard.store(true, Ordering::Relaxed);
    let outcome = run_statement(session.connection(), &statement, source, request, sender).await;
    if !is_kept(&request.sql) {
        let closed = session.connection().close(statement).await;
        closed.map_err(|error| failed(&error, source, request, true))?;
    }
    outcome
}

/// Runs a statement that has been prepared, and sends its rows but for those of the last batch, which it gives back.
async fn run_statement(
    connection: &mut Conn,
    statement: &Statement,
    source: &str,
    request: &Request,
    sender: &Sender<Sent>,
) -> Result<Option<RecordBatch>, Failure> {
    let begun = |error: mysql_async::Error| failed(&error, source, request, false);
    let going = |error: mysql_async::Error| failed(&error, source, request, true);
    let wrong = |error: SourceError| Failure { error, fate: Fate::Closed };
    let values = Params::Positional(parameters(&request.binds));
    let mut answer = connection.exec_iter(statement, values).await.map_err(begun)?;
    let columns: Arc<[Column]> = answer.columns().unwrap_or_default();
    let mut batch = decode::batch(request, &columns, source).map_err(wrong)?;
    let unfit = |error: SourceError| wrong(decode::told_error(error, request, &columns, source));
    let rows = answer.stream::<Row>().await.map_err(going)?;
    if let Some(mut rows) = rows {
        while let Some(row) = rows.try_next().await.map_err(going)? {
            if batch.is_full() {
                // Who does not read any more is noticed by who waits for this.
                let _ = sender.send(Ok(batch.take().map_err(wrong)?)).await;
            }
            batch.push(&row).map_err(unfit)?;
        }
    }
    if batch.is_empty() { Ok(None) } else { batch.take().map(Some).map_err(wrong) }
}

/// Whether a session keeps a statement that it has prepared.
///
/// One that orders by several expressions is prepared for each call. MariaDB (10.11.19) takes a column that a condition holds
/// to one value out of the order, which is right for the values of that call, and never puts it back: run with
/// `i = 5 OR i = 5`, then with `i = 5 OR i = 4`, `ORDER BY k, i` goes by `k` alone, and a limit gives other rows. The first
/// expression is put back.
fn is_kept(sql: &str) -> bool {
    let word = |at: usize| sql.get(at..at + 2).is_some_and(|word| word.eq_ignore_ascii_case("by"));
    let by = (0..sql.len()).find(|at| word(*at));
    sql.len() <= LONGEST_KEPT && by.is_none_or(|by| sql.get(by..).is_some_and(|rest| !rest.contains(',')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_orders_by_several_expressions_is_prepared_for_each_call() {
        for sql in ["SELECT a, b FROM t WHERE a = ?", "SELECT a, b FROM t ORDER BY a LIMIT ?", "SELECT 'é' , a"] {
            assert!(is_kept(sql), "{sql}");
        }
        for sql in [
            "SELECT a FROM t WHERE a = ? ORDER BY `a` IS NULL, `a` LIMIT ?",
            "select a from t order/* */by\ta, b",
            "SELECT row_number() OVER (ORDER BY a, b) FROM t",
        ] {
            assert!(!is_kept(sql), "{sql}");
        }
        assert!(!is_kept(&"?, ".repeat(LONGEST_KEPT)));
    }
}
