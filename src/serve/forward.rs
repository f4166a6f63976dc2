//! Prompts and resources that are asked of other servers: checked, bounded, recorded, and told as MCP has them.

use super::audit::Outcome;
use super::front::TOO_OFTEN;
use super::made_up::shortened;
use super::offers::Readable;
use super::passed_on;
use super::state::Served;
use super::traced::{Traced, principal};
use super::{Principal, Server};
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::prompts::check_sent;
use crate::tool::{Offered, OfferedPrompt};
use crate::upstreams::{Body, Content, FilledPrompt, Message, Part, Speaker};
use rmcp::model::{GetPromptResult, JsonObject, PromptMessage, ReadResourceResult, Role};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::json;

impl Server {
    /// A prompt of another server.
    ///
    /// Errors: `-32602` for arguments that the prompt does not take, `-32603` where its server does not give it.
    pub(super) async fn forward_prompt(
        &self,
        served: &Served,
        (offered, prompt): (&Offered, &OfferedPrompt),
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        let (principal, traced) = (principal(context), Traced::of(context));
        let label = format!("prompts/get {}", prompt.name);
        let observed = self.observe_as("prompts/get", (&label, &label, &prompt.name), &arguments, (principal, traced));
        let asked = async {
            self.bounded(principal)?;
            let known: Vec<(&str, bool)> =
                prompt.locked.arguments.iter().map(|one| (one.name.as_str(), one.required)).collect();
            check_sent(&known, &arguments)
                .map_err(|error| CallError::new(CallCode::InvalidArgument, error.to_string()))?;
            let sent = arguments.iter().filter(|(_, value)| !value.is_null());
            let sent = sent.map(|(name, value)| (name.clone(), value.clone())).collect();
            served.engine.prompt_of_server(offered, prompt, sent).await
        };
        let outcome = tokio::select! {
            outcome = asked => outcome,
            // Nobody waits for it any more: that it was given up is recorded where it is dropped.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        self.shared().hear_of_upstreams(served);
        match outcome {
            Ok(told) => {
                let bytes = told.messages.iter().map(|message| size(&message.content)).sum();
                observed.finish(Outcome::Ok, 0, bytes, false);
                Ok(filled(told))
            }
            Err(error) => {
                observed.finish(Outcome::Error(error.code), 0, 0, false);
                Err(refused(&label, &error))
            }
        }
    }

    /// What a resource of another server holds.
    ///
    /// Errors: resource not found, and `-32603` where its server does not give it.
    pub(super) async fn forward_resource(
        &self,
        served: &Served,
        (readable, uri): (Readable<'_>, &str),
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let (principal, traced) = (principal(context), Traced::of(context));
        let shown = shortened(uri);
        let label = format!("resources/read {}", shortened(readable.address()));
        let observed =
            self.observe_as("resources/read", (&label, &shown, &shown), &Arguments::new(), (principal, traced));
        let asked = async {
            self.bounded(principal)?;
            served.engine.resource_of_server(readable.offered, readable.by, uri).await
        };
        let outcome = tokio::select! {
            outcome = asked => outcome,
            // Nobody waits for it any more: that it was given up is recorded where it is dropped.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
        };
        self.shared().hear_of_upstreams(served);
        match outcome {
            Ok(parts) => {
                observed.finish(Outcome::Ok, 0, parts.iter().map(|part| held(&part.body)).sum(), false);
                Ok(ReadResourceResult::new(parts.into_iter().map(contents).collect()))
            }
            Err(error) => {
                observed.finish(Outcome::Error(error.code), 0, 0, false);
                Err(match error.code {
                    CallCode::UnknownResource => super::resources::not_found(uri, None),
                    _ => refused(&label, &error),
                })
            }
        }
    }

    /// Errors: there were too many calls of this caller.
    fn bounded(&self, principal: Option<&Principal>) -> Result<(), CallError> {
        let who = principal.map_or("anonymous", |principal| principal.name.as_str());
        match self.shared().may_call(self.transport, who) {
            true => Ok(()),
            false => Err(CallError::new(CallCode::RateLimited, TOO_OFTEN)),
        }
    }
}

/// Why something is not passed on; what its caller is not told goes to the log.
fn refused(what: &str, error: &CallError) -> ErrorData {
    if let Some(detail) = &error.detail {
        tracing::error!(asked = what, code = error.code.as_str(), detail = detail.text(), "not passed on");
    }
    let message = match &error.hint {
        Some(hint) => format!("{}; {hint}", error.message),
        None => error.message.clone(),
    };
    match error.code {
        CallCode::InvalidArgument => ErrorData::invalid_params(message, None),
        code => ErrorData::internal_error(message, Some(json!({"code": code.as_str()}))),
    }
}

fn filled(told: FilledPrompt) -> GetPromptResult {
    let message = |Message { speaker, content }: Message| {
        let role = match speaker {
            Speaker::User => Role::User,
            Speaker::Assistant => Role::Assistant,
        };
        PromptMessage::new(role, passed_on::block(&content))
    };
    let mut result = GetPromptResult::new(told.messages.into_iter().map(message).collect());
    result.description = told.description;
    result
}

fn contents(part: Part) -> rmcp::model::ResourceContents {
    use rmcp::model::ResourceContents::{BlobResourceContents, TextResourceContents};
    let Part { uri, mime: mime_type, body } = part;
    match body {
        Body::Text(text) => TextResourceContents { uri, mime_type, text, meta: None },
        Body::Blob(blob) => BlobResourceContents { uri, mime_type, blob, meta: None },
    }
}

/// How many bytes a block has.
fn size(content: &Content) -> u64 {
    match content {
        Content::Text(text) => text.len() as u64,
        Content::Image { data, .. } | Content::Audio { data, .. } => data.len() as u64,
        Content::Resource { body, .. } => held(body),
        Content::ResourceLink { uri, .. } => uri.len() as u64,
    }
}

fn held(body: &Body) -> u64 {
    match body {
        Body::Text(held) | Body::Blob(held) => held.len() as u64,
    }
}
