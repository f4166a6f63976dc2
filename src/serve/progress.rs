//! How far a call has come, for a client that asks for it (`progressToken`).

use crate::engine::Progress;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::time::{Duration, Instant};

/// How often a client is told that its call goes on.
const PROGRESS: Duration = Duration::from_secs(1);

/// Waits for a call, and tells a client that asks for it how far it has come, or how long it has been going on.
pub(super) async fn with_progress<T>(
    call: impl Future<Output = T>,
    context: &RequestContext<RoleServer>,
    progress: &Progress,
) -> T {
    let Some(token) = context.meta.get_progress_token() else { return call.await };
    let started = Instant::now();
    let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + PROGRESS, PROGRESS);
    let mut last = 0.0;
    tokio::pin!(call);
    loop {
        tokio::select! {
            outcome = &mut call => return outcome,
            _ = ticks.tick() => {
                let seconds = started.elapsed().as_secs_f64().round();
                let (done, told) = match progress.so_far() {
                    #[expect(clippy::cast_precision_loss, reason = "no call has so many steps")]
                    Some((done, total)) => {
                        let told = ProgressNotificationParam::new(token.clone(), done as f64).with_total(total as f64);
                        (done as f64, told.with_message(format!("{done} of {total}")))
                    }
                    None => {
                        let told = ProgressNotificationParam::new(token.clone(), seconds);
                        (seconds, told.with_message(format!("running for {seconds} s")))
                    }
                };
                // It never goes back, nor stands still.
                if done > last {
                    last = done;
                    // Who no longer listens will be noticed by the call itself.
                    let _ = context.peer.notify_progress(told).await;
                }
            }
        }
    }
}
