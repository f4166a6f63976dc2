//! What happens while a call runs: progress goes out, a wish to stop comes in.

use std::future::pending;
use std::pin::Pin;

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How much is done; larger than what was told before.
    pub done: f64,
    /// How much there is to do, where that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Whoever waits for a call.
pub trait Watch: Send + Sync {
    /// Takes how far the call is.
    fn progress(&self, _progress: Progress) {}

    /// Is over once the call is no longer wanted.
    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(pending())
    }
}

/// Nobody watches: nothing is told, and nothing stops the call.
impl Watch for () {}
