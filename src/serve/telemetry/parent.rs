//! The trace that a message is part of.

use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanContext, TraceContextExt};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// The most bytes of `tracestate`: what the specification asks one to pass on at least.
const MAX_STATE: usize = 512;

/// A W3C trace context as it was sent.
#[derive(Debug, Clone, Copy, Default)]
pub struct TraceParent<'a> {
    /// The trace, the span in it, and whether it is recorded.
    pub traceparent: Option<&'a str>,
    /// What tracing systems add; of no use without `traceparent`.
    pub tracestate: Option<&'a str>,
}

impl TraceParent<'_> {
    /// The id of the trace, 32 hexadecimal digits; `None` where no valid context was sent.
    pub fn trace_id(&self) -> Option<String> {
        self.context().map(|context| context.trace_id().to_string())
    }

    /// The span that was sent; `None` where it is not one (Trace Context, 3.2).
    pub(super) fn context(&self) -> Option<SpanContext> {
        // The SDK reads its fields as numbers, which may have any length and a sign.
        let sent = self.traceparent?.trim();
        if !sent.split('-').take(4).map(str::len).eq([2, 32, 16, 2]) || sent.contains('+') {
            return None;
        }
        let context = TraceContextPropagator::new().extract_with_context(&Context::new(), self);
        Some(context.span().span_context().clone()).filter(SpanContext::is_valid)
    }
}

/// For the propagator of the SDK, as if they were headers.
impl Extractor for TraceParent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            "traceparent" => self.traceparent,
            "tracestate" => self.tracestate.filter(|state| state.len() <= MAX_STATE),
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn what_is_no_trace_context_is_not_one() {
        let context = |text: &str| TraceParent { traceparent: Some(text), tracestate: Some("a=b") }.context();
        assert_eq!(context(SENT).unwrap().trace_state().header(), "a=b");
        assert!(context("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more").is_some());
        for text in [
            "",
            "-",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf9-00f067aa0ba902b7-01",
            "none",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        ] {
            assert!(context(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_long_state_is_not_passed_on() {
        let state = format!("a={}", "b".repeat(MAX_STATE));
        let context = TraceParent { traceparent: Some(SENT), tracestate: Some(&state) }.context().unwrap();
        assert_eq!(context.trace_state().header(), "");
    }
}
