//! Questions of other servers, on their way to whoever has made a call.

use crate::upstreams::Question;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// How many questions of a call wait to be put.
const MOST_WAITING: usize = 4;

/// Where the questions of a call go; nowhere, where nobody can be asked.
#[derive(Debug, Clone, Default)]
pub struct Questions(Option<Way>);

/// The way of questions to a caller.
#[derive(Debug, Clone)]
struct Way {
    put: mpsc::Sender<Put>,
    whose: Option<Arc<str>>,
}

/// A question of a server to whoever has made a call.
#[derive(Debug)]
pub struct Put {
    /// The name of the server.
    pub server: String,
    /// What it asks.
    pub question: Question,
    answer: oneshot::Sender<Option<Value>>,
}

impl Put {
    /// Answers it; nothing declines it.
    pub fn answer(self, answer: Option<Value>) {
        // The call may be over.
        let _ = self.answer.send(answer);
    }
}

impl Questions {
    /// A way for questions to a caller, `None` where it is not known who that is; and where they come out. Whoever holds that answers them.
    pub fn new(whose: Option<Arc<str>>) -> (Questions, mpsc::Receiver<Put>) {
        let (put, puts) = mpsc::channel(MOST_WAITING);
        (Questions(Some(Way { put, whose })), puts)
    }

    /// Whether whoever calls can be asked, and who that is, where it is known.
    pub(super) fn whose(&self) -> Option<Option<Arc<str>>> {
        self.0.as_ref().map(|way| way.whose.clone())
    }

    /// Asks; `None` where there is nobody to ask, or they decline.
    pub(super) async fn ask(&self, server: String, question: Question) -> Option<Value> {
        let (answer, answered) = oneshot::channel();
        self.0.as_ref()?.put.send(Put { server, question, answer }).await.ok()?;
        answered.await.ok().flatten()
    }
}
