//! Calls of tools over HTTP without the machinery of the SDK.
//!
//! The SDK reads a message into one of some forty shapes, runs a service of channels and tasks for it, and writes the
//! result from a tree of JSON values. For a call of a tool in its plainest form, which is nearly every message that a
//! server gets, that takes longer than a small query. Here such a message is read for what it is, and the result written
//! as text. Whatever is not quite that (another method, another revision of the protocol, a token for progress, a tool
//! that the caller may not see, a field that is not known here) is left to the SDK, which gets the same bytes, and so are
//! the messages of a batch, each as if it had come alone.

use super::admitted::Admitted;
use super::asked;
use super::batch;
use super::body::{self, Taken, Unread};
use super::cursors;
use super::front::{Answered, Arrived};
use super::handler::failure;
use super::object::Object;
use super::passed_on;
use super::repeated::{self, Sent};
use super::traced::Traced;
use super::{Principal, Server};
use crate::engine::code::CallCode;
use crate::engine::encode::push_json;
use crate::engine::result::CallResult;
use crate::engine::{Consent, Progress, Questions};
use crate::project::BoundFrom;
use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{ACCEPT, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use rmcp::model::{ErrorCode, ProtocolVersion};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The header that names the revision of the protocol.
const VERSION: &str = "mcp-protocol-version";

/// The server behind a path, and what it takes of a body.
#[derive(Clone)]
pub(super) struct Direct {
    pub(super) server: Server,
    pub(super) taken: Taken,
}

/// A call of a tool. What has other fields is for the SDK to judge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    id: Id,
    #[serde(borrow)]
    method: Cow<'a, str>,
    params: Object<Params>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    name: String,
    #[serde(default)]
    arguments: Option<Sent>,
    #[serde(default, rename = "_meta")]
    meta: Option<Object<Meta>>,
}

/// The context of a trace (SEP-414). A token for progress, or the revision of the protocol, makes it the SDK's.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta {
    #[serde(default)]
    traceparent: Option<String>,
    #[serde(default)]
    tracestate: Option<String>,
}

