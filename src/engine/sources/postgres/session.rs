//! A session: it is made so that it reads alone, and asked whether it is.

use super::address::Address;
use super::confirmed::Confirmed;
use super::ending::Ending;
use super::error::{self, Startup, connect_failure};
use super::statements::{Kept, Statements};
use super::tls;
use super::transaction::{END, Sessions};
use crate::engine::deadline::Deadline;
use crate::engine::sources::server;
use crate::engine::sources::server::failure::Failure;
use crate::engine::sources::server::tls::{Options, Sources};
use crate::engine::tables::Roots;
use crate::project::PostgresConfig;
use futures::future::poll_fn;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

/// How long it may take until the server has done what ends a statement.
const CANCELLING: Duration = Duration::from_secs(2);

/// The same behind a pooler, which may have to wait itself, and gives up before that.
const CANCELLING_SHARED: Duration = Duration::from_secs(12);

/// How long a statement that was to be ended is waited for: the way to it may swallow all words.
const LONGEST_DEAF: Duration = Duration::from_secs(10);

/// How long it is waited for until the server is told again: at first, and at last.
const SOONEST_AGAIN: Duration = Duration::from_millis(50);
const LATEST_AGAIN: Duration = Duration::from_secs(2);

/// The same behind a pooler: it passes over the word while the statement waits for a session, and may begin it at any time.
const LATEST_AGAIN_SHARED: Duration = Duration::from_millis(200);

/// What a session is made with: it reads alone, whoever the user is, and writes values as they are read here. Names are not
/// looked for in schemas that somebody else may write into.
const SETTINGS: &str = "-c default_transaction_read_only=on -c standard_conforming_strings=on -c TimeZone=UTC \
                        -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c client_min_messages=error \
                        -c quote_all_identifiers=off -c search_path=";

/// Asks whether they hold: a pooler may pass over them without a word.
const SETTLED: &str = "SELECT current_setting('default_transaction_read_only'), current_setting('TimeZone'), \
                       current_setting('search_path')";

/// What it answers where they do.
const ANSWER: [&str; 3] = ["on", "UTC", ""];

/// How long after the end of a call the server ends its statement by itself. It is told to before that, unless the word does not
/// arrive.
const OVERTIME: Duration = Duration::from_secs(1);

/// What is asked to see whether somebody is there.
const NOTHING: &str = "";

/// A server of PostgreSQL, as it is declared.
pub(super) struct Server {
    /// What `qtool.yaml` says of it.
    pub config: PostgresConfig,
    /// Where files of the project may lie.
    pub roots: Roots,
}

impl server::connections::Server for Server {
    type Session = Session;

    async fn open(self: &Arc<Self>) -> Result<Session, Failure> {
        let patience = self.patience();
        match tokio::time::timeout(patience, connected(&self.config, &self.roots)).await {
            Ok(session) => session,
            Err(_) => Err(Failure::silent(patience)),
        }
    }

    fn most(&self) -> usize {
        self.config.max_connections()
    }

    fn patience(&self) -> Duration {
        self.config.connect_timeout()
    }
}

/// By which options an address names files.
const OPTIONS_OF_FILES: Options = Options { ca: "sslrootcert", cert: "sslcert", key: "sslkey" };

/// An open connection.
pub(super) struct Session {
    /// Who asks.
    client: Client,
    /// What ends a statement of it.
    ending: Ending,
    /// What it keeps of what it has run; nothing behind a pooler that shares connections.
    statements: Option<Statements>,
    /// What carries the messages.
    carrier: AbortHandle,
    /// Which tables were asked for lately.
    confirmed: Confirmed,
    /// After how many milliseconds the server ends a statement by itself; 0 where nothing was said of that.
    time_limit: AtomicI32,
    /// Whether the driver takes something for prepared that is no more: nobody uses this connection again.
    is_spent: AtomicBool,
    /// Whether a statement may be running: such a connection is not closed in good order, which would wait for it.
    is_busy: bool,
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

impl server::connections::Session for Session {
    fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    fn set_busy(&mut self, is_busy: bool) {
        self.is_busy = is_busy;
    }

    async fn answers(&mut self, patience: Duration) -> bool {
        matches!(tokio::time::timeout(patience, self.client.batch_execute(NOTHING)).await, Ok(Ok(())))
    }

    async fn rests(&mut self) -> bool {
        self.client.batch_execute(END).await.is_ok() && !self.is_spent.load(Ordering::Relaxed)
    }

