//! `auth` of `qtool.yaml`: whose tokens the HTTP server takes.

use super::Timeout;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;
use url::{Host, Url};

/// Whose tokens the HTTP server takes: those of authorization servers, and fixed ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuthConfig {
    /// The server's canonical URI, e.g. `https://tools.example.com/mcp`: tokens must name it, letter by letter, as
    /// their audience, and clients find it in the published metadata.
    #[schemars(length(min = 1))]
    pub resource: String,
    /// The authorization servers whose tokens are taken. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_servers: Vec<AuthorizationServer>,
    /// The algorithms that tokens may be signed with. Default: `[RS256, ES256, EdDSA]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub algorithms: Option<Vec<SigningAlgorithm>>,
    /// How far the clocks of issuers may be off, at most `5m`. Default: 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leeway: Option<Timeout>,
    /// The claim that holds the scopes, as a list or as one text with spaces. Default: `scope`, and `scp` where a token
    /// has no `scope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub scopes_claim: Option<String>,
    /// Fixed tokens, known by their hash only. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<StaticToken>,
}

/// An authorization server whose tokens are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuthorizationServer {
    /// Its name, letter by letter as in the `iss` of its tokens, e.g. `https://login.example.com`.
    #[schemars(length(min = 1))]
    pub issuer: String,
    /// Where its public keys lie (a JWK set); `https` unless on this machine.
    #[schemars(length(min = 1))]
    pub jwks_url: String,
}

/// A fixed token of letters, digits and `-._~+/=`, and who holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StaticToken {
    /// The SHA-256 of the token in hexadecimal: `printf %s "$TOKEN" | sha256sum`.
    pub sha256: TokenHash,
    /// Who holds it.
    #[schemars(length(min = 1))]
    pub principal: String,
    /// The scopes it has. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// The claims it stands for, for parameters that are bound to one. Default: none.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub claims: Map<String, Value>,
}

/// An algorithm that a token may be signed with; all are asymmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SigningAlgorithm {
    /// RSA, PKCS #1 v1.5, SHA-256.
    #[serde(rename = "RS256")]
    Rs256,
    /// RSA, PKCS #1 v1.5, SHA-384.
    #[serde(rename = "RS384")]
    Rs384,
    /// RSA, PKCS #1 v1.5, SHA-512.
    #[serde(rename = "RS512")]
    Rs512,
    /// RSA, PSS, SHA-256.
    #[serde(rename = "PS256")]
    Ps256,
    /// RSA, PSS, SHA-384.
    #[serde(rename = "PS384")]
    Ps384,
    /// RSA, PSS, SHA-512.
    #[serde(rename = "PS512")]
    Ps512,
    /// ECDSA on P-256, SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// ECDSA on P-384, SHA-384.
    #[serde(rename = "ES384")]
    Es384,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
}

impl SigningAlgorithm {
    /// Every algorithm.
    pub const ALL: [SigningAlgorithm; 9] = [
        SigningAlgorithm::Rs256,
        SigningAlgorithm::Rs384,
        SigningAlgorithm::Rs512,
        SigningAlgorithm::Ps256,
        SigningAlgorithm::Ps384,
        SigningAlgorithm::Ps512,
        SigningAlgorithm::Es256,
        SigningAlgorithm::Es384,
        SigningAlgorithm::EdDsa,
    ];

    /// Those that are taken where nothing is said.
    pub const DEFAULT: [SigningAlgorithm; 3] =
        [SigningAlgorithm::Rs256, SigningAlgorithm::Es256, SigningAlgorithm::EdDsa];

    /// The name in the header of a token.
    pub fn as_str(self) -> &'static str {
        match self {
            SigningAlgorithm::Rs256 => "RS256",
            SigningAlgorithm::Rs384 => "RS384",
            SigningAlgorithm::Rs512 => "RS512",
            SigningAlgorithm::Ps256 => "PS256",
            SigningAlgorithm::Ps384 => "PS384",
            SigningAlgorithm::Ps512 => "PS512",
            SigningAlgorithm::Es256 => "ES256",
            SigningAlgorithm::Es384 => "ES384",
            SigningAlgorithm::EdDsa => "EdDSA",
        }
    }

    /// The algorithm of that name, in that letter case.
    pub fn parse(name: &str) -> Option<SigningAlgorithm> {
        SigningAlgorithm::ALL.into_iter().find(|algorithm| algorithm.as_str() == name)
    }
}

/// The SHA-256 of a token, written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl Serialize for TokenHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut hash = [0; 32];
        hex::decode_to_slice(&text, &mut hash)
            .map_err(|_| serde::de::Error::custom("a SHA-256 of 64 hexadecimal digits"))?;
        Ok(TokenHash(hash))
    }
}

