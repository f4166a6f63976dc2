//! Why there is no connection to a server, in words of our own: those of others may hold names, addresses and values.

use rustls::{AlertDescription, CertificateError};
use std::io::{self, ErrorKind};
use std::time::Duration;

/// What is told of a connection that ended.
pub(in crate::engine::sources) const LOST: &str = "the connection was lost";

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine::sources) struct Failure {
    /// In short words.
    pub why: String,
    /// Whether somebody must change something before there can be one.
    pub is_refusal: bool,
}

impl Failure {
    /// A failure that lasts until somebody changes something.
    pub(in crate::engine::sources) fn refusal(why: impl Into<String>) -> Failure {
        Failure { why: why.into(), is_refusal: true }
    }

    /// Nothing was heard for so long.
    pub(in crate::engine::sources) fn silent(patience: Duration) -> Failure {
        Failure::passing(format!("it does not answer within {} ms", patience.as_millis()))
    }

    /// A failure that may pass by itself.
    pub(in crate::engine::sources) fn passing(why: impl Into<String>) -> Failure {
        Failure { why: why.into(), is_refusal: false }
    }
}

/// What a failure of the system means for who connects.
pub(in crate::engine::sources) fn of_io(error: &io::Error) -> Failure {
    if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return Failure::refusal(of_tls(error));
    }
    match error.kind() {
        ErrorKind::ConnectionRefused => Failure::passing("nothing listens at its address"),
        ErrorKind::NotFound => Failure::passing("there is no such socket"),
        ErrorKind::PermissionDenied => Failure::refusal("its socket may not be opened"),
        ErrorKind::TimedOut => Failure::passing("it does not answer"),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            Failure::passing("no way leads to it")
        }
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::BrokenPipe
        | ErrorKind::ConnectionAborted => Failure::passing("it closed the connection before it was made"),
        // There is no kind for it.
        _ if error.to_string().starts_with("failed to lookup address") => Failure::passing("nobody knows its name"),
        _ => Failure::passing("it cannot be reached"),
    }
}

/// What a failure of TLS means for who connects.
pub(in crate::engine::sources) fn of_tls(error: &rustls::Error) -> &'static str {
    use CertificateError::{
        Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet, NotValidYetContext,
        UnknownIssuer,
    };
    match error {
        rustls::Error::InvalidCertificate(error) => match error {
            UnknownIssuer => {
                "its certificate is not trusted: nobody has signed it whom `tls.ca` names, or else this machine trusts"
            }
            Expired | ExpiredContext { .. } => "its certificate is not trusted: it has expired",
            NotValidYet | NotValidYetContext { .. } => "its certificate is not trusted: it is not valid yet",
            NotValidForName | NotValidForNameContext { .. } => {
                "its certificate is not trusted: it is for another name than the one in the address; where only who has \
                 signed it matters, say `tls: { mode: verify-ca }`"
            }
            // It has no name of its own here.
            other if format!("{other:?}").contains("CaUsedAsEndEntity") => {
                "its certificate is not trusted: it is one for signing others, and a server has one that is signed"
            }
            _ => "its certificate is not trusted",
        },
        rustls::Error::AlertReceived(
            AlertDescription::CertificateRequired
            | AlertDescription::UnknownCA
            | AlertDescription::BadCertificate
            | AlertDescription::CertificateUnknown
            | AlertDescription::CertificateExpired,
        ) => "it does not take the certificate of the client: `tls.cert` and `tls.key_env`",
        _ => "TLS fails",
    }
}
