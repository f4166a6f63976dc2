//! Standard input and output: one client, who owns the process.

use super::Server;
use rmcp::ServiceExt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// How long calls may still take when the client is gone.
const GRACE: Duration = Duration::from_millis(700);

impl Server {
    /// Serves standard input and output until the client closes them, or `stop` is cancelled.
    ///
    /// Errors: the connection broke before it was set up.
    pub async fn serve_stdio(self, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (input, output) = rmcp::transport::stdio_pipes();
        let gone = CancellationToken::new();
        let running = tokio::select! {
            running = self.serve((Watched { input, gone: gone.clone() }, output)) => running?,
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

/// Standard input that tells when it has ended.
struct Watched<R> {
    input: R,
    gone: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.input).poll_read(context, into);
        let has_ended = match &read {
            Poll::Ready(Ok(())) => into.filled().len() == before && into.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if has_ended {
            self.gone.cancel();
        }
        read
    }
}