    async fn cancel(self) {
        // Whether it arrives or not, nobody uses this connection again: it cannot hit another statement.
        let token = self.client.cancel_token();
        // A function may go on all the same. Until it is over, no other takes its place; and a pooler has its own back.
        let mut over = pin!(tokio::time::timeout(LONGEST_DEAF, self.client.batch_execute(END)));
        let mut patience = SOONEST_AGAIN;
        let (telling, latest) = match self.sessions() {
            Sessions::Shared => (CANCELLING_SHARED, LATEST_AGAIN_SHARED),
            Sessions::Own => (CANCELLING, LATEST_AGAIN),
        };
        loop {
            if let Ok(false) = tokio::time::timeout(telling, self.ending.end(&token)).await {
                // The server ends it by itself, at the end of its time.
                tracing::debug!("a statement of a source was not ended in time");
                return;
            }
            // A server that has yet to come to the statement passes over what it was told, and is told again; so is one that has
            // much to do, which may do what it was told all the same.
            if tokio::time::timeout(patience, &mut over).await.is_ok() {
                return;
            }
            patience = latest.min(patience * 2);
        }
    }
}

impl Session {
    /// Who asks the server.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// What the server keeps of a text; `None` where it is to be sent as it is.
    ///
    /// Errors: the server does not take it, or is gone.
    pub(super) async fn kept(&self, sql: &str, types: &[Type]) -> Result<Option<Kept>, tokio_postgres::Error> {
        match &self.statements {
            Some(statements) => statements.kept(&self.client, sql, types).await,
            None => Ok(None),
        }
    }

    /// A text has failed: nothing is kept of it.
    pub(super) fn forget(&self, sql: &str) {
        if let Some(statements) = &self.statements {
            statements.forget(sql);
        }
    }

    /// Which tables were lately what they are known as.
    pub(super) fn confirmed(&self) -> &Confirmed {
        &self.confirmed
    }

    /// What is to be said of how long statements may run, for one that runs until then; `None` where it is said already. It
    /// may be a while longer, so that it is not said for each.
    pub(super) fn time_limit(&self, deadline: Option<Deadline>) -> Option<TimeLimit> {
        let said = self.time_limit.load(Ordering::Relaxed);
        let wanted = match deadline.map(overtime) {
            Some(wanted) if (wanted..=wanted.saturating_mul(2)).contains(&said) => said,
            Some(wanted) => wanted.saturating_add(wanted / 2),
            None => 0,
        };
        (wanted != said).then_some(TimeLimit(wanted))
    }

    /// It was said.
    pub(super) fn has_time_limit(&self, limit: &TimeLimit) {
        self.time_limit.store(limit.0, Ordering::Relaxed);
    }

    /// Whether what is prepared in the session is there for the next who has it.
    pub(super) fn keeps_statements(&self) -> bool {
        self.statements.is_some()
    }

    /// Whose the sessions are that its transactions run in.
    pub(super) fn sessions(&self) -> Sessions {
        if self.keeps_statements() { Sessions::Own } else { Sessions::Shared }
    }

    /// Nobody uses this connection again: what the driver has prepared for itself is no more.
    pub(super) fn mark_spent(&self) {
        self.is_spent.store(true, Ordering::Relaxed);
    }
}

/// After how many milliseconds the server ends a statement by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TimeLimit(i32);

impl TimeLimit {
    /// The statement that says so.
    pub(super) fn statement(&self) -> String {
        match self.0 {
            0 => "SET statement_timeout TO DEFAULT".to_owned(),
            limit => format!("SET statement_timeout = {limit}"),
        }
    }
}

/// In how many milliseconds the server ends by itself what nobody waits for then.
pub(super) fn overtime(deadline: Deadline) -> i32 {
    i32::try_from((deadline.rest() + OVERTIME).as_millis()).unwrap_or(i32::MAX)
}

/// Connects, however long it takes.
async fn connected(config: &PostgresConfig, roots: &Roots) -> Result<Session, Failure> {
    let Address { config: mut address, security, files } =
        Address::read(&config.address, config.tls.as_ref()).map_err(|error| Failure::refusal(error.to_string()))?;
    let (written, of_files) = (config.tls.clone(), roots.clone());
    let connector = tokio::task::spawn_blocking(move || {
        let options = OPTIONS_OF_FILES;
        tls::connector(security, Sources { written: written.as_ref(), files: &files, options, roots: &of_files })
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
    let startup = match (with_settings, address.get_options()) {
        (true, _) => Startup::Settings,
        (false, Some(_)) => Startup::Options,
        (false, None) => Startup::Nothing,
    };
    let connection = address.connect(tls.clone()).await;
    let (client, mut connection) = connection.map_err(|error| connect_failure(&error, startup))?;
    let carrier = tokio::spawn(async move {
        // What the server remarks is dropped here: it would be logged otherwise, and may quote values.
        while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
    });
    let statements = with_settings.then(Statements::default);
    let session = Session {
        client,
        ending: if with_settings { Ending::by_driver(tls) } else { Ending::of_server(&address, tls) },
        statements,
        carrier: carrier.abort_handle(),
        confirmed: Confirmed::default(),
        time_limit: AtomicI32::new(0),
        is_spent: AtomicBool::new(false),
        is_busy: true,
    };
    if with_settings && !is_settled(&session.client).await? {
        return Err(Failure::refusal(error::UNSETTLED));
    }
    Ok(session)
}

/// Whether the session is what it was made as.
async fn is_settled(client: &Client) -> Result<bool, Failure> {
    let answer = client.simple_query(SETTLED).await.map_err(|error| connect_failure(&error, Startup::Settings))?;
    let row = answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let holds = |row: &SimpleQueryRow, at, expected| row.try_get(at).ok().flatten() == Some(expected);
    Ok(row.is_some_and(|row| ANSWER.iter().enumerate().all(|(at, expected)| holds(row, at, *expected))))
}
