//! Review of tools: their snapshots, and what a change of them means for those who call them and those who read their
//! results.
//!
//! Pure: what was accepted and what compiled come in as values. The order of reading: [`change`] is the table of all
//! that can change, [`diff`] finds it, [`render`] writes it, and [`snapshot`] is the form in which a tool is kept
//! beside its query.

pub mod change;
pub mod diff;
mod hidden;
pub mod page;
pub mod render;
pub mod snapshot;
mod sql;

pub use change::{Audience, Bump, Change, Class, Kind, RULES, Rule, bump};
pub use diff::{Contract, compare};
pub use snapshot::offered as offered_snapshot;

use crate::compile::STACK_SIZE;

/// Runs work on statements where their trees fit: the parser and the printer recurse over them, as deep as the compiler
/// lets them be.
fn on_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("review".to_owned()).stack_size(STACK_SIZE);
        match thread.spawn_scoped(scope, &work).map(|handle| handle.join()) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No thread to be had: what fits on this stack still works.
            Err(_) => work(),
        }
    })
}
