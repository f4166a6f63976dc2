//! TLS to a server of MySQL.
//!
//! The driver has certificates of its own that it trusts, which are those of the web. They are not used: whom a project does
//! not name, the machine must trust.

use crate::engine::sources::server::address::Security;
use crate::engine::sources::server::tls::{Client, Options, Sources, TlsError, client, trusted};
use mysql_async::{ClientIdentity, SslOpts};

/// By which options an address names files.
pub(super) const OPTIONS_OF_FILES: Options = Options { ca: "ssl-ca", cert: "ssl-cert", key: "ssl-key" };

/// What makes connections secret; `None` where nothing does. It reads files: not on a thread that others wait for.
///
/// Errors: a file or a variable is missing, or holds something else.
pub(super) fn options(security: Security, sources: Sources<'_>) -> Result<Option<SslOpts>, TlsError> {
    let options = match security {
        Security::Open => return Ok(None),
        // It takes any certificate. Without a list of trusted ones, of which it makes no use then, the driver does not begin.
        Security::Unchecked => SslOpts::default().with_danger_accept_invalid_certs(true),
        Security::Authority | Security::Full => {
            let trusted = trusted(sources)?.certificates.into_iter();
            let certificates = trusted.map(|certificate| certificate.to_vec().into()).collect();
            SslOpts::default().with_disable_built_in_roots(true).with_root_certs(certificates)
        }
    };
    let identity = client(sources)?.map(|Client { pem: (certificates, key), .. }| {
        let key: Vec<u8> = key;
        ClientIdentity::new(certificates.into(), key.into())
    });
    Ok(Some(options.with_client_identity(identity)))
}
