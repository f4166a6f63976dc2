//! The gate that calls wait at: so many run at once, so many more wait, and the rest is refused.
//!
//! Nobody holds up the others: a caller has three quarters of the turns and of the places in the queue at most, and who
//! has the fewest turns is next. Nor does a server that does not answer: calls that ask it have fewer turns than a caller has,
//! so that every caller has one left for tools that ask somebody else.

use super::error::CallError;
use super::limits::Limits;
use super::threads::Threads;
use super::threads::whose::busy;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

pub(super) use super::threads::whose::Whose;

/// What there is of something, and what one caller may have of it.
#[derive(Debug, Clone, Copy)]
struct Most {
    all: usize,
    each: usize,
    /// How many calls may ask one server.
    server: usize,
}

impl Most {
    fn of(all: usize) -> Most {
        let each = all - all / 4;
        Most { all, each, server: each.saturating_sub((all / 8).max(1)).max(1) }
    }
}

/// Whom a call counts for, and what it may have to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    /// Whom it counts for.
    pub whose: Whose,
    /// The servers that it asks.
    pub servers: Vec<Arc<str>>,
}

/// How many calls may wait for servers, for each turn that there is for those that work.
const AWAITED: usize = 8;

/// Lets so many calls run at once.
pub(super) struct Gate {
    calls: Arc<Calls>,
    threads: Threads,
    queue: Most,
    /// How many go through for each that the threads have room for.
    times: usize,
}

#[derive(Default)]
struct Calls(Mutex<State>);

#[derive(Default)]
struct State {
    /// How many turns there are: asked when the first is wanted.
    turns: Option<Most>,
    taken: usize,
    by_caller: HashMap<Whose, usize>,
    by_server: HashMap<Arc<str>, usize>,
    /// Who came first stands first.
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    whose: Counted,
    turn: oneshot::Sender<Turn>,
}

/// A turn, until it is dropped.
pub(super) struct Turn {
    calls: Arc<Calls>,
    whose: Counted,
}

impl Gate {
    pub(super) fn new(limits: &Limits, threads: Threads) -> Gate {
        Gate { calls: Arc::default(), threads, queue: Most::of(limits.queue), times: 1 }
    }

    /// The same for calls that do nothing but wait for a server: they take no thread.
    pub(super) fn awaiting(limits: &Limits, threads: Threads) -> Gate {
        Gate { times: AWAITED, ..Gate::new(limits, threads) }
    }

    /// Waits for a turn.
    ///
    /// Errors: `busy` where too many wait, or earlier queries do not stop.
    pub(super) async fn enter(&self, whose: &Counted) -> Result<Turn, CallError> {
        self.threads.admit(&whose.whose)?;
        let turn = match self.at_once_or_later(whose)? {
            Ok(turn) => turn,
            Err(later) => later.await.map_err(|_| busy())?,
        };
        // Meanwhile others may have run out of time.
        self.threads.admit(&whose.whose)?;
        Ok(turn)
    }

    fn at_once_or_later(&self, whose: &Counted) -> Result<Result<Turn, oneshot::Receiver<Turn>>, CallError> {
        let mut state = self.calls.state();
        if state.turns.is_none() {
            state.turns = Some(Most::of(self.threads.room().turns * self.times));
        }
        if state.may_take(whose) {
            state.take(whose);
            return Ok(Ok(Turn { calls: Arc::clone(&self.calls), whose: whose.clone() }));
        }
        state.waiting.retain(|waiting| !waiting.turn.is_closed());
        let own = state.waiting.iter().filter(|waiting| waiting.whose.whose == whose.whose).count();
        if state.waiting.len() >= self.queue.all || own >= self.queue.each {
            return Err(busy());
        }
        let (turn, later) = oneshot::channel();
        state.waiting.push_back(Waiting { whose: whose.clone(), turn });
        Ok(Err(later))
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.calls.state().waiting.iter().filter(|waiting| !waiting.turn.is_closed()).count()
    }
}

impl Calls {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has(&self, whose: &Whose) -> usize {
        self.by_caller.get(whose).copied().unwrap_or(0)
    }

    fn may_take(&self, call: &Counted) -> bool {
        let Some(turns) = self.turns else { return false };
        let asks = |server: &Arc<str>| self.by_server.get(server).copied().unwrap_or(0) < turns.server;
        self.taken < turns.all && self.has(&call.whose) < turns.each && call.servers.iter().all(asks)
    }

    fn take(&mut self, call: &Counted) {
        self.taken += 1;
        *self.by_caller.entry(call.whose.clone()).or_default() += 1;
        for server in &call.servers {
            *self.by_server.entry(Arc::clone(server)).or_default() += 1;
        }
    }

