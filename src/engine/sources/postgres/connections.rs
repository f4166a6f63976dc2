//! The connections to a server: those that rest, how many there may be, and when it is asked again after it was away.
//!
//! All of them live on the runtime of the sources: the threads of a call end with it.

mod breaker;
mod session;
mod statements;

use super::error::Failure;
use crate::engine::sources::error::SourceError;
use crate::engine::sources::io;
use crate::engine::tables::Roots;
use crate::project::PostgresConfig;
use breaker::Breaker;
use session::Session;
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time;

/// How long a connection may rest until it is closed.
const LONGEST_REST: Duration = Duration::from_secs(300);

/// How often those that rest are looked at.
const ROUNDS: Duration = Duration::from_secs(60);

/// How old what is known of a server may be.
const OUTLOOK: Duration = Duration::from_secs(5);

/// The connections to a server.
pub(super) struct Connections {
    shared: Arc<Shared>,
}

/// What leases and tasks hold on to.
struct Shared {
    source: String,
    config: PostgresConfig,
    roots: Roots,
    /// One for each connection that may be used.
    permits: Arc<Semaphore>,
    /// Those that rest, the last one at the end.
    idle: Mutex<Vec<Idle>>,
    breaker: Breaker,
    /// How many are being opened.
    opening: AtomicUsize,
    /// Whether somebody looks at those that rest.
    is_looked_after: AtomicBool,
    /// Whether somebody asks whether the server is there.
    is_probed: AtomicBool,
}

/// A connection that rests.
struct Idle {
    session: Session,
    since: Instant,
}

impl Idle {
    fn is_usable(&self) -> bool {
        !self.session.client().is_closed() && self.since.elapsed() < LONGEST_REST
    }
}

/// A connection as long as it is used. Dropped, it is closed: whoever has read to the end gives it back.
pub(super) struct Lease {
    session: Session,
    shared: Arc<Shared>,
    permit: OwnedSemaphorePermit,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("source", &self.shared.source).finish_non_exhaustive()
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").field("source", &self.shared.source).finish_non_exhaustive()
    }
}

impl Lease {
    /// Who asks the server.
    pub(super) fn client(&self) -> &tokio_postgres::Client {
        self.session.client()
    }

    /// What the server keeps of a text; `None` where it is to be sent as it is.
    ///
    /// Errors: the server does not take it, or is gone.
    pub(super) async fn kept(
        &self,
        sql: &str,
        types: &[tokio_postgres::types::Type],
    ) -> Result<Option<tokio_postgres::Statement>, tokio_postgres::Error> {
        self.session.statements.kept(self.client(), sql, types).await
    }

    /// A text has failed: nothing is kept of it.
    pub(super) fn forget(&self, sql: &str) {
        self.session.statements.forget(sql);
    }

    /// Whether what is prepared in the session is there for the next who has it.
    pub(super) fn keeps_statements(&self) -> bool {
        self.shared.config.has_named_statements()
    }

    /// The connection rests, and may be used by somebody else: nothing runs in it.
    pub(super) fn give_back(mut self) {
        if !self.client().is_closed() {
            self.shared.breaker.heard();
        }
        self.session.is_busy = false;
        self.shared.idle().push(Idle { session: self.session, since: Instant::now() });
        // The permit comes last: who waits for it finds the connection.
        drop(self.permit);
    }

    /// Nobody waits any more. `is_silent` is whether nothing at all was heard of the server for as long as somebody did.
    pub(super) fn give_up(self, is_silent: bool) {
        match is_silent {
            true if self.shared.breaker.was_silent() => self.shared.idle().clear(),
            true => {}
            false => self.shared.breaker.heard(),
        }
        self.cancel();
    }

    /// Ends the statement that runs in the server, then closes the connection. Nobody takes its place before that.
    fn cancel(self) {
        let Some(runtime) = io::runtime() else { return };
        let Lease { session, permit, .. } = self;
        runtime.spawn(async move {
            session.cancel().await;
            drop(permit);
        });
    }
}

impl Connections {
    /// Nothing is opened before a connection is asked for.
    pub(super) fn new(name: &str, config: &PostgresConfig, roots: Roots) -> Connections {
        let shared = Shared {
            source: name.to_owned(),
            config: config.clone(),
            roots,
            permits: Arc::new(Semaphore::new(config.max_connections())),
            idle: Mutex::default(),
            breaker: Breaker::default(),
            opening: AtomicUsize::new(0),
            is_looked_after: AtomicBool::new(false),
            is_probed: AtomicBool::new(false),
        };
        Connections { shared: Arc::new(shared) }
    }

    /// The name of the source.
    pub(super) fn source(&self) -> &str {
        &self.shared.source
    }

    /// A connection: one that rests, or a new one. It may be awaited on any runtime.
    ///
    /// Errors: all are taken for as long as one waits for a connection, or the server is away.
    pub(super) async fn lease(&self) -> Result<Lease, SourceError> {
        if let Ok(permit) = Arc::clone(&self.shared.permits).try_acquire_owned() {
            return match self.shared.rested() {
                Some(session) => Ok(Lease { session, shared: Arc::clone(&self.shared), permit }),
                None => self.on_runtime(Shared::opened(Arc::clone(&self.shared), permit)).await,
            };
        }
        self.on_runtime(Shared::leased(Arc::clone(&self.shared))).await
    }

