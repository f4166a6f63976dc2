//! The one door to a call: whichever way it comes in, it is found or refused, recorded, traced, made and ended here.
//!
//! What carries calls (the protocol, its direct path, plain HTTP, the tool that calls what a search has found) only
//! translates: what came in to [`Arrived`], and [`Answered`] or the error to what it sends back.

use super::audit::{Call, Outcome, Record};
use super::caller::caller;
use super::made_up::shortened;
use super::metrics::{Counted, Metrics};
use super::repeated;
use super::state::{Published, Served};
use super::telemetry::OperationSpan;
use super::traced::{Traced, end};
use super::visible::Found;
use super::{Principal, Server};
use crate::engine::bind::{Arguments, Caller};
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::engine::{Changed, Commit, Consent, Progress, Questions};
use std::time::Instant;

/// The method whose operation a call is.
const METHOD: &str = "tools/call";

/// A call that has come in.
#[derive(Clone)]
pub(super) struct Arrived<'a> {
    /// What the tool is called.
    pub(super) name: &'a str,
    /// What was sent.
    pub(super) arguments: &'a Arguments,
    /// Who calls, where there are tokens.
    pub(super) principal: Option<&'a Principal>,
    /// The headers it came with, and the trace that it is part of.
    pub(super) traced: Traced<'a>,
    /// What a person has said to what it changes.
    pub(super) consent: Consent,
    /// How far it has come.
    pub(super) progress: Progress,
    /// Where questions go that come up while it runs.
    pub(super) questions: Questions,
}

impl<'a> Arrived<'a> {
    /// The same call, with what a person has said to it.
    pub(super) fn with(&self, consent: Consent) -> Arrived<'a> {
        Arrived { consent, ..self.clone() }
    }
}

/// What a call is answered with.
pub(super) struct Answered {
    /// The result.
    pub(super) result: CallResult,
    /// The same as text.
    pub(super) text: String,
    /// Whether its tool publishes a schema of its results.
    pub(super) is_structured: bool,
}

impl Server {
    /// Makes a call.
    ///
    /// Errors: `unknown-tool` where the caller sees no tool of this name, `tool-unavailable` where it is out of service,
    /// `rate-limited`, and those of [`crate::engine::Engine::call_as`].
    pub(super) async fn call(&self, served: &Served, arrived: Arrived<'_>) -> Result<Answered, CallError> {
        let Arrived { name, arguments, principal, traced, consent, progress, questions } = &arrived;
        let (name, arguments, principal) = (*name, *arguments, *principal);
        // Names are not to be guessed faster than tools are called.
        let admitted = self.admit(arguments, principal);
        let published = match self.find(served, name, principal) {
            Found::Published(published) => published,
            absent => return Err(self.refuse(absent, admitted, &arrived)),
        };
        let span = self.span(METHOD, Some(name), traced);
        let caller = self.caller(&arrived, published);
        let consent = match consent {
            Consent::None if self.waives_consent => Consent::Waived,
            consent => consent.clone(),
        };
        let caller = Caller { consent, progress: progress.clone(), questions: questions.clone(), ..caller };
        let contract = served.engine.contract(name).unwrap_or_default();
        let trace = span.as_ref().map(OperationSpan::trace_id).or_else(|| traced.trace_id());
        let record = self.record(name, &contract, arguments, principal, trace.as_deref());
        let commit = Commit::default();
        let observed = Observed::begin(&self.shared().metrics, name, record, span).watching(&commit);
        let who = principal.map_or("anonymous", |principal| principal.name.as_str());
        let admitted = admitted.and_then(|()| match published.may_be_called(who) {
            true => Ok(()),
            false => Err(too_often()),
        });
        let outcome = match admitted {
            Ok(()) => served.engine.call_watched(name, arguments, &caller, &commit).await,
            Err(error) => Err(error),
        };
        let outcome = outcome.map(|result| {
            let text = result.text();
            Answered { result, text, is_structured: published.tool.output_schema.is_some() }
        });
        match &outcome {
            Ok(Answered { result, text, .. }) => {
                let observed = observed.having_changed(result.changed.as_deref());
                observed.finish(Outcome::Ok, result.rows.len() as u64, text.len() as u64, result.truncated);
            }
            Err(error) => {
                // What the agent is not told, whichever way it called.
                if let Some(detail) = &error.detail {
                    tracing::error!(tool = name, code = error.code.as_str(), detail = detail.text(), "call failed");
                }
                observed.finish(Outcome::Error(error.code), 0, 0, false);
            }
        }
        self.shared().hear_of_upstreams(served);
        outcome
    }

