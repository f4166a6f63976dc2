//! Whose certificates are trusted.

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::fmt;
use std::sync::Arc;

/// Whose certificates are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Those whom the machine trusts. Where that is nobody, no secure connection is made.
    Machine,
    /// These alone.
    Only(Vec<CertificateDer<'static>>),
}

/// Why there is no client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoClient {
    /// A certificate that is to be trusted is none.
    Certificate,
    /// TLS cannot be used here.
    Tls,
    /// The client cannot be put together.
    Client,
}

impl Trust {
    /// What a secure connection is made with: HTTP/1.1, and no certificate of one's own.
    ///
    /// Errors: a certificate is none.
    pub(super) fn into_config(self) -> Result<ClientConfig, NoClient> {
        let mut store = RootCertStore::empty();
        match self {
            Trust::Machine => {
                // Some of a machine's certificates may be older than what is known of certificates here.
                store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
            Trust::Only(certificates) => {
                for certificate in certificates {
                    store.add(certificate).map_err(|_| NoClient::Certificate)?;
                }
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().map_err(|_| NoClient::Tls)?;
        let mut config = config.with_root_certificates(store).with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

impl fmt::Display for NoClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoClient::Certificate => "one of the trusted certificates is none",
            NoClient::Tls => "TLS cannot be used here",
            NoClient::Client => "no HTTP client can be put together",
        })
    }
}

impl std::error::Error for NoClient {}