/// Answers calls of tools, and hands on everything else.
pub(super) async fn directly(State(direct): State<Direct>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let left = |bytes: &[u8]| drop(Admitted::of(&direct.server, &parts, bytes));
    let bytes = match body::read(body, direct.taken, left).await {
        Ok(bytes) => bytes,
        Err(unread) => return direct.unread(&parts, unread),
    };
    if let Some(why) = body::is_foreign(&parts.headers) {
        direct.refused(&parts, &bytes, CallCode::UnsupportedMediaType);
        return (StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{why}\n")).into_response();
    }
    if is_repeated(&parts.headers) {
        direct.refused(&parts, &bytes, CallCode::InvalidRequest);
        return (StatusCode::BAD_REQUEST, "a header of the protocol is there twice\n").into_response();
    }
    let has_batches = version(&parts.headers).is_none_or(batch::is_of_revision);
    match batch::messages(&bytes).filter(|_| has_batches) {
        Some(messages) => direct.batch(&messages, &parts, next).await,
        None => direct.message(bytes, parts, next).await,
    }
}

/// The revision of the protocol that a request names. One that names none is of 2025-03-26, or older.
fn version(headers: &HeaderMap) -> Option<&str> {
    headers.get(VERSION).map(|version| version.to_str().unwrap_or("?"))
}

impl Direct {
    /// Answers a message.
    async fn message(&self, bytes: Bytes, parts: Parts, next: Next) -> Response {
        if is_plain(&parts.headers)
            && let Some(answer) = self.answer(&parts, &bytes).await
        {
            return json_of(answer);
        }
        let id = asked::id(&bytes).unwrap_or_default();
        if let Err(error) = serde_json::from_slice::<Value>(&bytes) {
            self.refused(&parts, &bytes, CallCode::InvalidJson);
            return no_message(&id, ErrorCode::PARSE_ERROR, &format!("the body is not valid JSON: {error}"));
        }
        if batch::is_array(&bytes) {
            self.refused(&parts, &bytes, CallCode::InvalidRequest);
            let why = batch::refusal(|| version(&parts.headers).is_none_or(batch::is_of_revision));
            return no_message(&id, ErrorCode::INVALID_REQUEST, &why);
        }
        let changed = repeated::marked(&bytes).or_else(|| cursors::with_text(&bytes));
        let bytes = changed.map_or(bytes, Into::into);
        let admitted = Admitted::of(&self.server, &parts, &bytes);
        let mut request = Request::from_parts(parts, Body::from(bytes.clone()));
        if let Some(admitted) = &admitted {
            request.extensions_mut().insert(admitted.clone());
        }
        let response = next.run(request).await;
        // The SDK has answers of its own to what it does not take.
        let code = match response.status() {
            StatusCode::NOT_ACCEPTABLE => CallCode::NotAcceptable,
            _ => CallCode::InvalidRequest,
        };
        admitted.into_iter().for_each(|admitted| admitted.refused(code));
        // Of the media type nothing is wrong: the SDK says so of JSON that is no message.
        if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            let why = "the body is no JSON-RPC message of a known shape";
            let why = if asked::is_misidentified(&bytes) { asked::NO_ID } else { why };
            return no_message(&id, ErrorCode::INVALID_REQUEST, why);
        }
        response
    }

    /// Answers the messages of a batch, one after the other.
    async fn batch(&self, messages: &[&[u8]], parts: &Parts, next: Next) -> Response {
        let mut answers = Vec::new();
        // Those whose turn does not come, because the client leaves, are recorded as well.
        let admitted: Vec<_> = messages.iter().map(|message| Admitted::of(&self.server, parts, message)).collect();
        let mut admitted = admitted.into_iter();
        let mut taken: Vec<Value> = Vec::new();
        for message in messages {
            let begun = admitted.next().flatten();
            let own = asked::id(message);
            // As over stdio, where all of a batch is begun at once.
            if let Some(id) = own.filter(|id| taken.contains(id)) {
                begun.into_iter().for_each(|begun| begun.refused(CallCode::InvalidRequest));
                answers.push(error_of(&id, ErrorCode::INVALID_REQUEST, asked::TAKEN).to_string());
                continue;
            }
            begun.iter().for_each(|begun| _ = begun.claim());
            taken.extend(asked::id(message));
            if begins(message) {
                let id = asked::id(message).unwrap_or_default();
                answers.push(error_of(&id, ErrorCode::INVALID_REQUEST, batch::BEGINS).to_string());
                continue;
            }
            let response = self.message(Bytes::copy_from_slice(message), parts.clone(), next.clone()).await;
            let (head, body) = response.into_parts();
            if head.status == StatusCode::ACCEPTED {
                continue;
            }
            let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            };
            match answer_in(&body) {
                Some(answer) => answers.push(answer),
                // Its headers are wrong, which are those of all.
                None => {
                    admitted.flatten().for_each(|unread| unread.refused(CallCode::NotAcceptable));
                    return Response::from_parts(head, Body::from(body));
                }
            }
        }
        match answers.is_empty() {
            true => StatusCode::ACCEPTED.into_response(),
            false => json_of(batch::answer(&answers)),
        }
    }
}

/// Whether a message begins a connection: a client has none yet that knows whether it may send batches.
fn begins(message: &[u8]) -> bool {
    let message: Result<Value, _> = serde_json::from_slice(message);
    message.is_ok_and(|message| message.get("method").and_then(Value::as_str) == Some("initialize"))
}

/// The answer in the body of a response: JSON, or the last of a stream of events.
fn answer_in(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let is_answer = |text: &&str| {
        let answer: Option<Value> = serde_json::from_str(text).ok();
        answer.is_some_and(|answer| answer.get("result").or(answer.get("error")).is_some())
    };
    let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    std::iter::once(text).chain(events).map(str::trim).rfind(is_answer).map(str::to_owned)
}

fn json_of(text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// What is answered where a body is no message (JSON-RPC 2.0, 5.1).
fn no_message(id: &Value, code: ErrorCode, message: &str) -> Response {
    (StatusCode::BAD_REQUEST, Json(error_of(id, code, message))).into_response()
}

fn error_of(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}})
}

