//! A runtime for one query at a time, with threads of its own.

use super::ending::{end, try_thread};
use crate::engine::STACK_SIZE;
use crate::plan::stop::Stop;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// How many threads of a lane may read and write files at once.
const MOST_BLOCKING: usize = 2;
/// Longer than a server runs: a thread that is gone may not be had again.
const FOR_GOOD: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// How far threads step back: the niceness of Unix.
#[derive(Clone, Copy)]
pub(super) enum Niceness {
    /// Of a query that goes on: a quarter of the time of one that does not, where both want all of it.
    Long = 6,
    /// Of a query that nobody waits for and that has had its time to stop: a tenth of the time. Not less, or it would
    /// hardly ever come to a place where it stops beside the work of other processes.
    Lost = 10,
}

/// A runtime for one query at a time.
pub(super) struct Lane {
    pub(super) handle: Handle,
    /// Until it is given up.
    runtime: Option<Runtime>,
    threads: Arc<Started>,
    /// Whether the query is to stop.
    pub(super) stop: Stop,
    pub(super) stepped_back: bool,
}

/// The threads of a lane that have started, and its place among the lanes.
struct Started {
    threads: Mutex<Vec<Thread>>,
    _place: Place,
}

impl Lane {
    /// A lane, and what tells that it has all the threads that it cannot do without.
    ///
    /// Errors: the system has no thread or no memory for it.
    pub(super) fn new(workers: usize, place: Place) -> io::Result<(Lane, oneshot::Receiver<()>)> {
        // The runtime panics where it gets none at all.
        try_thread(STACK_SIZE)?;
        let stop = Stop::default();
        // They have them until they have ended: so long the place is taken.
        let threads = Arc::new(Started { threads: Mutex::default(), _place: place });
        let (started, stopped, held) = (Arc::clone(&threads), Arc::clone(&threads), stop.clone());
        let mut builder = Builder::new_multi_thread();
        builder
            .worker_threads(workers)
            .max_blocking_threads(MOST_BLOCKING)
            .thread_keep_alive(FOR_GOOD)
            .thread_name("query")
            .thread_stack_size(STACK_SIZE)
            .on_thread_start(move || {
                held.holds_here();
                started.threads().push(Thread::current());
            })
            // Its number may become that of another thread.
            .on_thread_stop(move || {
                let own = Thread::current();
                stopped.threads().retain(|thread| *thread != own);
            })
            .enable_all();
        let runtime = catch_unwind(AssertUnwindSafe(|| builder.build())).unwrap_or_else(|_| Err(no_thread()))?;
        // From here on it is given up without waiting for its threads.
        let lane =
            Lane { handle: runtime.handle().clone(), runtime: Some(runtime), threads, stop, stepped_back: false };
        let (ready, is_ready) = oneshot::channel();
        // The first file that is read would wait for ever for a thread that cannot be had.
        let blocking = || lane.handle.spawn_blocking(move || ready.send(()));
        drop(catch_unwind(AssertUnwindSafe(blocking)).map_err(|_| no_thread())?);
        Ok((lane, is_ready))
    }

    /// Lets the threads of others go first. It cannot be taken back.
    pub(super) fn step_back(&mut self, niceness: Niceness) {
        self.stepped_back = true;
        self.threads.threads().iter().for_each(|thread| thread.step_back(niceness));
    }

    /// Whether no task is left of a query: neither its own nor one that an operator has started.
    pub(super) fn has_no_tasks(&self) -> bool {
        self.handle.metrics().num_alive_tasks() == 0
    }

    /// Whether nothing goes on in its threads any more.
    pub(super) fn rests(&self) -> bool {
        self.has_no_tasks() && !self.threads.threads().iter().any(|thread| thread.is_busy())
    }
}

impl Started {
    fn threads(&self) -> std::sync::MutexGuard<'_, Vec<Thread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // Waiting for a query here would block a thread that may not be blocked.
        if let Some(runtime) = self.runtime.take() {
            end(runtime);
        }
    }
}

fn no_thread() -> io::Error {
    io::Error::other("no thread can be started")
}

/// A place among the lanes, free again when the last thread of the lane has ended.
pub(super) struct Place(Arc<AtomicUsize>);

impl Place {
    /// One of so many; `None` where all are taken.
    pub(super) fn take(taken: &Arc<AtomicUsize>, most: usize) -> Option<Place> {
        let one_more = |taken: usize| (taken < most).then_some(taken + 1);
        taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(Place(Arc::clone(taken)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
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

    /// Whether it runs, or waits for a disk: proc_pid_stat(5). One that cannot be looked at has ended.
    fn is_busy(self) -> bool {
        let path = format!("/proc/self/task/{}/stat", self.0.as_raw_nonzero());
        let stat = std::fs::read_to_string(path).unwrap_or_default();
        // The name before it is in brackets, and may hold any.
        let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
        matches!(state, Some('R' | 'D'))
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

    fn is_busy(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_it_is_given_up() {
        let taken = Arc::new(AtomicUsize::new(0));
        let one = Place::take(&taken, 2);
        let two = Place::take(&taken, 2);
        assert!(one.is_some() && two.is_some() && Place::take(&taken, 2).is_none());
        drop(one);
        assert!(Place::take(&taken, 2).is_some());
    }
}
