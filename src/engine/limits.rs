//! What calls may take.

use super::threads::room;
use crate::plan::stop;
use crate::project;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};
use datafusion::execution::runtime_env::RuntimeEnv;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

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
        // What may not be had must not be counted on: who asks for it and gets none cannot go on.
        let within = |share: u64| {
            room::address_space().map_or(usize::MAX, |left| usize::try_from(left / share).unwrap_or(usize::MAX))
        };
        let memory = written.memory.map_or(1 << 30, project::ByteSize::bytes).min(within(4));
        Limits {
            max_bytes: written.max_bytes.map_or(256 << 10, project::ByteSize::bytes),
            memory,
            query_memory: written.query_memory.map_or(memory / 2, project::ByteSize::bytes).min(memory),
            cache: written.cache.map_or(256 << 20, project::ByteSize::bytes).min(within(16)),
            results: written.results.map_or(64 << 20, project::ByteSize::bytes).min(within(32)),
            spill: written.spill.map_or(4 << 30, |size| size.0),
            concurrency: written.concurrency.map_or(cores * 4, |calls| calls as usize),
            queue: written.queue.map_or(256, |calls| calls as usize),
        }
    }
}

/// What is said of a query that wants more.
pub(super) const A_QUERY_MAY_TAKE: &str = "a query may take";

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
        // A sort that spills, and the merge of its runs, hand on nothing for a long time, and ask for memory all along.
        stop::check()?;
        let before = self.used.fetch_add(additional, Ordering::Relaxed);
        let grown = if before.saturating_add(additional) > self.most {
            Err(DataFusionError::ResourcesExhausted(format!("{A_QUERY_MAY_TAKE} {} bytes", self.most)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::stop::Stop;
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;

    #[test]
    fn a_query_that_is_given_up_gets_no_more_memory() {
        let all = RuntimeEnvBuilder::new().build().unwrap();
        let pool = Arc::clone(&environment(&all, &Limits::default()).memory_pool);
        let works = move || {
            let reservation = MemoryConsumer::new("a sort").register(&pool);
            let stop = Stop::default();
            stop.holds_here();
            let before = reservation.try_grow(1_000).is_ok();
            stop.set();
            let refused = reservation.try_grow(1_000).err().map(|error| error.strip_backtrace());
            // What it has is given back whether or not somebody waits.
            let held = (pool.reserved(), reservation.free(), pool.reserved());
            (before, refused, held)
        };
        let (before, refused, held) = std::thread::spawn(works).join().unwrap();
        assert!(before && held == (1_000, 1_000, 0), "{held:?}");
        // Not as if there were no memory: that is a reason to spill, and to go on.
        assert!(refused.is_some_and(|said| said.contains("nobody waits")));
    }
}
