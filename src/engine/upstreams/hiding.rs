//! What a server is given as a secret is hidden where it says it again.

use crate::engine::secrets::Secrets;
use crate::upstreams::{Failure, Progress, Question, Watch};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;

/// Whoever waits for a call, who hears no secrets in what is asked.
pub(super) struct Hiding {
    watch: Arc<dyn Watch>,
    secrets: Arc<Secrets>,
}

impl Hiding {
    pub(super) fn new(watch: Arc<dyn Watch>, secrets: Arc<Secrets>) -> Hiding {
        Hiding { watch, secrets }
    }
}

impl Watch for Hiding {
    fn progress(&self, progress: Progress) {
        let message = progress.message.map(|message| self.secrets.hidden(&message));
        self.watch.progress(Progress { message, ..progress });
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.watch.cancelled()
    }

    fn ask(&self, question: Question) -> Pin<Box<dyn Future<Output = Option<Value>> + Send + '_>> {
        let Question { kind, params } = question;
        let params = serde_json::to_value(&params).unwrap_or_default();
        if self.secrets.stand_encoded_in(&params) {
            return Box::pin(std::future::ready(None));
        }
        match serde_json::from_value(self.secrets.hidden_in(params)) {
            Ok(params) => self.watch.ask(Question { kind, params }),
            // It cannot be told without a secret.
            Err(_) => Box::pin(std::future::ready(None)),
        }
    }
}

/// A failure in whose words no secret stands.
pub(super) fn failure_without(secrets: &Secrets, failure: Failure) -> Failure {
    let hidden = |text: String| secrets.hidden(&text);
    match failure {
        Failure::Rpc { code, message } => Failure::Rpc { code, message: hidden(message) },
        Failure::Protocol(words) => Failure::Protocol(hidden(words)),
        Failure::Unreachable(words) => Failure::Unreachable(hidden(words)),
        Failure::Lost(words) => Failure::Lost(hidden(words)),
        Failure::TooLarge | Failure::TimedOut | Failure::Busy | Failure::Anew | Failure::Cancelled => failure,
    }
}
