//! What happens while a call runs: progress and questions go out, answers and a wish to stop come in.

use super::question::Question;
use serde_json::Value;
use std::future::{pending, ready};
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

    /// Takes a question of the server to whoever can answer it; `None` declines it.
    fn ask(&self, _question: Question) -> Pin<Box<dyn Future<Output = Option<Value>> + Send + '_>> {
        Box::pin(ready(None))
    }
}

/// Nobody watches: nothing is told, and nothing stops the call.
impl Watch for () {}
