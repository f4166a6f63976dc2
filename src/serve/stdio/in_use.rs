//! Requests with an id that another one has which waits for its answer.
//!
//! The SDK keeps what it works at by its id: of two requests with one id, only one had an answer. So the second is refused
//! before the SDK sees it, and the first keeps its own.

use super::super::Server;
use super::super::audit::Outcome;
use crate::engine::code::CallCode;
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorData, JsonRpcMessage, JsonRpcRequest, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::HashSet;

/// A connection on which every id is that of one request at a time.
pub(super) struct Unique<T> {
    inner: T,
    server: Server,
    /// The ids of requests that wait for their answers. One that was cancelled has none, and its id stays here: its
    /// answer could still come, and would be taken for that of another one.
    waiting: HashSet<RequestId>,
}

impl<T: Transport<RoleServer>> Unique<T> {
    pub(super) fn new(inner: T, server: Server) -> Unique<T> {
        Unique { inner, server, waiting: HashSet::new() }
    }

    /// Refuses a request, and goes on meanwhile.
    fn refuse(&mut self, request: JsonRpcRequest<ClientRequest>) {
        if let ClientRequest::CallToolRequest(call) = &request.request {
            let arguments = call.params.arguments.clone().unwrap_or_default();
            self.server.note(&call.params.name, &arguments, None, None, Outcome::Error(CallCode::InvalidRequest));
        }
        let error = ErrorData::invalid_request("the id is that of a request that has no answer yet", None);
        let sending = self.inner.send(JsonRpcMessage::error(error, Some(request.id)));
        // Not waited for here: what is received is dropped whenever something else is to be done.
        tokio::spawn(async move {
            if sending.await.is_err() {
                tracing::debug!("a refusal could not be sent");
            }
        });
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Unique<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        match &item {
            JsonRpcMessage::Response(response) => {
                self.waiting.remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                error.id.as_ref().map(|id| self.waiting.remove(id));
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.inner.receive().await? {
                JsonRpcMessage::Request(request) if !self.waiting.insert(request.id.clone()) => self.refuse(request),
                message => return Some(message),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
