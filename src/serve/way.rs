//! How a client is asked something while one of its calls is under way.

use super::audit::Transport;
use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, ProtocolVersion};
use rmcp::service::{Peer, RequestContext};
use std::time::Duration;

/// How long a person may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);

/// How a client is asked.
pub(super) enum Way<'a> {
    /// By a request of its own, which waits for the answer.
    Request(&'a Peer<RoleServer>),
    /// By the result of the call, which is made again with the answer (SEP-2322).
    Result,
}

impl<'a> Way<'a> {
    /// `None` where there is none to the client.
    pub(super) fn of(context: &'a RequestContext<RoleServer>, transport: Transport) -> Option<Way<'a>> {
        match context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            true => Some(Way::Result),
            // Over HTTP, requests of the older revisions have no connection that a question could go back on.
            false => (transport == Transport::Stdio).then_some(Way::Request(&context.peer)),
        }
    }
}

/// What a client says that it can be asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Can {
    /// It puts forms before its user.
    pub(super) forms: bool,
    /// It asks its model.
    pub(super) samples: bool,
}

impl Can {
    /// What the client of a request can be asked.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Can {
        let Some(capabilities) = context.client_capabilities() else { return Can::default() };
        let samples = capabilities.sampling.is_some();
        Can { forms: shows_forms(&capabilities), samples }
    }
}

/// Whether a client puts forms before its user. One that names no mode does (revision 2025-06-18 had no other).
fn shows_forms(capabilities: &ClientCapabilities) -> bool {
    capabilities.elicitation.as_ref().is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}
