//! A session: it is made so that it reads alone, and asked whether it does.

use super::address::Address;
use super::error::{connect_failure, has_no_tls, is_over};
use super::tls;
use crate::engine::sources::server::address::Security;
use crate::engine::sources::server::connections;
use crate::engine::sources::server::failure::Failure;
use crate::engine::sources::server::tls::Sources;
use crate::engine::tables::Roots;
use crate::project::MysqlConfig;
use futures::FutureExt;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, IoError, OptsBuilder, SslOpts, TlsError};
use rustls::CertificateError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long it may take until a statement is ended in the server.
const ENDING: Duration = Duration::from_secs(2);

/// How many statements a session keeps: the server has read and planned them, and runs them again.
const MOST_STATEMENTS: usize = 64;

/// The largest message that is taken, in bytes.
const LARGEST: usize = 64 << 20;

/// What a session is made with: its texts and times come as they are read here, and what it says of one does not depend on
/// how the server is set up. Texts are sorted by all of their bytes, and none is cut where texts are put together.
const SETTINGS: &str = "SET NAMES utf8mb4, autocommit = 0, time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES', \
                        max_sort_length = 8388608, group_concat_max_len = 67108864, sql_select_limit = DEFAULT";

/// It reads alone, and each transaction sees one state of the data.
const READ_ONLY: &str = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// Asks whether that holds: what stands between may pass over it without a word.
const SETTLED: &str = "SHOW SESSION VARIABLES WHERE Variable_name IN ('version', 'transaction_read_only', 'tx_read_only', \
                       'autocommit', 'time_zone', 'character_set_client', 'character_set_results', 'sql_mode')";

/// What it answers where it holds. A server has one of the first two, or both.
const ANSWERS: [(&str, &str); 7] = [
    ("transaction_read_only", "ON"),
    ("tx_read_only", "ON"),
    ("autocommit", "OFF"),
    ("time_zone", "+00:00"),
    ("character_set_client", "utf8mb4"),
    ("character_set_results", "utf8mb4"),
    ("sql_mode", "STRICT_ALL_TABLES"),
];

/// What else is asked: who it is.
const VERSION: &str = "version";

/// How many of them there are at least.
const FEWEST_ANSWERS: usize = ANSWERS.len() - 1;

/// What is told where the settings of a session were not taken, or did not hold.
const UNSETTLED: &str = "its sessions do not take the settings they begin with, by which they can only read";

/// What a transaction ends with.
pub(super) const END: &str = "ROLLBACK";

/// A server of MySQL, as it is declared.
pub(super) struct Server {
    /// What `qtool.yaml` says of it.
    config: MysqlConfig,
    /// Where files of the project may lie.
    roots: Roots,
    /// A connection beside the others, which ends statements of theirs.
    ending: Mutex<Option<Conn>>,
}

impl Server {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(config: &MysqlConfig, roots: Roots) -> Server {
        Server { config: config.clone(), roots, ending: Mutex::new(None) }
    }

    /// Ends what another session runs, and, where `whole`, that session. Whether it is certain to be over, or to be soon.
    async fn end(&self, session: u32, whole: bool) -> bool {
        timeout(ENDING, self.end_at_last(session, whole)).await.unwrap_or(false)
    }

    /// The same, however long it takes.
    async fn end_at_last(&self, session: u32, whole: bool) -> bool {
        let mut resting = self.ending.lock().await;
        let what = if whole { "CONNECTION" } else { "QUERY" };
        // One that has rested may be gone.
        for _ in 0..2 {
            let connection = match resting.take() {
                Some(connection) => Some(connection),
                None => connected(self).await.ok(),
            };
            let Some(mut connection) = connection else { return false };
            match connection.query_drop(format!("KILL {what} {session}")).await {
                Err(error) if !is_over(&error) => close(&mut connection),
                _ => {
                    *resting = Some(connection);
                    return true;
                }
            }
        }
        false
    }
}

impl connections::Server for Server {
    type Session = Session;

    async fn open(self: &Arc<Self>) -> Result<Session, Failure> {
        let patience = self.patience();
        let opened = async {
            let connection = connected(self).await?;
            let (server, limit, is_mariadb) = (Arc::clone(self), None, false);
            let mut session = Session { connection, server, is_mariadb, limit, is_busy: true };
            session.settle().await?;
            Ok(session)
        };
        match timeout(patience, opened).await {
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

/// An open connection.
pub(super) struct Session {
    /// Who asks.
    connection: Conn,
    /// Where it leads.
    server: Arc<Server>,
    /// Whether the server is one of MariaDB, which has words of its own.
    is_mariadb: bool,
    /// After how many seconds the server ends a statement by itself, where that was said.
    limit: Option<u64>,
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
            close(&mut self.connection);
        }
    }
}

impl connections::Session for Session {
    fn is_closed(&self) -> bool {
        self.connection.is_disconnected()
    }

    fn set_busy(&mut self, is_busy: bool) {
        self.is_busy = is_busy;
    }

    async fn answers(&mut self, patience: Duration) -> bool {
        matches!(timeout(patience, self.connection.ping()).await, Ok(Ok(())))
    }

    async fn rests(&mut self) -> bool {
        self.connection.query_drop(END).await.is_ok()
    }

    async fn cancel(self) {
        if !self.server.end(self.connection.id(), true).await {
            tracing::debug!("a statement of a source was not ended in time");
        }
    }
}

impl Session {
    /// Who asks the server.
    pub(super) fn connection(&mut self) -> &mut Conn {
        &mut self.connection
    }

