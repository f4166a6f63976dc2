//! Who may talk to the HTTP server at all: the names it is reached by, and the pages that may call it.
//!
//! A page in a browser can make requests to a server on the same machine, and a name that it controls can be made to
//! mean this machine; `Host` and `Origin` tell those requests from a client's own (MCP, Streamable HTTP, security).

use crate::project::HttpConfig;
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, StatusCode, Uri};

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
    pub(super) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), (StatusCode, &'static str)> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(_), Some(_)) => None,
            // Where the target names the server itself, the header does not count (RFC 9112, 3.2.2).
            (host, _) => match uri.authority() {
                Some(authority) => Some(authority.to_string()),
                None => host.and_then(|host| host.to_str().ok()).map(str::to_owned),
            },
        };
        let Some(host) = host else { return Err((StatusCode::BAD_REQUEST, "no valid Host header")) };
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
            let mut headers = HeaderMap::new();
            for host in host {
                headers.append(HOST, host.parse().unwrap());
            }
            for origin in origin {
                headers.append(ORIGIN, origin.parse().unwrap());
            }
            edge.check(&headers, &Uri::from_static("/mcp")).err().map_or(200, |(status, _)| status.as_u16())
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
        for (target, expected) in [("http://localhost/mcp", 200), ("http://evil.com/mcp", 403)] {
            let headers = HeaderMap::from_iter([(HOST, "localhost".parse().unwrap())]);
            let refused = edge.check(&headers, &Uri::from_static(target)).err();
            assert_eq!(refused.map_or(200, |(status, _)| status.as_u16()), expected, "{target}");
        }
    }
}
