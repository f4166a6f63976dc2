//! What calls may take, and the gate that they wait at.

use super::error::CallError;
use crate::project;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use datafusion::execution::runtime_env::RuntimeEnv;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What calls may take, with all defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of rows in a result.
    pub max_bytes: usize,
    /// Bytes that all queries together may take for sorts, joins and aggregates.
    pub memory: usize,
    /// Bytes that one query may take of those.
    pub query_memory: usize,
    /// Bytes that the rows of tables may take that are kept between calls.
    pub cache: usize,
    /// Bytes that results may take that are kept between calls.
    pub results: usize,
    /// Bytes of disk that all queries together may spill to.
    pub spill: u64,
    /// Calls that run at once.
    pub concurrency: usize,
    /// Calls that wait for their turn.
    pub queue: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits::of(&project::Limits::default())
    }
}

impl Limits {
    /// Those of a project.
    pub fn of(written: &project::Limits) -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let memory = written.memory.map_or(1 << 30, project::ByteSize::bytes);
        Limits {
            max_bytes: written.max_bytes.map_or(256 << 10, project::ByteSize::bytes),
            memory,
            query_memory: written.query_memory.map_or(memory / 2, project::ByteSize::bytes),
            cache: written.cache.map_or(256 << 20, project::ByteSize::bytes),
            results: written.results.map_or(64 << 20, project::ByteSize::bytes),
            spill: written.spill.map_or(4 << 30, |size| size.0),
            concurrency: written.concurrency.map_or(cores * 4, |calls| calls as usize),
            queue: written.queue.map_or(256, |calls| calls as usize),
        }
    }
}

/// Lets so many calls run at once; so many more wait, and the rest is refused.
pub(super) struct Gate {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
}

impl Gate {
    pub(super) fn new(limits: &Limits) -> Gate {
        Gate {
            running: Arc::new(Semaphore::new(limits.concurrency)),
            waiting: AtomicUsize::new(0),
            queue: limits.queue,
        }
    }

    /// A turn, where nobody else waits for one.
    fn at_once(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.running).try_acquire_owned().ok()
    }

    /// Waits for a turn; it lasts until the permit is dropped.
    pub(super) async fn enter(&self) -> Result<OwnedSemaphorePermit, CallError> {
        if let Some(permit) = self.at_once() {
            return Ok(permit);
        }
        let place = Place::take(&self.waiting);
        if place.ahead >= self.queue {
            return Err(CallError::new("busy", "too many calls are under way").hint("try again in a moment"));
        }
        let permit = Arc::clone(&self.running).acquire_owned().await;
        permit.map_err(|_| CallError::new("busy", "the server is stopping"))
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// A place in the queue; given up when the caller goes.
struct Place<'a> {
    waiting: &'a AtomicUsize,
    ahead: usize,
}

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize) -> Place<'a> {
        Place { waiting, ahead: waiting.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The memory of one query: a share of the pool of all.
struct Share {
    all: Arc<dyn MemoryPool>,
    most: usize,
    used: AtomicUsize,
}

/// The environment of one query, whose memory is bounded by itself.
pub(super) fn environment(all: &RuntimeEnv, limits: &Limits) -> Arc<RuntimeEnv> {
    let share = Share { all: Arc::clone(&all.memory_pool), most: limits.query_memory, used: AtomicUsize::new(0) };
    Arc::new(RuntimeEnv { memory_pool: Arc::new(share), ..all.clone() })
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("most", &self.most).field("used", &self.used).finish()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "share of a query")
    }
}

impl MemoryPool for Share {
    fn name(&self) -> &str {
        "share of a query"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.all.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.all.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.used.fetch_add(additional, Ordering::Relaxed);
        self.all.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.used.fetch_sub(shrink, Ordering::Relaxed);
        self.all.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let before = self.used.fetch_add(additional, Ordering::Relaxed);
        let grown = if before.saturating_add(additional) > self.most {
            Err(DataFusionError::ResourcesExhausted(format!("a query may take {} bytes", self.most)))
        } else {
            self.all.try_grow(reservation, additional)
        };
        if grown.is_err() {
            self.used.fetch_sub(additional, Ordering::Relaxed);
        }
        grown
    }

    fn reserved(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.most)
    }
}

/// How long a query is waited for that was told to stop, before its threads are given up.
pub(super) const GRACE: Duration = Duration::from_millis(100);
