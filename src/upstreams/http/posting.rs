//! One message that is posted, and what comes back for it.

use super::body::{self, Body};
use super::events;
use super::http_error::HttpError;
use crate::upstreams::local_error::LocalError;
use http::header::CONTENT_TYPE;
use reqwest::{RequestBuilder, Response, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcError, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::common::http_header::{EVENT_STREAM_MIME_TYPE, HEADER_SESSION_ID, JSON_MIME_TYPE};
use rmcp::transport::streamable_http_client::{StreamableHttpError, StreamableHttpPostResponse};

/// How much is read of an answer that is no success, in bytes.
const MOST_OF_AN_ERROR: usize = 64 << 10;

type Outcome = Result<StreamableHttpPostResponse, StreamableHttpError<HttpError>>;

/// A message that is posted.
pub(super) struct Posting<'a> {
    /// The message.
    pub(super) message: &'a ClientJsonRpcMessage,
    /// Whether it belongs to a session.
    pub(super) has_session: bool,
    /// The most bytes of an answer.
    pub(super) most_bytes: usize,
}

impl Posting<'_> {
    /// Whether it is the question that only servers of the newest revision know.
    pub(super) fn is_probe(&self) -> bool {
        matches!(
            self.message,
            JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::DiscoverRequest(_))
        )
    }

    /// The answer of a server that does not know the question.
    pub(super) fn unknown(&self, words: &str) -> StreamableHttpPostResponse {
        let error = ErrorData::invalid_request(words.to_owned(), None);
        StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(error, self.id()), None)
    }

    /// Sends it, and reads what comes back.
    ///
    /// Errors: nothing comes back, or nothing that a client of MCP understands.
    pub(super) async fn send(&self, request: RequestBuilder) -> Outcome {
        let response = request.send().await.map_err(HttpError::of_request)?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if !status.is_success() {
            return self.refused(response).await;
        }
        let session = response.headers().get(HEADER_SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        match kind(&response) {
            Kind::Events => {
                Ok(StreamableHttpPostResponse::Sse(events::of_answer(response, self.most_bytes, self.id()), session))
            }
            Kind::Json => self.read(response, session).await,
            // A notification needs no answer.
            Kind::Other if self.id().is_none() => Ok(StreamableHttpPostResponse::Accepted),
            Kind::Other => Err(HttpError::of_answer("its answer is neither JSON nor a stream of events").into()),
        }
    }

    async fn read(&self, response: Response, session: Option<String>) -> Outcome {
        let message = match (body::read(response, self.most_bytes).await?, self.id()) {
            (_, None) => return Ok(StreamableHttpPostResponse::Accepted),
            (Body::TooLarge, Some(id)) => LocalError::TooLarge.answer_to(id),
            (Body::Whole(bytes), Some(id)) => {
                serde_json::from_slice(&bytes).unwrap_or_else(|_| LocalError::Unreadable.answer_to(id))
            }
        };
        Ok(StreamableHttpPostResponse::Json(self.answered(message), session))
    }

    async fn refused(&self, response: Response) -> Outcome {
        let status = response.status();
        if status == StatusCode::NOT_FOUND && self.has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        let is_about_access = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        if is_about_access || !matches!(kind(&response), Kind::Json) {
            return match self.is_probe() && status.is_client_error() && !is_about_access {
                true => Ok(self.unknown(&format!("HTTP {status}"))),
                false => Err(HttpError::of_status(status).into()),
            };
        }
        let body = match body::read(response, MOST_OF_AN_ERROR).await {
            Ok(Body::Whole(bytes)) => bytes,
            Ok(Body::TooLarge) | Err(_) => Vec::new(),
        };
        match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            // Some servers say so where others say 404.
            Ok(JsonRpcMessage::Error(error))
                if self.has_session && status == StatusCode::BAD_REQUEST && is_about_sessions(&error) =>
            {
                Err(StreamableHttpError::SessionExpired)
            }
            Ok(message @ JsonRpcMessage::Error(_)) if self.id().is_some() => {
                Ok(StreamableHttpPostResponse::Json(self.answered(message), None))
            }
            _ if self.is_probe() && status.is_client_error() => Ok(self.unknown(&format!("HTTP {status}"))),
            _ => Err(HttpError::of_status(status).into()),
        }
    }

    /// An error that names no request, or the probe in a way of its own, is the answer to what was posted.
    fn answered(&self, message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
        match message {
            JsonRpcMessage::Error(error) if error.id.is_none() || self.is_probe() => {
                JsonRpcMessage::Error(JsonRpcError::new(self.id(), error.error))
            }
            message => message,
        }
    }

    fn id(&self) -> Option<RequestId> {
        match self.message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        }
    }
}

enum Kind {
    Json,
    Events,
    Other,
}

fn kind(response: &Response) -> Kind {
    match response.headers().get(CONTENT_TYPE).map(http::HeaderValue::as_bytes) {
        Some(kind) if kind.starts_with(JSON_MIME_TYPE.as_bytes()) => Kind::Json,
        Some(kind) if kind.starts_with(EVENT_STREAM_MIME_TYPE.as_bytes()) => Kind::Events,
        _ => Kind::Other,
    }
}

fn is_about_sessions(error: &JsonRpcError) -> bool {
    error.error.message.to_ascii_lowercase().contains("session")
}