impl JsonSchema for TokenHash {
    fn schema_name() -> Cow<'static, str> {
        "TokenHash".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The SHA-256 of the token: 64 hexadecimal digits.",
            "x-expected": "a SHA-256 of 64 hexadecimal digits",
            "type": "string",
            "pattern": "^[0-9a-fA-F]{64}$"
        })
    }
}

const DEFAULT_LEEWAY: Duration = Duration::from_secs(30);
const MAX_LEEWAY: Duration = Duration::from_secs(300);

impl AuthConfig {
    /// How far the clocks of issuers may be off.
    pub fn effective_leeway(&self) -> Duration {
        self.leeway.map_or(DEFAULT_LEEWAY, |leeway| leeway.0)
    }

    /// The algorithms that tokens may be signed with.
    pub fn effective_algorithms(&self) -> &[SigningAlgorithm] {
        self.algorithms.as_deref().unwrap_or(&SigningAlgorithm::DEFAULT)
    }

    /// Everything that is wrong with it beyond its shape, in words; nothing where it can be used.
    pub fn problems(&self) -> Vec<String> {
        self.flaws().into_iter().map(|flaw| flaw.words).collect()
    }

    /// Everything that is wrong with it beyond its shape, each with its place.
    pub fn flaws(&self) -> Vec<AuthFlaw> {
        let mut flaws = Vec::new();
        match (has_blanks(&self.resource), is_resource(&self.resource)) {
            (true, _) => flaws.push(AuthFlaw::of_blanks(&["resource"], &self.resource)),
            (false, true) => {}
            (false, false) => {
                let words = format!("`resource` must be an https URL without a fragment, not `{}`", self.resource);
                flaws.push(AuthFlaw::at(&["resource"], words));
            }
        }
        if self.authorization_servers.is_empty() && self.tokens.is_empty() {
            flaws.push(AuthFlaw::at(&[], "`auth` needs an authorization server or a token: nobody could call"));
        }
        if self.effective_leeway() > MAX_LEEWAY {
            flaws.push(AuthFlaw::at(&["leeway"], "`leeway` must be at most `5m`"));
        }
        if self.effective_algorithms().is_empty() {
            flaws.push(AuthFlaw::at(&["algorithms"], "`algorithms` must name at least one"));
        }
        if self.scopes_claim.as_deref() == Some("") {
            flaws.push(AuthFlaw::at(&["scopes_claim"], "`scopes_claim` must not be empty"));
        }
        self.server_flaws(&mut flaws);
        self.token_flaws(&mut flaws);
        flaws
    }

    fn server_flaws(&self, flaws: &mut Vec<AuthFlaw>) {
        let mut seen = HashSet::new();
        for (at, AuthorizationServer { issuer, jwks_url }) in self.authorization_servers.iter().enumerate() {
            let at = at.to_string();
            let place = |key| ["authorization_servers", at.as_str(), key];
            if has_blanks(issuer) {
                flaws.push(AuthFlaw::of_blanks(&place("issuer"), issuer));
            } else if !is_protected(issuer) {
                let words = format!("`issuer` must be an https URL without a query, not `{issuer}`");
                flaws.push(AuthFlaw::at(&place("issuer"), words));
            }
            if !seen.insert(issuer) {
                flaws.push(AuthFlaw::at(&place("issuer"), format!("issuer `{issuer}` is given twice")));
            }
            // Not shown: it may hold a key, and is what the message tells to remove.
            if Url::parse(jwks_url).is_ok_and(|url| !url.username().is_empty() || url.password().is_some()) {
                let words = format!("`jwks_url` of issuer `{issuer}` must not hold a password");
                flaws.push(AuthFlaw::at(&place("jwks_url"), words));
            } else if has_blanks(jwks_url) || !Url::parse(jwks_url).is_ok_and(|url| is_encrypted_or_local(&url)) {
                let words = format!("`jwks_url` of issuer `{issuer}` must be an https URL");
                flaws.push(AuthFlaw::at(&place("jwks_url"), words));
            }
        }
    }

    fn token_flaws(&self, flaws: &mut Vec<AuthFlaw>) {
        let mut seen = HashSet::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let at = at.to_string();
            let place = |key| ["tokens", at.as_str(), key];
            let principal = &token.principal;
            if principal.is_empty() {
                flaws.push(AuthFlaw::at(&place("principal"), "`principal` of a token must not be empty"));
            }
            if !seen.insert(token.sha256) {
                flaws.push(AuthFlaw::at(&place("sha256"), format!("the token of `{principal}` is given twice")));
            }
            for (of, scope) in token.scopes.iter().enumerate().filter(|(_, scope)| !is_scope(scope)) {
                let words = format!("`{scope}`, a scope of `{principal}`, must have no spaces or quotes");
                flaws.push(AuthFlaw::at(&["tokens", &at, "scopes", &of.to_string()], words));
            }
        }
    }
}

/// Something that is wrong with `auth`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthFlaw {
    /// The keys below `auth` that lead to it; none where it is about all of it.
    pub at: Vec<String>,
    /// What is wrong.
    pub words: String,
    /// What is written, where only the blanks around it are wrong.
    pub blank: Option<String>,
}

