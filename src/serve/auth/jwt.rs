//! A signed token (RFC 7519) taken apart, and what it must say.

use super::jwks::Key;
use crate::project::SigningAlgorithm;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A token whose signature is not checked yet: nothing in it is to be believed. Keys that its header brings along
/// (`jwk`, `jku`, `x5c`, `x5u`) are not read at all.
pub(super) struct Unverified<'a> {
    pub(super) algorithm: SigningAlgorithm,
    pub(super) key_id: Option<String>,
    message: &'a str,
    signature: &'a str,
    claims: Claims,
}

/// What a token says.
pub(super) struct Claims(pub(super) Map<String, Value>);

/// What a token is held against.
pub(super) struct Expected<'a> {
    pub(super) audience: &'a str,
    pub(super) leeway: Duration,
    pub(super) now: SystemTime,
}

const SHAPE: &str = "the token is not of three parts";

impl<'a> Unverified<'a> {
    /// Takes a token apart.
    ///
    /// Errors: what is wrong with its shape or its header, for the caller.
    pub(super) fn parse(token: &'a str) -> Result<Unverified<'a>, &'static str> {
        let (message, signature) = token.rsplit_once('.').ok_or(SHAPE)?;
        let (header, payload) = message.split_once('.').ok_or(SHAPE)?;
        if payload.contains('.') || [header, payload, signature].contains(&"") {
            return Err(SHAPE);
        }
        let header = object(header).ok_or("the header is not a JSON object")?;
        let claims = object(payload).ok_or("the claims are not a JSON object")?;
        check_type(&header)?;
        let key_id = match header.get("kid") {
            None => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(_) => return Err("`kid` is not a text"),
        };
        let algorithm = header.get("alg").and_then(Value::as_str).and_then(SigningAlgorithm::parse);
        let algorithm = algorithm.ok_or(ALGORITHM_REFUSED)?;
        Ok(Unverified { algorithm, key_id, message, signature, claims: Claims(claims) })
    }

    /// Who it says made it: tells which keys to check it with, and nothing else.
    pub(super) fn issuer(&self) -> Option<&str> {
        self.claims.text("iss")
    }

    /// The claims, where the key made the signature.
    pub(super) fn verified(self, key: &Key) -> Result<Claims, &'static str> {
        if key.verifies(self.algorithm, self.message, self.signature) {
            Ok(self.claims)
        } else {
            Err("the signature is wrong")
        }
    }
}

/// The reason where a token is signed in a way that is not taken.
pub(super) const ALGORITHM_REFUSED: &str = "the algorithm is not allowed";

fn check_type(header: &Map<String, Value>) -> Result<(), &'static str> {
    if header.contains_key("crit") {
        return Err("`crit` is not supported");
    }
    let Some(kind) = header.get("typ") else { return Ok(()) };
    let known = |kind: &str| ["JWT", "at+jwt", "application/at+jwt"].iter().any(|own| own.eq_ignore_ascii_case(kind));
    if kind.as_str().is_some_and(known) { Ok(()) } else { Err("`typ` is not that of an access token") }
}

fn object(part: &str) -> Option<Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    match serde_json::from_slice(&bytes).ok()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

impl Claims {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The subject, where the token is for this server and holds now.
    ///
    /// Errors: why it does not, for the caller.
    pub(super) fn check(&self, expected: &Expected<'_>) -> Result<String, &'static str> {
        // A clock before 1970 is broken: every token is refused as expired.
        let now = expected.now.duration_since(UNIX_EPOCH).map_or(f64::INFINITY, |now| now.as_secs_f64());
        let leeway = expected.leeway.as_secs_f64();
        let expires = self.0.get("exp").and_then(Value::as_f64).ok_or("`exp` is missing or not a number")?;
        // Also refuses what does not compare.
        let current = now < expires + leeway;
        if !current {
            return Err("the token has expired");
        }
        if let Some(begins) = self.0.get("nbf") {
            let begins = begins.as_f64().ok_or("`nbf` is not a number")?;
            let begun = begins <= now + leeway;
            if !begun {
                return Err("the token is not valid yet");
            }
        }
        if !self.is_for(expected.audience) {
            return Err("the token is for another audience");
        }
        let subject = self.text("sub").filter(|subject| !subject.is_empty());
        subject.map(str::to_owned).ok_or("`sub` is missing")
    }

    fn is_for(&self, audience: &str) -> bool {
        match self.0.get("aud") {
            Some(Value::String(only)) => only == audience,
            Some(Value::Array(several)) => several.iter().any(|one| one.as_str() == Some(audience)),
            _ => false,
        }
    }

    /// The scopes in the first of the claims that the token has.
    pub(super) fn scopes(&self, names: &[String]) -> BTreeSet<String> {
        match names.iter().find_map(|name| self.0.get(name)) {
            Some(Value::String(text)) => text.split_ascii_whitespace().map(str::to_owned).collect(),
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => BTreeSet::new(),
        }
    }
}
