//! The plain HTTP API beside MCP: `POST /tools/{name}` with a JSON object of arguments, rows as `Accept` asks for them;
//! `GET /tools`, `GET /openapi.json`. The same callers, checks, caps and records as over MCP.

mod accept;
mod answer;

use super::admitted::Admitted;
use super::audit::Outcome;
use super::body::{self, Unread};
use super::front::Arrived;
use super::gatekeeper::Gatekeeper;
use super::repeated::{self, Sent};
use super::traced::Traced;
use super::visible::Found;
use super::{Principal, Server};
use crate::emit;
use crate::emit::about::About;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::engine::{Consent, Progress, Questions};
use crate::tool::Contract;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::{ACCEPT, CONNECTION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a request is answered with.
#[derive(Clone)]
struct Api {
    server: Server,
    gatekeeper: Arc<Gatekeeper>,
}

/// The routes.
pub(super) fn router(server: Server, gatekeeper: &Arc<Gatekeeper>) -> Router<Arc<Gatekeeper>> {
    let api = Api { server, gatekeeper: Arc::clone(gatekeeper) };
    Router::new()
        .route("/tools", get(list))
        .route("/tools/{name}", post(call))
        .route("/openapi.json", get(openapi))
        .method_not_allowed_fallback(|| async {
            let error = CallError::new(CallCode::WrongMethod, "tools are called by POST, and all else is read by GET");
            refused(StatusCode::METHOD_NOT_ALLOWED, &error)
        })
        .layer(middleware::from_fn_with_state(Arc::clone(gatekeeper), authenticated))
        .with_state(api)
}

/// Lets those in who have a token, where tokens are asked for.
async fn authenticated(State(gatekeeper): State<Arc<Gatekeeper>>, mut request: Request, next: Next) -> Response {
    match gatekeeper.identify(&mut request).await {
        Ok(()) => next.run(request).await,
        Err((status, challenge)) => {
            let error = match status {
                StatusCode::SERVICE_UNAVAILABLE => {
                    CallError::new(CallCode::Busy, "tokens cannot be checked at the moment").hint("call again later")
                }
                _ => CallError::new(CallCode::Unauthenticated, "a valid token is needed"),
            };
            let mut response = refused(status, &error);
            if let Some(challenge) = challenge {
                response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            }
            response
        }
    }
}

/// The tools that the caller may see, with the arguments and rows that they have here.
async fn list(State(api): State<Api>, request: Request) -> Response {
    let tools: Vec<Value> = api.visible(&request).iter().map(emit::http_api::definition).collect();
    Json(json!({ "tools": tools })).into_response()
}

/// The OpenAPI document of the tools that the caller may see.
async fn openapi(State(api): State<Api>, request: Request) -> Response {
    let shared = api.server.shared();
    let about = About {
        name: &shared.info.name,
        version: Some(&shared.info.version),
        description: shared.info.description.as_deref(),
        authenticated: api.gatekeeper.asks_for_tokens(),
    };
    Json(emit::openapi::document(&about, &api.visible(&request))).into_response()
}

/// What is said of a query string. A call that went on without it would answer something that was not asked.
const BEHIND_ADDRESS: &str = "a call takes no parameters behind `?`";
const IN_BODY: &str = "send the arguments in the body, as a JSON object";

/// Calls a tool.
async fn call(State(api): State<Api>, path: Result<Path<String>, PathRejection>, request: Request) -> Response {
    // What is no text is the name of nothing.
    let name = path.map_or_else(|_| String::new(), |Path(name)| name);
    let (parts, body) = request.into_parts();
    let called = |bytes: &[u8]| {
        let arguments = arguments(&parts.headers, bytes).unwrap_or_default();
        Admitted::call(&api.server, &parts, name.clone(), arguments)
    };
    let refuse = |status, error: CallError| {
        // What is wrong with a call says nothing of a tool that is not there for the caller.
        let served = api.server.shared().served();
        let principal = parts.extensions.get::<Principal>();
        let (status, error) = match api.server.find(&served, &name, principal) {
            Found::Nothing => (StatusCode::NOT_FOUND, no_such_tool()),
            _ => (status, error),
        };
        called(&[]).refused(error.code);
        refused(status, &error)
    };
    if parts.uri.query().is_some_and(|query| !query.is_empty()) {
        return refuse(StatusCode::BAD_REQUEST, CallError::new(CallCode::InvalidRequest, BEHIND_ADDRESS).hint(IN_BODY));
    }
    let Some(format) = accept::choose(parts.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()))
    else {
        let error =
            CallError::new(CallCode::NotAcceptable, "rows are not written in any of the formats that Accept names");
        let formats = accept::Format::ALL.map(|one| one.mime().into());
        return refuse(StatusCode::NOT_ACCEPTABLE, error.allowed(formats.into()));
    };
    let taken = api.gatekeeper.taken();
    let body = match body::read(body, taken, |bytes| drop(called(bytes))).await {
        Ok(body) => body,
        Err(Unread::TooLarge) => {
            let message = format!("the body is larger than {} bytes", taken.bytes);
            return refuse(StatusCode::PAYLOAD_TOO_LARGE, CallError::new(CallCode::ArgumentsTooLarge, message));
        }
        Err(Unread::TooSlow) => {
            api.server.shared().metrics.refused("slow");
            let error = CallError::new(CallCode::TooSlow, body::LATE);
            return refused(StatusCode::REQUEST_TIMEOUT, &error);
        }
        Err(Unread::Malformed) => {
            return refuse(StatusCode::BAD_REQUEST, CallError::new(CallCode::InvalidRequest, body::MALFORMED));
        }
        // It has not arrived.
        Err(Unread::Broken) => return StatusCode::BAD_REQUEST.into_response(),
    };
    let arguments = match arguments(&parts.headers, &body) {
        Ok(arguments) => arguments,
        Err((status, error)) => return refuse(status, error),
    };
    match api.answer(&parts, &name, arguments).await {
        Ok(result) => answer::rows(result, format),
        Err(error) => refused(status(error.code), &error),
    }
}

