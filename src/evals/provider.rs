//! A server of models, reached over HTTP: one JSON body out, one back.
//!
//! What comes back is trusted with nothing: no redirects, no long bodies, no slow ones. The key goes into one header
//! and is in no message, also where the server repeats it.

use super::anthropic::Messages;
use super::dialogue::{Dialogue, Opening};
use super::openai::Chat;
use super::plain_line;
use crate::emit;
use crate::in_words::in_words;
use crate::tool::Tool;
use http::HeaderValue;
use reqwest::{Response, StatusCode};
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use url::{Host, Url};

/// The API that a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `POST {url}/chat/completions`.
    OpenAi,
    /// `POST {url}/v1/messages`.
    Anthropic,
}

/// Where a model is, and which one.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// What the server speaks.
    pub api: Api,
    /// The URL, without what the API adds to it.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// What the server knows the caller by; absent for a server that asks for none.
    pub key: Option<Key>,
}

/// A secret: nothing prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// How long and how often a server is asked.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The longest that one request may take.
    pub request: Duration,
    /// How often a request is sent to a server that is busy or fails, at most.
    pub tries: u32,
    /// The wait before the second try; it doubles with each.
    pub first_wait: Duration,
    /// The longest wait, whatever the server asks for.
    pub longest_wait: Duration,
}

/// A server of models.
pub struct Provider {
    client: reqwest::Client,
    endpoint: Endpoint,
    url: Url,
    headers: http::HeaderMap,
    patience: Patience,
}

/// Why there is no reply. What it displays is for the terminal: it has no key, and of the URL no query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderError {
    /// What went wrong.
    pub message: String,
    /// Whether every other request would go wrong in the same way.
    pub lasting: bool,
}

const MAX_BYTES: usize = 8 << 20;
/// <https://platform.claude.com/docs/en/api/versioning>.
const ANTHROPIC_VERSION: &str = "2023-06-01";

impl Api {
    /// All of them.
    pub const ALL: [Api; 2] = [Api::OpenAi, Api::Anthropic];

    /// The name that a person types.
    pub fn as_str(self) -> &'static str {
        match self {
            Api::OpenAi => "openai",
            Api::Anthropic => "anthropic",
        }
    }

    /// The tools, as the API takes them.
    pub fn tools(self, tools: &[Tool]) -> Value {
        let tools = &Tool::contracts(tools);
        match self {
            // Servers that only resemble OpenAI's often know no strict mode.
            Api::OpenAi => emit::openai::chat_tools(tools, emit::openai::Mode::Lenient),
            Api::Anthropic => emit::anthropic::tools(tools),
        }
    }

    /// The environment variable of the key and the host that it is for, where nobody says another one.
    fn own_key(self) -> (&'static str, &'static str) {
        match self {
            Api::OpenAi => ("OPENAI_API_KEY", "api.openai.com"),
            Api::Anthropic => ("ANTHROPIC_API_KEY", "api.anthropic.com"),
        }
    }

    /// The variable whose key a server gets unasked: that of the API's maker, and nobody else.
    pub fn key_variable(self, url: &str) -> Option<&'static str> {
        let (variable, host) = self.own_key();
        let url = Url::parse(url).ok()?;
        (url.scheme() == "https" && url.host_str() == Some(host)).then_some(variable)
    }

    fn path(self, base: &str) -> String {
        let base = base.trim_end_matches('/');
        match self {
            Api::OpenAi => format!("{base}/chat/completions"),
            // Both are in use for the same server.
            Api::Anthropic => format!("{}/v1/messages", base.trim_end_matches("/v1")),
        }
    }

    pub(super) fn open(self, opening: &Opening<'_>) -> Box<dyn Dialogue> {
        match self {
            Api::OpenAi => Box::new(Chat::new(opening)),
            Api::Anthropic => Box::new(Messages::new(opening)),
        }
    }
}

