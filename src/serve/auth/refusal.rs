//! What a caller is told who may not call: RFC 6750 challenges, and the RFC 9728 metadata that they lead to.

use crate::project::AuthConfig;
use serde_json::{Map, Value, json};
use url::Url;

/// Why a request was not let through. Holds nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no bearer token.
    Missing,
    /// The token is not good; the reason is for the log and for `error_description`.
    Invalid(&'static str),
    /// It cannot be known now: the keys of the issuer cannot be had.
    Unavailable,
}

impl Refusal {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            Refusal::Missing | Refusal::Invalid(_) => 401,
            Refusal::Unavailable => 503,
        }
    }

    /// The reason in a few words, for the log.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Missing => "no bearer token",
            Refusal::Invalid(reason) => reason,
            Refusal::Unavailable => "the keys of the issuer cannot be had",
        }
    }

    /// The `WWW-Authenticate` header. Of use with a status of 401 only.
    pub fn challenge(self, metadata_url: &str) -> String {
        let metadata = quoted(metadata_url);
        match self {
            // RFC 6750, section 3.1: no error code for a caller that did not know it needs a token.
            Refusal::Missing | Refusal::Unavailable => format!("Bearer resource_metadata={metadata}"),
            Refusal::Invalid(reason) => format!(
                "Bearer resource_metadata={metadata}, error=\"invalid_token\", error_description={}",
                quoted(reason)
            ),
        }
    }
}

/// The RFC 9728 document: which resource this is, and who gives tokens for it.
pub fn metadata(config: &AuthConfig, scopes: &[String]) -> Value {
    let mut document = Map::new();
    document.insert("resource".to_owned(), json!(config.resource));
    // RFC 9728, section 3.2: members without values must be left out.
    if !config.authorization_servers.is_empty() {
        let issuers: Vec<&str> = config.authorization_servers.iter().map(|server| server.issuer.as_str()).collect();
        document.insert("authorization_servers".to_owned(), json!(issuers));
    }
    if !scopes.is_empty() {
        document.insert("scopes_supported".to_owned(), json!(scopes));
    }
    document.insert("bearer_methods_supported".to_owned(), json!(["header"]));
    Value::Object(document)
}

/// Where clients look for the metadata: the well-known path put before the path of the resource (RFC 9728, section
/// 3.1). Nothing where the resource is not a URL.
pub fn metadata_url(config: &AuthConfig) -> Option<String> {
    let mut url = Url::parse(&config.resource).ok()?;
    let path = if url.path() == "/" { "" } else { url.path() };
    let path = format!("/.well-known/oauth-protected-resource{path}");
    url.set_path(&path);
    Some(url.into())
}

/// As a quoted string of a header (RFC 9110, section 5.6.4), without what the string may not hold.
fn quoted(text: &str) -> String {
    let kept = text.chars().filter(|c| (' '..='~').contains(c) && !matches!(c, '"' | '\\'));
    format!("\"{}\"", kept.collect::<String>())
}
