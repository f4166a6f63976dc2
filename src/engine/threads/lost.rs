//! Queries that were told to stop and have not, by whom they were sent.

use super::whose::Whose;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What part of all of them may be one caller's.
const SHARE: usize = 4;

/// The queries that do not stop.
#[derive(Default)]
pub(super) struct Lost(Mutex<HashMap<Whose, usize>>);

impl Lost {
    pub(super) fn by_caller(&self) -> MutexGuard<'_, HashMap<Whose, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub(super) fn all(&self) -> usize {
        self.by_caller().values().sum()
    }

    /// Counts one until what is returned is dropped.
    pub(super) fn count(self: &Arc<Self>, whose: Whose) -> Counted {
        *self.by_caller().entry(whose.clone()).or_default() += 1;
        Counted { lost: Arc::clone(self), whose }
    }

    /// Whether another query of somebody may run, where there may be so many that do not stop.
    ///
    /// Errors: `busy`.
    pub(super) fn admit(&self, whose: &Whose, most: usize) -> Result<(), CallError> {
        let by_caller = self.by_caller();
        if by_caller.is_empty() {
            return Ok(());
        }
        let own = by_caller.get(whose).copied().unwrap_or(0);
        let is_refused = own >= (most / SHARE).max(1) || by_caller.values().sum::<usize>() >= most;
        if is_refused {
            let message = "earlier queries have run out of time and have not stopped yet";
            return Err(CallError::new(CallCode::Busy, message).hint("try again in a moment"));
        }
        Ok(())
    }
}

/// One of them.
pub(super) struct Counted {
    lost: Arc<Lost>,
    whose: Whose,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut by_caller = self.lost.by_caller();
        if let Some(count) = by_caller.get_mut(&self.whose) {
            *count -= 1;
            if *count == 0 {
                by_caller.remove(&self.whose);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_lost_queries_is_refused_before_others_are() {
        let lost = Arc::new(Lost::default());
        let [one, other, third] = ["one", "other", "third"].map(|name| Whose::Principal(name.into()));
        let admits = |whose: &Whose| lost.admit(whose, 8).is_ok();
        let first = lost.count(one.clone());
        assert!(admits(&one));
        let second = lost.count(one.clone());
        assert!(!admits(&one) && admits(&other));
        assert!(admits(&Whose::Tool("one".into())), "a tool is no principal");
        let rest: Vec<Counted> = (0..6).map(|_| lost.count(other.clone())).collect();
        assert_eq!(lost.all(), 8);
        assert!(!admits(&third), "there is no room for anybody");
        drop((first, second));
        assert!(admits(&one) && admits(&third) && !admits(&other));
        drop(rest);
        assert_eq!(lost.all(), 0);
        assert!(lost.by_caller().is_empty());
    }
}
