//! When a server is asked again that could not be reached: not at once, and not by everybody.

use super::failure::Failure;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long nobody asks after the first failure.
const SHORTEST: Duration = Duration::from_millis(100);

/// The same where somebody must change something first: a password that is wrong stays so, and accounts are locked for it.
const SHORTEST_OF_REFUSALS: Duration = Duration::from_secs(5);

/// After so many calls in a row of which a server said nothing, it is not asked for a while: that long, as after so many
/// failures.
const MOST_SILENCES: u32 = 3;
const SILENT: u32 = 4;

/// It doubles up to this.
const LONGEST: Duration = Duration::from_secs(30);

/// What is known of whether a server can be reached.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many attempts in a row have failed.
    failures: u32,
    /// Until when nobody tries after the last of them, and why it failed.
    wait: Option<(Instant, Failure)>,
    /// Whether somebody tries after a failure.
    is_tried: bool,
    /// How many calls in a row have heard nothing of it for as long as somebody waited for them.
    silences: u32,
    /// Whether that is why nobody tries.
    is_silent: bool,
    /// When the server was last heard of, for good or bad.
    last: Option<Instant>,
}

impl State {
    fn answered(&mut self) {
        *self = State { last: Some(Instant::now()), is_tried: self.is_tried, ..State::default() };
    }

    fn fell_silent(&mut self) {
        self.silences = 0;
        self.is_silent = true;
        self.wait = Some((Instant::now() + wait(SILENT, false), Failure::passing("it does not answer")));
        self.failures = self.failures.max(SILENT);
    }
}

/// Somebody who may try. Dropped without an outcome, nothing is known.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    breaker: &'a Breaker,
    /// How many had failed when it began: of several at a time, one failure counts.
    failures: u32,
}

impl Breaker {
    /// Whether somebody may try now.
    ///
    /// Errors: why the last one failed, where it is too early, or somebody else tries.
    pub(super) fn attempt(&self) -> Result<Attempt<'_>, Failure> {
        let mut state = self.locked();
        let State { failures, wait, is_tried, .. } = &mut *state;
        if let Some((until, failure)) = wait {
            if *is_tried || Instant::now() < *until {
                return Err(failure.clone());
            }
            *is_tried = true;
        }
        let failures = *failures;
        Ok(Attempt { breaker: self, failures })
    }

    /// A connection that there was has done its work. Whether there can be a new one is another question: who was refused
    /// one still waits.
    pub(super) fn heard(&self) {
        let mut state = self.locked();
        if state.wait.as_ref().is_none_or(|(until, _)| *until < Instant::now()) {
            state.answered();
        }
    }

    /// Somebody has waited for a call to its end, and nothing at all was heard of the server. Whether that was once too often:
    /// then nobody asks it for a while.
    pub(super) fn was_silent(&self) -> bool {
        let mut state = self.locked();
        state.silences = state.silences.saturating_add(1);
        if state.silences < MOST_SILENCES || state.wait.is_some() {
            return false;
        }
        state.fell_silent();
        true
    }

    /// Nothing was heard of the server for as long as a connection may take: nobody asks it for a while.
    pub(super) fn fell_silent(&self) {
        self.locked().fell_silent();
    }

    /// Why nobody is to wait for a connection that is in use: nothing is heard of the server over any.
    pub(super) fn silence(&self) -> Option<Failure> {
        let state = self.locked();
        let (until, failure) = state.wait.as_ref().filter(|_| state.is_silent)?;
        (Instant::now() < *until).then(|| failure.clone())
    }

    /// Whether the last attempt was no failure, and whether that is older than `age`.
    pub(super) fn outlook(&self, age: Duration) -> (bool, bool) {
        let state = self.locked();
        (state.wait.is_none(), state.last.is_none_or(|last| last.elapsed() > age))
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt<'_> {
    /// There is a connection.
    pub(super) fn succeeded(self) {
        self.breaker.locked().answered();
    }

    /// There is none.
    pub(super) fn failed(self, failure: Failure) {
        let mut state = self.breaker.locked();
        state.last = Some(Instant::now());
        if state.failures == self.failures {
            state.wait = Some((Instant::now() + wait(state.failures, failure.is_refusal), failure));
            state.failures = state.failures.saturating_add(1);
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.breaker.locked().is_tried = false;
    }
}

/// How long nobody tries after so many failures before this one. A part of it is chance, so that those who lost a server at
/// the same time do not come back at the same time.
fn wait(before: u32, is_refusal: bool) -> Duration {
    let shortest = if is_refusal { SHORTEST_OF_REFUSALS } else { SHORTEST };
    let whole = shortest.saturating_mul(2_u32.saturating_pow(before.min(16))).min(LONGEST);
    let chance = u32::try_from(RandomState::new().build_hasher().finish() % 256).unwrap_or_default();
    whole - whole / 1024 * chance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_at_the_same_time_count_as_one() {
        let breaker = Breaker::default();
        let attempts: Vec<Attempt<'_>> = (0..8).map(|_| breaker.attempt().unwrap()).collect();
        for attempt in attempts {
            attempt.failed(Failure::passing("away"));
        }
        assert_eq!(breaker.locked().failures, 1);
        assert_eq!(breaker.attempt().unwrap_err(), Failure::passing("away"));
        assert_eq!(breaker.outlook(Duration::from_secs(5)), (false, false));
    }

    #[test]
    fn after_a_failure_one_tries_at_a_time() {
        let breaker = Breaker::default();
        breaker.attempt().unwrap().failed(Failure::passing("away"));
        std::thread::sleep(SHORTEST);
        let first = breaker.attempt().unwrap();
        assert!(breaker.attempt().is_err(), "another tries");
        drop(first);
        let second = breaker.attempt().unwrap();
        second.succeeded();
        assert!(breaker.attempt().is_ok() && breaker.attempt().is_ok());
        assert_eq!(breaker.outlook(Duration::from_secs(5)), (true, false));
    }

    #[test]
    fn a_server_that_says_nothing_is_not_asked() {
        let breaker = Breaker::default();
        assert!(!breaker.was_silent() && !breaker.was_silent());
        breaker.heard();
        assert!(!breaker.was_silent() && !breaker.was_silent() && breaker.attempt().is_ok());
        assert!(breaker.was_silent());
        assert_eq!(breaker.attempt().unwrap_err(), Failure::passing("it does not answer"));
        assert_eq!(breaker.silence(), Some(Failure::passing("it does not answer")));
        assert!(!breaker.was_silent());
        std::thread::sleep(SHORTEST * 2_u32.pow(SILENT));
        assert_eq!(breaker.silence(), None);
        breaker.attempt().unwrap().succeeded();
        assert!(breaker.silence().is_none() && breaker.outlook(Duration::from_secs(5)).0);
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        for (before, is_refusal, longest) in
            [(0, false, SHORTEST), (3, false, SHORTEST * 8), (99, false, LONGEST), (0, true, SHORTEST_OF_REFUSALS)]
        {
            let wait = wait(before, is_refusal);
            assert!(wait <= longest && wait >= longest / 4 * 3, "{wait:?} of {longest:?}");
        }
    }
}
