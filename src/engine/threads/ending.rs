//! Ends runtimes: each of their threads is waited for.
//!
//! A runtime that is shut down in the background detaches its threads while they end. The C library of Linux (glibc 2.36) gives
//! a large stack back to the system as soon as its thread is over, and `pthread_detach` reads once more what lay at its top: now
//! and then that ends the process by a segmentation fault. Who joins a thread reads nothing of it that is gone.

use std::sync::LazyLock;
use std::sync::mpsc::{SendError, Sender, channel};
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long the threads of a runtime may take to end in which nothing goes on. Those that do not are detached where they are.
const LONGEST: Duration = Duration::from_secs(1);
/// All that the thread does is wait.
const STACK: usize = 256 << 10;

/// The thread that waits, where there is one: it lives as long as the process.
static WAITING: LazyLock<Option<Sender<Runtime>>> = LazyLock::new(|| {
    let (sender, ended) = channel::<Runtime>();
    let wait = move || ended.into_iter().for_each(|runtime| runtime.shutdown_timeout(LONGEST));
    std::thread::Builder::new().name("ending".to_owned()).stack_size(STACK).spawn(wait).ok()?;
    Some(sender)
});

/// Ends a runtime in which nothing goes on, and waits for it elsewhere: whoever calls this may not be held up.
pub(super) fn end(runtime: Runtime) {
    let unsent = match &*WAITING {
        Some(waiting) => waiting.send(runtime).err().map(|SendError(runtime)| runtime),
        None => Some(runtime),
    };
    if let Some(runtime) = unsent {
        runtime.shutdown_background();
    }
}

/// Whether the system has a thread with such a stack.
///
/// Errors: it has none.
pub(super) fn try_thread(stack: usize) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("query".to_owned()).stack_size(stack).spawn(|| ())?;
    // It does nothing that could fail.
    let _ = thread.join();
    Ok(())
}
