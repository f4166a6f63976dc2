//! OpenTelemetry: a span and a measurement for every operation, sent over OTLP (http/protobuf).
//!
//! Names follow the semantic conventions for MCP. What is sent says which tool was called, how long it took and how it
//! ended: no arguments, no SQL, no rows, and nothing of the caller. Nothing here waits for the collector, except
//! [`Telemetry::stop`]: the SDK collects on threads of its own, and drops what it has no room for. The global providers
//! are left alone, so that a program around the server keeps its own.

use super::audit::{Outcome, Transport};
use crate::serve::setup::SetupError;
use async_trait::async_trait;
use opentelemetry::metrics::{Histogram, MeterProvider};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{
    Link, Span as _, SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt, TraceId, TracerProvider,
};
use opentelemetry::{Context, InstrumentationScope, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use rmcp::model::ProtocolVersion;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// How long [`Telemetry::stop`] waits.
pub const STOP: Duration = Duration::from_secs(2);
/// The time that an export has where the environment does not say.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a name or an address.
const MAX_CHARACTERS: usize = 100;
/// The most bytes of `tracestate`: what the specification asks one to pass on at least.
const MAX_STATE: usize = 512;
/// The most bytes of a collector's answer: the SDK's error for a longer one names this number.
const MAX_ANSWER: usize = 4 << 20;
/// At most once in that time it is said that the collector cannot be reached.
const QUIET: Duration = Duration::from_secs(60);
/// The boundaries that the conventions ask for, in seconds.
const BUCKETS: [f64; 14] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
/// The one protocol that is spoken.
const PROTOCOL: &str = "http/protobuf";

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

/// A W3C trace context as it was sent.
#[derive(Debug, Clone, Copy, Default)]
pub struct TraceParent<'a> {
    /// The trace, the span in it, and whether it is recorded.
    pub traceparent: Option<&'a str>,
    /// What tracing systems add; of no use without `traceparent`.
    pub tracestate: Option<&'a str>,
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

impl TraceParent<'_> {
    /// The id of the trace, 32 hexadecimal digits; `None` where no valid context was sent.
    pub fn trace_id(&self) -> Option<String> {
        self.context().map(|context| context.trace_id().to_string())
    }

    /// The span that was sent; `None` where it is not one (Trace Context, 3.2).
    fn context(&self) -> Option<SpanContext> {
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

/// What the service says of itself: the environment goes before the project.
fn resource(name: &str, version: &str) -> Resource {
    let resource = Resource::builder_empty()
        .with_attribute(KeyValue::new("service.name", name.to_owned()))
        .with_attribute(KeyValue::new("service.version", version.to_owned()))
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match variable("OTEL_SERVICE_NAME") {
        Some(name) => resource.with_service_name(name).build(),
        None => resource.build(),
    }
}

/// A variable that is set, and not to nothing.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A setting of the exporter: that for the signal, or that for all of them.
fn setting(signal: &str, name: &str) -> Option<String> {
    variable(&format!("OTEL_EXPORTER_OTLP_{signal}_{name}")).or_else(|| variable(&format!("OTEL_EXPORTER_OTLP_{name}")))
}

/// Whether a signal is sent at all.
fn is_wanted(signal: &str) -> bool {
    variable(&format!("OTEL_{signal}_EXPORTER")).is_none_or(|exporter| exporter != "none")
}

/// What the exporters send with.
struct Clients {
    client: reqwest::Client,
    runtime: Handle,
    warned: Arc<Mutex<Option<Instant>>>,
}

impl Clients {
    fn new(runtime: &Handle) -> Result<Clients, SetupError> {
        // A redirect would lead the headers, which may hold a key, to another host.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).referer(false).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Clients { client, runtime: runtime.clone(), warned: Arc::default() })
    }

    /// The client for a signal, `TRACES` or `METRICS`.
    fn of(&self, signal: &str) -> Result<Client, SetupError> {
        if let Some(protocol) = setting(signal, "PROTOCOL").filter(|protocol| protocol != PROTOCOL) {
            return Err(format!("the OTLP protocol `{protocol}` is not spoken here; `{PROTOCOL}` is").into());
        }
        let timeout = match setting(signal, "TIMEOUT") {
            Some(text) => {
                let ms = text.parse().map_err(|_| format!("the OTLP timeout `{text}` is no number of milliseconds"))?;
                Duration::from_millis(ms)
            }
            None => TIMEOUT,
        };
        let (client, runtime) = (self.client.clone(), self.runtime.clone());
        Ok(Client { client, runtime, timeout, warned: Arc::clone(&self.warned) })
    }
}

/// Sends what the SDK has put together. The SDK does this on threads that no runtime knows, so the request itself runs
/// on ours.
#[derive(Debug)]
struct Client {
    client: reqwest::Client,
    runtime: Handle,
    /// For all of a request: the SDK sets no limit itself.
    timeout: Duration,
    /// When it was last said that something went wrong.
    warned: Arc<Mutex<Option<Instant>>>,
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let exchanged = self.runtime.spawn(exchange(self.client.clone(), request, self.timeout)).await;
        // Where the runtime has ended, so has the server: not worth a warning.
        let answer = exchanged?;
        match &answer {
            Ok(response) if response.status().is_success() => {}
            Ok(response) => self.warn(&format!("status {}", response.status().as_u16())),
            Err(error) => self.warn(&described(error.as_ref())),
        }
        answer
    }
}

impl Client {
    /// Says that something went wrong, where that was not said a moment ago. The SDK may still try again.
    fn warn(&self, why: &str) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.is_none_or(|at| at.elapsed() >= QUIET) {
            *warned = Some(Instant::now());
            drop(warned);
            tracing::warn!("telemetry could not be sent: {why}");
        }
    }
}

async fn exchange(
    client: reqwest::Client,
    request: Request<Bytes>,
    timeout: Duration,
) -> Result<Response<Bytes>, HttpError> {
    let mut request = reqwest::Request::try_from(request).map_err(reqwest::Error::without_url)?;
    *request.timeout_mut() = Some(timeout);
    // The address may hold a password.
    let mut answer = client.execute(request).await.map_err(reqwest::Error::without_url)?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(ResponseBodyTooLarge::new().into());
        }
        body.extend_from_slice(&chunk);
    }
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = answer.status();
    *response.headers_mut() = std::mem::take(answer.headers_mut());
    Ok(response)
}

/// With the causes: the outermost error does not say whether it was the name, the line or the certificate.
fn described(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
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
