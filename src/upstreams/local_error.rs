//! Errors of this side that travel on the way of an answer. A mark that only this process knows tells them from errors
//! of a server.

use rmcp::model::{CustomRequest, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage, ServerRequest};
use serde_json::{Value, json};
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The key that the mark stands under.
const KEY: &str = "qtool/upstreams";

/// What went wrong with an answer on this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalError {
    /// It is larger than is taken.
    TooLarge,
    /// It is no message of the protocol.
    Unreadable,
}

impl LocalError {
    /// The message that stands in for the answer to a request.
    pub(super) fn answer_to(self, id: RequestId) -> ServerJsonRpcMessage {
        let kind = match self {
            LocalError::TooLarge => "too-large",
            LocalError::Unreadable => "unreadable",
        };
        let data = json!({ KEY: mark(), "kind": kind });
        ServerJsonRpcMessage::error(ErrorData::new(ErrorCode::INTERNAL_ERROR, kind, Some(data)), Some(id))
    }

    /// The message that stands in for a request of the server: of a method that nobody has, so that the server is answered.
    pub(super) fn request_of(self, id: RequestId) -> ServerJsonRpcMessage {
        let method = match self {
            LocalError::TooLarge => "request-too-large",
            LocalError::Unreadable => "unreadable-request",
        };
        ServerJsonRpcMessage::request(ServerRequest::CustomRequest(CustomRequest::new(method, None)), id)
    }

    /// What an error is, where it is one of this side.
    pub(super) fn found_in(error: &ErrorData) -> Option<LocalError> {
        let data = error.data.as_ref()?;
        if data.get(KEY).and_then(Value::as_u64) != Some(mark()) {
            return None;
        }
        match data.get("kind").and_then(Value::as_str) {
            Some("too-large") => Some(LocalError::TooLarge),
            _ => Some(LocalError::Unreadable),
        }
    }
}

fn mark() -> u64 {
    static MARK: OnceLock<u64> = OnceLock::new();
    *MARK.get_or_init(|| RandomState::new().hash_one(KEY))
}
