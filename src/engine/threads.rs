//! The threads that queries run on: their own, so that a query that does not let go of its thread (a join looks up only
//! between batches) keeps no one from listing tools, and no deadline from passing.
//!
//! Every query has a [`Lane`], a runtime with a thread a core, which is there for one query at a time: nobody waits in
//! the queue of threads that are held by somebody else. A lane whose query was short is kept for the next. The threads
//! of a query that goes on step back, so that short queries are answered beside it; they cannot be put forward again, and
//! the lane is given up at the end. So are those of a query that was told to stop and does not: they step back further
//! and are left to it.

use super::STACK_SIZE;
use super::error::CallError;
use super::limits::{GRACE, Limits};
use super::stop::Stop;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{JoinError, JoinHandle};

/// How long a query may take before its threads step back.
const SHORT: Duration = Duration::from_millis(50);
/// How many queries that do not stop may be left to themselves; those beyond count as running.
const MOST_LOST_A_CORE: usize = 32;
/// How often it is looked whether a query that was told to stop has done so.
const RECHECK: Duration = Duration::from_millis(250);

/// How far threads step back: the niceness of Unix.
#[derive(Clone, Copy)]
enum Niceness {
    /// Of a query that goes on: a quarter of the time of one that does not, where both want all of it.
    Long = 6,
    /// Of a query that nobody waits for.
    Lost = 19,
}

/// Threads for queries. Clones share them.
#[derive(Clone)]
pub(super) struct Threads {
    shared: Arc<Shared>,
}

struct Shared {
    /// Lanes that wait for a query.
    idle: Mutex<Vec<Lane>>,
    most_idle: usize,
    most_lost: usize,
    cores: usize,
    /// How many queries somebody waits for.
    running: AtomicUsize,
    /// How many queries were told to stop and have not.
    lost: AtomicUsize,
}

impl Threads {
    /// Threads for as many queries at once as come.
    pub(super) fn new(limits: &Limits) -> Threads {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let (idle, running, lost) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
        let (most_idle, most_lost) = (limits.concurrency, cores * MOST_LOST_A_CORE);
        Threads { shared: Arc::new(Shared { idle, most_idle, most_lost, cores, running, lost }) }
    }

    /// Whether no query runs but, perhaps, the one that asks.
    pub(super) fn are_quiet(&self) -> bool {
        self.shared.running.load(Ordering::Relaxed) <= 1
    }

    /// Runs a query on threads of its own. It is told to stop when the future is dropped: its task is aborted, and `stop`
    /// is set. `turn` is held until it has stopped.
    ///
    /// Errors: the query panicked; no thread is to be had.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        query: impl Future<Output = T> + Send + 'static,
        stop: Stop,
        turn: impl Send + 'static,
    ) -> Result<T, Failed> {
        let lane = self.shared.lane().map_err(Failed::NoThread)?;
        let handle = lane.handle.spawn(query);
        self.shared.running.fetch_add(1, Ordering::Relaxed);
        let mut task = Task { shared: Arc::clone(&self.shared), running: Some(Running { handle, lane, stop, turn }) };
        let ended = match tokio::time::timeout(self.shared.short(), task.end()).await {
            Ok(ended) => ended,
            Err(_) => {
                task.step_back();
                task.end().await
            }
        };
        ended.map_err(Failed::Panicked)
    }
}

/// Why a query has no end.
pub(super) enum Failed {
    Panicked(JoinError),
    NoThread(io::Error),
}

impl From<Failed> for CallError {
    fn from(failed: Failed) -> CallError {
        match failed {
            Failed::Panicked(panic) => CallError::internal(panic.to_string()),
            Failed::NoThread(error) => {
                let busy = CallError::new("busy", "too many calls are under way").hint("try again in a moment");
                CallError { detail: Some(error.to_string()), ..busy }
            }
        }
    }
}

impl Shared {
    /// How long a query may take before its threads step back: longer where it shares the cores with others.
    fn short(&self) -> Duration {
        let running = self.running.load(Ordering::Relaxed);
        SHORT.saturating_mul(u32::try_from(running / self.cores).unwrap_or(1).max(1))
    }

    /// A lane for a query.
    fn lane(&self) -> io::Result<Lane> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Lane::new(self.cores), Ok)
    }

    /// Takes a lane back whose query has ended.
    fn give_back(&self, lane: Lane) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if !lane.stepped_back && idle.len() < self.most_idle {
            idle.push(lane);
        }
    }
}

