//! The place of the one connection to a server: it is made at the first use, shared by all, and made again after a loss.

use super::breaker::Breaker;
use super::config::{Config, Era};
use super::failure::Failure;
use super::link::Link;
use super::open::{self, Shared};
use futures::FutureExt;
use futures::future::{BoxFuture, Shared as SharedFuture};
use rmcp::model::ProtocolVersion;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::task::AbortHandle;

type Opening = SharedFuture<BoxFuture<'static, Result<Arc<Link>, Failure>>>;

/// The place of a connection.
pub(super) struct Slot {
    config: Arc<Config>,
    shared: Shared,
    state: Mutex<State>,
    was_used: AtomicBool,
}

struct State {
    breaker: Breaker,
    era: Era,
    now: Now,
}

enum Now {
    Nothing,
    Opening(Opening, AbortHandle),
    Open(Arc<Link>),
}

impl Slot {
    /// An empty place.
    pub(super) fn new(config: Arc<Config>, shared: Shared) -> Slot {
        let state = State { breaker: Breaker::new(config.restart), era: config.era, now: Now::Nothing };
        Slot { config, shared, state: Mutex::new(state), was_used: AtomicBool::new(false) }
    }

    /// The connection; it is made where there is none. Making it goes on when this is dropped: another one may wait
    /// for it.
    ///
    /// Errors: it cannot be made, or could not be a short time ago.
    pub(super) async fn link(&self) -> Result<Arc<Link>, Failure> {
        let opening = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            match &state.now {
                Now::Open(link) if !link.is_closed() => return Ok(link.clone()),
                Now::Opening(opening, _) if opening.peek().is_none() => opening.clone(),
                _ => self.open(&mut state)?,
            }
        };
        let outcome = opening.clone().await;
        self.settle(&opening, &outcome);
        outcome
    }

    /// The connection, where there is one.
    pub(super) fn open_link(&self) -> Option<Arc<Link>> {
        match &self.state.lock().unwrap_or_else(PoisonError::into_inner).now {
            Now::Open(link) => Some(link.clone()),
            _ => None,
        }
    }

    /// Ends the connection. The next use makes a new one.
    pub(super) fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Now::Opening(_, task) = &state.now {
            task.abort();
        }
        state.now = Now::Nothing;
    }

    fn open(&self, state: &mut State) -> Result<Opening, Failure> {
        let now = Instant::now();
        if let Now::Open(link) = &state.now {
            // Its pause began when it was lost, and not when it was next wanted.
            let (lost, since, is_forgotten) = (link.lost_at(), link.since, link.is_forgotten());
            state.now = Now::Nothing;
            if !is_forgotten {
                state.breaker.lost(lost, lost.saturating_duration_since(since));
            }
        }
        state.breaker.admit(now)?;
        let (config, shared, era) = (self.config.clone(), self.shared.clone(), state.era);
        let task = tokio::spawn(async move { open::open(&config, era, &shared).await.map(Arc::new) });
        let abort = task.abort_handle();
        let stopped = || Failure::Unreachable("the connection is being closed".to_owned());
        let opening = async move { task.await.unwrap_or_else(|_| Err(stopped())) }.boxed().shared();
        state.now = Now::Opening(opening.clone(), abort);
        Ok(opening)
    }

    /// Notes how the making of a connection ended; the first of those that waited for it does.
    fn settle(&self, opening: &Opening, outcome: &Result<Arc<Link>, Failure>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(&state.now, Now::Opening(current, _) if current.ptr_eq(opening)) {
            return;
        }
        match outcome {
            Ok(link) => {
                state.era = era_of(link).unwrap_or(state.era);
                // What is served may be another release of it.
                if self.was_used.swap(true, Ordering::AcqRel) {
                    self.shared.news.note(true);
                }
                state.now = Now::Open(link.clone());
            }
            Err(failure) => {
                // The next attempt is as open as the first: a release that speaks another revision may have come.
                state.era = self.config.era;
                state.breaker.not_reached(Instant::now(), failure.clone());
                state.now = Now::Nothing;
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.close();
    }
}

/// What a server has once spoken is not asked for again when it is started anew.
fn era_of(link: &Link) -> Option<Era> {
    let server = link.server()?;
    Some(match server.protocol_version < ProtocolVersion::V_2026_07_28 {
        true => Era::Handshake,
        false => Era::Stateless,
    })
}
