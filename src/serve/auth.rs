//! Who calls: the HTTP server as an OAuth 2.1 resource server.
//!
//! It takes bearer tokens of the configured issuers that are meant for this very server, and fixed tokens that it knows
//! by their hash. It gives no tokens, passes none on, keeps none, and writes nothing of them into the log. It knows
//! nothing of tools: which scopes a call needs is decided elsewhere.

mod http_keys;
mod issuer;
mod jwks;
mod jwt;
mod no_keys;
mod refusal;
#[cfg(test)]
mod tests;

pub use http_keys::HttpKeys;
pub use issuer::KeySource;
pub use no_keys::NoKeys;
pub use refusal::{Refusal, metadata, metadata_url};

use crate::project::{AuthConfig, AuthorizationServer, SigningAlgorithm, StaticToken};
use crate::serve::setup::SetupError;
use issuer::Issuer;
use jwt::{ALGORITHM_REFUSED, Expected, Unverified};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use subtle::ConstantTimeEq;

/// The longest token that is looked at, in bytes.
const MAX_TOKEN: usize = 16 * 1024;

/// Who calls, and what they may do.
#[derive(Clone, PartialEq)]
pub struct Principal {
    /// The `sub` of the token, or the principal of the fixed token.
    pub name: String,
    /// What the token is good for.
    pub scopes: BTreeSet<String>,
    /// All that the token says.
    pub claims: Map<String, Value>,
}

/// Without the claims: they hold what is known of a person, and must not come into a log by accident.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal").field("name", &self.name).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

/// Tells callers by their tokens.
pub struct Authenticator {
    resource: String,
    algorithms: Vec<SigningAlgorithm>,
    leeway: Duration,
    scopes_claims: Vec<String>,
    issuers: Vec<Arc<Issuer>>,
    tokens: Vec<StaticToken>,
}

impl Authenticator {
    /// Takes the tokens that the configuration says, and fetches keys over HTTP when they are first needed.
    ///
    /// Errors: all that is wrong with the configuration; or there is no HTTP client.
    pub fn new(config: &AuthConfig) -> Result<Authenticator, SetupError> {
        Authenticator::with_source(config, Arc::new(HttpKeys::new()?))
    }

    /// The same, with keys from somewhere else.
    ///
    /// Errors: all that is wrong with the configuration.
    pub fn with_source(config: &AuthConfig, source: Arc<dyn KeySource>) -> Result<Authenticator, SetupError> {
        let problems = config.problems();
        if !problems.is_empty() {
            return Err(problems.join("; ").into());
        }
        let issuer = |AuthorizationServer { issuer, jwks_url }: &AuthorizationServer| {
            Arc::new(Issuer::new(issuer, jwks_url, Arc::clone(&source)))
        };
        let scopes_claims = match &config.scopes_claim {
            Some(name) => vec![name.clone()],
            None => vec!["scope".to_owned(), "scp".to_owned()],
        };
        Ok(Authenticator {
            resource: config.resource.clone(),
            algorithms: config.effective_algorithms().to_vec(),
            leeway: config.effective_leeway(),
            scopes_claims,
            issuers: config.authorization_servers.iter().map(issuer).collect(),
            tokens: config.tokens.clone(),
        })
    }

    /// Who sent a request with that `Authorization` header. Where a request has several, they must come joined with
    /// commas, which is refused; taking one of them would let two servers see two callers.
    ///
    /// Errors: the caller is not known, or cannot be known now.
    pub async fn authenticate(&self, authorization: Option<&str>, now: SystemTime) -> Result<Principal, Refusal> {
        let token = bearer(authorization)?;
        if let Some(principal) = self.static_principal(token) {
            return Ok(principal);
        }
        if self.issuers.is_empty() {
            return Err(Refusal::Invalid("the token is unknown"));
        }
        self.signed_principal(token, now).await
    }

    fn static_principal(&self, token: &str) -> Option<Principal> {
        let hash: [u8; 32] = Sha256::digest(token).into();
        let mut found = None;
        // To the end, and each in constant time: how long it takes tells nothing of the tokens.
        for known in &self.tokens {
            if bool::from(known.sha256.0.as_slice().ct_eq(hash.as_slice())) {
                found = Some(known);
            }
        }
        found.map(|known| Principal {
            name: known.principal.clone(),
            scopes: known.scopes.iter().cloned().collect(),
            claims: known.claims.clone(),
        })
    }

    async fn signed_principal(&self, token: &str, now: SystemTime) -> Result<Principal, Refusal> {
        let token = Unverified::parse(token).map_err(Refusal::Invalid)?;
        if !self.algorithms.contains(&token.algorithm) {
            return Err(Refusal::Invalid(ALGORITHM_REFUSED));
        }
        let named = token.issuer().ok_or(Refusal::Invalid("`iss` is missing"))?;
        let issuer = self.issuers.iter().find(|issuer| issuer.name == named);
        let issuer = issuer.ok_or(Refusal::Invalid("the issuer is unknown"))?;
        let keys = issuer.keys(token.key_id.as_deref(), now).await?;
        let key = keys.select(token.key_id.as_deref(), token.algorithm).map_err(Refusal::Invalid)?;
        let claims = token.verified(key).map_err(Refusal::Invalid)?;
        let expected = Expected { audience: &self.resource, leeway: self.leeway, now };
        let name = claims.check(&expected).map_err(Refusal::Invalid)?;
        let scopes = claims.scopes(&self.scopes_claims);
        Ok(Principal { name, scopes, claims: claims.0 })
    }
}

/// The one bearer token of the header (RFC 6750, section 2.1).
fn bearer(authorization: Option<&str>) -> Result<&str, Refusal> {
    let header = authorization.ok_or(Refusal::Missing)?.trim_matches(' ');
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Refusal::Missing);
    }
    let token = token.trim_start_matches(' ');
    if token.is_empty() {
        return Err(Refusal::Invalid("the token is empty"));
    }
    if token.len() > MAX_TOKEN {
        return Err(Refusal::Invalid("the token is too long"));
    }
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if token.bytes().all(legal) { Ok(token) } else { Err(Refusal::Invalid("not exactly one token")) }
}
