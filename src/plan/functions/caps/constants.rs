//! How large the constants of a plan become, all together.
//!
//! The optimizer evaluates what depends on no row, and keeps it in the plan, where no memory pool counts it; and what it does not,
//! is evaluated for each batch. A statement of some kilobytes has room for hundreds of calls, each of which may give as much as one
//! may.

use super::{IS_LARGER, MIB};
use datafusion::common::{DataFusionError, Result};
use std::cell::Cell;

/// Where constants are made, which says how many bytes they may take all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constants {
    /// In a plan, which is copied again and again while it is optimised, and whose columns are named by what they are made of.
    /// What is larger stays a call: that it is refused is no error there, and it is made for each batch.
    Plan,
    /// For a batch.
    Batch,
    /// Where the compiler looks whether an expression has a value: at all of its parts, one by one.
    Part,
}

impl Constants {
    fn most(self) -> u64 {
        match self {
            Constants::Plan => 4 * MIB,
            Constants::Batch => 64 * MIB,
            Constants::Part => MIB,
        }
    }
}

/// What the message of a refusal begins with because of all constants: each of them may be as large as it is.
pub(crate) const CONSTANTS: &str = "what is made of constants alone";

thread_local! {
    /// The bytes that are left, and all there were, where somebody counts.
    static LEFT: Cell<Option<(u64, u64)>> = const { Cell::new(None) };
}

/// Makes a plan, or a batch: the constants that are made meanwhile are counted together.
pub(crate) fn counting_constants<T>(of: Constants, work: impl FnOnce() -> T) -> T {
    struct Before(Option<(u64, u64)>);
    impl Drop for Before {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _before = Before(LEFT.replace(Some((of.most(), of.most()))));
    work()
}

/// Counts a constant.
///
/// Errors: they are too large.
pub(super) fn add(function: &str, bytes: u64) -> Result<()> {
    let Some((left, all)) = LEFT.get() else { return Ok(()) };
    match left.checked_sub(bytes) {
        Some(left) => LEFT.set(Some((left, all))),
        None => {
            let most = all / MIB;
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{CONSTANTS} {IS_LARGER} {most} MiB, with {function}"
            )));
        }
    }
    Ok(())
}
