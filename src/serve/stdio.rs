//! Standard input and output: one client, who owns the process.

mod in_use;
mod lines;

use super::Server;
use super::admitted::Admitted;
use in_use::Unique;
use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long calls may still take when the client is gone.
const GRACE: Duration = Duration::from_millis(700);

/// How much of what a client writes may wait for the server.
const BUFFER: usize = 64 << 10;

impl Server {
    /// Serves standard input and output until the client closes them, or `stop` is cancelled.
    ///
    /// Errors: the connection broke before it was set up.
    pub async fn serve_stdio(self, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (input, output) = rmcp::transport::stdio_pipes();
        let gone = CancellationToken::new();
        let (to, lines) = tokio::io::duplex(BUFFER);
        let (ended, server) = (gone.clone(), self.clone());
        tokio::spawn(async move {
            let refused = |asked, code| Admitted::over_stdio(&server, asked).refused(code);
            if let Err(error) = lines::hand_on(input, to, refused).await {
                tracing::warn!("standard input is broken: {error}");
            }
            ended.cancel();
        });
        // What is too long does not come so far.
        let transport = AsyncRwTransport::new_server(lines, output).with_max_line_length(usize::MAX);
        let transport = Unique::new(transport, self.clone());
        let running = tokio::select! {
            running = self.serve(transport) => running?,
            // Before the client has said anything.
            () = stop.cancelled() => return Ok(()),
        };
        let over = async {
            tokio::select! {
                () = gone.cancelled() => {}
                () = stop.cancelled() => {}
            }
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            ended = running.waiting() => ended.map(|_| ()).map_err(Into::into),
            () = over => Ok(()),
        }
    }
}
