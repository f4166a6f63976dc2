//! Systems that programs are not run on.

use super::ended::{Ended, NotRun};
use super::launch::Launch;

/// Runs nothing.
///
/// Errors: always.
pub fn run(_launch: &Launch, _stop: &dyn Fn() -> bool) -> Result<Ended, NotRun> {
    Err(NotRun::Unsupported)
}

/// A program that stays; there is none here.
#[derive(Debug)]
pub enum Process {}

impl Process {
    /// Starts nothing.
    ///
    /// Errors: always.
    pub fn start(_launch: &Launch) -> Result<Process, NotRun> {
        Err(NotRun::Unsupported)
    }
}
