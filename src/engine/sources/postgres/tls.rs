//! TLS to a server of PostgreSQL.

use crate::engine::sources::server::address::Security;
use crate::engine::sources::server::tls::{Client, Sources, TlsError, client, trusted};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WantsClientCert, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, ConfigBuilder, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

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
        Security::Full => builder.with_root_certificates(trusted(sources)?.store),
        Security::Authority => {
            let verifier = Anonymous { roots: Some(trusted(sources)?.store), provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
        Security::Unchecked => {
            let verifier = Anonymous { roots: None, provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    match client(sources)? {
        None => Ok(without_client(builder)),
        Some(Client { certificates, key, .. }) => {
            let config = builder.with_client_auth_cert(certificates, key).map_err(|_| TlsError::OtherKey)?;
            Ok(MakeRustlsConnect::new(config))
        }
    }
}

fn without_client(builder: ConfigBuilder<ClientConfig, WantsClientCert>) -> MakeRustlsConnect {
    MakeRustlsConnect::new(builder.with_no_client_auth())
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