    /// Says after how long the server ends a statement by itself, should nobody be able to tell it; of nothing, when its own
    /// settings say. It is said again where it is another time, of which there are few.
    ///
    /// Errors: the server is gone.
    pub(super) async fn limit(&mut self, rest: Option<Duration>) -> Result<(), Error> {
        let in_steps = |rest: Duration| rest.as_secs().saturating_add(1).checked_next_power_of_two();
        let seconds = rest.map(|rest| in_steps(rest).unwrap_or(u64::MAX));
        if self.limit == seconds {
            return Ok(());
        }
        let said = match (self.is_mariadb, seconds) {
            (true, Some(seconds)) => format!("SET max_statement_time = {seconds}"),
            (true, None) => "SET max_statement_time = DEFAULT".to_owned(),
            (false, Some(seconds)) => {
                format!("SET max_execution_time = {}", seconds.saturating_mul(1_000).min(u32::MAX.into()))
            }
            (false, None) => "SET max_execution_time = DEFAULT".to_owned(),
        };
        self.connection.query_drop(said).await?;
        self.limit = seconds;
        Ok(())
    }

    /// What ends the statement that runs in this session.
    pub(super) fn ending(&self) -> Ending {
        Ending { server: Arc::clone(&self.server), session: self.connection.id() }
    }

    /// What an author's own statement has left in the session is forgotten.
    ///
    /// Errors: it cannot be; the session is of no use any more.
    pub(super) async fn reset(&mut self) -> Result<(), Failure> {
        match self.connection.reset().await {
            Ok(true) => self.settle().await,
            Ok(false) => Err(Failure::refusal("its sessions cannot be begun anew")),
            Err(error) => Err(connect_failure(&error)),
        }
    }

    /// Makes the session what it is to be, and asks whether it is.
    async fn settle(&mut self) -> Result<(), Failure> {
        let failed = |error: Error| match connect_failure(&error) {
            _ if matches!(error, Error::Server(_)) => Failure::refusal(UNSETTLED),
            failure => failure,
        };
        self.connection.query_drop(SETTINGS).await.map_err(failed)?;
        self.connection.query_drop(READ_ONLY).await.map_err(failed)?;
        let mut answers: Vec<(String, String)> = self.connection.query(SETTLED).await.map_err(failed)?;
        self.connection.query_drop(END).await.map_err(failed)?;
        let is_mariadb = |(name, value): &(String, String)| name == VERSION && value.contains("MariaDB");
        (self.is_mariadb, self.limit) = (answers.iter().any(is_mariadb), None);
        answers.retain(|(name, _)| name != VERSION);
        let holds = |(name, value): &(String, String)| ANSWERS.contains(&(name.as_str(), value.as_str()));
        match answers.len() >= FEWEST_ANSWERS && answers.iter().all(holds) {
            true => Ok(()),
            false => Err(Failure::refusal(UNSETTLED)),
        }
    }
}

/// What ends the statement of a session, from beside it.
pub(super) struct Ending {
    server: Arc<Server>,
    session: u32,
}

impl Ending {
    /// Ends it. Whether it is certain to be over, or to be soon.
    pub(super) async fn end(&self) -> bool {
        self.server.end(self.session, false).await
    }
}

/// Closes a connection without a word, and without waiting for what runs in it.
fn close(connection: &mut Conn) {
    // The driver closes a connection in good order unless something was begun in it that has not ended.
    let _ = connection.ping().now_or_never();
}

/// Connects, however long it takes.
async fn connected(server: &Server) -> Result<Conn, Failure> {
    let config = &server.config;
    let Address { opts, security, files } =
        Address::read(&config.address, config.tls.as_ref()).map_err(|error| Failure::refusal(error.to_string()))?;
    let (written, roots) = (config.tls.clone(), server.roots.clone());
    let options = tls::OPTIONS_OF_FILES;
    let tls = tokio::task::spawn_blocking(move || {
        tls::options(security, Sources { written: written.as_ref(), files: &files, options, roots: &roots })
    });
    let tls = match tls.await {
        Ok(tls) => tls.map_err(|error| Failure::refusal(error.to_string()))?,
        Err(_) => return Err(Failure::passing("its certificates cannot be read")),
    };
    // A row that is set to what it is counts as one that was found.
    let opts = opts.max_allowed_packet(Some(LARGEST)).stmt_cache_size(MOST_STATEMENTS).client_found_rows(true);
    let connection = match Conn::new(opts.clone().ssl_opts(tls.clone())).await {
        Err(error) if security == Security::Unchecked && has_no_tls(&error) => Conn::new(opts).await,
        Err(error) if security == Security::Authority => by_its_own_name(opts, tls, error).await,
        outcome => outcome,
    };
    connection.map_err(|error| connect_failure(&error))
}

/// Connects to a server that is trusted by who has signed its certificate, whatever name it is for: where that is another
/// one than in the address, it is asked by one of its own.
async fn by_its_own_name(opts: OptsBuilder, tls: Option<SslOpts>, error: Error) -> Result<Conn, Error> {
    match (own_name(&error), tls) {
        (Some(name), Some(tls)) => Conn::new(opts.ssl_opts(tls.with_danger_tls_hostname_override(Some(name)))).await,
        _ => Err(error),
    }
}

/// The name that a certificate is for which was trusted but for that.
fn own_name(error: &Error) -> Option<String> {
    let error = match error {
        Error::Io(IoError::Tls(TlsError::Tls(error))) => error,
        Error::Io(IoError::Io(error)) => error.get_ref()?.downcast_ref::<rustls::Error>()?,
        _ => return None,
    };
    let rustls::Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) = error else {
        return None;
    };
    presented.iter().find_map(|name| {
        let name = name.strip_prefix("DnsName(\"")?.strip_suffix("\")")?;
        // In the place of a star may stand any word.
        Some(name.strip_prefix("*.").map_or_else(|| name.to_owned(), |rest| format!("any.{rest}")))
    })
}
