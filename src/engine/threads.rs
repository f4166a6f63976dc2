//! The threads that queries run on: their own, so that a query that does not let go of its thread keeps no one from
//! listing tools, and no deadline from passing.
//!
//! Every query has a [`Lane`], a runtime with a thread a core, which is there for one query at a time: nobody waits in
//! the queue of threads that are held by somebody else. A lane whose query was short is kept for the next. The threads
//! of a query that goes on step back, so that short queries are answered beside it; they cannot be put forward again, and
//! the lane is given up at the end. So are those of a query that was told to stop and does not: they are left to it, step
//! back further after a while, and it counts as lost until they rest. How many lanes there may be is known before
//! ([`Room`]).

mod ending;
mod lane;
mod lost;
pub(super) mod room;
mod serving;
#[cfg(test)]
mod tests;
pub(super) mod whose;

use super::error::{CallError, Detail};
use super::limits::{GRACE, Limits};
use lane::{Lane, Niceness, Place};
use lost::Lost;
use room::Room;
pub use serving::serving_runtime;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, error::TryRecvError};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{sleep, timeout};
use whose::{Whose, busy};

/// How long a query may take before its threads step back.
const SHORT: Duration = Duration::from_millis(50);
/// How often it is looked whether a query that was told to stop has done so.
const RECHECK: Duration = Duration::from_millis(250);
/// How long the threads of such a query keep their share of the time, to come to a place where it stops.
const STOPPING: Duration = Duration::from_secs(1);
/// How long a lane is waited for whose query has just ended, and how often it is looked for.
const CHANGEOVER: Duration = Duration::from_millis(200);
const LOOK: Duration = Duration::from_millis(5);
/// How long the threads of a new lane are waited for.
const START: Duration = Duration::from_secs(2);

/// Threads for queries. Clones share them.
#[derive(Clone)]
pub(super) struct Threads {
    shared: Arc<Shared>,
}

struct Shared {
    /// Lanes that wait for a query.
    idle: Mutex<Vec<Lane>>,
    concurrency: usize,
    cores: usize,
    /// How many there may be: asked when the first is wanted.
    room: OnceLock<Room>,
    /// How many queries somebody waits for.
    running: AtomicUsize,
}

/// How many lanes the process has, idle or not: those of an engine outlive it where a reload has put another in its place.
static LANES: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
/// The queries of the process that were told to stop and have not.
static LOST: LazyLock<Arc<Lost>> = LazyLock::new(Arc::default);

impl Threads {
    /// Threads for as many queries at once as there may be.
    pub(super) fn new(limits: &Limits) -> Threads {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let threads = Threads {
            shared: Arc::new(Shared {
                idle: Mutex::default(),
                concurrency: limits.concurrency,
                cores,
                room: OnceLock::new(),
                running: AtomicUsize::new(0),
            }),
        };
        if room::address_space().is_some() {
            // What stacks do not take now is taken by rows later.
            threads.room();
        }
        threads
    }

    /// What there is room for.
    pub(super) fn room(&self) -> Room {
        self.shared.room()
    }

    /// How many queries were told to stop and have not.
    pub(super) fn lost(&self) -> usize {
        LOST.all()
    }

    /// Whether queries that do not stop leave no room for others.
    pub(super) fn are_exhausted(&self) -> bool {
        self.lost() >= self.room().lost
    }

    /// Whether somebody may have a query run, as far as earlier ones of theirs have stopped.
    ///
    /// Errors: `busy`, because too many have not.
    pub(super) fn admit(&self, whose: &Whose) -> Result<(), CallError> {
        LOST.admit(whose, self.room().lost)
    }

    /// Whether no query runs but, perhaps, the one that asks.
    pub(super) fn are_quiet(&self) -> bool {
        self.shared.running.load(Ordering::Relaxed) <= 1
    }

    /// Runs a query on threads of its own. It is told to stop when the future is dropped. `turn` is held until it has
    /// stopped, or counts as lost.
    ///
    /// Errors: the query panicked; no thread is to be had.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        query: impl Future<Output = T> + Send + 'static,
        whose: Whose,
        turn: impl Send + 'static,
    ) -> Result<T, Failed> {
        let (lane, is_ready) = self.shared.lane().await.map_err(Failed::NoThread)?;
        let handle = lane.handle.spawn(query);
        self.shared.running.fetch_add(1, Ordering::Relaxed);
        let running = Running { handle, lane, whose, turn };
        let mut task = Task { shared: Arc::clone(&self.shared), running: Some(running) };
        if let Some(is_ready) = is_ready {
            tokio::select! {
                ended = task.end() => return ended.map_err(Failed::Panicked),
                ready = timeout(START, is_ready) => if !matches!(ready, Ok(Ok(()))) {
                    return Err(Failed::NoThread(io::Error::other("a thread was not started")));
                }
            }
        }
        let ended = match timeout(self.shared.short(), task.end()).await {
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
            Failed::NoThread(error) => CallError { detail: Some(Detail::Own(error.to_string())), ..busy() },
        }
    }
}

impl Shared {
    fn room(&self) -> Room {
        *self.room.get_or_init(|| {
            let room = Room::of(self.concurrency);
            if room.is_tight { self.make_lanes(room) } else { room }
        })
    }

