//! The threads that queries run on: their own, so that a query that does not let go of its thread (a join looks up only
//! between batches) keeps no one from listing tools, and no deadline from passing.

use super::STACK_SIZE;
use std::future::Future;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// So many queries may each hold on to all their threads before the next one waits.
const THREADS_PER_CORE: usize = 4;

/// A runtime for queries.
pub(super) struct Threads(Option<Runtime>);

impl Threads {
    /// Several threads for each core, with stacks that hold the deepest plan that compiles: a query takes one thread a
    /// core at a time, and one that does not let go of its leaves the others to the next. Without threads of its own to
    /// be had, queries share those of the caller.
    pub(super) fn new() -> Threads {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores * THREADS_PER_CORE)
            .thread_name("query")
            .thread_stack_size(STACK_SIZE)
            .enable_all()
            .build();
        Threads(runtime.ok())
    }

    /// Starts a query.
    pub(super) fn spawn<T: Send + 'static>(&self, query: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        match &self.0 {
            Some(runtime) => runtime.spawn(query),
            None => tokio::spawn(query),
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Waiting for a query here would block a thread that may not be blocked.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
