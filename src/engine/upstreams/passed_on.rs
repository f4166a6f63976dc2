//! Prompts and resources of a server, asked for over the very connection over which it said that they are what was locked.

use super::locked::{Item, ReadBy};
use super::{Refusal, TRIES, Watched, at_home};
use crate::project::LockedPrompt;
use crate::upstreams::{Failure, FilledPrompt, Part};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

impl Watched {
    /// A prompt with these arguments, if it is there and what it was when it was locked.
    ///
    /// Errors: the server cannot be asked, or says something else of it than what is locked; or it fails.
    pub(in crate::engine) async fn prompt(
        self: Arc<Self>,
        locked: &LockedPrompt,
        arguments: Map<String, Value>,
        deadline: Instant,
    ) -> Result<FilledPrompt, Refusal> {
        let (name, digest) = (locked.name.clone(), locked.digest());
        let work = async move {
            let item = Item::Prompt(name.clone());
            for _ in 0..TRIES {
                let (client, connection) = self.unchanged(&item, &digest).await?;
                let told = client.prompt(&name, arguments.clone(), (deadline, connection)).await;
                if let Some(told) = self.settled(told)? {
                    return self.without_secrets(told).map_err(Refusal::Failed);
                }
            }
            Err(Refusal::Failed(Failure::Anew))
        };
        within(deadline, work).await
    }

    /// What a resource holds, if it is there and what it was when it was locked.
    ///
    /// Errors: as of a prompt.
    pub(in crate::engine) async fn resource(
        self: Arc<Self>,
        uri: &str,
        by: ReadBy<'_>,
        deadline: Instant,
    ) -> Result<Vec<Part>, Refusal> {
        let (uri, (item, digest)) = (uri.to_owned(), by.locked());
        let work = async move {
            for _ in 0..TRIES {
                let (client, connection) = self.unchanged(&item, &digest).await?;
                let parts = client.resource(&uri, (deadline, connection)).await;
                if let Some(parts) = self.settled(parts)? {
                    return self.without_secrets(parts).map_err(Refusal::Failed);
                }
            }
            Err(Refusal::Failed(Failure::Anew))
        };
        within(deadline, work).await
    }

    /// What came of asking for something that may be asked for twice; `None` where it is to be asked for again.
    fn settled<T>(&self, outcome: Result<T, Failure>) -> Result<Option<T>, Refusal> {
        match outcome {
            Ok(told) => Ok(Some(told)),
            Err(Failure::Anew | Failure::Unreachable(_)) => {
                self.forget();
                Ok(None)
            }
            Err(failure) => Err(Refusal::Failed(self.without_secrets_of(failure))),
        }
    }
}

/// Does the work where clients run, until its time is over.
async fn within<T: Send + 'static>(
    deadline: Instant,
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    let bounded = async move { tokio::time::timeout_at(deadline.into(), work).await };
    match at_home(bounded).await.map_err(Refusal::Failed)? {
        Ok(outcome) => outcome,
        Err(_) => Err(Refusal::Failed(Failure::TimedOut)),
    }
}
