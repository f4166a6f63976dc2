//! Calls that have arrived and that nobody has begun to answer: they are recorded too, whatever becomes of them.
//!
//! A message that the SDK answers goes through its channels and tasks first. Where the client leaves before its turn, or
//! the message has the wrong shape for the SDK, no call begins, and what was asked would be lost from the record.

use super::asked::Asked;
use super::audit::Outcome;
use super::traced::Traced;
use super::{Principal, Server};
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use http::request::Parts;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A message that asks for a call, or to read a resource. Clones are about the same; the last that is dropped records
/// that it was cancelled, if nobody has claimed it.
#[derive(Clone)]
pub(super) struct Admitted {
    inner: Arc<Inner>,
}

struct Inner {
    server: Server,
    target: String,
    arguments: Arguments,
    principal: Option<Principal>,
    trace: Option<String>,
    open: AtomicBool,
}

impl Admitted {
    /// What a body asks for; `None` where that is nothing that is recorded.
    pub(super) fn of(server: &Server, parts: &Parts, bytes: &[u8]) -> Option<Admitted> {
        let Asked { target, arguments } = Asked::of(bytes)?;
        Some(Admitted::call(server, parts, target, arguments))
    }

    /// A body that was not read: it may have been meant for a call.
    pub(super) fn unread(server: &Server, parts: &Parts) -> Admitted {
        Admitted::call(server, parts, String::new(), Arguments::new())
    }

    /// A call of a tool.
    pub(super) fn call(server: &Server, parts: &Parts, tool: String, arguments: Arguments) -> Admitted {
        let principal = parts.extensions.get::<Principal>().cloned();
        let trace = Traced::of_headers(&parts.headers).trace_id();
        Admitted::by(server, Asked { target: tool, arguments }, principal, trace)
    }

    /// What came over standard input, whose client owns the process.
    pub(super) fn over_stdio(server: &Server, asked: Asked) -> Admitted {
        Admitted::by(server, asked, None, None)
    }

    fn by(server: &Server, asked: Asked, principal: Option<Principal>, trace: Option<String>) -> Admitted {
        let (server, Asked { target, arguments }) = (server.clone(), asked);
        let inner = Inner { server, target, arguments, principal, trace, open: AtomicBool::new(true) };
        Admitted { inner: Arc::new(inner) }
    }

    /// Leaves the record to the caller; `false` where it is written already.
    pub(super) fn claim(&self) -> bool {
        self.inner.open.swap(false, Ordering::AcqRel)
    }

    /// Records that it was refused, if nobody has claimed it.
    pub(super) fn refused(self, code: CallCode) {
        if self.claim() {
            self.inner.note(Outcome::Error(code));
        }
    }
}

impl Inner {
    fn note(&self, outcome: Outcome) {
        let principal = self.principal.as_ref();
        let (tool, arguments) = self.server.meant(&self.target, &self.arguments, principal);
        self.server.note(tool, &arguments, principal, self.trace.as_deref(), outcome);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if *self.open.get_mut() {
            self.note(if std::thread::panicking() { Outcome::Panicked } else { Outcome::Cancelled });
        }
    }
}
