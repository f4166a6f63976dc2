//! Work on a thread that others wait for: it knows of itself until when it may go on.

use std::cell::Cell;
use std::time::Instant;

thread_local! {
    static HURRIES: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Does a part of a call on a thread that others wait for: what would take longer is given up, and done elsewhere.
pub(super) fn hurrying<T>(until: Instant, work: impl FnOnce() -> T) -> T {
    struct Before(Option<Instant>);
    impl Drop for Before {
        fn drop(&mut self) {
            HURRIES.set(self.0);
        }
    }
    let _before = Before(HURRIES.replace(Some(until)));
    work()
}

/// Whether this thread works inside of [`hurrying`].
pub(super) fn is_hurrying() -> bool {
    HURRIES.get().is_some()
}

/// Whether the time is over that this thread has inside of [`hurrying`].
pub(super) fn is_late() -> bool {
    HURRIES.get().is_some_and(|until| Instant::now() > until)
}
