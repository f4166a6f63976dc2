//! Where a next page begins: a token that only this server makes, bound to the tool as it is compiled, the values of the
//! call and the caller. Nothing is kept between calls.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The environment variable with the key of all servers of a project; without it each server has its own.
pub const KEY_VARIABLE: &str = "QTOOL_CURSOR_KEY";

/// Another one whenever rows come in another order than those of an earlier version.
const VERSION: u8 = 2;
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
    pub(super) fn write(&self, call: &[u8], at: Position) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(at.skip.to_be_bytes());
        bytes.extend(at.now.timestamp_micros().to_be_bytes());
        let mac = self.mac(&bytes, call);
        bytes.extend(mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn mac(&self, body: &[u8], call: &[u8]) -> Vec<u8> {
        // Any length of key will do.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return Vec::new() };
        mac.update(&(call.len() as u64).to_be_bytes());
        mac.update(call);
        mac.update(body);
        mac.finalize().into_bytes().iter().take(MAC).copied().collect()
    }
}

/// A cursor as it was sent. What it says is needed to find the values of the call, which show whether it is of this call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    body: Vec<u8>,
    mac: Vec<u8>,
    /// What it says.
    pub at: Position,
}

impl Sent {
    /// Reads a cursor; `None` where it is none.
    pub(super) fn read(text: &str) -> Option<Sent> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, mac) = bytes.split_at_checked(1 + 8 + 8)?;
        let skip = u64::from_be_bytes(body.get(1..9)?.try_into().ok()?);
        let micros = i64::from_be_bytes(body.get(9..17)?.try_into().ok()?);
        (body.first() == Some(&VERSION) && mac.len() == MAC).then_some(())?;
        let at = Position { skip, now: DateTime::from_timestamp_micros(micros)? };
        Some(Sent { body: body.to_vec(), mac: mac.to_vec(), at })
    }

    /// Whether it is of this call.
    pub(super) fn is_of(&self, key: &Key, call: &[u8]) -> bool {
        let expected = key.mac(&self.body, call);
        bool::from(subtle::ConstantTimeEq::ct_eq(self.mac.as_slice(), expected.as_slice()))
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
    hex::encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_good_for_its_own_call_and_no_other() {
        let (key, other) = (Key(vec![1; 32]), Key(vec![2; 32]));
        let position =
            Position { skip: 40, now: DateTime::from_timestamp_micros(1_700_000_000_000_001).unwrap_or_default() };
        let text = key.write(b"call", position);
        let sent = Sent::read(&text).unwrap();
        assert_eq!(sent.at, position);
        assert!(sent.is_of(&key, b"call"));
        assert!(!sent.is_of(&key, b"cal"));
        assert!(!sent.is_of(&other, b"call"));
        for at in 0..text.len() {
            let mut bent = text.clone().into_bytes();
            bent[at] = if bent[at] == b'A' { b'B' } else { b'A' };
            let bent = String::from_utf8(bent).unwrap_or_default();
            assert!(!Sent::read(&bent).is_some_and(|bent| bent.is_of(&key, b"call")), "{bent}");
        }
        let short: String = text.chars().skip(1).collect();
        for junk in ["", "AA", "!", &short, &format!("{text}AA")] {
            assert!(!Sent::read(junk).is_some_and(|junk| junk.is_of(&key, b"call")), "{junk}");
        }
    }
}
