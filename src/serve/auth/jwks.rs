//! The public keys of an issuer (RFC 7517), and the check of a signature with one of them.
//!
//! The only module that names the JWT library, and reading keys is all it is asked for: what a token must say is checked
//! in `jwt`, with a clock that comes in as a value.

use super::no_keys::NoKeys;
use crate::project::SigningAlgorithm;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::Value;

/// The keys of an issuer that can check signatures.
#[derive(Debug, Default)]
pub(super) struct KeySet {
    keys: Vec<Key>,
}

#[derive(Debug)]
pub(super) struct Key {
    id: Option<String>,
    /// The only algorithm it is for, where the issuer says so.
    algorithm: Option<SigningAlgorithm>,
    material: Material,
}

#[derive(Debug)]
enum Material {
    /// For any of the algorithms with RSA.
    Rsa(RsaPublicKeyComponents<Vec<u8>>),
    /// On a curve, each of which has one algorithm.
    Curve(SigningAlgorithm, UnparsedPublicKey<Vec<u8>>),
}

impl KeySet {
    /// Reads a JWK set. Keys of other kinds and for other uses are passed over, as RFC 7517 demands.
    ///
    /// Errors: it is no JWK set.
    pub(super) fn parse(document: &[u8]) -> Result<KeySet, NoKeys> {
        let document: Value = serde_json::from_slice(document).map_err(|_| "no JSON".to_owned())?;
        let keys = document.get("keys").and_then(Value::as_array).ok_or("no list `keys`")?;
        // One by one: the library refuses a whole set for one key that it cannot read.
        Ok(KeySet { keys: keys.iter().filter_map(|key| Key::of(Jwk::deserialize(key).ok()?)).collect() })
    }

    /// Whether a key has that id.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.keys.iter().any(|key| key.id.as_deref() == Some(id))
    }

    /// The key that a token must be signed with: the one it names, or the only one there is.
    ///
    /// Errors: why there is none, for the caller.
    pub(super) fn select(&self, id: Option<&str>, algorithm: SigningAlgorithm) -> Result<&Key, &'static str> {
        const MISMATCH: &str = "the algorithm is not that of the key";
        let Some(id) = id else {
            return match self.keys.as_slice() {
                [only] if only.fits(algorithm) => Ok(only),
                [_] => Err(MISMATCH),
                _ => Err("the token does not name its key"),
            };
        };
        if !self.knows(id) {
            return Err("the key is unknown");
        }
        let mut named = self.keys.iter().filter(|key| key.id.as_deref() == Some(id));
        named.find(|key| key.fits(algorithm)).ok_or(MISMATCH)
    }
}

impl Key {
    /// Nothing where it is not a public key to check signatures with.
    fn of(jwk: Jwk) -> Option<Key> {
        let common = jwk.common;
        if common.public_key_use.is_some_and(|purpose| purpose != PublicKeyUse::Signature) {
            return None;
        }
        if common.key_operations.is_some_and(|operations| !operations.contains(&KeyOperations::Verify)) {
            return None;
        }
        let algorithm = match common.key_algorithm {
            Some(algorithm) => Some(SigningAlgorithm::parse(&algorithm.to_string())?),
            None => None,
        };
        Some(Key { id: common.key_id, algorithm, material: Material::of(&jwk.algorithm)? })
    }

    fn fits(&self, algorithm: SigningAlgorithm) -> bool {
        let kind = match &self.material {
            Material::Rsa(_) => rsa(algorithm).is_some(),
            Material::Curve(own, _) => *own == algorithm,
        };
        kind && self.algorithm.is_none_or(|own| own == algorithm)
    }

    /// Whether the signature, in base64url, is that of the message.
    pub(super) fn verifies(&self, algorithm: SigningAlgorithm, message: &str, signature: &str) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let message = message.as_bytes();
        let is_good = match (&self.material, rsa(algorithm)) {
            (Material::Rsa(key), Some(how)) => key.verify(how, message, &signature).is_ok(),
            (Material::Rsa(_), None) => false,
            (Material::Curve(_, key), _) => key.verify(message, &signature).is_ok(),
        };
        is_good && self.fits(algorithm)
    }
}

impl Material {
    fn of(parameters: &AlgorithmParameters) -> Option<Material> {
        let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).ok();
        let sized = |text: &str, size: usize| decoded(text).filter(|bytes| bytes.len() == size);
        match parameters {
            AlgorithmParameters::RSA(key) => {
                let number = |text: &str| Some(decoded(text)?.into_iter().skip_while(|byte| *byte == 0).collect());
                let (n, e): (Vec<u8>, Vec<u8>) = (number(&key.n)?, number(&key.e)?);
                // 2,048 to 8,192 bits: shorter ones are broken, longer ones take long.
                (256..=1_024).contains(&n.len()).then_some(Material::Rsa(RsaPublicKeyComponents { n, e }))
            }
            AlgorithmParameters::EllipticCurve(key) => {
                let (algorithm, how, size) = match key.curve {
                    EllipticCurve::P256 => (SigningAlgorithm::Es256, &signature::ECDSA_P256_SHA256_FIXED, 32),
                    EllipticCurve::P384 => (SigningAlgorithm::Es384, &signature::ECDSA_P384_SHA384_FIXED, 48),
                    _ => return None,
                };
                let point = [vec![UNCOMPRESSED], sized(&key.x, size)?, sized(&key.y, size)?].concat();
                Some(Material::Curve(algorithm, UnparsedPublicKey::new(how, point)))
            }
            AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
                let key = UnparsedPublicKey::new(&signature::ED25519, sized(&key.x, 32)?);
                Some(Material::Curve(SigningAlgorithm::EdDsa, key))
            }
            _ => None,
        }
    }
}

/// What a point of a curve begins with, where both its coordinates follow (SEC 1, 2.3.3).
const UNCOMPRESSED: u8 = 4;

/// How a signature is checked with a key of RSA; `None` for the other algorithms.
fn rsa(algorithm: SigningAlgorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        SigningAlgorithm::Rs256 => Some(&signature::RSA_PKCS1_2048_8192_SHA256),
        SigningAlgorithm::Rs384 => Some(&signature::RSA_PKCS1_2048_8192_SHA384),
        SigningAlgorithm::Rs512 => Some(&signature::RSA_PKCS1_2048_8192_SHA512),
        SigningAlgorithm::Ps256 => Some(&signature::RSA_PSS_2048_8192_SHA256),
        SigningAlgorithm::Ps384 => Some(&signature::RSA_PSS_2048_8192_SHA384),
        SigningAlgorithm::Ps512 => Some(&signature::RSA_PSS_2048_8192_SHA512),
        SigningAlgorithm::Es256 | SigningAlgorithm::Es384 | SigningAlgorithm::EdDsa => None,
    }
}
