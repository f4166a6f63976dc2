//! The connections to a server: those that rest, how many there may be, and when it is asked again after it was away.
//!
//! All of them live on the runtime of the sources: the threads of a call end with it.

use super::breaker::Breaker;
use super::failure::{Failure, LOST};
use crate::engine::sources::error::SourceError;
use crate::engine::sources::io;
use futures::future::BoxFuture;
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
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

/// How many times as long as there may be until there is a connection a question about one table or one statement may take,
/// and one about all tables.
pub(in crate::engine::sources) const ONE: u32 = 4;
pub(in crate::engine::sources) const ALL: u32 = 12;

/// How a server is connected to.
pub(in crate::engine::sources) trait Server: Send + Sync + 'static {
    /// What a connection is.
    type Session: Session;

    /// A new connection. It is awaited on the sources' runtime.
    ///
    /// Errors: what is declared is wrong, the server is away or refuses, or the session could write.
    fn open(self: &Arc<Self>) -> impl Future<Output = Result<Self::Session, Failure>> + Send;

    /// How many connections there are at most.
    fn most(&self) -> usize;

    /// How long it may take until there is one.
    fn patience(&self) -> Duration;
}

/// A connection to a server. Dropped while it is busy, it is closed without waiting for what runs in it.
pub(in crate::engine::sources) trait Session: Send + 'static {
    /// Whether nothing can be asked any more.
    fn is_closed(&self) -> bool;

    /// A statement may be running from now on, or none does any more.
    fn set_busy(&mut self, is_busy: bool);

    /// Whether the server still answers.
    fn answers(&mut self, patience: Duration) -> impl Future<Output = bool> + Send;

    /// Ends the transaction that there may be. Whether the session may be used by somebody else then.
    fn rests(&mut self) -> impl Future<Output = bool> + Send;

    /// Ends the statement that runs in the server, and the session.
    fn cancel(self) -> impl Future<Output = ()> + Send;
}

/// The connections to a server.
pub(in crate::engine::sources) struct Connections<S: Server> {
    shared: Arc<Shared<S>>,
}

/// What leases and tasks hold on to.
struct Shared<S: Server> {
    source: String,
    server: Arc<S>,
    /// One for each connection that may be used.
    permits: Arc<Semaphore>,
    /// Those that rest, the last one at the end.
    idle: Mutex<Vec<Idle<S::Session>>>,
    breaker: Breaker,
    /// How many are being opened.
    opening: AtomicUsize,
    /// Whether somebody looks at those that rest.
    is_looked_after: AtomicBool,
    /// Whether somebody asks whether the server is there.
    is_probed: AtomicBool,
}

/// A connection that rests.
struct Idle<T> {
    session: T,
    since: Instant,
}

impl<T: Session> Idle<T> {
    fn is_usable(&self) -> bool {
        !self.session.is_closed() && self.since.elapsed() < LONGEST_REST
    }
}

/// A connection as long as it is used. Dropped, it is closed: whoever has read to the end gives it back.
pub(in crate::engine::sources) struct Lease<S: Server> {
    session: S::Session,
    shared: Arc<Shared<S>>,
    permit: OwnedSemaphorePermit,
}

impl<S: Server> fmt::Debug for Connections<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("source", &self.shared.source).finish_non_exhaustive()
    }
}

impl<S: Server> fmt::Debug for Lease<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").field("source", &self.shared.source).finish_non_exhaustive()
    }
}

impl<S: Server> Deref for Lease<S> {
    type Target = S::Session;

    fn deref(&self) -> &S::Session {
        &self.session
    }
}

impl<S: Server> DerefMut for Lease<S> {
    fn deref_mut(&mut self) -> &mut S::Session {
        &mut self.session
    }
}

impl<S: Server> Lease<S> {
    /// The connection rests, and may be used by somebody else: nothing runs in it.
    pub(in crate::engine::sources) fn give_back(mut self) {
        if !self.session.is_closed() {
            self.shared.breaker.heard();
        }
        self.session.set_busy(false);
        self.shared.idle().push(Idle { session: self.session, since: Instant::now() });
        // The permit comes last: who waits for it finds the connection.
        drop(self.permit);
    }

    /// Nobody waits any more. `is_silent` is whether nothing at all was heard of the server for as long as somebody did.
    pub(in crate::engine::sources) fn give_up(self, is_silent: bool) {
        match is_silent {
            true if self.shared.breaker.was_silent() => self.shared.idle().clear(),
            true => {}
            false => self.shared.breaker.heard(),
        }
        self.cancel();
    }

    /// Ends the statement that runs in the server, then closes the connection. Nobody takes its place before that.
    pub(in crate::engine::sources) fn cancel(self) {
        let Some(runtime) = io::runtime() else { return };
        let Lease { session, permit, .. } = self;
        runtime.spawn(async move {
            session.cancel().await;
            drop(permit);
        });
    }
}

impl<S: Server> Connections<S> {
    /// Nothing is opened before a connection is asked for.
    pub(in crate::engine::sources) fn new(name: &str, server: S) -> Connections<S> {
        let shared = Shared {
            source: name.to_owned(),
            permits: Arc::new(Semaphore::new(server.most())),
            server: Arc::new(server),
            idle: Mutex::default(),
            breaker: Breaker::default(),
            opening: AtomicUsize::new(0),
            is_looked_after: AtomicBool::new(false),
            is_probed: AtomicBool::new(false),
        };
        Connections { shared: Arc::new(shared) }
    }

    /// The name of the source.
    pub(in crate::engine::sources) fn source(&self) -> &str {
        &self.shared.source
    }

