//! The threads that queries run on: their own, so that a query that does not let go of its thread (a join looks up only
//! between batches) keeps no one from listing tools, and no deadline from passing.
//!
//! A query is told to stop when its deadline passes. One that does not is left behind with its threads, and where too
//! many threads are lost so, others take their place.

use super::STACK_SIZE;
use super::limits::{GRACE, Limits};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{JoinError, JoinHandle};

/// Beyond that, threads cost address space (a stack each) and are never busy all at once.
const MOST_A_CORE: usize = 24;
/// The most runtimes that are there at once; beyond that new queries share what is left.
const MOST_RUNTIMES: usize = 6;

/// Runtimes for queries.
pub(super) struct Threads {
    current: RwLock<Arc<Pool>>,
    count: usize,
    /// The runtimes that are there.
    alive: Arc<AtomicUsize>,
}

/// Threads, and how many queries do not let go of theirs.
struct Pool {
    /// Without threads of its own to be had, queries share those of the caller.
    runtime: Option<Runtime>,
    stuck: AtomicUsize,
    alive: Arc<AtomicUsize>,
}

impl Threads {
    /// Threads for that many queries at once, with stacks that hold the deepest plan that compiles: a query takes a
    /// thread a core at a time, and one for itself.
    pub(super) fn new(limits: &Limits) -> Threads {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let count = limits.concurrency.saturating_mul(cores + 1).clamp(2, cores * MOST_A_CORE);
        let alive = Arc::new(AtomicUsize::new(0));
        Threads { current: RwLock::new(Pool::new(count, &alive)), count, alive }
    }

    /// Starts a query; it is told to stop when the task is dropped.
    pub(super) fn spawn<T: Send + 'static>(&self, query: impl Future<Output = T> + Send + 'static) -> Task<T> {
        let pool = self.current();
        let handle = match &pool.runtime {
            Some(runtime) => runtime.spawn(query),
            None => tokio::spawn(query),
        };
        Task { handle: Some(handle), pool }
    }

    fn current(&self) -> Arc<Pool> {
        let pool = Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner));
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let lost = pool.stuck.load(Ordering::Relaxed) * cores;
        // Early: who waits in the queue of threads that are all lost waits in vain.
        if lost * 4 < self.count || self.alive.load(Ordering::Relaxed) >= MOST_RUNTIMES {
            return pool;
        }
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have done it meanwhile.
        if Arc::ptr_eq(&current, &pool) {
            tracing::warn!(lost, "queries do not stop; others get threads of their own");
            *current = Pool::new(self.count, &self.alive);
        }
        Arc::clone(&current)
    }
}

impl Pool {
    fn new(count: usize, alive: &Arc<AtomicUsize>) -> Arc<Pool> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(count)
            .thread_name("query")
            .thread_stack_size(STACK_SIZE)
            .enable_all()
            .build();
        alive.fetch_add(1, Ordering::Relaxed);
        Arc::new(Pool { runtime: runtime.ok(), stuck: AtomicUsize::new(0), alive: Arc::clone(alive) })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
        // Waiting for a query here would block a thread that may not be blocked.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A query that runs. Dropped, it is told to stop.
pub(super) struct Task<T> {
    handle: Option<JoinHandle<T>>,
    pool: Arc<Pool>,
}

impl<T> Future for Task<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(handle) = &mut self.handle else { return Poll::Pending };
        let outcome = Pin::new(handle).poll(context);
        if outcome.is_ready() {
            self.handle = None;
        }
        outcome
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        let Some(handle) = self.handle.take() else { return };
        handle.abort();
        let (abort, pool) = (handle.abort_handle(), Arc::clone(&self.pool));
        // Outside of a runtime the program is about to end.
        let Ok(here) = Handle::try_current() else { return };
        here.spawn(async move {
            tokio::time::sleep(GRACE).await;
            if abort.is_finished() {
                return;
            }
            pool.stuck.fetch_add(1, Ordering::Relaxed);
            while !abort.is_finished() {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            pool.stuck.fetch_sub(1, Ordering::Relaxed);
        });
    }
}
