//! The runtime that serves, and that commands wait for their answers in.

use super::ending::{end, try_thread};
use super::room;
use crate::engine::STACK_SIZE;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How many of its threads may read and write files at once.
const MOST_BLOCKING: usize = 16;
/// Longer than a server runs: a thread that is gone may not be had again.
const FOR_GOOD: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
/// How long the first of them is waited for.
const START: Duration = Duration::from_secs(5);

/// A runtime with a thread a core, or with fewer where the process may not have as many, whose stacks hold a deep plan.
///
/// Errors: the system has no threads for it.
pub fn serving_runtime() -> io::Result<Runtime> {
    // The runtime panics where it gets none at all.
    try_thread(STACK_SIZE)?;
    let mut builder = Builder::new_multi_thread();
    builder
        .worker_threads(room::serving())
        .max_blocking_threads(MOST_BLOCKING)
        .thread_keep_alive(FOR_GOOD)
        .thread_stack_size(STACK_SIZE)
        .enable_all();
    let no_thread = |_| io::Error::other("the system has none");
    let runtime = catch_unwind(AssertUnwindSafe(|| builder.build())).map_err(no_thread)??;
    // What is read and written later waits for this one where the system has no other.
    let (ready, is_ready) = mpsc::channel();
    let blocking = || runtime.spawn_blocking(move || ready.send(()));
    drop(catch_unwind(AssertUnwindSafe(blocking)).map_err(no_thread)?);
    match is_ready.recv_timeout(START) {
        Ok(()) => Ok(runtime),
        Err(_) => {
            end(runtime);
            Err(io::Error::other("the system has too few"))
        }
    }
}