/// A runtime for one query at a time.
struct Lane {
    handle: Handle,
    /// Until it is given up.
    runtime: Option<Runtime>,
    threads: Arc<Mutex<Vec<Thread>>>,
    stepped_back: bool,
}

impl Lane {
    fn new(cores: usize) -> io::Result<Lane> {
        let threads: Arc<Mutex<Vec<Thread>>> = Arc::default();
        let (started, stopped) = (Arc::clone(&threads), Arc::clone(&threads));
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores)
            .thread_name("query")
            .thread_stack_size(STACK_SIZE)
            .on_thread_start(move || started.lock().unwrap_or_else(PoisonError::into_inner).push(Thread::current()))
            // Its number may become that of another thread.
            .on_thread_stop(move || {
                let own = Thread::current();
                stopped.lock().unwrap_or_else(PoisonError::into_inner).retain(|thread| *thread != own);
            })
            .enable_all()
            .build()?;
        Ok(Lane { handle: runtime.handle().clone(), runtime: Some(runtime), threads, stepped_back: false })
    }

    fn step_back(&mut self, niceness: Niceness) {
        self.stepped_back = true;
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.iter().for_each(|thread| thread.step_back(niceness));
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Waiting for a query here would block a thread that may not be blocked.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A query that runs. Dropped before its end, it is told to stop.
struct Task<T, G: Send + 'static> {
    shared: Arc<Shared>,
    running: Option<Running<T, G>>,
}

struct Running<T, G> {
    handle: JoinHandle<T>,
    lane: Lane,
    stop: Stop,
    turn: G,
}

impl<T, G: Send + 'static> Task<T, G> {
    async fn end(&mut self) -> Result<T, JoinError> {
        let Some(running) = &mut self.running else { return std::future::pending().await };
        let ended = (&mut running.handle).await;
        if let Some(Running { lane, .. }) = self.running.take() {
            self.shared.give_back(lane);
        }
        ended
    }

    fn step_back(&mut self) {
        if let Some(running) = &mut self.running {
            running.lane.step_back(Niceness::Long);
        }
    }
}

impl<T, G: Send + 'static> Drop for Task<T, G> {
    fn drop(&mut self) {
        self.shared.running.fetch_sub(1, Ordering::Relaxed);
        let Some(Running { handle, mut lane, stop, turn }) = self.running.take() else { return };
        handle.abort();
        stop.set();
        let (abort, shared) = (handle.abort_handle(), Arc::clone(&self.shared));
        // Outside of a runtime the program is about to end.
        let Ok(here) = Handle::try_current() else { return };
        here.spawn(async move {
            tokio::time::sleep(GRACE).await;
            if abort.is_finished() {
                return shared.give_back(lane);
            }
            lane.step_back(Niceness::Lost);
            let lost = shared.lost.fetch_add(1, Ordering::Relaxed) + 1;
            // Where too many are lost, the turn is kept as well: calls wait, and the process does not drown.
            let turn = (lost > shared.most_lost).then_some(turn);
            tracing::warn!(lost, "a query does not stop; its threads are left to it");
            while !abort.is_finished() {
                tokio::time::sleep(RECHECK).await;
            }
            shared.lost.fetch_sub(1, Ordering::Relaxed);
            drop((turn, lane));
        });
    }
}

/// A thread as the operating system counts them.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Thread(rustix::thread::Pid);

#[cfg(target_os = "linux")]
impl Thread {
    fn current() -> Thread {
        Thread(rustix::thread::gettid())
    }

    fn step_back(self, niceness: Niceness) {
        // On Linux niceness is a thread's own: setpriority(2), "C library/kernel differences". It can always be raised;
        // where a sandbox forbids even that, queries share the time equally.
        if let Err(error) = rustix::process::setpriority_process(Some(self.0), niceness as i32) {
            tracing::debug!(%error, "a thread does not step back");
        }
    }
}

/// Elsewhere niceness is the process's, and all share the time equally.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Thread(std::thread::ThreadId);

#[cfg(not(target_os = "linux"))]
impl Thread {
    fn current() -> Thread {
        Thread(std::thread::current().id())
    }

    fn step_back(self, _: Niceness) {}
}
