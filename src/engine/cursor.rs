//! Where a next page begins: a token that only this server makes, bound to the tool as it is published, the arguments
//! and the caller. Nothing is kept between calls.

use super::bind::{Arguments, Caller};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The environment variable with the key of all servers of a project; without it each server has its own.
pub const KEY_VARIABLE: &str = "QTOOL_CURSOR_KEY";

/// Arguments that may change from page to page.
const FREE: [&str; 3] = ["cursor", "limit", "table_format"];
const VERSION: u8 = 1;
const MAC: usize = 16;

/// The key that cursors are made with.
#[derive(Clone)]
pub(super) struct Key(Vec<u8>);

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Rows before it.
    pub skip: u64,
    /// The moment of the first call: `now()` is the same on all pages.
    pub now: DateTime<Utc>,
}

impl Key {
    /// The key of the environment, else one that nobody knows.
    pub(super) fn new() -> Key {
        static OF_THE_PROCESS: LazyLock<Key> = LazyLock::new(Key::read_or_made);
        // A project that is compiled again goes on with it.
        OF_THE_PROCESS.clone()
    }

    fn read_or_made() -> Key {
        match std::env::var(KEY_VARIABLE) {
            Ok(text) if !text.is_empty() => Key(Sha256::digest(text.as_bytes()).to_vec()),
            _ => Key(random()),
        }
    }

    /// Writes the cursor of a page of a call.
    pub(super) fn write(&self, contract: &str, arguments: &Arguments, caller: &Caller, at: Position) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(at.skip.to_be_bytes());
        bytes.extend(at.now.timestamp_micros().to_be_bytes());
        let mac = self.mac(&bytes, contract, arguments, caller);
        bytes.extend(mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor; `None` where it is none of this call.
    pub(super) fn read(&self, text: &str, contract: &str, arguments: &Arguments, caller: &Caller) -> Option<Position> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, mac) = bytes.split_at_checked(1 + 8 + 8)?;
        let expected = self.mac(body, contract, arguments, caller);
        if mac.len() != MAC || !bool::from(subtle::ConstantTimeEq::ct_eq(mac, expected.as_slice())) {
            return None;
        }
        let skip = u64::from_be_bytes(body.get(1..9)?.try_into().ok()?);
        let micros = i64::from_be_bytes(body.get(9..17)?.try_into().ok()?);
        (body.first() == Some(&VERSION)).then_some(())?;
        Some(Position { skip, now: DateTime::from_timestamp_micros(micros)? })
    }

    fn mac(&self, body: &[u8], contract: &str, arguments: &Arguments, caller: &Caller) -> Vec<u8> {
        // Any length of key will do.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return Vec::new() };
        let mut bound: Vec<(&String, &Value)> =
            arguments.iter().filter(|(name, _)| !FREE.contains(&name.as_str())).collect();
        bound.sort_by_key(|(name, _)| *name);
        let told = serde_json::to_vec(&(contract, bound, lasting(&caller.claims))).unwrap_or_default();
        mac.update(&(told.len() as u64).to_be_bytes());
        mac.update(&told);
        mac.update(body);
        mac.finalize().into_bytes().iter().take(MAC).copied().collect()
    }
}

/// Claims that change whenever a token is renewed (RFC 7519, 4.1).
const OF_A_TOKEN: [&str; 5] = ["exp", "iat", "nbf", "jti", "auth_time"];

/// The claims that say who it is, in the order of their names: they stay when a token is renewed.
pub(super) fn lasting(claims: &serde_json::Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut all: Vec<_> = claims.iter().filter(|(name, _)| !OF_A_TOKEN.contains(&name.as_str())).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}

/// Bytes that nobody can guess.
fn random() -> Vec<u8> {
    uuid::Uuid::new_v4().into_bytes().into_iter().chain(uuid::Uuid::new_v4().into_bytes()).collect()
}

/// The hash of what a tool publishes and runs, in hexadecimal digits.
pub fn contract(tool: &crate::tool::Tool) -> String {
    let text = serde_json::to_vec(tool).unwrap_or_default();
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_cursor_is_good_for_its_own_call_and_no_other() {
        let (key, other) = (Key(vec![1; 32]), Key(vec![2; 32]));
        let caller = Caller::default();
        let position =
            Position { skip: 40, now: DateTime::from_timestamp_micros(1_700_000_000_000_001).unwrap_or_default() };
        let sent = arguments(json!({"a": 1, "b": "x", "limit": 20}));
        let text = key.write("tool", &sent, &caller, position);
        assert_eq!(key.read(&text, "tool", &sent, &caller), Some(position));
        let again = arguments(json!({"b": "x", "cursor": text, "a": 1, "limit": 7, "table_format": "csv"}));
        assert_eq!(key.read(&text, "tool", &again, &caller), Some(position), "the page may be of another size");
        let refused = [
            (&key, "tool", arguments(json!({"a": 2, "b": "x"})), caller.clone()),
            (&key, "tool", arguments(json!({"a": 1})), caller.clone()),
            (&key, "toll", sent.clone(), caller.clone()),
            (&other, "tool", sent.clone(), caller.clone()),
            (&key, "tool", sent.clone(), Caller { claims: arguments(json!({"tenant": 1})), ..caller.clone() }),
        ];
        for (key, contract, arguments, caller) in refused {
            assert_eq!(key.read(&text, contract, &arguments, &caller), None);
        }
        for at in 0..text.len() {
            let mut bent = text.clone().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            let bent = String::from_utf8(bent).unwrap_or_default();
            assert_eq!(key.read(&bent, "tool", &sent, &caller), None, "{bent}");
        }
        let short: String = text.chars().skip(1).collect();
        for junk in ["", "AA", "!", &short, &format!("{text}AA")] {
            assert_eq!(key.read(junk, "tool", &sent, &caller), None);
        }
    }
}
