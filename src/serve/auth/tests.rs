//! Tokens made by hand, so that the forged ones can be wrong in one thing each.

mod answers;
mod fetching;
mod forged;
mod good;
mod http;
mod keys;

use super::{Authenticator, KeySource, NoKeys, Principal, Refusal};
use crate::project::AuthConfig;
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use keys::merged;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{self, EcdsaKeyPair, Ed25519KeyPair, RsaEncoding, RsaKeyPair};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const RESOURCE: &str = "https://tools.example.com/mcp";
const ISSUER: &str = "https://login.example.com";
const ISSUER_KEYS: &str = "https://login.example.com/keys";
const OTHER_ISSUER: &str = "https://other.example.com/tenant";
const OTHER_KEYS: &str = "https://other.example.com/jwks.json";
/// Some day in 2027.
const NOW: u64 = 1_800_000_000;

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

fn config(members: Value) -> AuthConfig {
    let config = json!({
        "resource": RESOURCE,
        "authorization_servers": [
            { "issuer": ISSUER, "jwks_url": ISSUER_KEYS },
            { "issuer": OTHER_ISSUER, "jwks_url": OTHER_KEYS }
        ]
    });
    serde_json::from_value(merged(config, members)).unwrap()
}

/// Issuers that publish keys in memory, and count how often they are asked.
#[derive(Default)]
struct Issuers {
    documents: Mutex<HashMap<String, String>>,
    asked: AtomicUsize,
}

impl Issuers {
    fn new() -> Arc<Issuers> {
        let issuers = Arc::new(Issuers::default());
        // What the server cannot use stands among the rest: it must not spoil it.
        let unusable = json!({ "kty": "oct", "kid": "oct-1", "alg": "HS256", "k": "c2VjcmV0" });
        let unknown = json!({ "kty": "AKP", "kid": "pq-1", "alg": "ML-DSA-44" });
        let encryption = keys::rsa(json!({ "kid": "enc-1", "use": "enc", "alg": null }));
        let any = json!({});
        let published = [unusable, unknown, encryption, keys::rsa(any.clone()), keys::ec(any.clone()), keys::ed(any)];
        issuers.publish(ISSUER_KEYS, &published);
        issuers.publish(OTHER_KEYS, &[keys::other_ec(json!({}))]);
        issuers
    }

    fn publish(&self, url: &str, keys: &[Value]) {
        self.documents.lock().unwrap().insert(url.to_owned(), json!({ "keys": keys }).to_string());
    }

    fn break_down(&self, url: &str) {
        self.documents.lock().unwrap().remove(url);
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl KeySource for Issuers {
    async fn fetch(&self, url: &str) -> Result<Vec<u8>, NoKeys> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        let documents = self.documents.lock().unwrap();
        documents.get(url).map(|document| document.clone().into_bytes()).ok_or_else(|| "down".into())
    }
}

/// What a token is signed with.
#[derive(Clone, Copy)]
enum By {
    Rsa,
    Rsa384,
    RsaPss,
    Ec,
    Ed,
    OtherEc,
    /// HMAC with the public RSA key as the secret.
    Hmac,
}

fn sign(message: &str, by: By) -> String {
    let message = message.as_bytes();
    URL_SAFE_NO_PAD.encode(match by {
        By::Rsa => with_rsa(&signature::RSA_PKCS1_SHA256, message),
        By::Rsa384 => with_rsa(&signature::RSA_PKCS1_SHA384, message),
        By::RsaPss => with_rsa(&signature::RSA_PSS_SHA256, message),
        By::Ec => with_ec(keys::EC, message),
        By::OtherEc => with_ec(keys::OTHER_EC, message),
        By::Ed => {
            let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&keys::der(keys::ED)).unwrap();
            pair.sign(message).as_ref().to_vec()
        }
        By::Hmac => {
            let key = hmac::Key::new(hmac::HMAC_SHA256, keys::RSA_PUBLIC.as_bytes());
            hmac::sign(&key, message).as_ref().to_vec()
        }
    })
}

fn with_rsa(how: &'static dyn RsaEncoding, message: &[u8]) -> Vec<u8> {
    let pair = RsaKeyPair::from_pkcs8(&keys::der(keys::RSA)).unwrap();
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(how, &SystemRandom::new(), message, &mut signature).unwrap();
    signature
}

fn with_ec(key: &str, message: &[u8]) -> Vec<u8> {
    let (how, random) = (&signature::ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let pair = EcdsaKeyPair::from_pkcs8(how, &keys::der(key), &random).unwrap();
    pair.sign(&random, message).unwrap().as_ref().to_vec()
}

fn encoded(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

/// A token of that header and those claims, whatever they are.
fn token(header: &Value, claims: &Value, by: By) -> String {
    let message = format!("{}.{}", encoded(header), encoded(claims));
    let signature = sign(&message, by);
    format!("{message}.{signature}")
}

/// The claims of a good token, changed.
fn claims(members: Value) -> Value {
    let claims = json!({
        "iss": ISSUER, "sub": "alice", "aud": RESOURCE, "exp": NOW + 300, "nbf": NOW - 10,
        "scope": "orders.read orders.write", "tenant_id": 7
    });
    merged(claims, members)
}

/// A token with the header of a good one, signed with `ec-1`, and other claims.
fn saying(members: Value) -> String {
    token(&json!({ "alg": "ES256", "kid": "ec-1", "typ": "at+jwt" }), &claims(members), By::Ec)
}

/// A token with good claims and another header.
fn headed(header: Value, by: By) -> String {
    token(&header, &claims(json!({})), by)
}

async fn ask(authenticator: &Authenticator, token: &str, now: u64) -> Result<Principal, Refusal> {
    authenticator.authenticate(Some(&format!("Bearer {token}")), at(now)).await
}

/// A request with that header to a server that was just started.
async fn sent(authorization: Option<&str>) -> Result<Principal, Refusal> {
    let authenticator = Authenticator::with_source(&config(json!({})), Issuers::new()).unwrap();
    authenticator.authenticate(authorization, at(NOW)).await
}

async fn presented(token: &str) -> Result<Principal, Refusal> {
    sent(Some(&format!("Bearer {token}"))).await
}
