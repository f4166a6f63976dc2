//! TLS to a server: whom it trusts, and who the client is.
//!
//! Files are read anew for each connection, so that certificates that are renewed need no new start.

use super::address::{Files, Security};
use crate::engine::tables::Roots;
use crate::project::TlsConfig;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WantsClientCert, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, ConfigBuilder, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What is wrong with what TLS is made of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TlsError {
    /// A file of the project cannot be read: the key that names it, and why.
    File(&'static str, String),
    /// A file that the address names cannot be read: the option that names it.
    Unreadable(&'static str),
    /// A file holds no certificate: what names it.
    NoCertificate(&'static str),
    /// The machine has no certificates.
    NoRoots,
    /// A certificate without its key, or the other way: what there is, and what is missing.
    Half(&'static str, &'static str),
    /// The variable of the key is not set.
    Unset(String),
    /// There is no key: where.
    NoKey(String),
    /// The key is of another certificate, or of a kind that is not known.
    OtherKey,
    /// The versions of TLS are not there.
    Versions,
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TlsError::File(key, why) => write!(f, "`{key}`: {why}"),
            TlsError::Unreadable(option) => write!(f, "the file of `{option}` in the address cannot be read"),
            TlsError::NoCertificate(place) => write!(f, "the file of `{place}` holds no certificate in PEM"),
            TlsError::NoRoots => f.write_str(
                "this machine trusts nobody: `tls: { ca: certs/ca.pem }` says whose certificates are trusted",
            ),
            TlsError::Half(given, missing) => {
                write!(f, "there is `{given}` and no `{missing}`: a certificate has a key")
            }
            TlsError::Unset(variable) => write!(f, "the variable `{variable}` of `tls.key_env` is not set"),
            TlsError::NoKey(place) => {
                write!(f, "{place} holds no private key in PEM; one that a password protects cannot be read")
            }
            TlsError::OtherKey => f.write_str("the key of the client is not the one of its certificate"),
            TlsError::Versions => f.write_str("TLS cannot be used here"),
        }
    }
}

/// Where the parts of TLS come from: what `qtool.yaml` says, and behind it what the address names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    /// What `qtool.yaml` says.
    pub written: Option<&'a TlsConfig>,
    /// What the address names.
    pub files: &'a Files,
    /// Where files of the project may lie.
    pub roots: &'a Roots,
}

/// What makes connections secret. It reads files: not on a thread that others wait for.
///
/// Errors: a file or a variable is missing, or holds something else.
pub(super) fn connector(security: Security, sources: Sources<'_>) -> Result<MakeRustlsConnect, TlsError> {
    let provider = Arc::new(ring::default_provider());
    let versions = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let builder = versions.map_err(|_| TlsError::Versions)?;
    let builder = match security {
        // Nothing is encrypted: whom it would trust is never asked.
        Security::Open => return Ok(without_client(builder.with_root_certificates(RootCertStore::empty()))),
        Security::Full => builder.with_root_certificates(trusted(sources)?),
        Security::Authority => {
            let verifier = Anonymous { roots: Some(trusted(sources)?), provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
        Security::Unchecked => {
            let verifier = Anonymous { roots: None, provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    match client(sources)? {
        None => Ok(without_client(builder)),
        Some((certificates, key)) => {
            let config = builder.with_client_auth_cert(certificates, key).map_err(|_| TlsError::OtherKey)?;
            Ok(MakeRustlsConnect::new(config))
        }
    }
}

fn without_client(builder: ConfigBuilder<ClientConfig, WantsClientCert>) -> MakeRustlsConnect {
    MakeRustlsConnect::new(builder.with_no_client_auth())
}

/// Whose certificates are trusted: those that are named, else those of the machine.
fn trusted(sources: Sources<'_>) -> Result<RootCertStore, TlsError> {
    let mut store = RootCertStore::empty();
    let written = sources.written.and_then(|tls| tls.ca.as_deref());
    let (place, pem) = match (written, &sources.files.ca) {
        (Some(path), _) => ("tls.ca", of_project(sources.roots, "tls.ca", path)?),
        (None, Some(path)) => ("sslrootcert", of_machine("sslrootcert", path)?),
        (None, None) => {
            // Some of a machine's certificates may be older than what is known of certificates here.
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return if store.is_empty() { Err(TlsError::NoRoots) } else { Ok(store) };
        }
    };
    for certificate in certificates(place, &pem)? {
        store.add(certificate).map_err(|_| TlsError::NoCertificate(place))?;
    }
    Ok(store)
}

/// The certificates and the key of the client, where it has some.
fn client(sources: Sources<'_>) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>, TlsError> {
    let written = sources.written;
    match (written.and_then(|tls| tls.cert.as_deref()), written.and_then(|tls| tls.key_env.as_deref())) {
        (Some(path), Some(variable)) => {
            let certificates = certificates("tls.cert", &of_project(sources.roots, "tls.cert", path)?)?;
            let key = std::env::var(variable).map_err(|_| TlsError::Unset(variable.to_owned()))?;
            // Where a variable has one line, the ends of lines are often written out.
            let key = if key.contains('\n') { key } else { key.replace("\\n", "\n") };
            return Ok(Some((certificates, private_key(&format!("the variable `{variable}`"), key.as_bytes())?)));
        }
        (Some(_), None) => return Err(TlsError::Half("tls.cert", "tls.key_env")),
        (None, Some(_)) => return Err(TlsError::Half("tls.key_env", "tls.cert")),
        (None, None) => {}
    }
    match (&sources.files.cert, &sources.files.key) {
        (Some(cert), Some(key)) => {
            let certificates = certificates("sslcert", &of_machine("sslcert", cert)?)?;
            let key = private_key("the file of `sslkey` in the address", &of_machine("sslkey", key)?)?;
            Ok(Some((certificates, key)))
        }
        (Some(_), None) => Err(TlsError::Half("sslcert", "sslkey")),
        (None, Some(_)) => Err(TlsError::Half("sslkey", "sslcert")),
        (None, None) => Ok(None),
    }
}

/// A file of the project.
fn of_project(roots: &Roots, key: &'static str, path: &str) -> Result<Vec<u8>, TlsError> {
    let found = roots.resolve_file(path).map_err(|error| TlsError::File(key, error.message()))?;
    std::fs::read(found).map_err(|error| TlsError::File(key, format!("`{path}` cannot be read: {}", error.kind())))
}

/// A file that the address names.
fn of_machine(option: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|_| TlsError::Unreadable(option))
}

fn certificates(place: &'static str, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(TlsError::NoCertificate(place)),
    }
}

fn private_key(place: &str, pem: &[u8]) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|_| TlsError::NoKey(place.to_owned()))
}

/// Takes a certificate whatever name it is for.
#[derive(Debug)]
struct Anonymous {
    /// Who must have signed it; `None` where anybody may have.
    roots: Option<RootCertStore>,
    /// What signatures are checked with.
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Anonymous {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let certificate = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
