//! Messages of the log for clients that ask for them: what a call is told beside its rows, and why one failed.
//!
//! A client of the older revisions says once from which level on (`logging/setLevel`), which is kept for as long as it is
//! connected: on standard input and output. Over HTTP there are no sessions, and nothing is kept. A client of revision
//! 2026-07-28 says it with every request.

// The SDK marks all of it as deprecated since revision 2026-07-28, which still has it.
#![expect(deprecated)]

use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// How long an answer waits at most for what is told before it.
const UNHEARD: Duration = Duration::from_millis(200);

/// What a client says of the level.
pub(super) type SetLevel = rmcp::model::SetLevelRequestParams;

/// From which level on the client of a connection is told; of none until it says so.
#[derive(Default)]
pub(super) struct Told(AtomicU8);

/// How severe a level is, from 1.
fn severity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 1,
        LoggingLevel::Info => 2,
        LoggingLevel::Notice => 3,
        LoggingLevel::Warning => 4,
        LoggingLevel::Error => 5,
        LoggingLevel::Critical => 6,
        LoggingLevel::Alert => 7,
        LoggingLevel::Emergency => 8,
    }
}

impl Told {
    /// Tells the client from the level on that it says.
    pub(super) fn tell_from(&self, said: &SetLevel) {
        self.0.store(severity(said.level), Ordering::Relaxed);
    }

    /// The level from which on a request wants to be told; 0 where it does not.
    fn least_level(&self, context: &RequestContext<RoleServer>) -> u8 {
        let of_request = context.meta.log_level().map(severity);
        of_request.unwrap_or_else(|| self.0.load(Ordering::Relaxed))
    }

    /// Tells a client what a call of a tool was told.
    pub(super) async fn notes(&self, tool: &str, result: &CallResult, context: &RequestContext<RoleServer>) {
        for note in &result.notes {
            self.message(LoggingLevel::Warning, (tool, note), context).await;
        }
    }

    /// Tells a client why a call of a tool failed.
    pub(super) async fn failure(&self, tool: &str, error: &CallError, context: &RequestContext<RoleServer>) {
        self.message(LoggingLevel::Error, (tool, &error.line()), context).await;
    }

    async fn message(&self, level: LoggingLevel, (tool, text): (&str, &str), context: &RequestContext<RoleServer>) {
        let from = self.least_level(context);
        if from == 0 || severity(level) < from {
            return;
        }
        let message = LoggingMessageNotificationParam::new(level, text.into()).with_logger(tool);
        // Who no longer listens will be noticed by the call itself. Behind the last line of standard input the SDK still
        // sends answers, and no messages any more: an answer does not wait for them.
        let _ = tokio::time::timeout(UNHEARD, context.peer.notify_logging_message(message)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_in_the_order_of_their_severity() {
        let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
        let severities = levels.map(|level| severity(serde_json::from_value(level.into()).unwrap()));
        assert!(severities.is_sorted() && severities.first() == Some(&1), "{severities:?}");
    }
}
