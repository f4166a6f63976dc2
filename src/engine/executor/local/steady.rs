//! Reading tables whose files may be rewritten meanwhile.
//!
//! A file that is written in place is empty at first, and then a part of itself. What was read of it says nothing: it is
//! read once more, and where it changes again, the call fails. A file that only grows may be a log: what there is of it is
//! read, as long as it holds still for as long as that takes.

use super::Local;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::tables::cache::stamp::Stamp;
use futures::future::BoxFuture;
use std::time::Duration;

/// How long a file that has changed must hold still.
const QUIET: Duration = Duration::from_millis(20);
/// How often it is looked at until then.
const LOOK: Duration = Duration::from_millis(5);
const MOST_LOOKS: usize = 20;

/// What the files of all tables look like that are on this machine.
type Seen = Vec<Option<Stamp>>;

impl Local {
    /// What is read while no file changes.
    ///
    /// Errors: `data-changed` where one changes twice.
    pub(super) async fn steadily<'a, T: Send>(
        &'a self,
        tables: &'a [String],
        read: impl Fn() -> BoxFuture<'a, Result<T, CallError>> + Send + Sync,
    ) -> Result<T, CallError> {
        for is_last in [false, true] {
            let Some(before) = self.quiet(tables).await else { continue };
            let outcome = read().await;
            // What fails beside a change of a moment ago may have met the middle of it.
            let is_sure = is_last || outcome.is_ok() || before.iter().flatten().all(Stamp::is_settled);
            if is_sure && before == self.seen(tables) {
                return outcome;
            }
        }
        let message = "the data of the tool is being rewritten, and changed while it was read";
        Err(CallError::new(CallCode::DataChanged, message).hint("call again"))
    }

    /// What the files look like once they hold still; `None` where one is written anew again and again.
    async fn quiet(&self, tables: &[String]) -> Option<Seen> {
        let mut seen = self.seen(tables);
        let mut is_rewritten = false;
        for _ in 0..MOST_LOOKS {
            if seen.iter().flatten().all(|stamp| stamp.is_quiet_for(QUIET)) {
                return Some(seen);
            }
            tokio::time::sleep(LOOK).await;
            let now = self.seen(tables);
            let mut pairs = seen.iter().flatten().zip(now.iter().flatten());
            is_rewritten |= pairs.any(|(before, now)| before.is_rewritten_in(now));
            seen = now;
        }
        (!is_rewritten).then_some(seen)
    }

    fn seen(&self, tables: &[String]) -> Seen {
        self.core.opened(tables).map(|table| table.seen()).collect()
    }
}
