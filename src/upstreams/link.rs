//! One live connection to a server: requests over it, and why they failed.

use super::client::Client;
use super::desk::Desk;
use super::failure::Failure;
use super::listing::{List, Listing};
use super::local_error::LocalError;
use super::mark::Mark;
use super::send_failure::{Reached, SendFailure};
use super::stdio::Process;
use rmcp::model::{
    CallToolRequest, ClientRequest, ErrorCode, ErrorData, ListPromptsRequest, ListResourceTemplatesRequest,
    ListResourcesRequest, ListToolsRequest, PaginatedRequestParams, ServerPeerInfo, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

/// How much of the words of a server is kept, in characters.
const WORDS: usize = 2_000;

/// A live connection. The program behind it is killed when this is dropped.
pub(super) struct Link {
    service: RunningService<RoleClient, Client>,
    process: Option<Arc<Process>>,
    listening: Option<AbortHandle>,
    was_listed: AtomicBool,
    is_broken: AtomicBool,
    /// Whether the server has forgotten its session.
    is_forgotten: AtomicBool,
    /// When it was made.
    pub(super) since: Instant,
    /// Its number among those to the server.
    pub(super) number: u64,
    /// Where its questions go.
    pub(super) desk: Desk,
}

impl Link {
    /// A connection that is ready to be used, the program behind it, and what listens for its news.
    pub(super) fn new(
        service: RunningService<RoleClient, Client>,
        process: Option<Arc<Process>>,
        listening: Option<AbortHandle>,
        (number, desk): (u64, Desk),
    ) -> Link {
        let (was_listed, is_broken, is_forgotten) = Default::default();
        Link { service, process, listening, was_listed, is_broken, is_forgotten, since: Instant::now(), number, desk }
    }

    /// Whether nothing can be sent any more.
    pub(super) fn is_closed(&self) -> bool {
        self.is_broken.load(Ordering::Acquire) || self.service.peer().is_transport_closed()
    }

    /// Whether it is over for no fault of its own.
    pub(super) fn is_forgotten(&self) -> bool {
        self.is_forgotten.load(Ordering::Acquire)
    }

    /// When it was lost, as far as that is known.
    pub(super) fn lost_at(&self) -> Instant {
        self.process.as_ref().and_then(|process| process.ended_at()).unwrap_or_else(Instant::now)
    }

    /// What the server said of itself.
    pub(super) fn server(&self) -> Option<Arc<ServerPeerInfo>> {
        self.service.peer().peer_info()
    }

    /// Calls a tool. When this is dropped before its end, the server is told.
    ///
    /// Errors: any failure. Where the mark says that nothing was sent, it may be tried again.
    pub(super) async fn call(&self, request: CallToolRequest, mark: &Mark) -> Result<ServerResult, Failure> {
        let again = (!self.was_listed.load(Ordering::Acquire)).then(|| request.clone());
        let mut outcome = self.marked(request, mark).await;
        // The header of an argument is missing: which arguments have one is known from the list.
        if let (Err(ServiceError::McpError(error)), Some(again)) = (&outcome, again)
            && error.code == ErrorCode::HEADER_MISMATCH
        {
            self.list(List::Tools, &mut Listing::default()).await?;
            outcome = self.marked(again, mark).await;
        }
        match outcome {
            Ok(result) => Ok(result),
            Err(error) => Err(self.failure(error).await),
        }
    }

    async fn marked(&self, mut request: CallToolRequest, mark: &Mark) -> Result<ServerResult, ServiceError> {
        request.extensions.insert(mark.clone());
        self.request(ClientRequest::CallToolRequest(request)).await
    }

    /// Asks for something that changes nothing. When this is dropped before its end, the server is told.
    ///
    /// Errors: any failure.
    pub(super) async fn ask(&self, request: ClientRequest) -> Result<ServerResult, Failure> {
        match self.request(request).await {
            Ok(result) => Ok(result),
            Err(error) => Err(self.failure(error).await),
        }
    }

    /// Reads all pages of a list.
    ///
    /// Errors: any failure.
    pub(super) async fn list(&self, list: List, listing: &mut Listing) -> Result<(), Failure> {
        listing.begin();
        let mut cursor = None;
        loop {
            let params = Some(PaginatedRequestParams::default().with_cursor(cursor));
            let request = match list {
                List::Tools => ClientRequest::ListToolsRequest(ListToolsRequest {
                    method: Default::default(),
                    params,
                    extensions: Default::default(),
                }),
                List::Prompts => ClientRequest::ListPromptsRequest(ListPromptsRequest {
                    method: Default::default(),
                    params,
                    extensions: Default::default(),
                }),
                List::Resources => ClientRequest::ListResourcesRequest(ListResourcesRequest {
                    method: Default::default(),
                    params,
                    extensions: Default::default(),
                }),
                List::Templates => ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest {
                    method: Default::default(),
                    params,
                    extensions: Default::default(),
                }),
            };
            let result = match self.request(request).await {
                Ok(result) => result,
                Err(error) => return Err(self.failure(error).await),
            };
            cursor = listing.add(list, serde_json::to_value(result).unwrap_or(Value::Null))?;
            if cursor.is_none() {
                self.was_listed.fetch_or(list == List::Tools, Ordering::Release);
                return Ok(());
            }
        }
    }

    async fn request(&self, request: ClientRequest) -> Result<ServerResult, ServiceError> {
        let handle = self.service.peer().send_request_with_option(request, PeerRequestOptions::no_options()).await?;
        let mut open = Open { handle: Some(handle), runtime: Handle::current() };
        let result = match &mut open.handle {
            Some(handle) => (&mut handle.rx).await,
            None => return Err(ServiceError::TransportClosed),
        };
        open.handle = None;
        result.map_err(|_| ServiceError::TransportClosed)?
    }

    async fn failure(&self, error: ServiceError) -> Failure {
        match error {
            ServiceError::McpError(error) => of_rpc(error),
            ServiceError::TransportSend(error) => {
                let failure = error.error.downcast_ref::<SendFailure>();
                let is_broken = failure.is_none_or(|failure| failure.reached != Reached::Perhaps);
                let is_forgotten = failure.is_some_and(|failure| failure.reached == Reached::Forgotten);
                self.is_forgotten.fetch_or(is_forgotten, Ordering::Release);
                self.is_broken.fetch_or(is_broken, Ordering::Release);
                let words = failure.map_or("the message could not be sent", |failure| failure.words.as_str());
                Failure::Unreachable(words.to_owned())
            }
            ServiceError::TransportClosed => {
                // Over HTTP, that may have been the stream of one answer. A pipe takes a while to close altogether.
                self.is_broken.fetch_or(self.process.is_some(), Ordering::Release);
                Failure::Unreachable(self.ending().await)
            }
            ServiceError::Cancelled { .. } => Failure::Cancelled,
            ServiceError::Timeout { .. } => Failure::TimedOut,
            other => Failure::Protocol(other.to_string()),
        }
    }

    async fn ending(&self) -> String {
        match &self.process {
            None => "the connection was closed".to_owned(),
            Some(process) => process.words_of_its_end().await,
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
        if let Some(process) = &self.process {
            process.kill();
        }
    }
}

/// The failure that an error of JSON-RPC is.
pub(super) fn of_rpc(error: ErrorData) -> Failure {
    match LocalError::found_in(&error) {
        Some(LocalError::TooLarge) => Failure::TooLarge,
        Some(LocalError::Unreadable) => Failure::Protocol("its answer is no message of the protocol".to_owned()),
        None => Failure::Rpc { code: error.code.0, message: error.message.chars().take(WORDS).collect() },
    }
}

/// A request whose answer is waited for.
struct Open {
    handle: Option<RequestHandle<RoleClient>>,
    runtime: Handle,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.runtime.spawn(handle.cancel(Some("no longer wanted".to_owned())));
        }
    }
}
