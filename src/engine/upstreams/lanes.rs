//! Servers whose questions are passed on: each call has a connection of its own, since revisions before 2026-07-28 do not say which
//! call a question is about. As many calls run at a time as there are connections.
//!
//! A question may also come late, when its call is over. So a connection is used again by the same caller alone, and not at all where it is
//! not known who calls.

use super::Watched;
use crate::upstreams::Failure;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// How many connections there are where nothing is said.
const USUAL: usize = 4;

/// The connections of a server.
pub(super) struct Lanes {
    all: Vec<Arc<Watched>>,
    free: Mutex<Vec<Free>>,
    turns: Semaphore,
    /// The turns of each caller: one that does not answer leaves some to others.
    shares: Mutex<HashMap<Option<Arc<str>>, Arc<Semaphore>>>,
}

/// A connection that nobody uses.
struct Free {
    at: usize,
    /// Who has used it.
    used_by: Option<Arc<str>>,
}

/// A connection that one call has for itself.
pub(super) struct Lane<'a> {
    lanes: &'a Lanes,
    at: usize,
    whose: Option<Arc<str>>,
    pub(super) server: Arc<Watched>,
    _turn: (OwnedSemaphorePermit, SemaphorePermit<'a>),
}

impl Lanes {
    /// So many connections, each made by a function at its first use.
    pub(super) fn new(concurrency: Option<u16>, connection: impl Fn() -> Watched) -> Lanes {
        let count = concurrency.map_or(USUAL, usize::from).max(1);
        let all = (0..count).map(|_| Arc::new(connection())).collect();
        // The first are used first, so that few programs are started.
        let free = (0..count).rev().map(|at| Free { at, used_by: None }).collect();
        Lanes { all, free: Mutex::new(free), turns: Semaphore::new(count), shares: Mutex::default() }
    }

    /// A connection that is free, for a caller; it is waited for. One caller has three quarters of them at most.
    ///
    /// Errors: there is none any more.
    pub(super) async fn take(&self, whose: Option<Arc<str>>) -> Result<Lane<'_>, Failure> {
        let own = self.share(&whose).acquire_owned().await.map_err(|_| Failure::Busy)?;
        let turn = self.turns.acquire().await.map_err(|_| Failure::Busy)?;
        // There are as many turns as connections.
        let free = self.one_for(&whose).ok_or(Failure::Busy)?;
        let server = self.all.get(free.at).cloned().ok_or(Failure::Busy)?;
        if free.used_by.is_some() && free.used_by != whose {
            server.forget_caller();
        }
        Ok(Lane { lanes: self, at: free.at, whose, server, _turn: (own, turn) })
    }

    fn share(&self, whose: &Option<Arc<str>>) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        let most = (self.all.len() * 3 / 4).max(1);
        Arc::clone(shares.entry(whose.clone()).or_insert_with(|| Arc::new(Semaphore::new(most))))
    }

    /// A free connection: one that the caller has used, else one that nobody has, else any.
    fn one_for(&self, whose: &Option<Arc<str>>) -> Option<Free> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let own = free.iter().rposition(|one| one.used_by.is_some() && one.used_by == *whose);
        let at = own.or_else(|| free.iter().rposition(|one| one.used_by.is_none()));
        let at = at.or_else(|| free.len().checked_sub(1))?;
        Some(free.remove(at))
    }

    /// The connections.
    pub(super) fn servers(&self) -> impl Iterator<Item = &Arc<Watched>> {
        self.all.iter()
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        if self.whose.is_none() {
            self.server.forget_caller();
        }
        let mut free = self.lanes.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(Free { at: self.at, used_by: self.whose.take() });
        free.sort_unstable_by_key(|one| std::cmp::Reverse(one.at));
    }
}