impl Api {
    /// The tools that a caller may see, as they are now.
    fn visible(&self, request: &Request) -> Vec<Contract> {
        let served = self.server.shared().served();
        let principal = request.extensions().get::<Principal>();
        let visible = self.server.visible(&served, principal);
        let tools = visible.filter_map(|published| served.engine.tool(&published.tool.name));
        tools.map(|tool| tool.contract.clone()).collect()
    }

    async fn answer(&self, parts: &Parts, name: &str, mut arguments: Arguments) -> Result<CallResult, CallError> {
        let (server, served) = (&self.server, self.server.shared().served());
        let (principal, traced) = (parts.extensions.get::<Principal>(), Traced::of_headers(&parts.headers));
        // Models in strict modes send null for what they leave out.
        arguments.retain(|name, value| name != "table_format" || !value.is_null());
        let is_there = server.published(&served, name, principal).is_some();
        if is_there && arguments.contains_key("table_format") {
            let message = "there is no argument `table_format`: the header Accept asks for a format";
            let error = CallError::about(CallCode::UnknownArgument, "table_format", message);
            let outcome = Outcome::Error(error.code);
            server.note(name, &arguments, principal, traced.trace_id().as_deref(), outcome);
            return Err(error);
        }
        let (consent, progress, questions) = (Consent::None, Progress::default(), Questions::default());
        let arrived = Arrived { name, arguments: &arguments, principal, traced, consent, progress, questions };
        match server.call(&served, arrived).await {
            Ok(answered) => Ok(answered.result),
            Err(error) if error.code == CallCode::UnknownTool => Err(no_such_tool()),
            Err(error) => Err(error),
        }
    }
}

/// The arguments in a body; none where it is empty.
fn arguments(headers: &HeaderMap, body: &[u8]) -> Result<Arguments, (StatusCode, CallError)> {
    if body.is_empty() {
        return Ok(Arguments::new());
    }
    if let Some(why) = body::is_foreign(headers) {
        let error = CallError::new(CallCode::UnsupportedMediaType, why);
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, error));
    }
    let wrong = |message: &str| (StatusCode::BAD_REQUEST, CallError::new(CallCode::InvalidJson, message));
    match serde_json::from_slice(body) {
        Ok(Sent(arguments)) => match repeated::refusal(&arguments) {
            Some(error) => Err((StatusCode::BAD_REQUEST, error)),
            None => Ok(arguments),
        },
        Err(error) if error.is_data() => Err(wrong("the body must be a JSON object of arguments")),
        Err(_) => Err(wrong("the body is not valid JSON")),
    }
}

fn no_such_tool() -> CallError {
    CallError::no_such_tool().hint("GET /tools lists them")
}

/// The status of a failed call (RFC 9110).
fn status(code: CallCode) -> StatusCode {
    match code {
        CallCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        CallCode::NotPermitted => StatusCode::FORBIDDEN,
        CallCode::UnknownTool | CallCode::UnknownPrompt | CallCode::UnknownResource => StatusCode::NOT_FOUND,
        CallCode::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
        CallCode::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
        CallCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
        CallCode::ArgumentsTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        CallCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        CallCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        CallCode::Busy | CallCode::ToolUnavailable | CallCode::DataChanged | CallCode::SourceUnavailable => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        CallCode::TooManyChanges
        | CallCode::UnexpectedChanges
        | CallCode::ChangeRefused
        | CallCode::ConfirmationOutdated => StatusCode::CONFLICT,
        CallCode::NotConfirmed => StatusCode::FORBIDDEN,
        CallCode::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        CallCode::ProgramFailed | CallCode::RequestFailed | CallCode::UpstreamFailed | CallCode::InvalidOutput => {
            StatusCode::BAD_GATEWAY
        }
        CallCode::Timeout | CallCode::OutcomeUnknown => StatusCode::GATEWAY_TIMEOUT,
        CallCode::InternalError | CallCode::OutOfMemory | CallCode::DefaultFailed | CallCode::UnreadableData => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        CallCode::MissingArgument
        | CallCode::InvalidArgument
        | CallCode::UnknownArgument
        | CallCode::InvalidArguments
        | CallCode::DefaultNotAllowed
        | CallCode::RuleBroken
        | CallCode::InvalidJson
        | CallCode::InvalidRequest
        | CallCode::TooExpensive
        | CallCode::DivisionByZero
        | CallCode::Overflow
        | CallCode::CastFailed
        | CallCode::InvalidPattern
        | CallCode::QueryFailed => StatusCode::BAD_REQUEST,
    }
}

fn refused(status: StatusCode, error: &CallError) -> Response {
    let mut response = (status, Json(json!({ "error": error }))).into_response();
    if matches!(status, StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT) {
        // What is left of the body is not read.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let is_for_later = matches!(error.code, CallCode::Busy | CallCode::DataChanged | CallCode::SourceUnavailable);
    if matches!(status, StatusCode::TOO_MANY_REQUESTS) || is_for_later {
        let seconds = error.retry_after.map_or(HeaderValue::from_static("1"), HeaderValue::from);
        response.headers_mut().insert("retry-after", seconds);
    }
    response
}
