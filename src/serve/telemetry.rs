//! OpenTelemetry: a span and a measurement for every operation, sent over OTLP (http/protobuf).
//!
//! Names follow the semantic conventions for MCP. What is sent says which tool was called, how long it took and how it
//! ended: no arguments, no SQL, no rows, and nothing of the caller. Nothing here waits for the collector, except
//! [`Telemetry::stop`]: the SDK collects on threads of its own, and drops what it has no room for. The global providers
//! are left alone, so that a program around the server keeps its own.

mod export;
mod parent;

pub use parent::TraceParent;

use export::{Clients, is_wanted, resource};

use super::audit::{Outcome, Transport};
use crate::serve::setup::SetupError;
use opentelemetry::metrics::{Histogram, MeterProvider};
use opentelemetry::trace::{Link, Span as _, SpanBuilder, SpanKind, Status, TraceContextExt, TraceId, TracerProvider};
use opentelemetry::{Context, InstrumentationScope, KeyValue};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use rmcp::model::ProtocolVersion;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// How long [`Telemetry::stop`] waits.
pub const STOP: Duration = Duration::from_secs(2);
/// The most characters of a name or an address.
const MAX_CHARACTERS: usize = 100;
/// The boundaries that the conventions ask for, in seconds.
const BUCKETS: [f64; 14] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

/// Where operations are reported.
pub struct Telemetry {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
    tracer: SdkTracer,
    duration: Histogram<f64>,
}

/// An operation as it comes in.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    /// The method, `tools/call`.
    pub method: &'a str,
    /// The tool, the prompt, or the address of the resource. Only a name that exists: one made up by a client would be
    /// a new time series.
    pub target: Option<&'a str>,
    /// The trace that the message is part of (`_meta` of its parameters, SEP-414).
    pub parent: TraceParent<'a>,
    /// The trace that the HTTP request is part of: the parent where the message names none, and linked otherwise.
    pub ambient: TraceParent<'a>,
    /// How the operation came.
    pub transport: Transport,
    /// The revision of MCP; one that the SDK does not know is left out.
    pub protocol_version: Option<&'a str>,
}

impl Telemetry {
    /// Sends to where the `OTEL_*` environment variables say. `name` and `version` are those of the service where the
    /// environment names no other. Requests are made on `runtime`.
    ///
    /// Errors: an endpoint or another setting that cannot be used, a protocol other than `http/protobuf`, or the
    /// system's certificates cannot be read.
    pub fn start(name: &str, version: &str, runtime: &Handle) -> Result<Telemetry, SetupError> {
        let client = Clients::new(runtime)?;
        let resource = resource(name, version);
        let mut traces = SdkTracerProvider::builder().with_resource(resource.clone());
        if is_wanted("TRACES") {
            let client = client.of("TRACES")?;
            let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
            let exporter = exporter.with_timeout(client.timeout).with_http_client(client).build();
            traces = traces.with_batch_exporter(exporter.map_err(|error| error.to_string())?);
        }
        let mut metrics = SdkMeterProvider::builder().with_resource(resource);
        if is_wanted("METRICS") {
            let client = client.of("METRICS")?;
            let exporter = MetricExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
            let exporter = exporter.with_timeout(client.timeout).with_http_client(client).build();
            metrics = metrics.with_periodic_exporter(exporter.map_err(|error| error.to_string())?);
        }
        Ok(Telemetry::over(traces.build(), metrics.build()))
    }

    fn over(traces: SdkTracerProvider, metrics: SdkMeterProvider) -> Telemetry {
        let scope = InstrumentationScope::builder("qtool").with_version(env!("CARGO_PKG_VERSION")).build();
        let duration = metrics
            .meter_with_scope(scope.clone())
            .f64_histogram("mcp.server.operation.duration")
            .with_unit("s")
            .with_description("How long operations take, from the request to the answer")
            .with_boundaries(BUCKETS.to_vec())
            .build();
        Telemetry { tracer: traces.tracer_with_scope(scope), traces, metrics, duration }
    }

