//! Keys fetched over HTTP, with nothing left to the other side: no redirects, no long answers, no slow ones.

use super::issuer::KeySource;
use super::no_keys::NoKeys;
use crate::serve::setup::SetupError;
use async_trait::async_trait;
use reqwest::StatusCode;
use std::time::Duration;

/// Fetches keys with GET requests.
pub struct HttpKeys {
    client: reqwest::Client,
}

const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 1 << 20;

impl HttpKeys {
    /// A client that trusts the certificates that the system trusts.
    ///
    /// Errors: those cannot be read.
    pub fn new() -> Result<HttpKeys, SetupError> {
        HttpKeys::over(reqwest::Client::builder())
    }

    pub(super) fn over(client: reqwest::ClientBuilder) -> Result<HttpKeys, SetupError> {
        // A redirect would lead from the configured host to any other, also inside the network.
        let client = client
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .referer(false)
            .build()
            .map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(HttpKeys { client })
    }
}

#[async_trait]
impl KeySource for HttpKeys {
    async fn fetch(&self, url: &str) -> Result<Vec<u8>, NoKeys> {
        let mut response = self.client.get(url).header("accept", "application/json").send().await.map_err(describe)?;
        if response.status() != StatusCode::OK {
            return Err(format!("status {}", response.status().as_u16()).into());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(describe)? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err("the answer is longer than 1 MiB".into());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// With the causes: the outermost error does not say whether it was the name, the line or the certificate.
fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
