//! The threads that wait for databases: one runtime for all of them, as long as the process lives.
//!
//! A call has threads of its own, which end with it; a connection outlives calls.

use crate::engine::home::home;
use std::sync::LazyLock;
use tokio::runtime::{Builder, Handle, Runtime};

/// The threads that go through the protocols; most of the time they wait.
const WORKERS: usize = 2;

static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(WORKERS).thread_name("sources").enable_all().build().ok()
});

/// The runtime that connections to servers live on; `None` where the system gives no more threads.
pub(super) fn runtime() -> Option<&'static Handle> {
    home().or_else(blocking)
}

/// The runtime that files are read on, which takes a thread of its own for each; `None` where the system gives no more.
pub(super) fn blocking() -> Option<&'static Handle> {
    RUNTIME.as_ref().map(Runtime::handle)
}
