//! A session: it is made so that it reads alone, and asked whether it is.

use super::super::address::Address;
use super::super::error::{self, Failure, connect_failure};
use super::super::tls;
use super::statements::Statements;
use crate::engine::tables::Roots;
use crate::project::PostgresConfig;
use futures::future::poll_fn;
use std::fmt;
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a statement may take to be ended in the server.
const CANCELLING: Duration = Duration::from_secs(2);

/// How long a statement that was to be ended is waited for.
const LONGEST_DEAF: Duration = Duration::from_secs(600);

/// What a session is made with: it reads alone, whoever the user is, and writes values as they are read here. Names are not
/// looked for in schemas that somebody else may write into.
const SETTINGS: &str = "-c default_transaction_read_only=on -c standard_conforming_strings=on -c TimeZone=UTC \
                        -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c client_min_messages=error \
                        -c search_path=";

/// Asks whether they hold: a pooler may pass over them without a word.
const SETTLED: &str = "SELECT current_setting('default_transaction_read_only'), current_setting('TimeZone'), \
                       current_setting('search_path')";

/// What it answers where they do.
const ANSWER: [&str; 3] = ["on", "UTC", ""];

/// What is asked to see whether somebody is there.
const NOTHING: &str = "";

/// An open connection.
pub(super) struct Session {
    /// Who asks.
    client: Client,
    /// What a second connection is made with, which ends a statement of this one.
    tls: MakeRustlsConnect,
    /// What it keeps of what it has run.
    pub statements: Statements,
    /// What carries the messages.
    carrier: AbortHandle,
    /// Whether a statement may be running: such a connection is not closed in good order, which would wait for it.
    pub is_busy: bool,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("is_busy", &self.is_busy).finish_non_exhaustive()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.is_busy {
            self.carrier.abort();
        }
    }
}

impl Session {
    /// Connects. It is to be called on the sources' runtime, which carries the messages from then on.
    ///
    /// Errors: what is declared is wrong, the server is away or refuses, or the session could write.
    pub(super) async fn open(config: &PostgresConfig, roots: &Roots) -> Result<Session, Failure> {
        let patience = config.connect_timeout();
        match tokio::time::timeout(patience, connected(config, roots)).await {
            Ok(session) => session,
            Err(_) => Err(Failure::passing(format!("it does not answer within {} ms", patience.as_millis()))),
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Whether the server still answers.
    pub(super) async fn answers(&self, patience: Duration) -> bool {
        matches!(tokio::time::timeout(patience, self.client.batch_execute(NOTHING)).await, Ok(Ok(())))
    }

    /// Ends the statement that runs in the server, and the session.
    pub(super) async fn cancel(self) {
        // Whether it arrives or not, nobody uses this connection again: it cannot hit another statement.
        let token = self.client.cancel_token();
        let told = tokio::time::timeout(CANCELLING, token.cancel_query(self.tls.clone())).await;
        if !matches!(told, Ok(Ok(()))) {
            // The server ends it by itself, at the end of its time.
            tracing::debug!("a statement of a source was not ended in time");
            return;
        }
        // A function may go on all the same. Until it is over, no other takes its place.
        let _ = tokio::time::timeout(LONGEST_DEAF, self.client.batch_execute(NOTHING)).await;
    }
}

/// Connects, however long it takes.
async fn connected(config: &PostgresConfig, roots: &Roots) -> Result<Session, Failure> {
    let Address { config: mut address, security, files } =
        Address::read(&config.address, config.tls.as_ref()).map_err(|error| Failure::refusal(error.to_string()))?;
    let (written, of_files) = (config.tls.clone(), roots.clone());
    let connector = tokio::task::spawn_blocking(move || {
        tls::connector(security, tls::Sources { written: written.as_ref(), files: &files, roots: &of_files })
    });
    let tls = match connector.await {
        Ok(connector) => connector.map_err(|error| Failure::refusal(error.to_string()))?,
        Err(_) => return Err(Failure::passing("its certificates cannot be read")),
    };
    let with_settings = config.has_named_statements();
    if with_settings {
        // What the address says comes first: the last one holds.
        let first = address.get_options().map(|options| format!("{options} ")).unwrap_or_default();
        address.options(format!("{first}{SETTINGS}"));
    }
    address.application_name("qtool").connect_timeout(config.connect_timeout());
    let connection = address.connect(tls.clone()).await;
    let (client, mut connection) = connection.map_err(|error| connect_failure(&error, with_settings))?;
    let carrier = tokio::spawn(async move {
        // What the server remarks is dropped here: it would be logged otherwise, and may quote values.
        while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
    });
    let session =
        Session { client, tls, statements: Statements::default(), carrier: carrier.abort_handle(), is_busy: true };
    if with_settings && !is_settled(&session.client).await? {
        return Err(Failure::refusal(error::UNSETTLED));
    }
    Ok(session)
}

/// Whether the session is what it was made as.
async fn is_settled(client: &Client) -> Result<bool, Failure> {
    let answer = client.simple_query(SETTLED).await.map_err(|error| connect_failure(&error, true))?;
    let row = answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let holds = |row: &SimpleQueryRow, at, expected| row.try_get(at).ok().flatten() == Some(expected);
    Ok(row.is_some_and(|row| ANSWER.iter().enumerate().all(|(at, expected)| holds(row, at, *expected))))
}
