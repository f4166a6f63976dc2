//! Calls, whichever way they come: what a caller may see and call, and what is noted of it.

use super::audit::{Call, Outcome, Record};
use super::metrics::{Counted, Metrics};
use super::repeated;
use super::state::{Published, Served, Shared};
use super::telemetry::{Operation, OperationSpan, TraceParent};
use super::{Principal, Server};
use crate::engine::bind::{Arguments, Caller};
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use http::HeaderMap;
use http::request::Parts;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use std::collections::HashSet;
use std::time::Instant;

impl Server {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The tools that a caller may see.
    pub(super) fn visible<'a>(
        &'a self,
        served: &'a Served,
        principal: Option<&'a Principal>,
    ) -> impl Iterator<Item = &'a Published> {
        let may_see =
            move |published: &&Published| self.may_see(served, &published.tool.name, &published.scopes, principal);
        served.tools.iter().filter(may_see)
    }

    /// The tool of that name, where a caller may see it.
    pub(super) fn find<'a>(
        &self,
        served: &'a Served,
        name: &str,
        principal: Option<&Principal>,
    ) -> Option<&'a Published> {
        let published = served.published(name)?;
        self.may_see(served, name, &published.scopes, principal).then_some(published)
    }

    /// Why the tool of that name is out of service, where it is and a caller might see it otherwise.
    pub(super) fn quarantined<'a>(
        &self,
        served: &'a Served,
        name: &str,
        principal: Option<&Principal>,
    ) -> Option<&'a str> {
        let (reason, scopes) = served.quarantined(name)?;
        self.may_see(served, name, scopes, principal).then_some(reason)
    }

    fn may_see(&self, served: &Served, name: &str, scopes: &[String], principal: Option<&Principal>) -> bool {
        let is_in_toolset = self
            .toolset
            .as_deref()
            .is_none_or(|toolset| served.toolsets.get(toolset).is_some_and(|tools| tools.contains(name)));
        // Who has the process has all of it; without authentication there are no scopes.
        let has_scopes = principal.is_none_or(|principal| scopes.iter().all(|scope| principal.scopes.contains(scope)));
        is_in_toolset && has_scopes && self.shared().is_enabled(name)
    }

    /// The names of the tools that a caller may call.
    pub(super) fn callable(&self, served: &Served, principal: Option<&Principal>) -> HashSet<String> {
        self.visible(served, principal).map(|published| published.tool.name.to_string()).collect()
    }

    /// Calls a tool that the caller may see: the result, and its text.
    pub(super) async fn call(
        &self,
        served: &Served,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
        principal: Option<&Principal>,
        span: Option<OperationSpan>,
    ) -> Result<(CallResult, String), CallError> {
        let shared = self.shared();
        let contract = served.engine.contract(name).unwrap_or_default();
        let trace = span.as_ref().map(OperationSpan::trace_id);
        let trace = trace.as_deref().or_else(|| caller.trace());
        let record = self.record(name, &contract, arguments, principal, trace);
        let observed = Observed::begin(&shared.metrics, name, record, span);
        let who = principal.map_or("anonymous", |principal| principal.name.as_str());
        let outcome = if !shared.may_call(self.transport, who) {
            let error = CallError::new("rate-limited", "too many calls in a short time");
            Err(error.hint("wait a moment before the next call"))
        } else if let Some(error) = repeated::refusal(arguments) {
            Err(error)
        } else {
            let result = served.engine.call_as(name, arguments, caller).await;
            result.map(|result| {
                let text = result.text();
                (result, text)
            })
        };
        match &outcome {
            Ok((result, text)) => {
                observed.finish(Outcome::Ok, result.rows.len() as u64, text.len() as u64, result.truncated);
            }
            Err(error) => observed.finish(Outcome::Error(error.code), 0, 0, false),
        }
        outcome
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
        if self.find(&served, tool, principal).is_none() {
            // Who tries what is not theirs is to be found in the record; the metrics have no names that clients make up.
            let record = self.record(&shortened(tool), "", arguments, principal, trace);
            record.into_iter().for_each(|record| record.finish(outcome, 0, 0, false));
            return;
        }
        let contract = served.engine.contract(tool).unwrap_or_default();
        let record = self.record(tool, &contract, arguments, principal, trace);
        Observed::begin(&self.shared().metrics, tool, record, None).finish(outcome, 0, 0, false);
    }

    /// Begins the span of an operation, where operations are reported. `target` is a name of this server's, none that a
    /// client made up.
    pub(super) fn span(&self, method: &str, target: Option<&str>, traced: &Traced<'_>) -> Option<OperationSpan> {
        let telemetry = self.shared().telemetry()?;
        let header = |name: &str| traced.headers?.get(name)?.to_str().ok();
        Some(telemetry.begin(Operation {
            method,
            target,
            // SEP-414: the message's own context goes before that of what carried it.
            parent: TraceParent { traceparent: traced.traceparent, tracestate: traced.tracestate },
            ambient: TraceParent { traceparent: header("traceparent"), tracestate: header("tracestate") },
            transport: self.transport,
            protocol_version: traced.version,
        }))
    }
}

/// What a message says of the trace that it is part of, and of its protocol.
pub(super) struct Traced<'a> {
    pub(super) traceparent: Option<&'a str>,
    pub(super) tracestate: Option<&'a str>,
    pub(super) headers: Option<&'a HeaderMap>,
    pub(super) version: Option<&'a str>,
}

impl Traced<'_> {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Traced<'_> {
        Traced {
            traceparent: context.meta.get_traceparent(),
            tracestate: context.meta.get_tracestate(),
            headers: context.extensions.get::<Parts>().map(|parts| &parts.headers),
            version: context.protocol_version().and_then(known),
        }
    }
}

/// The revision as one of those that are known.
fn known(version: ProtocolVersion) -> Option<&'static str> {
    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).find(|known| *known == version.as_str())
}

/// Ends the span of an operation without rows.
pub(super) fn end(span: Option<OperationSpan>, outcome: Outcome) {
    if let Some(span) = span {
        span.finish(outcome, 0, 0, false);
    }
}

/// The code of what a client asked for that there is not.
pub(super) fn ended<T>(outcome: &Result<T, ErrorData>, code: &'static str) -> Outcome {
    if outcome.is_ok() { Outcome::Ok } else { Outcome::Error(code) }
}

/// As much of a name that a client made up as is told again.
pub(super) fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

/// What is noted of a call from its beginning to its end: in the metrics, the record of calls and the trace. Dropped
/// before, the call was cancelled, because nobody waits for its answer any more.
struct Observed<'a> {
    metrics: &'a Metrics,
    tool: &'a str,
    started: Instant,
    /// Until the call has ended.
    open: Option<(Option<Record>, Option<OperationSpan>)>,
    _in_flight: Counted,
}

impl<'a> Observed<'a> {
    fn begin(metrics: &'a Metrics, tool: &'a str, record: Option<Record>, span: Option<OperationSpan>) -> Observed<'a> {
        let _in_flight = metrics.in_flight();
        Observed { metrics, tool, started: Instant::now(), open: Some((record, span)), _in_flight }
    }

    fn finish(mut self, outcome: Outcome, rows: u64, bytes: u64, truncated: bool) {
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
        // Record and span note by themselves that they were dropped.
        if self.open.is_some() {
            let outcome = if std::thread::panicking() { Outcome::Panicked } else { Outcome::Cancelled };
            self.metrics.call(self.tool, outcome, self.started.elapsed().as_secs_f64(), 0);
        }
    }
}
