//! The conversations: a model is asked, its calls are carried out, and it is asked again, until it has no more to say.

use super::dialogue::{Answer, Asked, Opening, Stop};
use super::judge::{Failure, judge};
use super::provider::{Provider, ProviderError};
use super::report::{Judged, Report, Run};
use super::transcript::{Broken, Call, Transcript};
use super::{Eval, plain_line};
use crate::in_words::in_words;
use crate::name::shown_name;
use crate::tool::Tool;
use crate::ty::coerce::TimeZoneName;
use async_trait::async_trait;
use futures::StreamExt;
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};

in_words! {
    /// The error of a call, as a model reads it.
    pub struct ToolFailure;
}

/// Carries out calls.
#[async_trait]
pub trait ToolCaller: Send + Sync {
    /// Calls a tool that there is: the text of the result, as a model reads it.
    async fn call(&self, tool: &str, arguments: &Map<String, Value>) -> Result<String, ToolFailure>;
}

/// What evaluations are run with.
pub struct Session<'a> {
    /// The server of the model.
    pub provider: &'a Provider,
    /// The tools that the model has.
    pub tools: &'a [Tool],
    /// Who carries them out.
    pub caller: &'a dyn ToolCaller,
    /// The project's time zone.
    pub time_zone: &'a TimeZoneName,
    /// How many conversations go on at a time.
    pub jobs: usize,
    /// Told of every conversation that has ended: the evaluation, which of its repetitions, and whether it passed.
    pub done: &'a (dyn Fn(&Eval, u64, bool) + Sync),
}

/// The most calls of one answer: more are a model that runs wild.
const MAX_CALLS: usize = 64;

/// Runs evaluations, several conversations at a time, and judges them. Where no conversation can be had (the server is
/// not there, or the key is wrong), the rest is not tried.
pub async fn run(evals: &[Eval], session: &Session<'_>) -> Report {
    let tools = session.provider.endpoint().api.tools(session.tools);
    let lasting: Mutex<Option<ProviderError>> = Mutex::default();
    let shared = Shared { session, tools: &tools, lasting: &lasting };
    let mut all = Vec::new();
    for (at, eval) in evals.iter().enumerate() {
        for repetition in 1..=eval.repetitions {
            all.push(async move { (at, repetition, shared.run(eval, repetition).await) });
        }
    }
    let running = futures::stream::iter(all).buffer_unordered(session.jobs.max(1));
    let mut runs: Vec<(usize, u64, Run)> = running.collect().await;
    runs.sort_by_key(|(at, repetition, _)| (*at, *repetition));
    let mut judged: Vec<Judged> = evals.iter().map(Judged::new).collect();
    for (at, _, run) in runs {
        if let Some(eval) = judged.get_mut(at) {
            eval.runs.push(run);
        }
    }
    let endpoint = session.provider.endpoint();
    Report { api: endpoint.api.as_str(), model: endpoint.model.clone(), evals: judged }
}

/// What all conversations have in common.
#[derive(Clone, Copy)]
struct Shared<'a> {
    session: &'a Session<'a>,
    /// In the form of the API.
    tools: &'a Value,
    /// Why there can be no more of them.
    lasting: &'a Mutex<Option<ProviderError>>,
}

impl Shared<'_> {
    async fn run(&self, eval: &Eval, repetition: u64) -> Run {
        let known = self.lasting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let outcome = match known {
            Some(error) => Err(error),
            None => converse(eval, self.session, self.tools).await,
        };
        if let Err(error) = &outcome
            && error.lasting
        {
            *self.lasting.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
        }
        let run = judged(eval, self.session, outcome);
        (self.session.done)(eval, repetition, run.passed());
        run
    }
}

fn judged(eval: &Eval, session: &Session<'_>, outcome: Result<Transcript, ProviderError>) -> Run {
    match outcome {
        Ok(transcript) => {
            let failures: Vec<Failure> = judge(eval, session.tools, session.time_zone, &transcript);
            let Transcript { calls, answer, usage, .. } = transcript;
            Run { failures, calls, answer, usage, error: None }
        }
        Err(error) => Run { error: Some(error.message), ..Run::default() },
    }
}

/// Has one conversation.
async fn converse(eval: &Eval, session: &Session<'_>, tools: &Value) -> Result<Transcript, ProviderError> {
    let endpoint = session.provider.endpoint();
    let (system, question) = (eval.system.as_deref(), eval.question.as_str());
    let mut dialogue = endpoint.api.open(&Opening { model: &endpoint.model, system, question, tools });
    let mut transcript = Transcript::default();
    for _ in 0..eval.max_turns {
        let reply = session.provider.send(&dialogue.request()).await?;
        let turn = dialogue.take(&reply).map_err(|why| ProviderError {
            message: format!("the reply is none of the API `{}`: {why}", endpoint.api.as_str()),
            lasting: false,
        })?;
        transcript.usage.add(turn.usage);
        transcript.answer = turn.text;
        match turn.stop {
            // What was cut off may be the arguments.
            Stop::CutOff => return Ok(Transcript { broken: Some(Broken::CutOff), ..transcript }),
            Stop::Refused => return Ok(Transcript { broken: Some(Broken::Refused), ..transcript }),
            Stop::Done if turn.calls.is_empty() => return Ok(transcript),
            Stop::Done if turn.calls.len() > MAX_CALLS => {
                return Ok(Transcript { broken: Some(Broken::Calls), ..transcript });
            }
            Stop::Done => {}
        }
        let mut answers = Vec::new();
        for asked in turn.calls {
            let (call, answer) = carry_out(asked, session).await;
            transcript.calls.push(call);
            answers.push(answer);
        }
        dialogue.answer(answers);
    }
    Ok(Transcript { broken: Some(Broken::Turns), ..transcript })
}

async fn carry_out(asked: Asked, session: &Session<'_>) -> (Call, Answer) {
    let Asked { id, tool, arguments } = asked;
    let (text, arguments) = match arguments {
        Err(written) => (Err("the arguments are no JSON object".into()), Value::String(plain_line(&written, 200))),
        Ok(arguments) if session.tools.iter().any(|known| known.contract.name == tool) => {
            (session.caller.call(&tool, &arguments).await, Value::Object(arguments))
        }
        Ok(arguments) => (Err(format!("there is no tool `{}`", shown_name(&tool)).into()), Value::Object(arguments)),
    };
    let text = text.map_err(|failure| failure.to_string());
    (Call { tool, arguments, error: text.as_ref().err().cloned() }, Answer { id, text })
}
