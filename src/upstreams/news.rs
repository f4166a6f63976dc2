//! What a server tells of changes of its lists by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Whether the lists of a server need not be what they were. Clones share it.
#[derive(Clone, Default)]
pub(super) struct News {
    is_changed: Arc<AtomicBool>,
    /// How often the server has told so.
    told: watch::Sender<u64>,
}

impl News {
    /// The server tells of a change.
    pub(super) fn tell(&self) {
        self.is_changed.store(true, Ordering::Release);
        self.told.send_modify(|told| *told = told.wrapping_add(1));
    }

    /// Notes that nobody knows whether something has changed, or that all is known.
    pub(super) fn note(&self, is_changed: bool) {
        self.is_changed.store(is_changed, Ordering::Release);
    }

    /// Whether something may have changed since all was known.
    pub(super) fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Acquire)
    }

    /// What tells when the server does; it ends with the last clone.
    pub(super) fn told(&self) -> watch::Receiver<u64> {
        self.told.subscribe()
    }
}
