//! Why an exchange failed: found among the causes of the error that the client tells.

use super::address::PrivateAddress;
use super::failure::{Failure, Fault};
use super::guard::NoAddress;
use rustls::CertificateError;
use std::error::Error;
use std::io;

/// What an error of the client means for who sent the request. `limit` is that of the headers, in bytes.
pub(super) fn failure(error: &reqwest::Error, limit: usize) -> Failure {
    if let Some(address) = cause::<PrivateAddress>(error) {
        return Failure::Refused(address.clone());
    }
    if cause::<NoAddress>(error).is_some() {
        return Failure::Dns;
    }
    if let Some(error) = cause::<rustls::Error>(error) {
        return Failure::Tls(tls_in_words(error));
    }
    if error.is_timeout() {
        return Failure::TimedOut;
    }
    if error.is_connect() {
        return Failure::Connect;
    }
    if error.is_builder() {
        return Failure::Broken(Fault::Request);
    }
    match cause::<hyper::Error>(error) {
        Some(error) if error.is_parse_too_large() => Failure::HeadTooLarge { limit },
        Some(error) if error.is_parse() => Failure::Broken(Fault::NotHttp),
        _ => Failure::Broken(Fault::Cut),
    }
}

/// The first cause of a type. An error of the system tells of what is within that one's cause, and not of itself.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(within) => Some(within),
            None => error.source(),
        };
    }
    None
}

fn tls_in_words(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(error) => match error {
            CertificateError::UnknownIssuer => "nobody who is trusted vouches for its certificate",
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "its certificate is for another name"
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired",
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "its certificate is not valid yet"
            }
            CertificateError::Revoked => "its certificate was revoked",
            _ => "its certificate is not valid",
        },
        rustls::Error::InvalidMessage(_) => "the server does not speak TLS",
        rustls::Error::AlertReceived(_) => "the server refuses it",
        _ => "the two sides do not agree",
    }
}
