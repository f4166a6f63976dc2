//! Calls during which something may be asked: for arguments that are missing, whether a change is agreed to, and what other servers
//! ask. All of it is answered by the client that has made the call.

use super::Server;
use super::confirm::{Confirmed, Reply};
use super::front::Arrived;
use super::missing::Filled;
use super::progress::with_progress;
use super::relayed::{Relay, Relayed};
use super::state::Served;
use super::{Principal, visible::Found};
use crate::engine::bind::Arguments;
use crate::engine::error::CallError;
use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is sealed into a question of a call whose arguments a person has filled in: they are not asked for again.
#[derive(Serialize, Deserialize)]
struct SoFar {
    arguments: Arguments,
    /// The state of the question itself.
    state: Option<String>,
}

impl Server {
    /// Whether something may be asked during a call.
    pub(super) fn may_ask(
        &self,
        served: &Served,
        (name, arguments): (&str, &Arguments),
        principal: Option<&Principal>,
    ) -> bool {
        self.must_be_confirmed(served, name, arguments, principal)
            || self.relays(served, name, principal)
            || self.fills(served, name, principal)
    }

    /// Whether a person is asked for arguments that are missing.
    fn fills(&self, served: &Served, name: &str, principal: Option<&Principal>) -> bool {
        self.published(served, name, principal).is_some()
            && served.engine.tool(name).is_some_and(|tool| tool.contract.ask)
    }

    /// Makes a call during which something may be asked.
    ///
    /// Errors: as [`Server::call`], and what comes of a person who declines.
    pub(super) fn asking<'a>(
        &'a self,
        served: &'a Arc<Served>,
        arrived: Arrived<'a>,
        reply: Reply,
        context: &'a RequestContext<RoleServer>,
    ) -> BoxFuture<'a, Result<Confirmed, CallError>> {
        // A type of its own: those of calls are nested as deep as the compiler follows.
        self.asking_for_all(served, arrived, reply, context).boxed()
    }

    async fn asking_for_all(
        &self,
        served: &Arc<Served>,
        arrived: Arrived<'_>,
        mut reply: Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<Confirmed, CallError> {
        let Arrived { name, principal, .. } = arrived;
        let mut filled = None;
        let call = || self.digest(served, (name, arrived.arguments), principal);
        if self.fills(served, name, principal) {
            let so_far = reply.state.as_deref().and_then(|state| self.questions.open_bytes(state, &call()));
            if let Some(so_far) = so_far.and_then(|bytes| serde_json::from_slice::<SoFar>(&bytes).ok()) {
                reply.state = so_far.state;
                filled = Some(so_far.arguments);
            } else if let Found::Published(published) = self.find(served, name, principal) {
                match self.filled((served, published), &arrived, &reply, context).await {
                    Ok(Filled::AsTheyAre) => {}
                    Ok(Filled::With(arguments)) => {
                        reply = Reply { responses: None, state: None };
                        filled = Some(arguments);
                    }
                    Ok(Filled::Asks(question)) => return Ok(Confirmed::Asks(question)),
                    Err(error) => {
                        self.observe(name, &arrived).finish(super::audit::Outcome::Error(error.code), 0, 0, false);
                        return Err(error);
                    }
                }
            }
        }
        let complete = Arrived { arguments: filled.as_ref().unwrap_or(arrived.arguments), ..arrived.clone() };
        let outcome = self.asking_of_complete(served, complete, reply, context).await?;
        Ok(match (outcome, filled) {
            (Confirmed::Asks(mut question), Some(arguments)) => {
                let so_far = SoFar { arguments, state: question.request_state.take() };
                let bytes = serde_json::to_vec(&so_far).unwrap_or_default();
                let state = self.questions.seal_bytes(&bytes, &call());
                question.request_state = Some(state.ok_or_else(|| CallError::internal("there are no random numbers"))?);
                Confirmed::Asks(question)
            }
            (outcome, _) => outcome,
        })
    }

    async fn asking_of_complete(
        &self,
        served: &Arc<Served>,
        arrived: Arrived<'_>,
        reply: Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<Confirmed, CallError> {
        let Arrived { name, arguments, principal, .. } = arrived;
        let progress = arrived.progress.clone();
        if self.must_be_confirmed(served, name, arguments, principal) {
            return with_progress(self.confirmed(served, arrived, reply, context), context, &progress).await;
        }
        if self.relays(served, name, principal) {
            let relay = Relay { served, name, arguments, principal, progress: &progress };
            return match self.relayed(relay, reply, context).boxed().await {
                Relayed::Answered(outcome) => outcome.map(Confirmed::Answered),
                Relayed::Asks(question) => Ok(Confirmed::Asks(question)),
            };
        }
        with_progress(self.call(served, arrived), context, &progress).await.map(Confirmed::Answered)
    }
}
