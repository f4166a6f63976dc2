//! How large the constants of a plan become, all together.
//!
//! The optimizer evaluates what depends on no row, and keeps it in the plan, where no memory pool counts it: a statement of some
//! kilobytes has room for hundreds of calls, each of which may give as much as one may.

use super::{MAX_CONSTANTS, too_large};
use datafusion::common::Result;
use std::cell::Cell;

thread_local! {
    /// The bytes so far, where somebody counts.
    static SO_FAR: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Optimises a plan, or several: the constants that are made meanwhile are counted together.
pub(crate) fn counting_constants<T>(work: impl FnOnce() -> T) -> T {
    struct Before(Option<u64>);
    impl Drop for Before {
        fn drop(&mut self) {
            SO_FAR.set(self.0);
        }
    }
    let _before = Before(SO_FAR.replace(Some(0)));
    work()
}

/// Counts a constant.
///
/// Errors: they are too large.
pub(super) fn add(function: &str, bytes: u64) -> Result<()> {
    let Some(so_far) = SO_FAR.get() else { return Ok(()) };
    let sum = so_far.saturating_add(bytes);
    if sum > MAX_CONSTANTS {
        return Err(too_large(function, MAX_CONSTANTS));
    }
    SO_FAR.set(Some(sum));
    Ok(())
}