    /// Waits for what goes on where connections live. Where nobody waits any more, the connection rests.
    async fn on_runtime(
        &self,
        leasing: impl Future<Output = Result<Lease, SourceError>> + Send + 'static,
    ) -> Result<Lease, SourceError> {
        let Some(runtime) = io::runtime() else { return Err(self.shared.down("this machine has no more threads")) };
        let (sender, receiver) = oneshot::channel();
        runtime.spawn(async move {
            if let Err(Ok(lease)) = sender.send(leasing.await) {
                lease.give_back();
            }
        });
        receiver.await.unwrap_or_else(|_| Err(self.shared.down("the connection was not made")))
    }

    /// Somebody has waited for a connection for as long as there was time. Where one is being opened, the server says nothing;
    /// else all of them are in use.
    pub(super) fn waited_in_vain(&self) {
        if self.shared.opening.load(Ordering::Relaxed) > 0 && self.shared.breaker.was_silent() {
            self.shared.idle().clear();
        }
    }

    /// Closes those that rest: one of them was gone.
    pub(super) fn forget_resting(&self) {
        self.shared.idle().clear();
    }

    /// Whether the server could be reached when it was last heard of. Where that is some time ago, it is asked behind this.
    pub(super) fn is_reachable(&self) -> bool {
        let (is_fine, is_old) = self.shared.breaker.outlook(OUTLOOK);
        if is_old && let Some(runtime) = io::runtime() {
            let shared = Arc::clone(&self.shared);
            if !shared.is_probed.swap(true, Ordering::AcqRel) {
                runtime.spawn(async move {
                    shared.probe().await;
                    shared.is_probed.store(false, Ordering::Release);
                });
            }
        }
        is_fine
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn down(&self, why: &str) -> SourceError {
        SourceError::Down { source: self.source.clone(), why: why.to_owned() }
    }

    /// The connection that has rested the shortest time: the others may be closed in time.
    fn rested(&self) -> Option<Session> {
        let mut idle = self.idle();
        while let Some(resting) = idle.pop() {
            if resting.is_usable() {
                let mut session = resting.session;
                session.is_busy = true;
                return Some(session);
            }
        }
        None
    }

    /// A connection as soon as one may be used.
    async fn leased(self: Arc<Shared>) -> Result<Lease, SourceError> {
        if let Some(Failure { why, .. }) = self.breaker.silence() {
            return Err(self.down(&why));
        }
        let waiting = Arc::clone(&self.permits).acquire_owned();
        match time::timeout(self.config.connect_timeout(), waiting).await {
            Ok(Ok(permit)) => match self.rested() {
                Some(session) => Ok(Lease { session, shared: self, permit }),
                None => self.opened(permit).await,
            },
            Ok(Err(_)) | Err(_) => Err(SourceError::Exhausted { source: self.source.clone() }),
        }
    }

    /// A new connection.
    async fn opened(self: Arc<Shared>, permit: OwnedSemaphorePermit) -> Result<Lease, SourceError> {
        match self.session().await {
            Ok(session) => {
                self.look_after();
                Ok(Lease { session, shared: self, permit })
            }
            Err(Failure { why, is_refusal: true }) => Err(SourceError::Refusing { source: self.source.clone(), why }),
            Err(failure) => Err(self.down(&failure.why)),
        }
    }

    /// Connects, unless it was in vain a moment ago.
    async fn session(&self) -> Result<Session, Failure> {
        let attempt = self.breaker.attempt()?;
        self.opening.fetch_add(1, Ordering::Relaxed);
        let opened = Session::open(&self.config, &self.roots).await;
        self.opening.fetch_sub(1, Ordering::Relaxed);
        match opened {
            Ok(session) => {
                attempt.succeeded();
                Ok(session)
            }
            Err(failure) => {
                attempt.failed(failure.clone());
                Err(failure)
            }
        }
    }

    /// Asks the server whether it is there. Where all connections are in use, that is no time to ask.
    async fn probe(self: &Arc<Shared>) {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else { return };
        while let Some(session) = self.rested() {
            if session.answers(self.config.connect_timeout()).await {
                return Lease { session, shared: Arc::clone(self), permit }.give_back();
            }
        }
        if let Ok(lease) = Arc::clone(self).opened(permit).await {
            lease.give_back();
        }
    }

    /// Begins to close connections that have rested for long, until nobody needs any.
    fn look_after(self: &Arc<Shared>) {
        if self.is_looked_after.swap(true, Ordering::AcqRel) {
            return;
        }
        let shared: Weak<Shared> = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                time::sleep(ROUNDS).await;
                let Some(shared) = shared.upgrade() else { return };
                shared.idle().retain(Idle::is_usable);
            }
        });
    }
}

#[cfg(test)]
mod tests;
