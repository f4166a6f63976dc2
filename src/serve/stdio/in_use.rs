//! Requests that wait for their answers, by their ids.
//!
//! The SDK keeps what it works at by its id: of two requests with one id, only one had an answer. So the second is refused
//! before the SDK sees it, and the first keeps its own. What the SDK refuses by itself, such as a call whose client has not
//! said which revision of the protocol it speaks, is recorded when its error is sent. What was no message is answered here,
//! by its id; where the client has written all that it wants to, what is answered so is written before the connection ends.

use super::super::Server;
use super::super::admitted::Admitted;
use super::super::asked::{Asked, TAKEN};
use super::batches::Batches;
use super::output::{Output, line_of};
use super::unread::Unread;
use super::waiting::Waiting;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use futures::FutureExt;
use futures::future::ready;
use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetExtensions, JsonRpcError, JsonRpcMessage, JsonRpcRequest,
    RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::io;
use std::sync::Arc;
use tokio::io::AsyncWrite;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// A connection on which every id is that of one request at a time.
pub(super) struct Unique<T, W> {
    /// What is read.
    inner: T,
    /// Where it is answered.
    output: Output<W>,
    server: Server,
    waiting: Arc<Waiting>,
    /// What waits for several answers at once.
    batches: Arc<Batches>,
    /// The refusals that are not written yet.
    telling: JoinSet<()>,
    /// Whether the client has written its last line.
    has_ended: bool,
    /// Cancelled when it has, and all of it is read.
    gone: CancellationToken,
}

impl<T: Transport<RoleServer>, W: AsyncWrite + Unpin + Send + 'static> Unique<T, W> {
    pub(super) fn new(
        (inner, output): (T, Output<W>),
        server: Server,
        (waiting, batches): (Arc<Waiting>, Arc<Batches>),
        gone: CancellationToken,
    ) -> Unique<T, W> {
        Unique { inner, output, server, waiting, batches, telling: JoinSet::new(), has_ended: false, gone }
    }

    /// Refuses a request whose id is taken.
    fn refuse(&mut self, request: JsonRpcRequest<ClientRequest>) {
        if let Some(asked) = asked(&request.request) {
            Admitted::over_stdio(&self.server, asked).refused(CallCode::InvalidRequest);
        }
        let error = ErrorData::invalid_request(TAKEN, None);
        self.tell(error, Some(request.id));
    }

    /// Answers with an error, and goes on meanwhile.
    fn tell(&mut self, error: ErrorData, id: Option<RequestId>) {
        let sending = self.output.tell(&JsonRpcMessage::error(error, id));
        while self.telling.try_join_next().is_some() {}
        // Not waited for here: what is received is dropped whenever something else is to be done.
        self.telling.spawn(async move {
            if sending.await.is_err() {
                tracing::debug!("a refusal could not be sent");
            }
        });
    }

    /// The next message; `None` for good once there are no more.
    async fn next(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.has_ended {
            return None;
        }
        let message = self.inner.receive().await;
        self.has_ended = message.is_none();
        if self.has_ended {
            self.gone.cancel();
        }
        message
    }
}

impl<T, W> Unique<T, W> {
    /// Notes that a request waits for its answer from now on.
    fn admit(&mut self, request: &mut JsonRpcRequest<ClientRequest>) {
        let admitted = asked(&request.request).map(|asked| Admitted::over_stdio(&self.server, asked));
        if let Some(admitted) = &admitted {
            request.request.extensions_mut().insert(admitted.clone());
        }
        self.waiting.add(request.id.clone(), admitted);
    }

    /// Lets go of what a client has cancelled: whoever works at it has it as well, and records it.
    fn forget(&mut self, notification: &ClientNotification) {
        if let ClientNotification::CancelledNotification(cancelled) = notification
            && let Some(id) = &cancelled.params.request_id
            && self.waiting.cancel(id)
        {
            self.batches.forget(id);
        }
    }
}

/// What is said of a line that was no message, where a request stands for one, and to which id. It is recorded already.
fn unread(request: &JsonRpcRequest<ClientRequest>) -> Option<(ErrorData, Option<RequestId>)> {
    let ClientRequest::CustomRequest(custom) = &request.request else { return None };
    let unread = Unread::of(&custom.method)?;
    let is_nobody = matches!(&request.id, RequestId::String(id) if Unread::is_nobody(id));
    Some((unread.error(), (!is_nobody).then(|| request.id.clone())))
}

/// What a request asks for, where that is recorded.
fn asked(request: &ClientRequest) -> Option<Asked> {
    match request {
        ClientRequest::CallToolRequest(call) => {
            let arguments = call.params.arguments.clone().unwrap_or_default();
            Some(Asked { target: call.params.name.to_string(), arguments })
        }
        ClientRequest::ReadResourceRequest(read) => {
            Some(Asked { target: read.params.uri.clone(), arguments: Arguments::new() })
        }
        // One of the wrong shape.
        ClientRequest::CustomRequest(other) => Asked::by(&other.method, other.params.clone().unwrap_or_default()),
        _ => None,
    }
}

impl<T, W> Transport<RoleServer> for Unique<T, W>
where
    T: Transport<RoleServer, Error = io::Error>,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let line = match line_of(&item) {
            Ok(line) => line,
            Err(error) => return ready(Err(error)).boxed(),
        };
        let sent = match &item {
            JsonRpcMessage::Response(response) => self.waiting.answer(&response.id, |_| self.output.send(line)),
            JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => self.waiting.answer(id, |admitted| {
                // Nobody else has begun to record it.
                admitted.into_iter().for_each(|admitted| admitted.refused(CallCode::InvalidRequest));
                self.output.send(line)
            }),
            _ => Some(self.output.send(line)),
        };
        sent.unwrap_or_else(|| ready(Ok(())).boxed())
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.next().await else {
                // The SDK closes the connection as soon as there is no more to read. Who reads nothing is not waited for.
                let told = async { while self.telling.join_next().await.is_some() {} };
                _ = tokio::time::timeout(super::GRACE, told).await;
                return None;
            };
            match message {
                JsonRpcMessage::Request(mut request) => match unread(&request) {
                    Some((error, id)) => self.tell(error, id),
                    None if self.waiting.has(&request.id) => self.refuse(request),
                    None => {
                        self.admit(&mut request);
                        return Some(JsonRpcMessage::Request(request));
                    }
                },
                JsonRpcMessage::Notification(notification) => {
                    self.forget(&notification.notification);
                    return Some(JsonRpcMessage::Notification(notification));
                }
                message => return Some(message),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
