//! Until when somebody waits for a call, told to those that work for it elsewhere.

use std::time::{Duration, Instant};

/// A moment at which a call is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline(pub(super) Instant);

impl Deadline {
    /// How long it is until then.
    pub(super) fn rest(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub(super) fn is_over(self) -> bool {
        self.rest().is_zero()
    }
}
