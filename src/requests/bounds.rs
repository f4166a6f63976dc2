//! What a request may take, and what it may reach.

use std::time::Duration;

/// What a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// For all of it: the name, the connection, redirects, the answer to its last byte.
    pub time: Duration,
    /// The most bytes of the answer's body. The names and values of its headers have as many, and 16 KiB at least.
    pub bytes: usize,
    /// The most redirects that are followed.
    pub redirects: usize,
    /// Whether [`Reach::hosts`] are left out too: a redirect leads to the request's own scheme, host and port, or ends
    /// it.
    pub same_host_only: bool,
}

/// What a request may reach.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    /// Whether addresses that are not public may be connected to: loopback, private, link-local and all others.
    pub private: bool,
    /// What a redirect may lead to, beside the request's own scheme, host and port: `host` for the scheme's own port,
    /// `host:port` for another.
    pub hosts: Vec<String>,
}
