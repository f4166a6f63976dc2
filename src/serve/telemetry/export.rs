//! What is sent, to where, and with what: the `OTEL_*` environment variables.

use crate::serve::setup::SetupError;
use async_trait::async_trait;
use opentelemetry::KeyValue;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// The time that an export has where the environment does not say.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of a collector's answer: the SDK's error for a longer one names this number.
const MAX_ANSWER: usize = 4 << 20;
/// At most once in that time it is said that the collector cannot be reached.
const QUIET: Duration = Duration::from_secs(60);
/// The one protocol that is spoken.
const PROTOCOL: &str = "http/protobuf";

/// What the service says of itself: the environment goes before the project.
pub(super) fn resource(name: &str, version: &str) -> Resource {
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
pub(super) fn is_wanted(signal: &str) -> bool {
    variable(&format!("OTEL_{signal}_EXPORTER")).is_none_or(|exporter| exporter != "none")
}

/// What the exporters send with.
pub(super) struct Clients {
    client: reqwest::Client,
    runtime: Handle,
    warned: Arc<Mutex<Option<Instant>>>,
}

impl Clients {
    pub(super) fn new(runtime: &Handle) -> Result<Clients, SetupError> {
        // A redirect would lead the headers, which may hold a key, to another host.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).referer(false).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Clients { client, runtime: runtime.clone(), warned: Arc::default() })
    }

    /// The client for a signal, `TRACES` or `METRICS`.
    pub(super) fn of(&self, signal: &str) -> Result<Client, SetupError> {
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
pub(super) struct Client {
    client: reqwest::Client,
    runtime: Handle,
    /// For all of a request: the SDK sets no limit itself.
    pub(super) timeout: Duration,
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
