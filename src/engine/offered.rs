//! Prompts and resources of other servers, as they are passed on: asked for where they are what was locked, and bounded.

use super::Engine;
use super::code::CallCode;
use super::error::CallError;
use super::refused::{AskedFor, Thing};
use super::result::Passed;
use super::upstreams::{Item, ReadBy, Watched};
use crate::project::ByteSize;
use crate::tool::{Offered, OfferedPrompt};
use crate::upstreams::{Body, FilledPrompt, Part};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

impl Engine {
    /// A prompt of another server with these arguments, which were checked.
    ///
    /// Errors: the server cannot be asked, says something else of the prompt than what is locked, refuses, or answers more than it
    /// may.
    pub async fn prompt_of_server(
        &self,
        offered: &Offered,
        prompt: &OfferedPrompt,
        arguments: Map<String, Value>,
    ) -> Result<FilledPrompt, CallError> {
        let asked = AskedFor { thing: Thing::Prompt(&prompt.locked.name), server: &offered.upstream };
        let server = self.server(offered)?;
        let told = server.prompt(&prompt.locked, arguments, deadline(offered)).await;
        let told = told.map_err(|why| asked.refused(why))?;
        let content = told.messages.iter().map(|message| message.content.clone()).collect();
        self.bounded(offered, Passed { structured: None, content }.size())?;
        Ok(told)
    }

    /// What a resource of another server holds, by its URI.
    ///
    /// Errors: as of a prompt; `unknown-resource` where the server has none of that URI.
    pub async fn resource_of_server(
        &self,
        offered: &Offered,
        by: ReadBy<'_>,
        uri: &str,
    ) -> Result<Vec<Part>, CallError> {
        let asked = AskedFor { thing: Thing::Resource(uri), server: &offered.upstream };
        let server = self.server(offered)?;
        let parts = server.resource(uri, by, deadline(offered)).await.map_err(|why| asked.refused(why))?;
        let size = |part: &Part| match &part.body {
            Body::Text(held) | Body::Blob(held) => held.len() + part.uri.len(),
        };
        self.bounded(offered, parts.iter().map(size).sum())?;
        Ok(parts)
    }

    /// Whether the server of a prompt was heard to say something else of it than what was reviewed, or to have it no more.
    pub fn is_prompt_withdrawn(&self, offered: &Offered, prompt: &OfferedPrompt) -> bool {
        let locked = &prompt.locked;
        self.is_known_to_differ(offered, &Item::Prompt(locked.name.clone()), &locked.digest())
    }

    /// The same of a resource, or of those of a template.
    pub fn is_resource_withdrawn(&self, offered: &Offered, by: ReadBy<'_>) -> bool {
        let (item, digest) = by.locked();
        self.is_known_to_differ(offered, &item, &digest)
    }

    fn is_known_to_differ(&self, offered: &Offered, item: &Item, digest: &str) -> bool {
        let server = self.core.upstreams.get(&offered.upstream);
        server.is_some_and(|server| server.is_known_to_differ(item, digest))
    }

    fn server(&self, offered: &Offered) -> Result<Arc<Watched>, CallError> {
        let none = || CallError::internal(format!("there is no server `{}`", offered.upstream));
        self.core.upstreams.get(&offered.upstream).ok_or_else(none)
    }

    /// Errors: an answer has more bytes than it may have.
    fn bounded(&self, offered: &Offered, size: usize) -> Result<(), CallError> {
        let most = offered.max_bytes.map_or(self.core.limits.max_bytes, ByteSize::bytes);
        if size <= most {
            return Ok(());
        }
        let message = format!("the answer has {size} bytes, and may have {most} at most");
        Err(CallError::new(CallCode::InvalidOutput, message))
    }
}

fn deadline(offered: &Offered) -> Instant {
    Instant::now() + offered.timeout.0
}
