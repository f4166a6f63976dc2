//! Calls that run on the thread where they come in, which others wait for: it knows of itself until when it may go on.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// How long a database may take where other calls wait for the thread.
const SHORT: Duration = Duration::from_millis(5);

/// Calls whose rows take less than that are run where they come in.
pub(super) const QUICK: Duration = Duration::from_millis(2);

thread_local! {
    static HURRIES: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// What rows take little time for, so that threads of their own would take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quick {
    /// The thread that asks for them is busy with them, and does nothing else.
    Here,
    /// The thread has little to do, and a server is waited for.
    Awaited,
}

/// As they are kept, with that they took long in front.
const ALL: [Option<Quick>; 3] = [None, Some(Quick::Here), Some(Quick::Awaited)];

/// Whether the last rows of a tool took so little that the next need no threads of their own. Nobody knows of the first.
#[derive(Debug, Default)]
pub(super) struct LastQuick(AtomicU8);

impl LastQuick {
    pub(super) fn put(&self, quick: Option<Quick>) {
        self.0.store(ALL.iter().position(|one| *one == quick).unwrap_or_default() as u8, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> Option<Quick> {
        ALL.get(usize::from(self.0.load(Ordering::Relaxed))).copied().flatten()
    }
}

/// Does a call on the thread that others wait for: a database that takes longer than it has is given up.
pub(super) async fn hurried<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let until = Instant::now() + SHORT;
    poll_fn(|context| hurrying(until, || work.as_mut().poll(context))).await
}

/// Does something at once on a thread that others may wait for: a database that somebody holds is not waited for.
pub(super) fn without_waiting<T>(work: impl FnOnce() -> T) -> T {
    hurrying(Instant::now() + SHORT, work)
}

fn hurrying<T>(until: Instant, work: impl FnOnce() -> T) -> T {
    struct Before(Option<Instant>);
    impl Drop for Before {
        fn drop(&mut self) {
            HURRIES.set(self.0);
        }
    }
    let _before = Before(HURRIES.replace(Some(until)));
    work()
}

/// Whether this thread works inside of [`hurried`].
pub(super) fn is_hurrying() -> bool {
    HURRIES.get().is_some()
}

/// Whether the time is over that this thread has inside of [`hurried`].
pub(super) fn is_late() -> bool {
    HURRIES.get().is_some_and(|until| Instant::now() > until)
}