impl AuthFlaw {
    fn at(at: &[&str], words: impl Into<String>) -> AuthFlaw {
        AuthFlaw { at: at.iter().map(|key| (*key).to_owned()).collect(), words: words.into(), blank: None }
    }

    /// It is compared letter by letter, and nobody sends blanks.
    fn of_blanks(at: &[&str], written: &str) -> AuthFlaw {
        let key = at.last().copied().unwrap_or_default();
        let flaw = AuthFlaw::at(at, format!("`{key}` never matches with blanks in it: `{written}`"));
        let is_around = !written.trim().is_empty() && !has_blanks(written.trim());
        AuthFlaw { blank: is_around.then(|| written.to_owned()), ..flaw }
    }
}

/// A URL may be read with blanks around it, but is compared as it is written.
fn has_blanks(text: &str) -> bool {
    text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// RFC 8707, section 2.
fn is_resource(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.fragment().is_none() && url.username().is_empty()
    })
}

/// RFC 8414, section 2.
fn is_protected(issuer: &str) -> bool {
    Url::parse(issuer).is_ok_and(|url| is_encrypted_or_local(&url) && url.query().is_none() && url.fragment().is_none())
}

fn is_encrypted_or_local(url: &Url) -> bool {
    let local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && local)
}

/// RFC 6749, section 3.3.
pub(crate) fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(value: Value) -> Vec<String> {
        serde_json::from_value::<AuthConfig>(value).unwrap().problems()
    }

    fn server(issuer: &str, jwks_url: &str) -> Value {
        json!({ "resource": "https://tools.example.com/mcp",
            "authorization_servers": [{ "issuer": issuer, "jwks_url": jwks_url }] })
    }

    #[test]
    fn a_sound_configuration_has_no_problems() {
        let good = server("https://login.example.com", "https://login.example.com/keys");
        assert_eq!(problems(good), Vec::<String>::new());
        assert_eq!(problems(server("http://127.0.0.1:9", "http://[::1]:9/keys")), Vec::<String>::new());
    }

    #[test]
    fn keys_come_over_an_encrypted_line() {
        let plain = problems(server("https://login.example.com", "http://login.example.com/keys"));
        assert_eq!(plain, ["`jwks_url` of issuer `https://login.example.com` must be an https URL"]);
        assert_eq!(problems(server("http://login.example.com", "https://login.example.com/keys")).len(), 1);
        let secret = problems(server("https://a.example", "https://user:hunter2@a.example/keys"));
        assert_eq!(secret, ["`jwks_url` of issuer `https://a.example` must not hold a password"]);
    }

    #[test]
    fn what_is_compared_has_no_blanks() {
        let mut value = server("https://login.example.com ", "https://login.example.com/keys");
        value["resource"] = json!(" https://tools.example.com/mcp");
        let flaws = serde_json::from_value::<AuthConfig>(value).unwrap().flaws();
        let places: Vec<String> = flaws.iter().map(|flaw| flaw.at.join(".")).collect();
        assert_eq!(places, ["resource", "authorization_servers.0.issuer"]);
        assert!(flaws.iter().all(|flaw| flaw.blank.is_some()), "{flaws:?}");
    }

    #[test]
    fn every_problem_is_told() {
        let hash = "0".repeat(64);
        let found = problems(json!({
            "resource": "tools.example.com",
            "algorithms": [],
            "leeway": "6m",
            "scopes_claim": "",
            "tokens": [{ "sha256": hash, "principal": "" }, { "sha256": hash, "principal": "b", "scopes": ["a b"] }]
        }));
        assert_eq!(found.len(), 7, "{found:#?}");
        assert_eq!(problems(json!({ "resource": "https://a.example/mcp" })).len(), 1);
    }

    #[test]
    fn a_symmetric_algorithm_cannot_be_written() {
        for name in ["HS256", "none", "rs256"] {
            let value = json!({ "resource": "https://a.example", "algorithms": [name] });
            assert!(serde_json::from_value::<AuthConfig>(value).is_err(), "{name}");
        }
        for algorithm in SigningAlgorithm::ALL {
            assert_eq!(serde_json::to_value(algorithm).unwrap(), algorithm.as_str());
        }
    }

    #[test]
    fn a_hash_is_written_as_it_is_read() {
        let hash: TokenHash = serde_json::from_value(json!("0A".repeat(32))).unwrap();
        assert_eq!(hash, TokenHash([10; 32]));
        assert_eq!(serde_json::to_value(hash).unwrap(), "0a".repeat(32));
        for wrong in ["0a".repeat(31), "0a".repeat(33), "0g".repeat(32), "a".repeat(63)] {
            assert!(serde_json::from_value::<TokenHash>(json!(wrong)).is_err(), "{wrong}");
        }
    }
}