impl Key {
    /// Takes in a key, without the blanks that a file may have around it; `None` where there is nothing else.
    pub fn new(text: &str) -> Option<Key> {
        let text = text.trim();
        (!text.is_empty()).then(|| Key(text.to_owned()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            request: Duration::from_secs(60),
            tries: 5,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(30),
        }
    }
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProviderError {}

/// An answer that is no reply.
enum Failed {
    /// Another try may do: after so long, where the server says.
    Busy(ProviderError, Option<Duration>),
    For(ProviderError),
}

in_words! {
    /// Why an endpoint cannot be asked, in words for who named it.
    pub struct InvalidEndpoint;
}

impl Provider {
    /// Makes a client for an endpoint; nothing is sent yet.
    ///
    /// Errors: a URL that is none, or has a key in it; a key that no header can have, or that anybody on the way could
    /// read.
    pub fn new(endpoint: Endpoint, patience: Patience) -> Result<Provider, InvalidEndpoint> {
        let mut url = Url::parse(&endpoint.url).map_err(|error| format!("the URL is none: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err("the URL must begin with https:// or http://".into());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL must not have a key in it: that comes from the environment".into());
        }
        let is_here = is_loopback(&url);
        if endpoint.key.is_some() && url.scheme() == "http" && !is_here {
            return Err("a key is sent by https only, or to this machine: on the way, anybody could read it".into());
        }
        let path = endpoint.api.path(url.path());
        url.set_path(&path);
        let headers = headers(&endpoint)?;
        // A redirect would lead the key to any other host.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).referer(false);
        let client = if is_here { client.no_proxy() } else { client };
        let client = client.timeout(patience.request).build().map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Provider { client, endpoint, url, headers, patience })
    }

    /// Where and what the model is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends a body, again where the server is busy, and reads the reply.
    pub(super) async fn send(&self, body: &Value) -> Result<Value, ProviderError> {
        let body = body.to_string();
        let mut wait = self.patience.first_wait;
        let mut tries = 1;
        loop {
            match self.send_once(body.clone()).await {
                Ok(reply) => return Ok(reply),
                Err(Failed::For(error)) => return Err(error),
                Err(Failed::Busy(error, _)) if tries >= self.patience.tries => {
                    let message = format!("{}, also at try {tries}", error.message);
                    return Err(ProviderError { message, ..error });
                }
                Err(Failed::Busy(_, asked)) => {
                    tokio::time::sleep(asked.unwrap_or(wait).min(self.patience.longest_wait)).await;
                    tries += 1;
                    wait = wait.saturating_mul(2);
                }
            }
        }
    }

    async fn send_once(&self, body: String) -> Result<Value, Failed> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let response = request.send().await.map_err(|error| self.broken(error))?;
        let (status, retry_after) = (response.status(), retry_after(&response));
        let body = self.body(response).await?;
        if status == StatusCode::OK {
            let parsed = serde_json::from_slice(&body);
            return parsed.map_err(|_| self.failed("sent a reply that is no JSON", false));
        }
        let said = self.said(&body);
        let words = format!("answered with status {}{said}", status.as_u16());
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Err(Failed::Busy(self.error(&words, false), retry_after));
        }
        // A key that is wrong stays wrong, and so do a model and an address.
        Err(self.failed(&words, matches!(status.as_u16(), 301..=308 | 401..=405)))
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Failed> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(error))? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(self.failed(&format!("sent a reply longer than {} MiB", MAX_BYTES >> 20), false));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn broken(&self, error: reqwest::Error) -> Failed {
        if error.is_timeout() {
            let seconds = self.patience.request.as_secs_f64();
            return self.failed(&format!("did not answer within {seconds} s"), false);
        }
        let lasting = error.is_connect();
        let mut words = String::from(if lasting { "cannot be reached" } else { "broke off" });
        // The causes: the outermost error does not say whether it was the name, the line or the certificate.
        let error = error.without_url();
        let mut cause = std::error::Error::source(&error);
        while let Some(inner) = cause {
            words.push_str(&format!(": {}", plain_line(&inner.to_string(), 200)));
            cause = inner.source();
        }
        self.failed(&words, lasting)
    }

    /// What the server says of an error: every API has a `message` somewhere.
    fn said(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let parsed: Value = serde_json::from_str(&text).unwrap_or_default();
        let message =
            ["/error/message", "/message", "/error", "/detail"].iter().find_map(|at| parsed.pointer(at)?.as_str());
        let said = plain_line(&self.without_key(message.unwrap_or(&text)), 300);
        if said.is_empty() { said } else { format!(": {said}") }
    }

    fn without_key(&self, text: &str) -> String {
        match &self.endpoint.key {
            Some(key) => text.replace(&key.0, "…"),
            None => text.to_owned(),
        }
    }

    fn failed(&self, words: &str, lasting: bool) -> Failed {
        Failed::For(self.error(words, lasting))
    }

    fn error(&self, words: &str, lasting: bool) -> ProviderError {
        let (origin, path) = (self.url.origin().ascii_serialization(), self.url.path());
        ProviderError { message: format!("{} {words}", self.without_key(&format!("{origin}{path}"))), lasting }
    }
}

fn headers(endpoint: &Endpoint) -> Result<http::HeaderMap, InvalidEndpoint> {
    let mut headers = http::HeaderMap::new();
    headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(http::header::ACCEPT, HeaderValue::from_static("application/json"));
    if endpoint.api == Api::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    if let Some(Key(key)) = &endpoint.key {
        let (name, value) = match endpoint.api {
            Api::OpenAi => (http::header::AUTHORIZATION, format!("Bearer {key}")),
            Api::Anthropic => (http::HeaderName::from_static("x-api-key"), key.clone()),
        };
        let value = HeaderValue::from_str(&value).map_err(|_| "the key has characters that no header can have")?;
        headers.insert(name, value);
    }
    for value in headers.values_mut() {
        value.set_sensitive(true);
    }
    Ok(headers)
}

/// The seconds that a server asks to wait (RFC 9110, 10.2.3); where it names a date instead, the own wait will do.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds: f64 = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