    /// Who makes a call.
    pub(super) fn caller(&self, arrived: &Arrived<'_>, published: &Published) -> Caller {
        match arrived.traced.headers {
            Some(headers) => caller(headers, arrived.principal, |_| published.reads_headers),
            None => (*self.stdio_caller).clone(),
        }
    }

    /// Whether a call is carried out at all.
    ///
    /// Errors: there were too many of them, or its arguments leave open what is meant.
    pub(super) fn admit(&self, arguments: &Arguments, principal: Option<&Principal>) -> Result<(), CallError> {
        let who = principal.map_or("anonymous", |principal| principal.name.as_str());
        if !self.shared().may_call(self.transport, who) {
            return Err(too_often());
        }
        repeated::refusal(arguments).map_or(Ok(()), Err)
    }

    /// Why there is no such tool for this caller. It is recorded: who tries what is not theirs is to be found.
    fn refuse(&self, absent: Found<'_>, admitted: Result<(), CallError>, arrived: &Arrived<'_>) -> CallError {
        if let Found::Quarantined(reason) = absent {
            let error = CallError::new(CallCode::ToolUnavailable, format!("this tool is out of service: {reason}"));
            self.observe(arrived.name, arrived).finish(Outcome::Error(error.code), 0, 0, false);
            return error.hint("use another tool; the server's log says more to its operator");
        }
        let error = match admitted {
            Err(error) if error.code == CallCode::RateLimited => error,
            _ => CallError::no_such_tool(),
        };
        let outcome = Outcome::Error(error.code);
        self.note(arrived.name, arrived.arguments, arrived.principal, arrived.traced.trace_id().as_deref(), outcome);
        // Traces have no names that clients make up.
        end(self.span(METHOD, None, &arrived.traced), outcome);
        error
    }

    /// Observes a call that this module answers itself, from here to its end.
    pub(super) fn observe<'a>(&'a self, tool: &'a str, arrived: &Arrived<'_>) -> Observed<'a> {
        let trace = arrived.traced.trace_id();
        let record = self.record(tool, "", arrived.arguments, arrived.principal, trace.as_deref());
        Observed::begin(&self.shared().metrics, tool, record, self.span(METHOD, Some(tool), &arrived.traced))
    }

    /// Observes what is asked of another server, from here to its end: by a method, under the label of the metrics, the name of the
    /// record, and the target of the span.
    pub(super) fn observe_as<'a>(
        &'a self,
        method: &str,
        (label, name, target): (&'a str, &str, &str),
        arguments: &Arguments,
        (principal, traced): (Option<&Principal>, Traced<'_>),
    ) -> Observed<'a> {
        let span = self.span(method, Some(target), &traced);
        let trace = span.as_ref().map(OperationSpan::trace_id).or_else(|| traced.trace_id());
        let record = self.record(name, "", arguments, principal, trace.as_deref());
        Observed::begin(&self.shared().metrics, label, record, span)
    }

    /// Begins the record of a call, where calls are recorded.
    pub(super) fn record(
        &self,
        tool: &str,
        contract: &str,
        arguments: &Arguments,
        principal: Option<&Principal>,
        trace: Option<&str>,
    ) -> Option<Record> {
        let principal = principal.map(|principal| principal.name.as_str());
        let arguments = &*repeated::as_sent(arguments);
        let call = Call { tool, contract, principal, transport: self.transport, arguments, trace };
        self.shared().audit().map(|audit| audit.begin(call))
    }

    /// Notes a call that ended before it began.
    pub(super) fn note(
        &self,
        tool: &str,
        arguments: &Arguments,
        principal: Option<&Principal>,
        trace: Option<&str>,
        outcome: Outcome,
    ) {
        let served = self.shared().served();
        if !matches!(self.find(&served, tool, principal), Found::Published(_)) {
            // The metrics have no names that clients make up.
            let record = self.record(&shortened(tool), "", arguments, principal, trace);
            record.into_iter().for_each(|record| record.finish(outcome, 0, 0, false));
            return;
        }
        let contract = served.engine.contract(tool).unwrap_or_default();
        let record = self.record(tool, &contract, arguments, principal, trace);
        Observed::begin(&self.shared().metrics, tool, record, None).finish(outcome, 0, 0, false);
    }
}

