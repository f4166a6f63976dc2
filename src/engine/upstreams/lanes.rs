//! Servers whose questions are passed on: each call has a connection of its own, since revisions before 2026-07-28 do not say which
//! call a question is about. As many calls run at a time as there are connections.

use super::Watched;
use crate::upstreams::Failure;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit};

/// How many connections there are where nothing is said.
const USUAL: usize = 4;

/// The connections of a server.
pub(super) struct Lanes {
    all: Vec<Arc<Watched>>,
    /// The places of those that are free; the first are used first, so that few programs are started.
    free: Mutex<Vec<usize>>,
    turns: Semaphore,
}

/// A connection that one call has for itself.
pub(super) struct Lane<'a> {
    lanes: &'a Lanes,
    at: usize,
    pub(super) server: Arc<Watched>,
    _turn: SemaphorePermit<'a>,
}

impl Lanes {
    /// So many connections, each made by a function at its first use.
    pub(super) fn new(concurrency: Option<u16>, connection: impl Fn() -> Watched) -> Lanes {
        let count = concurrency.map_or(USUAL, usize::from).max(1);
        let all = (0..count).map(|_| Arc::new(connection())).collect();
        Lanes { all, free: Mutex::new((0..count).rev().collect()), turns: Semaphore::new(count) }
    }

    /// A connection that is free; it is waited for.
    ///
    /// Errors: there is none any more.
    pub(super) async fn take(&self) -> Result<Lane<'_>, Failure> {
        let turn = self.turns.acquire().await.map_err(|_| Failure::Busy)?;
        // There are as many turns as connections.
        let at = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().ok_or(Failure::Busy)?;
        let server = self.all.get(at).cloned().ok_or(Failure::Busy)?;
        Ok(Lane { lanes: self, at, server, _turn: turn })
    }

    /// Whether on one of them something else was heard of a tool than what is locked.
    pub(super) fn is_known_to_differ(&self, tool: &str, definition: &str) -> bool {
        self.all.iter().any(|server| server.is_known_to_differ(tool, definition))
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let mut free = self.lanes.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(self.at);
        free.sort_unstable_by(|a, b| b.cmp(a));
    }
}
