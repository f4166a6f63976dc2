//! The public keys of an issuer (RFC 7517), and the check of a signature with one of them.
//!
//! The only module that names the JWT library, and signatures are all it is asked for: what a token must say is checked
//! in `jwt`, with a clock that comes in as a value.

use crate::project::SigningAlgorithm;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
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
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
    P256 { x: String, y: String },
    P384 { x: String, y: String },
    Ed25519 { x: String },
}

impl KeySet {
    /// Reads a JWK set. Keys of other kinds and for other uses are passed over, as RFC 7517 demands.
    ///
    /// Errors: it is no JWK set.
    pub(super) fn parse(document: &[u8]) -> Result<KeySet, String> {
        let document: Value = serde_json::from_slice(document).map_err(|_| "no JSON".to_owned())?;
        let keys = document.get("keys").and_then(Value::as_array).ok_or("no list `keys`")?;
        Ok(KeySet { keys: keys.iter().filter_map(Key::parse).collect() })
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
    fn parse(jwk: &Value) -> Option<Key> {
        if jwk.get("use").is_some_and(|purpose| purpose.as_str() != Some("sig")) {
            return None;
        }
        if let Some(operations) = jwk.get("key_ops")
            && !operations.as_array()?.iter().any(|operation| operation.as_str() == Some("verify"))
        {
            return None;
        }
        let algorithm = match jwk.get("alg") {
            Some(name) => Some(SigningAlgorithm::parse(name.as_str()?)?),
            None => None,
        };
        let id = jwk.get("kid").and_then(Value::as_str).map(str::to_owned);
        Some(Key { id, algorithm, material: Material::parse(jwk)? })
    }

    fn fits(&self, algorithm: SigningAlgorithm) -> bool {
        use SigningAlgorithm::{EdDsa, Es256, Es384, Ps256, Ps384, Ps512, Rs256, Rs384, Rs512};
        let kind = match self.material {
            Material::Rsa { .. } => matches!(algorithm, Rs256 | Rs384 | Rs512 | Ps256 | Ps384 | Ps512),
            Material::P256 { .. } => algorithm == Es256,
            Material::P384 { .. } => algorithm == Es384,
            Material::Ed25519 { .. } => algorithm == EdDsa,
        };
        kind && self.algorithm.is_none_or(|own| own == algorithm)
    }

    /// Whether the signature, in base64url, is that of the message.
    pub(super) fn verifies(&self, algorithm: SigningAlgorithm, message: &str, signature: &str) -> bool {
        if !self.fits(algorithm) {
            return false;
        }
        let key = match &self.material {
            Material::Rsa { modulus, exponent } => Ok(DecodingKey::from_rsa_raw_components(modulus, exponent)),
            Material::P256 { x, y } | Material::P384 { x, y } => DecodingKey::from_ec_components(x, y),
            Material::Ed25519 { x } => DecodingKey::from_ed_components(x),
        };
        let algorithm = library_algorithm(algorithm);
        key.and_then(|key| jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key, algorithm))
            .unwrap_or(false)
    }
}

impl Material {
    fn parse(jwk: &Value) -> Option<Material> {
        let text = |name: &str| jwk.get(name).and_then(Value::as_str);
        let bytes = |name: &str| URL_SAFE_NO_PAD.decode(text(name)?).ok();
        let sized = |name: &str, size: usize| {
            bytes(name).filter(|bytes| bytes.len() == size)?;
            text(name).map(str::to_owned)
        };
        match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                let modulus: Vec<u8> = bytes("n")?.into_iter().skip_while(|byte| *byte == 0).collect();
                // 2,048 to 8,192 bits: shorter ones are broken, longer ones take long.
                let sound = (256..=1_024).contains(&modulus.len());
                sound.then_some(Material::Rsa { modulus, exponent: bytes("e")? })
            }
            ("EC", Some("P-256")) => Some(Material::P256 { x: sized("x", 32)?, y: sized("y", 32)? }),
            ("EC", Some("P-384")) => Some(Material::P384 { x: sized("x", 48)?, y: sized("y", 48)? }),
            ("OKP", Some("Ed25519")) => Some(Material::Ed25519 { x: sized("x", 32)? }),
            _ => None,
        }
    }
}

fn library_algorithm(algorithm: SigningAlgorithm) -> jsonwebtoken::Algorithm {
    match algorithm {
        SigningAlgorithm::Rs256 => jsonwebtoken::Algorithm::RS256,
        SigningAlgorithm::Rs384 => jsonwebtoken::Algorithm::RS384,
        SigningAlgorithm::Rs512 => jsonwebtoken::Algorithm::RS512,
        SigningAlgorithm::Ps256 => jsonwebtoken::Algorithm::PS256,
        SigningAlgorithm::Ps384 => jsonwebtoken::Algorithm::PS384,
        SigningAlgorithm::Ps512 => jsonwebtoken::Algorithm::PS512,
        SigningAlgorithm::Es256 => jsonwebtoken::Algorithm::ES256,
        SigningAlgorithm::Es384 => jsonwebtoken::Algorithm::ES384,
        SigningAlgorithm::EdDsa => jsonwebtoken::Algorithm::EdDSA,
    }
}
