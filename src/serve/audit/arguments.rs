//! What the record says of the arguments of a call.

use crate::engine::bind::Arguments;
use crate::project::AuditArguments;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io;

/// What is written of arguments, with the key where there is one.
pub(super) enum Recorded {
    /// A hash that anybody can make.
    Digest,
    /// A hash that takes the key to make.
    Keyed(Box<Hmac<Sha256>>),
    /// The arguments themselves.
    Values,
    /// Nothing.
    None,
}

impl Recorded {
    /// As it is configured; the key is read from the environment.
    ///
    /// Errors: the variable is not set, is empty or no text, or nothing is digested.
    pub(super) fn of(arguments: AuditArguments, key_env: Option<&str>) -> io::Result<Recorded> {
        let key = key_env.map(|name| key(name).map(|key| (name, key))).transpose()?;
        match (arguments, key) {
            (AuditArguments::Digest, None) => Ok(Recorded::Digest),
            (AuditArguments::Digest, Some((_, key))) => Recorded::keyed(key.as_bytes()),
            // Whoever names a key believes that the arguments are hidden.
            (_, Some((name, _))) => {
                Err(invalid(format!("the key in `{name}` has no use: the audit has no digests of arguments")))
            }
            (AuditArguments::Values, None) => Ok(Recorded::Values),
            (AuditArguments::None, None) => Ok(Recorded::None),
        }
    }

    fn keyed(key: &[u8]) -> io::Result<Recorded> {
        let mac = Hmac::new_from_slice(key).map_err(|error| invalid(error.to_string()))?;
        Ok(Recorded::Keyed(Box::new(mac)))
    }

    /// The arguments as the record has them.
    pub(super) fn arguments(&self, arguments: &Arguments) -> Value {
        match self {
            Recorded::Digest => {
                let digest = Sha256::digest(canonical(arguments));
                json!({"digest": format!("sha256:{}", hex::encode(digest))})
            }
            Recorded::Keyed(mac) => {
                let digest = mac.as_ref().clone().chain_update(canonical(arguments)).finalize().into_bytes();
                json!({"digest": format!("hmac-sha256:{}", hex::encode(digest))})
            }
            Recorded::Values => Value::Object(arguments.clone()),
            Recorded::None => Value::Null,
        }
    }
}

/// The text that is hashed: no spaces, and the keys of every object in the order of their bytes.
fn canonical(arguments: &Arguments) -> String {
    let mut value = Value::Object(arguments.clone());
    value.sort_all_objects();
    value.to_string()
}

fn key(name: &str) -> io::Result<String> {
    let problem = match std::env::var(name) {
        Ok(key) if !key.is_empty() => return Ok(key),
        Ok(_) => "is empty",
        Err(std::env::VarError::NotPresent) => "is not set",
        Err(std::env::VarError::NotUnicode(_)) => "is no text",
    };
    Err(invalid(format!("the environment variable `{name}` with the key of the audit {problem}")))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Arguments {
        serde_json::from_str(text).unwrap()
    }

    fn recorded(recorded: &Recorded, text: &str) -> String {
        let value = recorded.arguments(&arguments(text));
        value["digest"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_digest_is_that_of_the_canonical_text() {
        // sha256sum of `{}`.
        let empty = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(recorded(&Recorded::Digest, "{}"), empty);
        assert_eq!(
            canonical(&arguments(r#"{"b": [{"y": 1, "x": 2}], "a": null}"#)),
            r#"{"a":null,"b":[{"x":2,"y":1}]}"#
        );
    }

    #[test]
    fn the_order_of_keys_does_not_change_a_digest_and_the_order_of_items_does() {
        let digest = |text| recorded(&Recorded::Digest, text);
        let first = digest(r#"{"a": 1, "b": {"c": [1, 2], "d": "x"}}"#);
        assert_eq!(first, digest(r#"{"b": {"d": "x", "c": [1, 2]}, "a": 1}"#));
        assert_ne!(first, digest(r#"{"b": {"d": "x", "c": [2, 1]}, "a": 1}"#));
        assert_ne!(first, digest(r#"{"a": "1", "b": {"c": [1, 2], "d": "x"}}"#));
    }

    #[test]
    fn a_keyed_digest_is_hmac_sha_256() {
        // RFC 4231, test case 2.
        let Recorded::Keyed(mac) = Recorded::keyed(b"Jefe").unwrap() else { panic!("not keyed") };
        let code = mac.as_ref().clone().chain_update(b"what do ya want for nothing?").finalize().into_bytes();
        assert_eq!(hex::encode(code), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn digests_of_two_keys_differ_and_say_that_they_are_keyed() {
        let (one, other) = (Recorded::keyed(b"one").unwrap(), Recorded::keyed(b"other").unwrap());
        let text = r#"{"a": 1}"#;
        assert!(recorded(&one, text).starts_with("hmac-sha256:"));
        assert_eq!(recorded(&one, text), recorded(&one, text));
        assert_ne!(recorded(&one, text), recorded(&other, text));
    }

    #[test]
    fn a_key_that_is_missing_or_of_no_use_is_an_error() {
        let missing = Recorded::of(AuditArguments::Digest, Some("QTOOL_NO_SUCH_VARIABLE")).err().unwrap();
        assert!(missing.to_string().contains("`QTOOL_NO_SUCH_VARIABLE` with the key of the audit is not set"));
        // A variable that is always set.
        let keyed = Recorded::of(AuditArguments::Digest, Some("PATH")).unwrap();
        assert!(matches!(keyed, Recorded::Keyed(_)));
        for useless in [AuditArguments::Values, AuditArguments::None] {
            assert!(Recorded::of(useless, Some("PATH")).is_err());
        }
    }
}