    /// Begins the span of an operation. It ends with [`OperationSpan::finish`], or as cancelled when it is dropped.
    pub fn begin(&self, operation: Operation<'_>) -> OperationSpan {
        let (name, labels, address) = named(&operation);
        let (sent, ambient) = (operation.parent.context(), operation.ambient.context());
        let context = match sent.as_ref().or(ambient.as_ref()) {
            Some(parent) => Context::new().with_remote_span_context(parent.clone()),
            None => Context::new(),
        };
        let linked = ambient.filter(|_| sent.is_some()).map(Link::with_context);
        let span = SpanBuilder::from_name(name)
            .with_kind(SpanKind::Server)
            .with_attributes(labels.iter().cloned().chain(address))
            .with_links(linked.into_iter().collect())
            .start_with_context(&self.tracer, &context);
        let trace = span.span_context().trace_id();
        let open = Open { span, began: Instant::now(), labels, duration: self.duration.clone() };
        OperationSpan { trace, open: Some(open) }
    }

    /// Sends what is left, for at most two seconds; operations that end later are not sent. It blocks, and the runtime
    /// must be running meanwhile.
    pub fn stop(&self) {
        let until = Instant::now() + STOP;
        let (over, ended) = mpsc::channel();
        let (traces, metrics) = (self.traces.clone(), self.metrics.clone());
        // The SDK may take longer than it is told, so it is not waited for by joining.
        apart(over.clone(), move || drop(traces.shutdown_with_timeout(STOP)));
        apart(over, move || drop(metrics.shutdown_with_timeout(STOP)));
        for _ in 0..2 {
            if ended.recv_timeout(until.saturating_duration_since(Instant::now())).is_err() {
                tracing::warn!("telemetry that was not sent in {} s is lost", STOP.as_secs());
                return;
            }
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        // Left to themselves, the providers would wait for longer. After `stop` it is over at once.
        self.stop();
    }
}

/// Does something on a thread of its own, and says when it is over.
fn apart(over: Sender<()>, work: impl FnOnce() + Send + 'static) {
    let started = std::thread::Builder::new().name("qtool-telemetry".to_owned()).spawn(move || {
        work();
        // Nobody may be waiting any more.
        let _ = over.send(());
    });
    if let Err(error) = started {
        tracing::warn!(%error, "telemetry cannot be sent: no thread");
    }
}

/// The name of an operation's span, what its span and its measurement are labelled with, and the address of a resource,
/// which only the span has: there may be many.
fn named(operation: &Operation<'_>) -> (String, Vec<KeyValue>, Option<KeyValue>) {
    let method = cut(operation.method);
    let transport = match operation.transport {
        Transport::Stdio => "pipe",
        Transport::Http => "tcp",
    };
    let mut labels =
        vec![KeyValue::new("mcp.method.name", method.clone()), KeyValue::new("network.transport", transport)];
    let version = operation.protocol_version.and_then(|sent| {
        ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).find(|known| *known == sent)
    });
    labels.extend(version.map(|version| KeyValue::new("mcp.protocol.version", version)));
    let Some(target) = operation.target.map(cut) else { return (method, labels, None) };
    let name = format!("{method} {target}");
    match operation.method {
        "tools/call" => {
            labels.push(KeyValue::new("gen_ai.tool.name", target));
            labels.push(KeyValue::new("gen_ai.operation.name", "execute_tool"));
            (name, labels, None)
        }
        "prompts/get" => {
            labels.push(KeyValue::new("gen_ai.prompt.name", target));
            (name, labels, None)
        }
        "resources/read" => (method, labels, Some(KeyValue::new("mcp.resource.uri", target))),
        _ => (method, labels, None),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_CHARACTERS).collect()
}

/// The span of an operation that runs.
#[must_use = "a span that is dropped says that the operation was cancelled"]
pub struct OperationSpan {
    trace: TraceId,
    /// Until it ends.
    open: Option<Open>,
}

