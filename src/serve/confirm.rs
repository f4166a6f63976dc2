//! Tools whose changes a person must agree to: the call is tried and taken back, its client puts the question to its user, and
//! with their word it is made, if it still changes what they have seen.
//!
//! No transaction waits for a person. Where a client cannot be asked, the engine refuses the call
//! ([`Consent::None`]).

use super::audit::Outcome;
use super::front::{Answered, Arrived};
use super::open_question::put_form;
use super::state::Served;
use super::way::{Can, PATIENCE, Way};
use super::{Principal, Server};
use crate::engine::Consent;
use crate::engine::bind::{Arguments, is_dry_run};
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::tool::Contract;
use ring::rand::{SecureRandom, SystemRandom};
use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequests, InputRequiredResult, InputResponses, RequestStateCodec, SealOptions,
};
use rmcp::service::RequestContext;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The key of the question among those of a call.
const QUESTION: &str = "confirm";

/// What came of a call.
pub(super) enum Confirmed {
    /// Its answer.
    Answered(Answered),
    /// The question that its client must answer first.
    Asks(InputRequiredResult),
}

/// What a client sends again with a call, where it was asked.
pub(super) struct Reply {
    pub(super) responses: Option<InputResponses>,
    pub(super) state: Option<String>,
}

/// What was asked, and is to be answered by a further call.
pub(super) struct Questions {
    /// `None` where the machine has no random numbers: nobody is asked then.
    codec: Option<RequestStateCodec>,
    /// The answers that were taken, until they are too old to come again.
    taken: Mutex<HashMap<String, Instant>>,
}

impl Default for Questions {
    fn default() -> Questions {
        let mut key = [0; 32];
        let filled = SystemRandom::new().fill(&mut key);
        let codec = filled.ok().and_then(|()| RequestStateCodec::try_new(key).ok());
        Questions { codec, taken: Mutex::default() }
    }
}

/// What is sealed into a question.
#[derive(Serialize, Deserialize)]
struct Asked {
    /// The change that is shown.
    fingerprint: String,
    /// Each question is answered once.
    nonce: String,
}

impl Questions {
    /// Seals what was shown, for the call that it is about.
    fn seal(&self, fingerprint: String, call: &[u8]) -> Option<String> {
        let mut nonce = [0; 16];
        SystemRandom::new().fill(&mut nonce).ok()?;
        let asked = serde_json::to_vec(&Asked { fingerprint, nonce: hex::encode(nonce) }).ok()?;
        self.seal_bytes(&asked, call)
    }

    /// Seals something, for the call that it is about.
    pub(super) fn seal_bytes(&self, bytes: &[u8], call: &[u8]) -> Option<String> {
        Some(self.codec.as_ref()?.seal_with(bytes, &SealOptions::new().associated_data(call).ttl(PATIENCE)))
    }

    /// What was sealed; `None` where it is none of this server's, is about another call, or is too old.
    pub(super) fn open_bytes(&self, state: &str, call: &[u8]) -> Option<Vec<u8>> {
        self.codec.as_ref()?.open_with(state, call).ok()
    }

    /// What was shown; `None` where it is none of this server's, is about another call, or is too old.
    fn open(&self, state: &str, call: &[u8]) -> Option<Asked> {
        serde_json::from_slice(&self.open_bytes(state, call)?).ok()
    }

    /// Takes an answer, the first time that it comes.
    fn take(&self, asked: &Asked) -> bool {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that are older cannot be opened any more.
        taken.retain(|_, at| at.elapsed() <= PATIENCE * 2);
        taken.insert(asked.nonce.clone(), Instant::now()).is_none()
    }
}

impl Server {
    /// Whether a person must agree to what a call changes.
    pub(super) fn must_be_confirmed(
        &self,
        served: &Served,
        name: &str,
        arguments: &Arguments,
        principal: Option<&Principal>,
    ) -> bool {
        let asks =
            |tool: &Contract| tool.changes.as_ref().is_some_and(|all| all.confirm) && !is_dry_run(tool, arguments);
        self.published(served, name, principal).is_some()
            && served.engine.tool(name).is_some_and(|tool| asks(&tool.contract))
    }

