//! TLS to a server: whom it trusts, and who the client is.
//!
//! Files are read anew for each connection, so that certificates that are renewed need no new start.

use super::address::Files;
use crate::engine::tables::Roots;
use crate::project::TlsConfig;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::path::Path;

/// What is wrong with what TLS is made of.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::engine::sources) enum TlsError {
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

/// The options of an address that name files.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine::sources) struct Options {
    /// Whom to trust.
    pub ca: &'static str,
    /// The certificate of the client.
    pub cert: &'static str,
    /// Its key.
    pub key: &'static str,
}

/// Where the parts of TLS come from: what `qtool.yaml` says, and behind it what the address names.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine::sources) struct Sources<'a> {
    /// What `qtool.yaml` says.
    pub written: Option<&'a TlsConfig>,
    /// What the address names.
    pub files: &'a Files,
    /// By which options it names them.
    pub options: Options,
    /// Where files of the project may lie.
    pub roots: &'a Roots,
}

/// Whose certificates are trusted.
#[derive(Debug)]
pub(in crate::engine::sources) struct Trusted {
    /// As connections check them.
    pub store: RootCertStore,
    /// The certificates themselves.
    pub certificates: Vec<CertificateDer<'static>>,
}

/// Who the client is.
#[derive(Debug)]
pub(in crate::engine::sources) struct Client {
    /// Its certificates.
    pub certificates: Vec<CertificateDer<'static>>,
    /// Its key.
    pub key: PrivateKeyDer<'static>,
    /// The certificates and the key as they were read, in PEM.
    pub pem: (Vec<u8>, Vec<u8>),
}

/// Whose certificates are trusted: those that are named, else those of the machine.
///
/// Errors: a file is missing, or holds something else.
pub(in crate::engine::sources) fn trusted(sources: Sources<'_>) -> Result<Trusted, TlsError> {
    let mut trusted = Trusted { store: RootCertStore::empty(), certificates: Vec::new() };
    let written = sources.written.and_then(|tls| tls.ca.as_deref());
    let (place, pem) = match (written, &sources.files.ca) {
        (Some(path), _) => ("tls.ca", of_project(sources.roots, "tls.ca", path)?),
        (None, Some(path)) => (sources.options.ca, of_machine(sources.options.ca, path)?),
        (None, None) => {
            for certificate in rustls_native_certs::load_native_certs().certs {
                // Some of a machine's certificates may be older than what is known of certificates here.
                if trusted.store.add(certificate.clone()).is_ok() {
                    trusted.certificates.push(certificate);
                }
            }
            return if trusted.store.is_empty() { Err(TlsError::NoRoots) } else { Ok(trusted) };
        }
    };
    for certificate in certificates(place, &pem)? {
        trusted.store.add(certificate.clone()).map_err(|_| TlsError::NoCertificate(place))?;
        trusted.certificates.push(certificate);
    }
    Ok(trusted)
}

/// The certificates and the key of the client, where it has some.
///
/// Errors: one is there without the other, or a file or a variable is missing, or holds something else.
pub(in crate::engine::sources) fn client(sources: Sources<'_>) -> Result<Option<Client>, TlsError> {
    let written = sources.written;
    match (written.and_then(|tls| tls.cert.as_deref()), written.and_then(|tls| tls.key_env.as_deref())) {
        (Some(path), Some(variable)) => {
            let pem = of_project(sources.roots, "tls.cert", path)?;
            let key = std::env::var(variable).map_err(|_| TlsError::Unset(variable.to_owned()))?;
            // Where a variable has one line, the ends of lines are often written out.
            let key = if key.contains('\n') { key } else { key.replace("\\n", "\n") };
            let place = format!("the variable `{variable}`");
            return client_of(("tls.cert", pem), (&place, key.into_bytes())).map(Some);
        }
        (Some(_), None) => return Err(TlsError::Half("tls.cert", "tls.key_env")),
        (None, Some(_)) => return Err(TlsError::Half("tls.key_env", "tls.cert")),
        (None, None) => {}
    }
    let Options { cert: cert_option, key: key_option, .. } = sources.options;
    match (&sources.files.cert, &sources.files.key) {
        (Some(cert), Some(key)) => {
            let pem = of_machine(cert_option, cert)?;
            let place = format!("the file of `{key_option}` in the address");
            client_of((cert_option, pem), (&place, of_machine(key_option, key)?)).map(Some)
        }
        (Some(_), None) => Err(TlsError::Half(cert_option, key_option)),
        (None, Some(_)) => Err(TlsError::Half(key_option, cert_option)),
        (None, None) => Ok(None),
    }
}

fn client_of((place, pem): (&'static str, Vec<u8>), (place_of_key, key): (&str, Vec<u8>)) -> Result<Client, TlsError> {
    Ok(Client { certificates: certificates(place, &pem)?, key: private_key(place_of_key, &key)?, pem: (pem, key) })
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
