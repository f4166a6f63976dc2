//! The threads that wait for databases: one runtime for all of them, as long as the process lives.
//!
//! A call has threads of its own, which end with it; a connection outlives calls.

use std::sync::{LazyLock, OnceLock};
use tokio::runtime::{Builder, Handle, Runtime};

/// The threads that go through the protocols; most of the time they wait.
const WORKERS: usize = 2;

static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(WORKERS).thread_name("sources").enable_all().build().ok()
});

static HOME: OnceLock<Handle> = OnceLock::new();

/// Connections to servers live where this is called from now on: on the threads that take calls in, so that a call and its
/// connection need not wake each other's. Only where that runtime ends with the process.
pub fn keep_connections_here() {
    // Who comes second has the same.
    let _ = HOME.set(Handle::current());
}

/// The runtime that connections to servers live on; `None` where the system gives no more threads.
pub(super) fn runtime() -> Option<&'static Handle> {
    HOME.get().or_else(blocking)
}

/// The runtime that files are read on, which takes a thread of its own for each; `None` where the system gives no more.
pub(super) fn blocking() -> Option<&'static Handle> {
    RUNTIME.as_ref().map(Runtime::handle)
}
