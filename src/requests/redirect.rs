//! Where a redirect leads, and whether a request may go there.

use super::bounds::{Bounds, Reach};
use super::failure::{Failure, Fault};
use super::prepared::Prepared;
use http::header::LOCATION;
use http::{HeaderMap, StatusCode};
use url::{Origin, Url};

/// Where redirects of one request may lead.
pub(super) struct Redirects<'a> {
    own: Origin,
    hosts: &'a [String],
}

/// The longest part of an address that is displayed: the longest name that there can be, with its scheme and port.
const LONGEST_ORIGIN: usize = 270;

impl<'a> Redirects<'a> {
    /// For the redirects of a request that begins at a URL.
    pub(super) fn new(url: &Url, reach: &'a Reach, bounds: &Bounds) -> Redirects<'a> {
        let hosts = if bounds.same_host_only { &[] } else { reach.hosts.as_slice() };
        Redirects { own: url.origin(), hosts }
    }

    /// The request that follows an answer, where that is a redirect.
    ///
    /// Errors: it leads where the request may not go, or nowhere.
    pub(super) fn next(
        &self,
        request: &Prepared,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Option<Prepared>, Failure> {
        if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let Some(location) = headers.get(LOCATION) else { return Ok(None) };
        let unreadable = Failure::Broken(Fault::Location);
        let Ok(location) = location.to_str() else { return Err(unreadable) };
        let Ok(url) = request.url().join(location) else { return Err(unreadable) };
        if !self.may_follow(request.url(), &url) {
            let origin: String = url.origin().ascii_serialization().chars().take(LONGEST_ORIGIN).collect();
            return Err(Failure::RedirectedElsewhere { origin });
        }
        let is_elsewhere = url.origin() != request.url().origin();
        let Ok(next) = request.moved(url) else { return Err(unreadable) };
        let next = if is_elsewhere { next.without_secrets() } else { next };
        Ok(Some(if matches!(status.as_u16(), 307 | 308) { next } else { next.without_body() }))
    }

    fn may_follow(&self, from: &Url, to: &Url) -> bool {
        if !matches!(to.scheme(), "http" | "https") || (from.scheme(), to.scheme()) == ("https", "http") {
            return false;
        }
        to.origin() == self.own || self.hosts.iter().any(|host| is_at(to, host))
    }
}

/// Whether a URL is at a host, or at a host and port.
fn is_at(url: &Url, host: &str) -> bool {
    let Ok(named) = Url::parse(&format!("{}://{host}/", url.scheme())) else { return false };
    let is_host_alone = named.path() == "/" && named.query().is_none() && named.fragment().is_none();
    is_host_alone && named.username().is_empty() && named.password().is_none() && named.origin() == url.origin()
}
