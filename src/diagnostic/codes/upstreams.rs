//! The constructors of what is said about other servers.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Settings of another server that cannot hold.
pub fn invalid_upstream(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidUpstream, place, why)
}

/// It is not locked what another server says of its tools.
pub fn upstream_not_locked(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(Code::UpstreamNotLocked, place, format!("the tools of server `{name}` are not locked"))
        .label("nobody has asked it yet")
        .help("`qtool lock` asks it, and keeps what it says of its tools: that is what is published and reviewed")
}

/// Another server that cannot be asked for its tools.
pub fn unreachable_upstream(place: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnreachableUpstream, place, format!("server `{name}` cannot be asked for its tools: {why}"))
}