    fn give_back(&mut self, call: &Counted) {
        self.taken -= 1;
        count_down(&mut self.by_caller, &call.whose);
        for server in &call.servers {
            count_down(&mut self.by_server, server);
        }
    }

    /// Who is next: of those who may, who has the fewest turns, and of them who came first.
    fn next(&mut self) -> Option<Waiting> {
        self.waiting.retain(|waiting| !waiting.turn.is_closed());
        let waiting = self.waiting.iter().enumerate().filter(|(_, waiting)| self.may_take(&waiting.whose));
        let (at, _) = waiting.min_by_key(|(_, waiting)| self.has(&waiting.whose.whose))?;
        let next = self.waiting.remove(at)?;
        self.take(&next.whose);
        Some(next)
    }
}

/// One less of something; what there is none of is not counted.
fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = {
            let mut state = self.calls.state();
            state.give_back(&self.whose);
            state.next()
        };
        if let Some(Waiting { whose, turn }) = next {
            // Who has gone meanwhile drops it, and so hands it on.
            let _ = turn.send(Turn { calls: Arc::clone(&self.calls), whose });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::code::CallCode;
    use futures::FutureExt;

    fn gate(concurrency: usize, queue: usize) -> Gate {
        let limits = Limits { concurrency, queue, ..Limits::default() };
        Gate::new(&limits, Threads::new(&limits))
    }

    fn whose(name: &str) -> Counted {
        Counted { whose: Whose::Principal(name.into()), servers: Vec::new() }
    }

    #[test]
    fn a_server_leaves_turns_to_tools_that_do_not_ask_it() {
        for concurrency in [2, 4, 8, 16] {
            let gate = gate(concurrency, 64);
            let files = whose("one");
            let asking = Counted { servers: vec!["shop".into()], ..files.clone() };
            let turn = |whose: &Counted| gate.enter(whose).now_or_never().and_then(Result::ok);
            let turns: Vec<Turn> = (0..32).filter_map(|_| turn(&asking)).collect();
            assert!(!turns.is_empty() && turn(&files).is_some(), "{concurrency}");
            drop(turns);
            assert!(turn(&asking).is_some(), "{concurrency}");
        }
    }

    #[test]
    fn a_caller_leaves_turns_to_others() {
        let gate = gate(4, 4);
        let [one, other] = ["one", "other"].map(whose);
        let turn = |whose: &Counted| gate.enter(whose).now_or_never().and_then(Result::ok);
        let turns: Vec<Turn> = (0..4).filter_map(|_| turn(&one)).collect();
        assert_eq!(turns.len(), 3);
        let of_other = turn(&other);
        assert!(of_other.is_some() && turn(&other).is_none());
        drop(turns);
        assert!(turn(&other).is_some());
    }

    #[test]
    fn who_has_the_fewest_turns_is_next() {
        let gate = gate(2, 8);
        let [one, other] = ["one", "other"].map(whose);
        let enter = |whose: &Counted| gate.enter(whose).now_or_never().and_then(Result::ok);
        let (first, second) = (enter(&one), enter(&one));
        assert!(first.is_some() && second.is_some());
        let (mut earlier, mut later) = (Box::pin(gate.enter(&one)), Box::pin(gate.enter(&other)));
        assert!((&mut earlier).now_or_never().is_none() && (&mut later).now_or_never().is_none());
        assert_eq!(gate.waiting(), 2);
        drop(first);
        let of_other = (&mut later).now_or_never();
        assert!(matches!(of_other, Some(Ok(_))));
        assert!((&mut earlier).now_or_never().is_none());
        drop(second);
        assert!(matches!((&mut earlier).now_or_never(), Some(Ok(_))));
        assert_eq!(gate.waiting(), 0);
    }

    #[test]
    fn the_queue_has_an_end_and_who_goes_leaves_it() {
        let gate = gate(1, 4);
        let [one, other] = ["one", "other"].map(whose);
        let turn = gate.enter(&one).now_or_never();
        assert!(matches!(turn, Some(Ok(_))));
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(gate.enter(&one))).collect();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        let refused = gate.enter(&one).now_or_never().and_then(Result::err);
        assert_eq!(refused.map(|error| error.code), Some(CallCode::Busy), "of one caller three quarters wait");
        let mut of_other = Box::pin(gate.enter(&other));
        assert!((&mut of_other).now_or_never().is_none());
        assert!(matches!(gate.enter(&other).now_or_never(), Some(Err(_))), "the queue is full");
        waiting.truncate(1);
        assert_eq!(gate.waiting(), 2);
        drop(waiting);
        drop(turn);
        assert!(matches!((&mut of_other).now_or_never(), Some(Ok(_))), "turns are not given to who has gone");
    }
}