    /// A connection: one that rests, or a new one. It may be awaited on any runtime.
    ///
    /// Errors: all are taken for as long as one waits for a connection, or the server is away.
    pub(in crate::engine::sources) async fn lease(&self) -> Result<Lease<S>, SourceError> {
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
        leasing: impl Future<Output = Result<Lease<S>, SourceError>> + Send + 'static,
    ) -> Result<Lease<S>, SourceError> {
        let Some(runtime) = io::runtime() else { return Err(self.shared.down("this machine has no more threads")) };
        let (sender, receiver) = oneshot::channel();
        runtime.spawn(async move {
            if let Err(Ok(lease)) = sender.send(leasing.await) {
                lease.give_back();
            }
        });
        receiver.await.unwrap_or_else(|_| Err(self.shared.down("the connection was not made")))
    }

    /// Asks something that is no call: over a connection over which the server has just answered, and for no longer than so
    /// many `times` what a connection may take. Where that is not enough, the connection is given up. It is asked to the end,
    /// whoever waits for it.
    ///
    /// Errors: as of [`Connections::lease`], the server does not answer in time, or what the question says.
    pub(in crate::engine::sources) async fn ask<T, E>(
        &self,
        times: u32,
        question: impl for<'a> FnOnce(&'a mut Lease<S>) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<SourceError> + Send + 'static,
    {
        let Some(runtime) = io::runtime() else {
            return Err(self.shared.down("this machine has no more threads").into());
        };
        let (shared, most) = (Arc::clone(&self.shared), self.shared.server.patience() * times);
        let asked = runtime.spawn(async move {
            let mut lease = Arc::clone(&shared).answering().await?;
            let Ok(outcome) = time::timeout(most, question(&mut lease)).await else {
                lease.give_up(true);
                return Err(shared.down(&Failure::silent(most).why).into());
            };
            if matches!(time::timeout(shared.server.patience(), lease.session.rests()).await, Ok(true)) {
                lease.give_back();
            }
            outcome
        });
        asked.await.unwrap_or_else(|_| Err(self.shared.down("it was not read to the end").into()))
    }

    /// Somebody has waited for a connection for as long as there was time. Where one is being opened, the server says nothing;
    /// else all of them are in use.
    pub(in crate::engine::sources) fn waited_in_vain(&self) {
        if self.shared.opening.load(Ordering::Relaxed) > 0 && self.shared.breaker.was_silent() {
            self.shared.idle().clear();
        }
    }

    /// Closes those that rest: one of them was gone.
    pub(in crate::engine::sources) fn forget_resting(&self) {
        self.shared.idle().clear();
    }

    /// Whether the server could be reached when it was last heard of. Where that is some time ago, it is asked behind this.
    pub(in crate::engine::sources) fn is_reachable(&self) -> bool {
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

impl<S: Server> Shared<S> {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle<S::Session>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn down(&self, why: &str) -> SourceError {
        SourceError::Down { source: self.source.clone(), why: why.to_owned() }
    }

    /// The connection that has rested the shortest time: the others may be closed in time.
    fn rested(&self) -> Option<S::Session> {
        let mut idle = self.idle();
        while let Some(resting) = idle.pop() {
            if resting.is_usable() {
                let mut session = resting.session;
                session.set_busy(true);
                return Some(session);
            }
        }
        None
    }

    /// A connection as soon as one may be used.
    async fn leased(self: Arc<Shared<S>>) -> Result<Lease<S>, SourceError> {
        if let Some(Failure { why, .. }) = self.breaker.silence() {
            return Err(self.down(&why));
        }
        let waiting = Arc::clone(&self.permits).acquire_owned();
        match time::timeout(self.server.patience(), waiting).await {
            Ok(Ok(permit)) => match self.rested() {
                Some(session) => Ok(Lease { session, shared: self, permit }),
                None => self.opened(permit).await,
            },
            Ok(Err(_)) | Err(_) => Err(SourceError::Exhausted { source: self.source.clone() }),
        }
    }

    /// A connection over which the server has just answered: one that has rested may be gone, or lead to a server that says
    /// nothing any more.
    async fn answering(self: Arc<Shared<S>>) -> Result<Lease<S>, SourceError> {
        let patience = self.server.patience();
        for _ in 0..2 {
            let mut lease = Arc::clone(&self).leased().await?;
            let began = Instant::now();
            match lease.session.answers(patience).await {
                true => return Ok(lease),
                false if began.elapsed() < patience => self.idle().clear(),
                false => {
                    self.breaker.fell_silent();
                    self.idle().clear();
                    lease.cancel();
                    return Err(self.down(&Failure::silent(patience).why));
                }
            }
        }
        Err(self.down(LOST))
    }

    /// A new connection.
    async fn opened(self: Arc<Shared<S>>, permit: OwnedSemaphorePermit) -> Result<Lease<S>, SourceError> {
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
    async fn session(&self) -> Result<S::Session, Failure> {
        let attempt = self.breaker.attempt()?;
        self.opening.fetch_add(1, Ordering::Relaxed);
        let opened = self.server.open().await;
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
    async fn probe(self: &Arc<Shared<S>>) {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else { return };
        while let Some(mut session) = self.rested() {
            if session.answers(self.server.patience()).await {
                return Lease { session, shared: Arc::clone(self), permit }.give_back();
            }
        }
        if let Ok(lease) = Arc::clone(self).opened(permit).await {
            lease.give_back();
        }
    }

    /// Begins to close connections that have rested for long, until nobody needs any.
    fn look_after(self: &Arc<Shared<S>>) {
        if self.is_looked_after.swap(true, Ordering::AcqRel) {
            return;
        }
        let shared: Weak<Shared<S>> = Arc::downgrade(self);
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
impl<S: Server> Connections<S> {
    /// Whether nobody may try to connect now.
    pub(in crate::engine::sources) fn waits(&self) -> bool {
        self.shared.breaker.attempt().is_err()
    }
}
