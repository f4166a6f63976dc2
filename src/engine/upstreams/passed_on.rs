//! Prompts and resources of a server, asked for over the very connection over which it said that they are what was locked.

use super::asked::secrets;
use super::locked::{Item, ReadBy};
use super::{Refusal, TRIES, Watched, at_home};
use crate::project::LockedPrompt;
use crate::upstreams::{Body, Failure, FilledPrompt, Part};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

/// Base64, with or without its end filled up.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

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
                    self.refuse_hidden_secrets(&parts).map_err(Refusal::Failed)?;
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

    /// Refuses bytes in which something stands that the server was given as a secret: nothing can be put in its place there.
    ///
    /// Errors: there are such.
    fn refuse_hidden_secrets(&self, parts: &[Part]) -> Result<(), Failure> {
        let secrets = secrets(&self.config, &|name| std::env::var(name).ok());
        let holds = |bytes: &[u8]| {
            secrets.iter().any(|secret| bytes.windows(secret.len()).any(|window| window == secret.as_bytes()))
        };
        let is_told = parts.iter().filter(|_| !secrets.is_empty()).any(|part| match &part.body {
            Body::Text(_) => false,
            Body::Blob(blob) => BASE64.decode(blob).is_ok_and(|bytes| holds(&bytes)),
        });
        match is_told {
            true => Err(Failure::Protocol("its answer cannot be told without a secret that it was given".to_owned())),
            false => Ok(()),
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