struct Open {
    span: Span,
    began: Instant,
    labels: Vec<KeyValue>,
    duration: Histogram<f64>,
}

impl OperationSpan {
    /// Ends the span: with how many rows, and how many bytes of answer.
    pub fn finish(mut self, outcome: Outcome, rows: u64, bytes: u64, truncated: bool) {
        if let Some(open) = &mut self.open
            && outcome == Outcome::Ok
        {
            let number = |of: u64| i64::try_from(of).unwrap_or(i64::MAX);
            open.span.set_attribute(KeyValue::new("qtool.rows", number(rows)));
            open.span.set_attribute(KeyValue::new("qtool.bytes", number(bytes)));
            open.span.set_attribute(KeyValue::new("qtool.truncated", truncated));
        }
        self.end(outcome);
    }

    /// The id of the trace, 32 hexadecimal digits: that of the client, or a new one.
    pub fn trace_id(&self) -> String {
        self.trace.to_string()
    }

    /// Ends the span, once.
    fn end(&mut self, outcome: Outcome) {
        let Some(mut open) = self.open.take() else { return };
        if outcome != Outcome::Ok {
            let error = KeyValue::new("error.type", outcome.as_str());
            open.span.set_attribute(error.clone());
            // Without a description: the message of an error may quote an argument.
            open.span.set_status(Status::error(""));
            open.labels.push(error);
        }
        open.duration.record(open.began.elapsed().as_secs_f64(), &open.labels);
        open.span.end();
    }
}

impl Drop for OperationSpan {
    fn drop(&mut self) {
        self.end(if std::thread::panicking() { Outcome::Panicked } else { Outcome::Cancelled });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn telemetry() -> Telemetry {
        Telemetry::over(SdkTracerProvider::builder().build(), SdkMeterProvider::builder().build())
    }

    fn operation<'a>(parent: Option<&'a str>, ambient: Option<&'a str>) -> Operation<'a> {
        Operation {
            method: "tools/call",
            target: Some("orders"),
            parent: TraceParent { traceparent: parent, tracestate: None },
            ambient: TraceParent { traceparent: ambient, tracestate: None },
            transport: Transport::Http,
            protocol_version: Some("2025-06-18"),
        }
    }

    #[test]
    fn a_trace_is_continued_from_the_message_before_the_request() {
        let telemetry = telemetry();
        let other = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(operation(Some(SENT), None).parent.trace_id().as_deref(), Some(TRACE));
        assert_eq!(telemetry.begin(operation(Some(SENT), None)).trace_id(), TRACE);
        assert_eq!(telemetry.begin(operation(None, Some(SENT))).trace_id(), TRACE);
        assert_eq!(telemetry.begin(operation(Some(SENT), Some(other))).trace_id(), TRACE);
        assert_eq!(telemetry.begin(operation(Some("nonsense"), Some(SENT))).trace_id(), TRACE);
        let new = telemetry.begin(operation(None, None)).trace_id();
        assert!(new != TRACE && new.len() == 32 && new != "0".repeat(32), "{new}");
    }

    #[test]
    fn names_are_bounded_and_addresses_are_no_names() {
        let long = "x".repeat(1_000);
        let (name, _, _) = named(&Operation { target: Some(&long), ..operation(None, None) });
        assert_eq!(name, format!("tools/call {}", "x".repeat(MAX_CHARACTERS)));
        let read = Operation { method: "resources/read", target: Some("qtool://tables/a"), ..operation(None, None) };
        let (name, labels, address) = named(&read);
        assert_eq!(name, "resources/read");
        assert_eq!(address, Some(KeyValue::new("mcp.resource.uri", "qtool://tables/a")));
        assert!(labels.iter().all(|label| label.key.as_str() != "mcp.resource.uri"));
    }

    #[test]
    fn a_revision_that_is_not_known_is_no_label() {
        let (_, labels, _) = named(&Operation { protocol_version: Some("2099-01-01"), ..operation(None, None) });
        assert!(labels.iter().all(|label| label.key.as_str() != "mcp.protocol.version"));
    }
}
