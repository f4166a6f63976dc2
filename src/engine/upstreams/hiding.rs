//! What a server is given as a secret is hidden where it says it again.

use crate::engine::secrets::Secrets;
use crate::upstreams::{Progress, Question, Watch};
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
        self.watch.progress(progress);
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.watch.cancelled()
    }

    fn ask(&self, question: Question) -> Pin<Box<dyn Future<Output = Option<Value>> + Send + '_>> {
        let Question { kind, params } = question;
        if self.secrets.stand_encoded_in(&serde_json::to_value(&params).unwrap_or_default()) {
            return Box::pin(std::future::ready(None));
        }
        let text = serde_json::to_string(&params).unwrap_or_default();
        match serde_json::from_str(&self.secrets.hidden_in_json(&text)) {
            Ok(params) => self.watch.ask(Question { kind, params }),
            // It cannot be told without a secret.
            Err(_) => Box::pin(std::future::ready(None)),
        }
    }
}
