//! The trace that an operation is part of, and its span.

use super::Server;
use super::audit::Outcome;
use super::telemetry::{Operation, OperationSpan, TraceParent};
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
    pub(super) fn trace_id(&self) -> Option<&str> {
        let header = || self.headers?.get("traceparent")?.to_str().ok();
        self.traceparent.or_else(header).and_then(trace_id)
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

/// The id in a `traceparent`.
fn trace_id(traceparent: &str) -> Option<&str> {
    let parts: Vec<&str> = traceparent.split('-').collect();
    let [version, id, _, _] = parts.as_slice() else { return None };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_valid = id.len() == 32 && id.bytes().all(is_digit) && id.bytes().any(|byte| byte != b'0');
    (is_valid && *version != "ff").then_some(*id)
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

    #[test]
    fn a_trace_has_an_id_where_its_header_is_valid() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(trace_id(&format!("00-{id}-00f067aa0ba902b7-01")), Some(id));
        let zeros = "0".repeat(32);
        for (version, id) in
            [("00", zeros.as_str()), ("ff", id), ("00", &id.to_uppercase()), ("00", "4bf9"), ("00", "")]
        {
            assert_eq!(trace_id(&format!("{version}-{id}-00f067aa0ba902b7-01")), None, "{version}-{id}");
        }
        assert_eq!(trace_id("none"), None);
    }
}
