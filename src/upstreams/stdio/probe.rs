//! The first question to a server, which older ones may leave unanswered: after a while it is answered in their place.

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use std::future::pending;
use std::time::Duration;
use tokio::time::Instant;

/// Whether the question is open.
pub(super) struct Probe {
    patience: Duration,
    asked: Option<(RequestId, Instant)>,
    given_up: Option<RequestId>,
}

impl Probe {
    /// Nothing is asked yet; an answer is waited for so long.
    pub(super) fn new(patience: Duration) -> Probe {
        Probe { patience, asked: None, given_up: None }
    }

    /// Notes what is sent.
    pub(super) fn note_sent(&mut self, message: &ClientJsonRpcMessage) {
        if let JsonRpcMessage::Request(request) = message
            && matches!(request.request, ClientRequest::DiscoverRequest(_))
        {
            self.asked = Some((request.id.clone(), Instant::now() + self.patience));
        }
    }

    /// Whether a message is to be passed on. An answer that comes after all would be taken for that of the handshake.
    pub(super) fn lets_through(&mut self, message: &ServerJsonRpcMessage) -> bool {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => return true,
        };
        if id.is_some() && id == self.given_up.as_ref() {
            self.given_up = None;
            return false;
        }
        if id.is_none() || id == self.asked.as_ref().map(|(id, _)| id) {
            self.asked = None;
        }
        true
    }

    /// Is over when the question has waited long enough, and then answers it as a server does that does not know it.
    pub(super) async fn answer_in_place(&mut self) -> ServerJsonRpcMessage {
        let Some((id, until)) = self.asked.clone() else { return pending().await };
        tokio::time::sleep_until(until).await;
        self.asked = None;
        self.given_up = Some(id.clone());
        let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "no answer in time", None);
        ServerJsonRpcMessage::error(error, Some(id))
    }
}
