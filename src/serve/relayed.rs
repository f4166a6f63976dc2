//! Questions that other servers ask while a call of one of their tools runs, relayed to the client that has made the call.
//!
//! A client of the older revisions is asked by a request, and the call goes on. One of revision 2026-07-28 is asked by the result of
//! the call (SEP-2322): the call waits here, and goes on when the client makes it again with the answers.

#![expect(deprecated, reason = "samples are in the protocol until 2027-07-28 at least")]

use super::audit::Transport;
use super::confirm::Reply;
use super::front::{Answered, Arrived};
use super::open_question::{put_form, put_sample};
use super::progress::with_progress;
use super::state::Served;
use super::traced::{Traced, principal as principal_of};
use super::way::{Can, PATIENCE, Way};
use super::{Principal, Server};
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::{Consent, Progress, Put, Questions};
use crate::upstreams::{Question, QuestionKind};
use futures::stream::{FuturesUnordered, StreamExt};
use ring::rand::{SecureRandom, SystemRandom};
use rmcp::RoleServer;
use rmcp::model::{
    CreateMessageRequest, CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, InputRequest, InputRequests,
    InputRequiredResult,
};
use rmcp::service::{Peer, RequestContext};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinHandle;

/// More calls do not wait for answers at once: further questions are declined.
const MOST_WAITING: usize = 256;

/// The largest question, in bytes of its JSON; larger ones are declined.
const LARGEST: usize = 64 << 10;

/// What came of a call.
pub(super) enum Relayed {
    /// Its answer.
    Answered(Result<Answered, CallError>),
    /// The questions that its client must answer first.
    Asks(InputRequiredResult),
}

/// The calls that wait for answers.
#[derive(Default)]
pub(super) struct WaitingCalls(Mutex<HashMap<String, Waiting>>);

/// A call that waits for answers, and ends where this is dropped.
struct Waiting {
    /// Who calls what with which arguments.
    call: Vec<u8>,
    running: Running,
    puts: Receiver<Put>,
    /// What is asked, by the keys of the questions.
    open: Vec<(String, Put)>,
    progress: Progress,
    until: Instant,
}

/// A call that goes on by itself, and ends with this.
struct Running(JoinHandle<Result<Answered, CallError>>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl WaitingCalls {
    fn look<T>(&self, look: impl FnOnce(&mut HashMap<String, Waiting>) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, waiting| waiting.until > Instant::now());
        look(&mut all)
    }

    /// Keeps a call. Gives what it is found by; `None` where there are too many of them.
    fn keep(&self, waiting: Waiting) -> Result<String, Box<Waiting>> {
        let mut id = [0; 16];
        if SystemRandom::new().fill(&mut id).is_err() {
            return Err(Box::new(waiting));
        }
        let id = hex::encode(id);
        self.look(|all| match all.len() < MOST_WAITING {
            true => {
                all.insert(id.clone(), waiting);
                Ok(id)
            }
            false => Err(Box::new(waiting)),
        })
    }

    /// Takes a call out, if it is the one that was meant.
    fn take(&self, id: &str, call: &[u8]) -> Option<Waiting> {
        self.look(|all| {
            all.get(id).filter(|waiting| waiting.call == call)?;
            all.remove(id)
        })
    }
}

/// A call whose questions are relayed.
pub(super) struct Relay<'a> {
    pub(super) served: &'a Arc<Served>,
    pub(super) name: &'a str,
    pub(super) arguments: &'a Arguments,
    pub(super) principal: Option<&'a Principal>,
    pub(super) progress: &'a Progress,
}

impl Server {
    /// Whether questions of the server of a tool are passed on to whoever calls it.
    pub(super) fn relays(&self, served: &Served, name: &str, principal: Option<&Principal>) -> bool {
        self.published(served, name, principal).is_some()
            && served
                .engine
                .tool(name)
                .is_some_and(|tool| tool.upstream().is_some_and(|call| call.elicitation || call.sampling))
    }

    /// Makes a call, and relays what is asked meanwhile.
    pub(super) async fn relayed(
        &self,
        relay: Relay<'_>,
        reply: Reply,
        context: &RequestContext<RoleServer>,
    ) -> Relayed {
        let can = Can::of(context);
        match Way::of(context, self.transport).filter(|_| can.forms || can.samples) {
            Some(Way::Request(peer)) => Relayed::Answered(self.relayed_by_requests(relay, (peer, can), context).await),
            Some(Way::Result) => self.relayed_by_results(relay, reply, context).await,
            None => {
                let Relay { served, name, arguments, principal, progress } = relay;
                let (traced, consent, questions) = (Traced::of(context), Consent::None, Questions::default());
                let progress = progress.clone();
                let arrived = Arrived { name, arguments, principal, traced, consent, progress, questions };
                let shared = arrived.progress.clone();
                Relayed::Answered(with_progress(self.call(served, arrived), context, &shared).await)
            }
        }
    }

