//! Who may talk to the HTTP server at all: the names it is reached by, and the pages that may call it.
//!
//! A page in a browser can make requests to a server on the same machine, and a name that it controls can be made to
//! mean this machine; `Host` and `Origin` tell those requests from a client's own (MCP, Streamable HTTP, security). What
//! leaves open where a request ends, or whom it is for, is refused here as well.

use crate::project::HttpConfig;
use http::header::{HOST, ORIGIN, TRANSFER_ENCODING};
use http::{HeaderMap, Request, StatusCode, Version};

/// Names of this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What is allowed.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    config: HttpConfig,
}

impl Edge {
    pub(super) fn new(config: HttpConfig) -> Edge {
        Edge { config }
    }

    /// Checks the names of a request. The error is what to answer, and why.
    pub(super) fn check<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, &'static str)> {
        let headers = request.headers();
        if is_coded(headers) {
            return Err((StatusCode::NOT_IMPLEMENTED, "no other Transfer-Encoding than chunked is understood"));
        }
        let Some(host) = host(request) else { return Err((StatusCode::BAD_REQUEST, "no valid Host header")) };
        if !self.is_known_host(&host) {
            return Err((StatusCode::FORBIDDEN, "the Host is not one of this server's"));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next().map(|origin| origin.to_str()), origins.next()) {
            (None, _) => Ok(()),
            (Some(Ok(origin)), None) if self.is_known_origin(origin, &host) => Ok(()),
            _ => Err((StatusCode::FORBIDDEN, "the Origin is not allowed")),
        }
    }

    fn is_known_host(&self, host: &str) -> bool {
        let (name, _) = split(host);
        let known = |allowed: &String| {
            let (allowed_name, port) = split(allowed);
            allowed_name.eq_ignore_ascii_case(name) && (port.is_none() || allowed.eq_ignore_ascii_case(host))
        };
        LOOPBACK.iter().any(|known| known.eq_ignore_ascii_case(name)) || self.config.allowed_hosts.iter().any(known)
    }

    fn is_known_origin(&self, origin: &str, host: &str) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else { return false };
        if self.config.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let (name, _) = split(authority);
        let is_here = LOOPBACK.iter().any(|known| known.eq_ignore_ascii_case(name));
        let is_same = authority.eq_ignore_ascii_case(host);
        matches!(scheme, "http" | "https") && !authority.contains('/') && (is_here || is_same)
    }
}

/// The name that the server is asked for by. A target that names a server has the same name in the header (RFC 9112,
/// 3.2.2): of two, nobody knows which is meant. HTTP/2 has it in the target, and need not have the header.
fn host<B>(request: &Request<B>) -> Option<String> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let target = request.uri().authority().map(ToString::to_string);
    match (hosts.next(), hosts.next(), target) {
        (Some(host), None, None) => host.to_str().ok().map(str::to_owned),
        (Some(host), None, Some(target)) => {
            host.to_str().is_ok_and(|host| host.eq_ignore_ascii_case(&target)).then_some(target)
        }
        (None, None, target) if request.version() >= Version::HTTP_2 => target,
        _ => None,
    }
}

/// Whether a body comes in another form than that of chunks: it would be read as if it did not.
fn is_coded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let first = codings.next();
    let is_chunked = first.is_none_or(|coding| coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked"));
    !is_chunked || codings.next().is_some()
}

/// The name of an authority, and its port.
fn split(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        // Of an address in brackets without a port, the colon is its own.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() => (name, Some(port)),
        _ => (authority, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_and_pages_come_in() {
        let edge = Edge::new(HttpConfig {
            allowed_hosts: vec!["tools.example.com".into(), "other.example.com:8443".into()],
            allowed_origins: vec!["https://app.example.com".into()],
            ..HttpConfig::default()
        });
        let status = |host: &[&str], origin: &[&str]| {
            let mut request = Request::builder().uri("/mcp");
            for host in host {
                request = request.header(HOST, *host);
            }
            for origin in origin {
                request = request.header(ORIGIN, *origin);
            }
            status_of(&edge, request)
        };
        for host in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "[::1]",
            "[::1]:80",
            "LOCALHOST",
            "tools.example.com",
            "tools.example.com:443",
            "other.example.com:8443",
        ] {
            assert_eq!(status(&[host], &[]), 200, "{host}");
        }
        for host in [
            "evil.example.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "other.example.com",
            "other.example.com:1",
            "tools.example.com.evil.com",
            "",
            "0.0.0.0",
            "127.0.0.2",
        ] {
            assert_eq!(status(&[host], &[]), 403, "{host}");
        }
        assert_eq!(status(&[], &[]), 400);
        assert_eq!(status(&["localhost", "evil.com"], &[]), 400);
        for origin in [
            "http://localhost",
            "http://localhost:3000",
            "https://127.0.0.1",
            "http://[::1]:5",
            "https://app.example.com",
            "https://tools.example.com",
        ] {
            assert_eq!(status(&["tools.example.com"], &[origin]), 200, "{origin}");
        }
        for origin in [
            "null",
            "http://evil.com",
            "https://app.example.com.evil.com",
            "http://localhost.evil.com",
            "http://evil.com/localhost",
            "file://",
            "",
            "https://app.example.com:444",
            "http://localhost/x",
            "localhost",
        ] {
            assert_eq!(status(&["tools.example.com"], &[origin]), 403, "{origin}");
        }
        assert_eq!(status(&["localhost"], &["http://localhost", "http://evil.com"]), 403);
    }

    fn status_of(edge: &Edge, request: http::request::Builder) -> u16 {
        edge.check(&request.body(()).unwrap()).err().map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn a_target_that_names_a_server_names_that_of_the_header() {
        let edge = Edge::new(HttpConfig::default());
        let status = |target: &str, host: Option<&str>, version| {
            let request = Request::builder().uri(target).version(version);
            status_of(&edge, host.into_iter().fold(request, |request, host| request.header(HOST, host)))
        };
        for (target, host, expected) in [
            ("http://localhost:80/mcp", Some("LOCALHOST:80"), 200),
            ("http://localhost/mcp", None, 400),
            ("http://localhost/mcp", Some("127.0.0.1"), 400),
            ("http://localhost/mcp", Some("evil.com"), 400),
            ("http://evil.com/mcp", Some("localhost"), 400),
            ("http://evil.com/mcp", Some("evil.com"), 403),
            ("http://me@localhost/mcp", Some("me@localhost"), 403),
        ] {
            assert_eq!(status(target, host, Version::HTTP_11), expected, "{target} {host:?}");
        }
        assert_eq!(status("http://localhost/mcp", None, Version::HTTP_2), 200);
        assert_eq!(status("http://evil.com/mcp", None, Version::HTTP_2), 403);
        assert_eq!(status("/mcp", None, Version::HTTP_2), 400);
    }

    #[test]
    fn a_body_comes_in_chunks_or_as_it_is() {
        let edge = Edge::new(HttpConfig::default());
        let status = |codings: &[&str]| {
            let request = Request::builder().uri("/mcp").header(HOST, "localhost");
            status_of(&edge, codings.iter().fold(request, |request, coding| request.header(TRANSFER_ENCODING, *coding)))
        };
        for codings in [&[][..], &["chunked"], &["Chunked "]] {
            assert_eq!(status(codings), 200, "{codings:?}");
        }
        for codings in [&["gzip, chunked"][..], &["gzip", "chunked"], &["chunked", "chunked"], &["identity"], &[""]] {
            assert_eq!(status(codings), 501, "{codings:?}");
        }
    }
}
