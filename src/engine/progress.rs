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

    /// It has come so far, as a program says of itself: of a whole, or of 100 where it does not say of what.
    pub(super) fn reach(&self, done: f64, total: Option<f64>) {
        let whole = |number: f64| if number.is_finite() && number > 0.0 { number as u64 } else { 0 };
        let (done, total) = match total {
            Some(total) if total > 0.0 && total < 100.0 => (done / total * 100.0, 100.0),
            Some(total) => (done, total),
            None => (done, 100.0),
        };
        self.0.total.store(whole(total).max(1), Ordering::Relaxed);
        self.0.done.fetch_max(whole(done), Ordering::Relaxed);
    }

    /// The steps that are done, and how many there are; `None` where that is not known.
    pub fn so_far(&self) -> Option<(u64, u64)> {
        let total = self.0.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.0.done.load(Ordering::Relaxed).min(total), total))
    }
}
