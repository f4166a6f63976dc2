//! A request that is ready to be sent.

use super::parts::InvalidPart;
use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Uri};
use std::fmt;
use url::Url;

/// A request that is ready to be sent.
#[derive(Clone)]
pub struct Prepared {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<Bytes>,
}

/// Why a request cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidRequest {
    /// The URL is neither of `http` nor of `https`, or has no host.
    Scheme,
    /// The URL has a name or a password before the host.
    Credentials,
    /// The URL has characters, or a length, that no request can have.
    Url,
    /// The method would open a tunnel, or have the request sent back.
    Method(Method),
    /// The header is written by the connection itself.
    Header(HeaderName),
    /// A part of the request cannot be written.
    Part(InvalidPart),
}

/// Those that say where a request ends, for whom it is, and how it is packed.
const OF_THE_CONNECTION: [HeaderName; 10] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::TE,
    header::TRAILER,
    header::UPGRADE,
    header::EXPECT,
    header::ACCEPT_ENCODING,
    header::PROXY_AUTHORIZATION,
];

impl Prepared {
    /// A request without headers of its own and without a body.
    ///
    /// Errors: the URL or the method are none that a tool can use.
    pub fn new(method: Method, url: Url) -> Result<Prepared, InvalidRequest> {
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(InvalidRequest::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidRequest::Credentials);
        }
        if url.as_str().parse::<Uri>().is_err() {
            return Err(InvalidRequest::Url);
        }
        if method == Method::CONNECT || method == Method::TRACE {
            return Err(InvalidRequest::Method(method));
        }
        Ok(Prepared { method, url, headers: HeaderMap::new(), body: None })
    }

    /// With one more header. A value that is marked as sensitive goes to the request's own scheme, host and port only.
    ///
    /// Errors: the header is one that the connection writes.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Result<Prepared, InvalidRequest> {
        if OF_THE_CONNECTION.contains(&name) || matches!(name.as_str(), "keep-alive" | "proxy-connection") {
            return Err(InvalidRequest::Header(name));
        }
        self.headers.append(name, value);
        Ok(self)
    }

    /// With a body. What it is, a `content-type` says.
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Prepared {
        self.body = Some(body.into());
        self
    }

    /// The method.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Where it goes.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Its headers, without those that the connection writes.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Its body.
    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_ref()
    }

    /// The same request at another place.
    pub(super) fn moved(&self, url: Url) -> Result<Prepared, InvalidRequest> {
        let at_place = Prepared::new(self.method.clone(), url)?;
        Ok(Prepared { headers: self.headers.clone(), body: self.body.clone(), ..at_place })
    }

    /// Without what only the first host may see.
    pub(super) fn without_secrets(mut self) -> Prepared {
        let names: Vec<HeaderName> = self.headers.keys().cloned().collect();
        for name in names {
            let is_secret = self.headers.get_all(&name).iter().any(HeaderValue::is_sensitive);
            if is_secret || name == header::AUTHORIZATION || name == header::COOKIE {
                self.headers.remove(name);
            }
        }
        self
    }

    /// As a request for what lies there, with nothing sent along.
    pub(super) fn without_body(mut self) -> Prepared {
        let names: Vec<HeaderName> = self.headers.keys().cloned().collect();
        for name in names.into_iter().filter(|name| name.as_str().starts_with("content-")) {
            self.headers.remove(name);
        }
        if self.method != Method::HEAD {
            self.method = Method::GET;
        }
        self.body = None;
        self
    }
}

/// Without what may be secret.
impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({} {})", self.method, self.url.origin().ascii_serialization())
    }
}

impl From<InvalidPart> for InvalidRequest {
    fn from(part: InvalidPart) -> InvalidRequest {
        InvalidRequest::Part(part)
    }
}

impl fmt::Display for InvalidRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidRequest::Scheme => f.write_str("the URL must begin with https:// or http:// and name a host"),
            InvalidRequest::Credentials => f.write_str("the URL must not have a name or a password in it"),
            InvalidRequest::Url => f.write_str("the URL is longer than a request can have it"),
            InvalidRequest::Method(method) => write!(f, "the method `{method}` cannot be used"),
            InvalidRequest::Header(name) => write!(f, "the header `{name}` is written by the connection"),
            InvalidRequest::Part(part) => part.fmt(f),
        }
    }
}

impl std::error::Error for InvalidRequest {}
