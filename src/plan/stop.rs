//! Whether anybody waits for a query still.
//!
//! A query has threads of its own, so they know of themselves whether what they work at was given up: nothing has to be
//! handed down to the operators and functions that look. On all other threads nothing is ever given up.

use datafusion::common::{Result, exec_err};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static OF_THIS_THREAD: OnceCell<Stop> = const { OnceCell::new() };
    static COMPILES: Cell<bool> = const { Cell::new(false) };
}

/// Does work that is no call: what it evaluates is evaluated to simplify a plan or to look at a default, so that nobody
/// would wait for a function that takes long.
pub fn compiling<T>(work: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            COMPILES.set(self.0);
        }
    }
    let _before = Before(COMPILES.replace(true));
    work()
}

/// Whether this thread works inside of [`compiling`].
pub fn is_compiling() -> bool {
    COMPILES.get()
}

/// Whether what some threads work at was given up. Clones are of the same threads.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// This thread is one of them from now on.
    pub fn holds_here(&self) {
        OF_THIS_THREAD.with(|of_this_thread| {
            // A thread works for nobody else later.
            let _ = of_this_thread.set(self.clone());
        });
    }

    /// Nobody waits any more.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Somebody waits for what comes next.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Goes on as long as somebody waits for what this thread works at.
///
/// Errors: nobody does any more.
pub fn check() -> Result<()> {
    if OF_THIS_THREAD.with(|stop| stop.get().is_some_and(Stop::is_set)) {
        return exec_err!("nobody waits for the query any more");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_threads_that_it_holds_on_are_stopped() {
        let stop = Stop::default();
        let held = stop.clone();
        let on_its_thread = move || {
            held.holds_here();
            let before = check().is_ok();
            held.set();
            let then = check().is_ok();
            held.clear();
            (before, then, check().is_ok())
        };
        let found = std::thread::spawn(on_its_thread).join();
        assert_eq!(found.ok(), Some((true, false, true)));
        stop.set();
        assert!(check().is_ok());
    }
}
