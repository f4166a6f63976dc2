//! Prompts and resources of other servers, as they are passed on: asked for where they are what was locked, and bounded.

use super::Engine;
use super::code::CallCode;
use super::error::{CallError, Detail};
use super::result::Passed;
use super::runners::on_one_line;
use super::upstreams::{ReadBy, Refusal, Watched};
use crate::project::ByteSize;
use crate::tool::{Offered, OfferedPrompt};
use crate::upstreams::{Body, Failure, FilledPrompt, Part};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

/// The code of an error that says that there is no such resource, up to revision 2025-11-25.
const RESOURCE_NOT_FOUND: i32 = -32002;
/// The code of an error that says that parameters are wrong; since 2026-07-28 also that there is no such resource.
const INVALID_PARAMS: i32 = -32602;

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
        let asked = Asked { kind: "prompt", name: &prompt.locked.name, server: &offered.upstream };
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
        let asked = Asked { kind: "resource", name: uri, server: &offered.upstream };
        let server = self.server(offered)?;
        let parts = server.resource(uri, by, deadline(offered)).await.map_err(|why| asked.refused(why))?;
        let size = |part: &Part| match &part.body {
            Body::Text(held) | Body::Blob(held) => held.len() + part.uri.len(),
        };
        self.bounded(offered, parts.iter().map(size).sum())?;
        Ok(parts)
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

/// What a server was asked for.
struct Asked<'a> {
    kind: &'static str,
    name: &'a str,
    server: &'a str,
}

impl Asked<'_> {
    fn refused(&self, why: Refusal) -> CallError {
        let Asked { kind, name, server } = self;
        let out_of_service = |words: &str, detail: String| {
            let message = format!("this {kind} is out of service: {words}");
            CallError { detail: Some(Detail::Own(detail)), ..CallError::new(CallCode::ToolUnavailable, message) }
                .hint("the server's log says more to its operator")
        };
        match why {
            Refusal::NotAsked(why) => CallError {
                detail: Some(Detail::Own(format!("server `{server}`: {why}"))),
                ..CallError::new(CallCode::SourceUnavailable, format!("the server of this {kind} cannot be asked"))
            },
            Refusal::Failed(failure) => {
                let detail = format!("server `{server}`, {kind} `{name}`: {failure}");
                CallError { detail: Some(Detail::Own(detail)), ..self.failed(&failure) }
            }
            Refusal::Changed => out_of_service(
                "it is not what was reviewed",
                format!(
                    "server `{server}` says something else of {kind} `{name}` than what is locked: `qtool lock` and `qtool review` show what"
                ),
            ),
            Refusal::Gone => out_of_service(
                "its server no longer has it",
                format!("server `{server}` has no {kind} `{name}` any more, or lists different ones of that name"),
            ),
        }
    }

    fn failed(&self, failure: &Failure) -> CallError {
        let kind = self.kind;
        let unavailable =
            |words: &str| CallError::new(CallCode::SourceUnavailable, format!("the server of this {kind} {words}"));
        match failure {
            Failure::Unreachable(_) => unavailable("cannot be reached").hint("try again later"),
            Failure::Lost(_) => unavailable("went away before it answered").hint("try again later"),
            Failure::Anew => unavailable("is started again and again").hint("try again later"),
            Failure::TimedOut => {
                CallError::new(CallCode::Timeout, format!("the server of this {kind} did not answer in time"))
            }
            Failure::Busy => {
                CallError::new(CallCode::Busy, format!("the server of this {kind} has too much to answer"))
                    .hint("try again in a moment")
            }
            Failure::TooLarge => CallError::new(CallCode::InvalidOutput, "the answer is larger than it may be"),
            Failure::Rpc { code: RESOURCE_NOT_FOUND | INVALID_PARAMS, .. } if kind == "resource" => {
                CallError::new(CallCode::UnknownResource, "its server has no such resource")
            }
            Failure::Rpc { code: INVALID_PARAMS, message } => {
                let words = on_one_line(message);
                CallError::new(
                    CallCode::InvalidArgument,
                    format!("the server of this prompt refused the arguments: {words}"),
                )
            }
            Failure::Rpc { code, message } => {
                let words = on_one_line(message);
                let message = format!("the server of this {kind} refused: {words} ({code})");
                CallError::new(CallCode::UpstreamFailed, message)
            }
            Failure::Cancelled | Failure::Protocol(_) => {
                let message = format!("what the server of this {kind} answered cannot be passed on; the log says why");
                CallError::new(CallCode::InvalidOutput, message)
            }
        }
    }
}