/// Whether a header of the protocol has two lines: nobody knows which of them counts.
fn is_repeated(headers: &HeaderMap) -> bool {
    let mut names = headers.keys().filter(|name| name.as_str().starts_with("mcp-"));
    names.any(|name| headers.get_all(name).iter().nth(1).is_some())
}

/// Whether the headers are those of a client of a revision without demands on headers, that knows what it sends.
fn is_plain(headers: &HeaderMap) -> bool {
    let mut accepts = [("application/json", false), ("text/event-stream", false)];
    let sent = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    // How much one with a parameter is wanted, if at all, the SDK finds out.
    for range in sent.flat_map(|value| value.split(',')) {
        accepts.iter_mut().for_each(|(name, is_there)| *is_there |= range.trim().eq_ignore_ascii_case(name));
    }
    headers.contains_key(CONTENT_LENGTH)
        && version(headers).is_none_or(is_old)
        && accepts.iter().all(|(_, is_there)| *is_there)
}

/// A known revision before the one that has every request name its own.
fn is_old(version: &str) -> bool {
    let known = ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).any(|known| known == version);
    known && version < ProtocolVersion::V_2026_07_28.as_str()
}

impl Direct {
    /// Records what was refused for its form, where it may have been a call.
    fn refused(&self, parts: &Parts, bytes: &[u8], code: CallCode) {
        Admitted::of(&self.server, parts, bytes).into_iter().for_each(|admitted| admitted.refused(code));
    }

    /// What is answered where there is no body to read, in the words of the SDK.
    fn unread(&self, parts: &Parts, unread: Unread) -> Response {
        let (status, why, code) = match unread {
            Unread::TooLarge => {
                let why = format!("Payload Too Large: request body exceeds {} bytes", self.taken.bytes);
                (StatusCode::PAYLOAD_TOO_LARGE, why, Some(CallCode::ArgumentsTooLarge))
            }
            Unread::TooSlow => {
                self.server.shared().metrics.refused("slow");
                // It has not arrived.
                (StatusCode::REQUEST_TIMEOUT, body::LATE.to_owned(), None)
            }
            Unread::Malformed => {
                let why = format!("{}\n", body::MALFORMED);
                (StatusCode::BAD_REQUEST, why, Some(CallCode::InvalidRequest))
            }
            // Neither has this: it ended before the length that it had declared.
            Unread::Broken => (StatusCode::BAD_REQUEST, String::new(), None),
        };
        code.into_iter().for_each(|code| Admitted::unread(&self.server, parts).refused(code));
        let mut response = (status, why).into_response();
        // What is left of the body is not read.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        response
    }

    /// The answer to a call; `None` where the message is anything else.
    async fn answer(&self, parts: &Parts, bytes: &[u8]) -> Option<String> {
        let Object(message): Object<Message<'_>> = serde_json::from_slice(bytes).ok()?;
        if message.jsonrpc != "2.0" || message.method != "tools/call" {
            return None;
        }
        let Object(Params { name, arguments, meta }) = message.params;
        let served = self.server.shared.served();
        let principal = parts.extensions.get::<Principal>();
        // What is not there for this caller is the SDK's to answer, or the search's.
        self.server.published(&served, &name, principal)?;
        let Sent(arguments) = arguments.unwrap_or_default();
        let meta = meta.map(|Object(meta)| meta).unwrap_or_default();
        let version = version(&parts.headers);
        let traced = Traced {
            traceparent: meta.traceparent.as_deref(),
            tracestate: meta.tracestate.as_deref(),
            headers: Some(&parts.headers),
            version,
        };
        let (consent, progress, questions) = (Consent::None, Progress::default(), Questions::default());
        let arrived = Arrived { name: &name, arguments: &arguments, principal, traced, consent, progress, questions };
        let outcome = self.server.call(&served, arrived).await;
        let id = serde_json::to_string(&message.id).ok()?;
        Some(match outcome {
            Ok(Answered { result, text, is_structured }) => success(&id, &result, &text, is_structured),
            Err(error) => {
                let mut failed = failure(&error);
                // Not known to these revisions.
                failed.result_type = None;
                let failed = serde_json::to_string(&failed).ok()?;
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{failed}}}")
            }
        })
    }
}

