//! The [batches](super::super::batch) of a connection: the answers to the messages of one are written in one line.

use super::super::batch;
use rmcp::model::RequestId;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The batches of a connection that wait for their answers.
#[derive(Default)]
pub(super) struct Batches {
    /// Whether the client speaks a revision that has them.
    are_taken: AtomicBool,
    open: Mutex<Vec<Batch>>,
    /// Told when one needs no further answers.
    over: Notify,
}

/// One of them.
#[derive(Default)]
pub(super) struct Batch {
    /// The ids of requests that have no answer yet.
    pub(super) waits: Vec<RequestId>,
    /// The answers that there are.
    pub(super) answers: Vec<String>,
}

/// What a line says of the request that it answers.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(default)]
    method: Option<serde::de::IgnoredAny>,
}

impl Batches {
    /// Notes that the client speaks a revision that has them, or one that has not.
    pub(super) fn agree(&self, version: &str) {
        self.are_taken.store(batch::is_of_revision(version), Ordering::Relaxed);
    }

    pub(super) fn are_taken(&self) -> bool {
        self.are_taken.load(Ordering::Relaxed)
    }

    /// Waits for the answers of a batch from now on.
    pub(super) fn open(&self, batch: Batch) {
        self.lock().push(batch);
        self.over.notify_one();
    }

    /// No longer waits for the answer to a request that was cancelled: there will be none.
    pub(super) fn forget(&self, id: &RequestId) {
        self.settle(id, None);
        self.over.notify_one();
    }

    /// Takes the answer to a request out of the first batch that waits for it; `false` where none does.
    fn settle(&self, id: &RequestId, answer: Option<&str>) -> bool {
        let mut open = self.lock();
        let waiting = open.iter_mut().find_map(|batch| {
            let at = batch.waits.iter().position(|waiting| waiting == id)?;
            Some((batch, at))
        });
        let Some((batch, at)) = waiting else { return false };
        batch.waits.remove(at);
        batch.answers.extend(answer.map(str::to_owned));
        true
    }

    /// Keeps a line that is a part of a batch; `false` where it is none.
    pub(super) fn keep(&self, line: &[u8]) -> bool {
        if self.lock().is_empty() {
            return false;
        }
        let Ok(Line { id: Some(id), method: None }) = serde_json::from_slice(line) else { return false };
        std::str::from_utf8(line).is_ok_and(|line| self.settle(&id, Some(line.trim_end())))
    }

    /// Waits until one is over without a last answer.
    pub(super) async fn one_is_over(&self) {
        self.over.notified().await;
    }

    /// The batches that are answered, a line each. One that has only notifications has no answer.
    pub(super) fn answered(&self) -> String {
        let mut open = self.lock();
        let over: Vec<Batch> = open.extract_if(.., |batch| batch.waits.is_empty()).collect();
        drop(open);
        let told = over.iter().filter(|batch| !batch.answers.is_empty());
        told.map(|batch| batch::answer(&batch.answers) + "\n").collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Batch>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the SDK begins an error that answers nobody.
const NOBODYS: &[u8] = br#"{"jsonrpc":"2.0","error":"#;

/// A line with the `id` that JSON-RPC asks for (2.0, 5): null, where it answers what has none that could be read.
pub(super) fn with_id(line: &[u8]) -> Cow<'_, [u8]> {
    match line.strip_prefix(NOBODYS) {
        Some(rest) => [&br#"{"jsonrpc":"2.0","id":null,"error":"#[..], rest].concat().into(),
        None => line.into(),
    }
}