    /// Makes a call that a person must agree to, or asks.
    ///
    /// Errors: as [`Server::call`], and `not-confirmed`.
    pub(super) async fn confirmed(
        &self,
        served: &Served,
        arrived: Arrived<'_>,
        reply: Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<Confirmed, CallError> {
        let Some(way) = Way::of(context, self.transport).filter(|_| Can::of(context).forms) else {
            return self.call(served, arrived).await.map(Confirmed::Answered);
        };
        let call = self.digest(served, (arrived.name, arrived.arguments), arrived.principal);
        if let (Way::Result, Some(asked)) = (&way, reply.state.and_then(|state| self.questions.open(&state, &call)))
            && let Some(action) = action(reply.responses)
        {
            // A "no" is an answer, too.
            let is_first = self.questions.take(&asked);
            return match action {
                ElicitationAction::Accept if is_first => self.agreed(served, arrived, asked.fingerprint).await,
                ElicitationAction::Accept => Err(self.refused(&arrived, "the question was answered before")),
                _ => Err(self.refused(&arrived, DECLINED)),
            };
        }
        let tried = self.call(served, arrived.with(Consent::Sought)).await?;
        // Else the change was made by an earlier call with the same key.
        let Some(changed) = tried.result.changed.as_deref().filter(|changed| changed.is_dry) else {
            return Ok(Confirmed::Answered(tried));
        };
        let fingerprint = changed.fingerprint();
        if changed.rows == 0 {
            return self.agreed(served, arrived, fingerprint).await;
        }
        let message = changed.preview(arrived.name, arrived.arguments);
        let schema = ElicitationSchema::new(BTreeMap::new());
        let question = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: schema };
        match way {
            Way::Result => {
                let state = self.questions.seal(fingerprint, &call);
                let state = state.ok_or_else(|| CallError::internal("there are no random numbers"))?;
                let request = InputRequest::Elicitation(ElicitRequest::new(question));
                let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
                Ok(Confirmed::Asks(InputRequiredResult::new(Some(requests), Some(state))))
            }
            Way::Request(peer) => match put_form(peer, question).await {
                Some(ElicitResult { action: ElicitationAction::Accept, .. }) => {
                    self.agreed(served, arrived, fingerprint).await
                }
                Some(_) => Err(self.refused(&arrived, DECLINED)),
                None => Err(self.refused(&arrived, "the client has not put the question to its user, or not in time")),
            },
        }
    }

    /// Makes a call that a person has agreed to.
    async fn agreed(&self, served: &Served, arrived: Arrived<'_>, fingerprint: String) -> Result<Confirmed, CallError> {
        self.call(served, arrived.with(Consent::Given(fingerprint))).await.map(Confirmed::Answered)
    }

    /// Refuses a call that was tried, and records that.
    fn refused(&self, arrived: &Arrived<'_>, why: &str) -> CallError {
        let outcome = Outcome::Error(CallCode::NotConfirmed);
        self.observe(arrived.name, arrived).finish(outcome, 0, 0, false);
        CallError::new(CallCode::NotConfirmed, why).hint("nothing was changed")
    }

    /// Who calls what with which arguments: an answer is good for that alone.
    pub(super) fn digest(
        &self,
        served: &Served,
        (name, arguments): (&str, &Arguments),
        principal: Option<&Principal>,
    ) -> Vec<u8> {
        let mut arguments = Value::Object(arguments.clone());
        arguments.sort_all_objects();
        let contract = served.engine.contract(name).unwrap_or_default();
        let parts = [
            principal.map(|principal| principal.name.as_str()).unwrap_or_default(),
            name,
            contract.as_ref(),
            &arguments.to_string(),
        ];
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize().to_vec()
    }
}

/// What is said of a person who does not agree.
const DECLINED: &str = "the person who was asked does not agree to the change";

/// What a person has answered.
fn action(responses: Option<InputResponses>) -> Option<ElicitationAction> {
    let answer = responses?.remove(QUESTION)?;
    serde_json::from_value::<ElicitResult>(answer).ok().map(|result| result.action)
}