/// The message of a result: the fields in the order of the SDK.
fn success(id: &str, result: &CallResult, text: &str, is_structured: bool) -> String {
    if let Some(passed) = &result.passed {
        let mut answer = passed_on::result(passed);
        // Not known to these revisions.
        answer.result_type = None;
        // Texts and data alone, which always have a JSON text.
        let answer = serde_json::to_string(&answer).unwrap_or_default();
        return format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{answer}}}");
    }
    let mut out = String::with_capacity(2 * text.len() + text.len() / 4 + 512);
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(id);
    out.push_str(",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
    push_json(text, &mut out);
    out.push_str("}],");
    if is_structured {
        out.push_str("\"structuredContent\":");
        result.write_object(&mut out);
        out.push(',');
    }
    out.push_str("\"isError\":false}}");
    out
}

/// Whether a tool takes a value from the headers of the request.
pub(super) fn reads_headers(contract: &crate::tool::Contract) -> bool {
    contract.schema().is_some()
        || contract.parameters().iter().any(|parameter| matches!(parameter.from, Some(BoundFrom::Header(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
        of.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_plain_requests_are_answered_here() {
        let accept = ("accept", "application/json, text/event-stream");
        let length = ("content-length", "100");
        assert!(is_plain(&headers(&[accept, length])));
        assert!(is_plain(&headers(&[accept, length, (VERSION, "2025-11-25")])));
        assert!(!is_plain(&headers(&[accept])), "of unknown length");
        assert!(!is_plain(&headers(&[length, ("accept", "application/json")])), "takes one of the two");
        for refused in ["application/json;q=0, text/event-stream", "application/json, text/event-stream ; q=0.000"] {
            assert!(!is_plain(&headers(&[length, ("accept", refused)])), "{refused}");
        }
        for version in ["2026-07-28", "2025-01-01", "", "x", "2099-01-01"] {
            assert!(!is_plain(&headers(&[accept, length, (VERSION, version)])), "{version}");
        }
    }

    #[test]
    fn the_answer_of_a_stream_is_its_last_event() {
        let answer = r#"{"id":1,"result":{}}"#;
        assert_eq!(answer_in(answer.as_bytes()).as_deref(), Some(answer));
        let stream = format!("id: 0\ndata: {{\"method\":\"notifications/progress\"}}\n\nid: 1\ndata: {answer}\n\n");
        assert_eq!(answer_in(stream.as_bytes()).as_deref(), Some(answer));
        assert_eq!(answer_in(b"Not Acceptable"), None);
        assert!(begins(br#"{"id":1,"method":"initialize"}"#) && !begins(br#"{"id":1,"method":"ping"}"#));
    }

    #[test]
    fn a_header_of_the_protocol_is_there_once() {
        let mut headers = headers(&[(VERSION, "2025-11-25"), ("mcp-method", "tools/call"), ("accept", "*/*")]);
        headers.append("accept", HeaderValue::from_static("*/*"));
        assert!(!is_repeated(&headers));
        headers.append("mcp-method", HeaderValue::from_static("tools/call"));
        assert!(is_repeated(&headers));
    }

    #[test]
    fn only_calls_of_tools_are_read_here() {
        let reads = |text: &str| serde_json::from_str::<Object<Message<'_>>>(text).is_ok();
        let of = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        assert!(reads(&of(r#"{"name":"t"}"#)));
        assert!(reads(&of(r#"{"name":"t","arguments":{"a":[1,{"b":null}]},"_meta":{"traceparent":"00-1-2-01"}}"#)));
        for params in [
            r#"{"name":"t","arguments":[]}"#,
            r#"{"name":"t","_meta":{"progressToken":1}}"#,
            r#"{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
            r#"{"name":"t","task":{}}"#,
            r#"{"arguments":{}}"#,
            r#"{"name":"t","_meta":["00-1-2-01"]}"#,
            r#"["t",{"a":1},null]"#,
            "[]",
        ] {
            assert!(!reads(&of(params)), "{params}");
        }
        assert!(!reads(r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}]"#));
        assert!(!reads(r#"["2.0",1,"tools/call",{"name":"t"}]"#), "not a list of what a message has");
        assert!(!reads(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#));
        assert!(!reads(r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"t"}}"#));
    }
}
