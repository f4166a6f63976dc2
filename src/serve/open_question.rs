//! A question to a client of the older revisions that waits for its answer. One that nobody waits for any more is withdrawn, so that
//! no form stays before a person whose call is over.

#![expect(deprecated, reason = "samples are in the protocol until 2027-07-28 at least")]

use super::way::PATIENCE;
use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotificationParam, ClientResult, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequest, ElicitRequestParams, ElicitResult, RequestId, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions};

/// A question without an answer.
struct OpenQuestion {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

/// Puts a form to the user of a client. `None` where it does not answer, or not in time.
pub(super) async fn put_form(peer: &Peer<RoleServer>, form: ElicitRequestParams) -> Option<ElicitResult> {
    match put(peer, ServerRequest::ElicitRequest(ElicitRequest::new(form))).await? {
        ClientResult::ElicitResult(result) => Some(result),
        _ => None,
    }
}

/// Asks the model of a client. `None` where that is nothing to ask a model, or it does not answer, or not in time.
pub(super) async fn put_sample(
    peer: &Peer<RoleServer>,
    sample: CreateMessageRequestParams,
) -> Option<CreateMessageResult> {
    sample.validate().ok()?;
    match put(peer, ServerRequest::CreateMessageRequest(CreateMessageRequest::new(sample))).await? {
        ClientResult::CreateMessageResult(result) => Some(*result),
        _ => None,
    }
}

async fn put(peer: &Peer<RoleServer>, question: ServerRequest) -> Option<ClientResult> {
    let options = PeerRequestOptions::with_timeout(PATIENCE);
    let handle = peer.send_cancellable_request(question, options).await.ok()?;
    let mut open = OpenQuestion { peer: peer.clone(), id: Some(handle.id.clone()) };
    let answer = handle.await_response().await;
    // One whose time is over was withdrawn by the library.
    open.id = None;
    answer.ok()
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else { return };
        let peer = self.peer.clone();
        let reason = "the call that asked this is over".to_owned();
        let withdrawn = CancelledNotificationParam::new(Some(id), Some(reason));
        // A client that is gone is told nothing.
        runtime.spawn(async move { peer.notify_cancelled(withdrawn).await });
    }
}
