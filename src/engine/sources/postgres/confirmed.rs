//! Which tables were a moment ago what they are known as, so that they need not be asked for with each statement.
//!
//! Meanwhile the server itself sees to what a statement that it keeps reads: where a table has changed, it plans the statement
//! anew, and refuses it where a column is gone or its rows would be of other types. What it does not see is what texts are equal
//! to, in which order they are, and whether a key is one: whoever goes by these asks with each statement.

use super::super::bind::Bind;
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
    /// Whether a request needs no answer: its table was lately what its statement is written for, and nothing in it goes by
    /// what the server does not see to.
    pub(super) fn holds(&self, request: &Request) -> bool {
        let is_of_texts = |bind: &Bind| matches!(bind, Bind::Text(_) | Bind::Literal { .. });
        if !request.is_plain || request.binds.iter().any(is_of_texts) {
            return false;
        }
        let answers = self.answers();
        let was_lately = |(name, version): (&Vec<String>, Option<u64>)| {
            let Some(version) = version else { return true };
            answers.get(name).is_some_and(|answer| answer.version == version && answer.asked.elapsed() < LATELY)
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
    let others = request.others.iter().map(|(name, version)| (name, *version));
    [(&request.native, request.version)].into_iter().chain(others)
}
