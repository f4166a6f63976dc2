//! Which tables were a moment ago what they are known as, so that they need not be asked for with each statement.
//!
//! Meanwhile the server itself sees to what a statement that it keeps reads: where a table has changed, it plans the statement
//! anew, and refuses it where a column is gone or its rows would be of other types and collations. All columns that rows are
//! compared and sorted by stand in them (`witness.rs`). Where they do not, each statement asks.

use super::super::driver::Request;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// For how long an answer is good.
pub(super) const LATELY: Duration = Duration::from_millis(100);

/// A session is told of so many tables; what is known of more is forgotten.
const MOST: usize = 256;

/// What a session was answered of its tables.
#[derive(Default)]
pub(super) struct Confirmed(Mutex<HashMap<Vec<String>, Answer>>);

/// The state that a table was in, and when that was asked.
struct Answer {
    version: u64,
    asked: Instant,
}

impl fmt::Debug for Confirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confirmed").finish_non_exhaustive()
    }
}

impl Confirmed {
    /// Whether a request needs no answer: its table was lately what its statement is written for, and the server has kept
    /// the statement since before that was asked.
    pub(super) fn holds(&self, request: &Request, kept_since: Instant) -> bool {
        if !request.outline.is_witnessed {
            return false;
        }
        let answers = self.answers();
        let was_lately = |(name, version): (&Vec<String>, Option<u64>)| {
            let Some(version) = version else { return true };
            let is_fresh = |answer: &Answer| answer.asked.elapsed() < LATELY && kept_since <= answer.asked;
            answers.get(name).is_some_and(|answer| answer.version == version && is_fresh(answer))
        };
        tables(request).all(was_lately)
    }

    /// They were, when it was asked: no answer is younger than its question.
    pub(super) fn confirm(&self, request: &Request, asked: Instant) {
        let mut answers = self.answers();
        if answers.len() >= MOST {
            answers.clear();
        }
        for (name, version) in tables(request) {
            if let Some(version) = version {
                answers.insert(name.clone(), Answer { version, asked });
            }
        }
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<Vec<String>, Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tables that a request reads, each with the state that its statement is written for.
fn tables(request: &Request) -> impl Iterator<Item = (&Vec<String>, Option<u64>)> {
    let others = request.outline.others.iter().map(|(name, version)| (name, *version));
    [(&request.outline.native, request.outline.version)].into_iter().chain(others)
}