/// What is said of a call beyond the rate.
pub(super) const TOO_OFTEN: &str = "too many calls in a short time";

fn too_often() -> CallError {
    let error = CallError::new(CallCode::RateLimited, TOO_OFTEN);
    error.hint("wait a moment before the next call")
}

/// What is noted of a call from its beginning to its end: in the metrics, the record of calls and the trace. Dropped
/// before, the call was cancelled, because nobody waits for its answer any more.
pub(super) struct Observed<'a> {
    metrics: &'a Metrics,
    tool: &'a str,
    started: Instant,
    /// Until the call has ended.
    open: Option<(Option<Record>, Option<OperationSpan>)>,
    /// Whether anybody knows what becomes of its changes.
    commit: Commit,
    _in_flight: Counted,
}

impl<'a> Observed<'a> {
    fn begin(metrics: &'a Metrics, tool: &'a str, record: Option<Record>, span: Option<OperationSpan>) -> Observed<'a> {
        let _in_flight = metrics.in_flight();
        let commit = Commit::default();
        Observed { metrics, tool, started: Instant::now(), open: Some((record, span)), commit, _in_flight }
    }

    /// With what tells whether anybody knows what becomes of its changes.
    fn watching(mut self, commit: &Commit) -> Observed<'a> {
        self.commit = commit.clone();
        self
    }

    /// With what was changed.
    fn having_changed(mut self, changed: Option<&Changed>) -> Observed<'a> {
        if let (Some((Some(record), _)), Some(changed)) = (&mut self.open, changed) {
            record.note_changes(changed);
        }
        self
    }

    pub(super) fn finish(mut self, outcome: Outcome, rows: u64, bytes: u64, truncated: bool) {
        let Some((record, span)) = self.open.take() else { return };
        self.metrics.call(self.tool, outcome, self.started.elapsed().as_secs_f64(), bytes);
        if let Some(record) = record {
            record.finish(outcome, rows, bytes, truncated);
        }
        if let Some(span) = span {
            span.finish(outcome, rows, bytes, truncated);
        }
    }
}

impl Drop for Observed<'_> {
    fn drop(&mut self) {
        if self.open.is_some() {
            let outcome = match std::thread::panicking() {
                true => Outcome::Panicked,
                // It may have been made: nobody says that it was not.
                false if !self.commit.give_up() => Outcome::Error(CallCode::OutcomeUnknown),
                false => Outcome::Cancelled,
            };
            if let (Some((record, _)), Outcome::Error(_)) = (&mut self.open, outcome)
                && let Some(record) = record.take()
            {
                record.finish(outcome, 0, 0, false);
            }
            // Record and span note by themselves that they were dropped.
            self.metrics.call(self.tool, outcome, self.started.elapsed().as_secs_f64(), 0);
        }
    }
}