    /// Makes all the lanes that there is room for, and tells how many there are.
    fn make_lanes(&self, room: Room) -> Room {
        let mut lanes = Vec::new();
        while let Some(place) = Place::take(&LANES, room.lanes) {
            let Ok((lane, is_ready)) = Lane::new(room.workers, place) else { break };
            if !has_started(is_ready) {
                break;
            }
            lanes.push(lane);
        }
        let room = room.with(lanes.len().max(1));
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(lanes);
        room
    }

    /// How long a query may take before its threads step back: longer where it shares the cores with others.
    fn short(&self) -> Duration {
        let running = self.running.load(Ordering::Relaxed);
        SHORT.saturating_mul(u32::try_from(running / self.cores).unwrap_or(1).max(1))
    }

    /// A lane for a query; where it is new, also what tells that its threads have started.
    async fn lane(&self) -> io::Result<(Lane, Option<oneshot::Receiver<()>>)> {
        if let Some(idle) = self.idle() {
            return Ok((idle, None));
        }
        let room = self.room();
        // Who had the last turn has given it back a moment before the lane.
        let free = async {
            loop {
                if let Some(place) = Place::take(&LANES, room.lanes) {
                    return Ok(place);
                }
                sleep(LOOK).await;
                if let Some(idle) = self.idle() {
                    return Err(idle);
                }
            }
        };
        match timeout(CHANGEOVER, free).await {
            Ok(Ok(place)) => Lane::new(room.workers, place).map(|(lane, is_ready)| (lane, Some(is_ready))),
            Ok(Err(idle)) => Ok((idle, None)),
            Err(_) => Err(io::Error::other(format!("all {} lanes are taken", room.lanes))),
        }
    }

    fn idle(&self) -> Option<Lane> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Takes a lane back in which nothing goes on.
    fn give_back(&self, lane: Lane) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let is_kept = !lane.stepped_back && idle.len() < self.concurrency;
        if is_kept || self.room().is_tight {
            lane.stop.clear();
            idle.push(lane);
        }
    }

    /// Takes a lane back as soon as nothing goes on in it. What has not ended by then was told to stop.
    async fn settle(self: Arc<Self>, mut lane: Lane, whose: Whose, turn: impl Send + 'static) {
        if timeout(GRACE, rest(&lane, LOOK)).await.is_ok() {
            return self.give_back(lane);
        }
        // Not further than those of any long query at first: the less time they get, the later they stop.
        self.step_back(&mut lane, Niceness::Long);
        let lost = LOST.count(whose);
        drop(turn);
        tracing::warn!(lost = LOST.all(), "a query does not stop; its threads are left to it");
        if timeout(STOPPING, rest(&lane, RECHECK)).await.is_err() {
            self.step_back(&mut lane, Niceness::Lost);
            rest(&lane, RECHECK).await;
        }
        drop(lost);
        self.give_back(lane);
    }

    /// Lets others go before a lane, unless it is wanted again: it cannot be put forward.
    fn step_back(&self, lane: &mut Lane, niceness: Niceness) {
        if !self.room().is_tight {
            lane.step_back(niceness);
        }
    }
}

/// Waits until nothing goes on in a lane, which is looked at so often.
async fn rest(lane: &Lane, every: Duration) {
    while !lane.rests() {
        sleep(every).await;
    }
}

/// Waits, for a moment, for a lane to have its threads.
fn has_started(mut is_ready: oneshot::Receiver<()>) -> bool {
    for _ in 0..START.as_millis() / 4 {
        match is_ready.try_recv() {
            Ok(()) => return true,
            Err(TryRecvError::Closed) => return false,
            Err(TryRecvError::Empty) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    false
}

/// A query that runs. Dropped before its end, it is told to stop.
struct Task<T, G: Send + 'static> {
    shared: Arc<Shared>,
    running: Option<Running<T, G>>,
}

struct Running<T, G> {
    handle: JoinHandle<T>,
    lane: Lane,
    whose: Whose,
    turn: G,
}

impl<T, G: Send + 'static> Task<T, G> {
    async fn end(&mut self) -> Result<T, JoinError> {
        let Some(running) = &mut self.running else { return std::future::pending().await };
        let ended = (&mut running.handle).await;
        if let Some(ended) = self.running.take() {
            self.leave(ended);
        }
        ended
    }

    /// Gives back lane and turn of a query that has ended, as soon as what it has started has ended, too.
    fn leave(&self, Running { lane, whose, turn, .. }: Running<T, G>) {
        if lane.has_no_tasks() {
            return self.shared.give_back(lane);
        }
        let shared = Arc::clone(&self.shared);
        self.later(async move {
            // It may be its own, which is told of before it is gone.
            tokio::task::yield_now().await;
            if lane.has_no_tasks() {
                return shared.give_back(lane);
            }
            lane.stop.set();
            shared.settle(lane, whose, turn).await;
        });
    }

    fn later(&self, settling: impl Future<Output = ()> + Send + 'static) {
        // Outside of a runtime the program is about to end.
        if let Ok(here) = Handle::try_current() {
            here.spawn(settling);
        }
    }

    fn step_back(&mut self) {
        if let Some(running) = &mut self.running {
            self.shared.step_back(&mut running.lane, Niceness::Long);
        }
    }
}

impl<T, G: Send + 'static> Drop for Task<T, G> {
    fn drop(&mut self) {
        self.shared.running.fetch_sub(1, Ordering::Relaxed);
        if let Some(Running { handle, lane, whose, turn }) = self.running.take() {
            handle.abort();
            lane.stop.set();
            self.later(Arc::clone(&self.shared).settle(lane, whose, turn));
        }
    }
}
