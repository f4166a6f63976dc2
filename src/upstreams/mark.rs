//! What is kept of a call on its way through the transport: whether it was sent, and where its progress goes.

use super::watch::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;

/// How much progress is kept for a call that does not look at it. What is beyond that is dropped.
const KEPT: usize = 64;

/// Travels beside the request of a call and is not part of what is sent.
#[derive(Clone)]
pub(super) struct Mark(Arc<State>);

struct State {
    sent: AtomicBool,
    progress: mpsc::Sender<Progress>,
}

impl Mark {
    /// A mark for one call, and where its progress comes out.
    pub(super) fn new() -> (Mark, mpsc::Receiver<Progress>) {
        let (progress, received) = mpsc::channel(KEPT);
        (Mark(Arc::new(State { sent: AtomicBool::new(false), progress })), received)
    }

    /// Notes that the server may have it from now on.
    pub(super) fn begin(&self) {
        self.0.sent.store(true, Ordering::Release);
    }

    /// Notes that the server cannot have it after all.
    pub(super) fn take_back(&self) {
        self.0.sent.store(false, Ordering::Release);
    }

    /// Whether the server may have it.
    pub(super) fn was_sent(&self) -> bool {
        self.0.sent.load(Ordering::Acquire)
    }

    /// Passes progress on.
    pub(super) fn progress(&self, progress: Progress) {
        // Whoever does not keep up misses steps, never the answer.
        let _ = self.0.progress.try_send(progress);
    }
}
