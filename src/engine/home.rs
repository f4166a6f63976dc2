//! The runtime that connections live on: that which takes calls in, where it lasts as long as the process.

use std::sync::OnceLock;
use tokio::runtime::Handle;

static HOME: OnceLock<Handle> = OnceLock::new();

/// Connections to databases and other servers live where this is called from now on: on the threads that take calls in, so that a call and its
/// connection need not wake each other's. Only where that runtime ends with the process.
pub fn keep_connections_here() {
    // Who comes second has the same.
    let _ = HOME.set(Handle::current());
}

/// That runtime, where there is one.
pub(super) fn home() -> Option<&'static Handle> {
    HOME.get()
}
