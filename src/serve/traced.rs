//! The trace that an operation is part of, its span, and who asks for it.

use super::audit::Outcome;
use super::telemetry::{Operation, OperationSpan, TraceParent};
use super::{Principal, Server};
use crate::engine::code::CallCode;
use http::HeaderMap;
use http::request::Parts;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

impl Server {
    /// Begins the span of an operation, where operations are reported. `target` is a name of this server's, none that a
    /// client made up.
    pub(super) fn span(&self, method: &str, target: Option<&str>, traced: &Traced<'_>) -> Option<OperationSpan> {
        let telemetry = self.shared().telemetry()?;
        Some(telemetry.begin(Operation {
            method,
            target,
            // SEP-414: the message's own context goes before that of what carried it.
            parent: traced.of_message(),
            ambient: traced.of_request(),
            transport: self.transport,
            protocol_version: traced.version,
        }))
    }
}

/// What a message says of the trace that it is part of, and of its protocol.
#[derive(Clone, Copy)]
pub(super) struct Traced<'a> {
    pub(super) traceparent: Option<&'a str>,
    pub(super) tracestate: Option<&'a str>,
    pub(super) headers: Option<&'a HeaderMap>,
    pub(super) version: Option<&'a str>,
}

impl<'a> Traced<'a> {
    /// Of a request that says nothing of it but in its headers.
    pub(super) fn of_headers(headers: &'a HeaderMap) -> Traced<'a> {
        Traced { traceparent: None, tracestate: None, headers: Some(headers), version: None }
    }

    /// The id of the W3C trace that it is part of (Trace Context, `traceparent`).
    pub(super) fn trace_id(&self) -> Option<String> {
        self.of_message().trace_id().or_else(|| self.of_request().trace_id())
    }

    /// The context that the message itself names.
    fn of_message(&self) -> TraceParent<'a> {
        TraceParent { traceparent: self.traceparent, tracestate: self.tracestate }
    }

    /// The context that what carried the message names.
    fn of_request(&self) -> TraceParent<'a> {
        // Of two, nobody knows which one is meant.
        let header = |name: &str| {
            let mut lines = self.headers?.get_all(name).iter();
            lines.next().filter(|_| lines.next().is_none())?.to_str().ok()
        };
        TraceParent { traceparent: header("traceparent"), tracestate: header("tracestate") }
    }

    pub(super) fn of(context: &'a RequestContext<RoleServer>) -> Traced<'a> {
        Traced {
            traceparent: context.meta.get_traceparent(),
            tracestate: context.meta.get_tracestate(),
            headers: context.extensions.get::<Parts>().map(|parts| &parts.headers),
            version: context.protocol_version().and_then(known),
        }
    }
}

/// The principal that the edge found.
pub(super) fn principal(context: &RequestContext<RoleServer>) -> Option<&Principal> {
    context.extensions.get::<Parts>()?.extensions.get::<Principal>()
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
pub(super) fn ended<T>(outcome: &Result<T, ErrorData>, code: CallCode) -> Outcome {
    if outcome.is_ok() { Outcome::Ok } else { Outcome::Error(code) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn of_two_traces_a_request_is_part_of_neither() {
        let [one, other] = ["4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"];
        let parent = |trace: &str| HeaderValue::from_str(&format!("00-{trace}-00f067aa0ba902b7-01")).unwrap();
        let mut headers = HeaderMap::from_iter([("traceparent".parse().unwrap(), parent(one))]);
        assert_eq!(Traced::of_headers(&headers).trace_id().as_deref(), Some(one));
        headers.append("traceparent", parent(other));
        assert_eq!(Traced::of_headers(&headers).trace_id(), None);
    }
}
