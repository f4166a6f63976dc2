//! What every request over HTTP passes, whichever API it is for.

use super::body::Taken;
use super::edge::Edge;
use super::state::Shared;
use super::{Access, Principal};
use axum::extract::Request;
use http::header::AUTHORIZATION;
use http::{HeaderValue, StatusCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// What every request passes.
pub(super) struct Gatekeeper {
    /// What requests are refused by before anything else.
    pub(super) edge: Edge,
    /// How the server is reached, and by whom.
    pub(super) access: Access,
    /// What all connections share.
    pub(super) shared: Arc<Shared>,
    stopping: AtomicBool,
}

impl Gatekeeper {
    /// For a server that is reached as `access` says.
    pub(super) fn new(access: Access, shared: Arc<Shared>) -> Gatekeeper {
        Gatekeeper { edge: Edge::new(access.http.clone()), access, shared, stopping: AtomicBool::new(false) }
    }

    /// Notes that the server stops.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the server stops.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Finds out who sends a request, where tokens are asked for, and notes it in the request.
    ///
    /// Errors: the status of the refusal, and what a client needs for a token.
    pub(super) async fn identify(&self, request: &mut Request) -> Result<(), (StatusCode, Option<HeaderValue>)> {
        // A principal is what is found here, and nothing that a request could bring along.
        request.extensions_mut().remove::<Principal>();
        let Some(authenticator) = &self.access.authenticator else { return Ok(()) };
        let mut tokens = request.headers().get_all(AUTHORIZATION).iter();
        let token = match (tokens.next(), tokens.next()) {
            (Some(token), None) => token.to_str().ok(),
            _ => None,
        };
        match authenticator.authenticate(token, SystemTime::now()).await {
            Ok(principal) => {
                request.extensions_mut().insert(principal);
                Ok(())
            }
            Err(refused) => {
                self.shared.metrics.refused("token");
                let status = StatusCode::from_u16(refused.status()).unwrap_or(StatusCode::UNAUTHORIZED);
                Err((status, HeaderValue::from_str(&refused.challenge(&self.access.metadata_url)).ok()))
            }
        }
    }

    /// Whether callers have to say who they are.
    pub(super) fn asks_for_tokens(&self) -> bool {
        self.access.authenticator.is_some()
    }

    /// What is taken of the body of a request.
    pub(super) fn taken(&self) -> Taken {
        Taken { bytes: self.access.max_request_bytes, time: self.access.http.patience().body }
    }
}
