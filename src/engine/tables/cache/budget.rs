//! How much memory decoded tables may take, all together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that decoded tables share.
#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    used: AtomicUsize,
}

impl Budget {
    /// A budget of so many bytes.
    pub(crate) fn new(most: usize) -> Arc<Budget> {
        Arc::new(Budget { most, used: AtomicUsize::new(0) })
    }

    /// All of it, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// What nothing is reserved of, in bytes.
    pub(crate) fn left(&self) -> usize {
        self.most.saturating_sub(self.used.load(Ordering::Relaxed))
    }

    fn take(&self, bytes: usize) -> bool {
        // Relaxed: the number alone is shared; no memory is handed over by it.
        let grown = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).is_ok()
    }
}

/// A part of the budget, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Reservation {
    /// Nothing yet.
    pub(crate) fn of(budget: &Arc<Budget>) -> Reservation {
        Reservation { budget: Arc::clone(budget), bytes: 0 }
    }

    /// Reserves more; `false`, and nothing more, where the budget does not have it.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let taken = self.budget.take(bytes);
        if taken {
            self.bytes = self.bytes.saturating_add(bytes);
        }
        taken
    }

    /// What is reserved, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
