//! How far a call has come, for who waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far a call has come: what it does writes it, and who waits reads it.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Steps>);

#[derive(Debug, Default)]
struct Steps {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// There are so many steps.
    pub(super) fn expect(&self, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
    }

    /// So many more of them are done.
    pub(super) fn advance(&self, steps: u64) {
        self.0.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// The steps that are done, and how many there are; `None` where that is not known.
    pub fn so_far(&self) -> Option<(u64, u64)> {
        let total = self.0.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.0.done.load(Ordering::Relaxed).min(total), total))
    }
}
