//! Where the questions of a connection go: to the one call that is open on it.
//!
//! Revisions before 2026-07-28 do not say which call a question is about. So there is one call at a time where questions are passed
//! on, and a connection on which a call was given up is not used again: what is asked late is nobody's to answer.

use super::question::Question;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// How many questions of a call wait to be looked at; more are declined.
const MOST_WAITING: usize = 4;

/// A question, and where its answer goes.
pub(super) struct Put {
    pub(super) question: Question,
    answer: oneshot::Sender<Option<Value>>,
}

impl Put {
    /// Answers it; nothing declines it.
    pub(super) fn answer(self, answer: Option<Value>) {
        // Who has asked may not wait for it any more.
        let _ = self.answer.send(answer);
    }
}

/// Where questions are put.
#[derive(Clone, Default)]
pub(super) struct Desk(Arc<Mutex<Option<mpsc::Sender<Put>>>>);

/// A call that is open: it gets the questions until this is dropped.
pub(super) struct Attended {
    desk: Desk,
    pub(super) puts: mpsc::Receiver<Put>,
}

impl Desk {
    /// Gives the questions to a call, from now on.
    pub(super) fn attend(&self) -> Attended {
        let (put, puts) = mpsc::channel(MOST_WAITING);
        *self.place() = Some(put);
        Attended { desk: self.clone(), puts }
    }

    /// Asks the call that is open; `None` where there is none, or it declines.
    pub(super) async fn ask(&self, question: Question) -> Option<Value> {
        let (answer, answered) = oneshot::channel();
        let sender = self.place().clone()?;
        sender.try_send(Put { question, answer }).ok()?;
        answered.await.ok().flatten()
    }

    fn place(&self) -> std::sync::MutexGuard<'_, Option<mpsc::Sender<Put>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        *self.desk.place() = None;
    }
}