    async fn relayed_by_requests(
        &self,
        relay: Relay<'_>,
        (peer, can): (&Peer<RoleServer>, Can),
        context: &RequestContext<RoleServer>,
    ) -> Result<Answered, CallError> {
        let Relay { served, name, arguments, principal, progress } = relay;
        // Whoever has started the process is the one who calls.
        let (questions, mut puts) = Questions::new(Some("standard input".into()));
        let (traced, consent) = (Traced::of(context), Consent::None);
        let arrived = Arrived { name, arguments, principal, traced, consent, progress: progress.clone(), questions };
        let call = with_progress(self.call(served, arrived), context, progress);
        let mut call = std::pin::pin!(call);
        let mut asking = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                outcome = &mut call => return outcome,
                Some(put) = puts.recv() => asking.push(ask(peer, can, put)),
                Some(()) = asking.next(), if !asking.is_empty() => {}
            }
        }
    }

    async fn relayed_by_results(
        &self,
        relay: Relay<'_>,
        reply: Reply,
        context: &RequestContext<RoleServer>,
    ) -> Relayed {
        let Relay { served, name, arguments, principal, progress } = relay;
        let call = self.digest(served, (name, arguments), principal);
        let waiting = match reply.state {
            None => {
                let whose = match self.transport {
                    Transport::Stdio => Some("standard input".into()),
                    _ => principal.map(|principal| principal.name.as_str().into()),
                };
                let (questions, puts) = Questions::new(whose);
                let (server, served, context) = (self.clone(), Arc::clone(served), context.clone());
                let (name, arguments, shared) = (name.to_owned(), arguments.clone(), progress.clone());
                let running = tokio::spawn(async move {
                    let (principal, traced) = (principal_of(&context), Traced::of(&context));
                    let (name, arguments, consent) = (name.as_str(), &arguments, Consent::None);
                    let progress = shared;
                    let arrived = Arrived { name, arguments, principal, traced, consent, progress, questions };
                    server.call(&served, arrived).await
                });
                let until = Instant::now() + PATIENCE;
                Waiting { call, running: Running(running), puts, open: Vec::new(), progress: progress.clone(), until }
            }
            Some(state) => match self.waiting.take(&state, &call) {
                Some(mut waiting) => {
                    let mut answers = reply.responses.unwrap_or_default();
                    for (key, put) in waiting.open.drain(..) {
                        put.answer(answers.remove(&key));
                    }
                    waiting
                }
                // Whether the earlier call was carried out, nobody knows here.
                None => {
                    let why = "the call that asked this no longer waits for the answer";
                    return Relayed::Answered(Err(CallError::new(CallCode::InvalidRequest, why)
                        .hint("call the tool again, without `requestState`")));
                }
            },
        };
        let shared = waiting.progress.clone();
        with_progress(self.until_asked(waiting, Can::of(context)), context, &shared).await
    }

    /// Waits for the answer of a call, or for what it asks.
    async fn until_asked(&self, mut waiting: Waiting, can: Can) -> Relayed {
        loop {
            let put = tokio::select! {
                biased;
                outcome = &mut waiting.running.0 => {
                    let panicked = || Err(CallError::internal("a call panicked"));
                    return Relayed::Answered(outcome.unwrap_or_else(|_| panicked()));
                }
                Some(put) = waiting.puts.recv() => put,
            };
            let Some(request) = request(&put.question, &put.server, can) else {
                put.answer(None);
                continue;
            };
            let key = format!("question_{}", waiting.open.len() + 1);
            waiting.open.push((key.clone(), put));
            waiting.until = Instant::now() + PATIENCE;
            match self.waiting.keep(waiting) {
                Ok(state) => {
                    let requests = InputRequests::from([(key, request)]);
                    return Relayed::Asks(InputRequiredResult::new(Some(requests), Some(state)));
                }
                Err(all) => {
                    waiting = *all;
                    waiting.open.drain(..).for_each(|(_, put)| put.answer(None));
                }
            }
        }
    }
}

/// Puts a question to a client of the older revisions.
async fn ask(peer: &Peer<RoleServer>, can: Can, put: Put) {
    let answer = match request(&put.question, &put.server, can) {
        Some(InputRequest::Elicitation(request)) => {
            put_form(peer, request.params).await.and_then(|answer| serde_json::to_value(answer).ok())
        }
        Some(InputRequest::CreateMessage(request)) => {
            put_sample(peer, request.params).await.and_then(|answer| serde_json::to_value(answer).ok())
        }
        _ => None,
    };
    put.answer(answer);
}

/// A question as it is put to a client, with the name of the server that asks; `None` where the client cannot be asked that.
fn request(question: &Question, server: &str, can: Can) -> Option<InputRequest> {
    let size = serde_json::to_string(&question.params).map_or(usize::MAX, |text| text.len());
    if size > LARGEST {
        return None;
    }
    match question.kind {
        QuestionKind::Form if can.forms => {
            let mut params = question.params.clone();
            let asked = params.get("message").and_then(Value::as_str).unwrap_or_default();
            // Nobody is to take it for a question of this server, of another one, or of the client.
            let message = format!("The server `{server}` asks: {}", on_one_line(asked));
            params.insert("message".to_owned(), Value::String(message));
            params.insert("mode".to_owned(), json!("form"));
            let params: ElicitRequestParams = serde_json::from_value(Value::Object(params)).ok()?;
            Some(InputRequest::Elicitation(ElicitRequest::new(params)))
        }
        QuestionKind::Sample if can.samples => {
            let params = of_no_other_context(question.params.clone());
            let params: CreateMessageRequestParams = serde_json::from_value(Value::Object(params)).ok()?;
            Some(InputRequest::CreateMessage(CreateMessageRequest::new(params)))
        }
        _ => None,
    }
}

/// A text without what would begin a line of its own or turn the direction of what follows.
fn on_one_line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.trim().chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}

/// A server of its own gets nothing of what others have said, and no tools.
fn of_no_other_context(mut params: Map<String, Value>) -> Map<String, Value> {
    for key in ["includeContext", "tools", "toolChoice", "metadata"] {
        params.remove(key);
    }
    params
}
