//! Standard input and output: one client, who owns the process.

mod batches;
mod in_use;
mod left;
mod lines;
mod output;
mod unread;

use super::Server;
use super::admitted::Admitted;
use batches::Batches;
use in_use::Unique;
use output::Output;
use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long calls may still take when the client is gone.
pub(super) const GRACE: Duration = Duration::from_millis(700);

/// How much of what a client writes may wait for the server, and of what the server writes for the client.
const BUFFER: usize = 64 << 10;

impl Server {
    /// Serves standard input and output until the client closes one of them, or `stop` is cancelled.
    ///
    /// Errors: the connection broke before it was set up.
    pub async fn serve_stdio(self, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (input, output) = rmcp::transport::stdio_pipes();
        let gone = CancellationToken::new();
        let batches = Arc::new(Batches::default());
        let (to, lines) = tokio::io::duplex(BUFFER);
        let (ended, server, read_batches) = (gone.clone(), self.clone(), Arc::clone(&batches));
        tokio::spawn(async move {
            let refused = |asked, code| Admitted::over_stdio(&server, asked).refused(code);
            if let Err(error) = lines::hand_on(input, to, &read_batches, refused).await {
                tracing::warn!("standard input is broken: {error}");
            }
            ended.cancel();
        });
        let output = Output::new(output, Arc::clone(&batches));
        // What the SDK says to what is no message.
        let (by_sdk, from_sdk) = tokio::io::duplex(BUFFER);
        let written = output.clone();
        let mut writing = tokio::spawn(async move {
            // Who reads nothing any more has left.
            tokio::select! {
                _ = written.hand_out(from_sdk) => {}
                () = written.broken() => tracing::debug!("standard output is closed"),
                () = left::output_is_left() => {}
            }
        });
        // What is too long does not come so far.
        let transport = AsyncRwTransport::new_server(lines, by_sdk).with_max_line_length(usize::MAX);
        let transport = Unique::new((transport, output), self.clone(), batches);
        let running = tokio::select! {
            running = self.serve(transport) => match running {
                Ok(running) => running,
                Err(error) => {
                    // What was refused of a client that never began is handed out as well.
                    _ = tokio::time::timeout(GRACE, &mut writing).await;
                    return Err(error.into());
                }
            },
            // Before the client has said anything.
            () = stop.cancelled() => return Ok(()),
            _ = &mut writing => return Ok(()),
        };
        let over = async {
            tokio::select! {
                () = gone.cancelled() => {}
                () = stop.cancelled() => {}
            }
            tokio::time::sleep(GRACE).await;
        };
        tokio::pin!(over);
        let ended = tokio::select! {
            ended = running.waiting() => ended.map(|_| ()).map_err(Into::into),
            () = &mut over => return Ok(()),
            _ = &mut writing => return Ok(()),
        };
        // What was written last is handed out before the process ends.
        tokio::select! {
            _ = writing => {}
            () = over => {}
        }
        ended
    }
}
