//! Standard input and output: one client, who owns the process.

mod batches;
mod in_use;
mod left;
mod lines;
mod output;
mod unread;
mod waiting;

use super::Server;
use super::admitted::Admitted;
use batches::Batches;
use in_use::Unique;
use output::Output;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio_util::sync::CancellationToken;
use waiting::Waiting;

/// How long calls may still take when the client is gone.
pub(super) const GRACE: Duration = Duration::from_millis(700);

/// How long it is written to a client that has stopped the server, and how long nothing may be taken of a line that was begun.
const LAST: Duration = Duration::from_millis(150);

/// How long a line may take that was begun.
const LINE: Duration = Duration::from_secs(1);

/// How much of what a client writes may wait for the server, and of what the server writes for the client.
const BUFFER: usize = 64 << 10;

impl Server {
    /// Serves standard input and output until the client closes one of them, or `stop` is cancelled.
    ///
    /// Errors: the connection broke before it was set up.
    pub async fn serve_stdio(self, stop: CancellationToken) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let _following = self.following();
        let (input, output) = rmcp::transport::stdio_pipes();
        let gone = CancellationToken::new();
        let batches = Arc::new(Batches::default());
        let (to, lines) = tokio::io::duplex(BUFFER);
        let (server, read_batches) = (self.clone(), Arc::clone(&batches));
        tokio::spawn(async move {
            let refused = |asked, code| Admitted::over_stdio(&server, asked).refused(code);
            if let Err(error) = lines::hand_on(input, to, &read_batches, refused).await {
                tracing::warn!("standard input is broken: {error}");
            }
        });
        let output = Output::new(output, Arc::clone(&batches));
        // What the SDK says to what is no message.
        let (by_sdk, from_sdk) = tokio::io::duplex(BUFFER);
        let written = output.clone();
        let mut handing = tokio::spawn(async move { written.hand_out(from_sdk).await });
        // Who reads nothing any more has left.
        let left = async {
            tokio::select! {
                () = output.broken() => tracing::debug!("standard output is closed"),
                () = left::output_is_left() => {}
            }
        };
        tokio::pin!(left);
        // What is too long does not come so far.
        let transport = AsyncRwTransport::new_server(lines, by_sdk).with_max_line_length(usize::MAX);
        let waiting = Arc::new(Waiting::default());
        let transport =
            Unique::new((transport, output.clone()), self.clone(), (Arc::clone(&waiting), batches), gone.clone());
        let running = tokio::select! {
            running = self.serve(transport) => match running {
                Ok(running) => running,
                Err(error) => {
                    // What was refused of a client that never began is handed out as well.
                    _ = tokio::time::timeout(GRACE, &mut handing).await;
                    output.drained(LAST).await;
                    return Err(error.into());
                }
            },
            // Before the client has said anything.
            () = stop.cancelled() => return Ok(()),
            () = &mut left => return Ok(()),
        };
        let over = async {
            tokio::select! {
                () = gone.cancelled() => {}
                () = stop.cancelled() => {}
            }
            tokio::time::sleep(GRACE).await;
        };
        let running = running.waiting();
        tokio::pin!(running);
        let ended = tokio::select! {
            ended = &mut running => ended.map(|_| ()).map_err(Into::into),
            () = over => Ok(()),
            () = &mut left => return Ok(()),
        };
        tokio::select! {
            () = finish(&output, &waiting, &stop) => {}
            () = &mut left => {}
        }
        ended
    }
}

/// Answers what has no answer by now, and writes what is left. Who has closed its end may still read; who stops the server does not
/// wait for that.
async fn finish<W>(output: &Output<W>, waiting: &Waiting, stop: &CancellationToken)
where
    W: AsyncWrite + Unpin + Send + 'static,
{
    waiting.end().into_iter().for_each(|id| drop(output.tell(&unanswered(id))));
    let stopped = async {
        stop.cancelled().await;
        tokio::time::sleep(LAST).await;
        output.end();
        // Half a line is none.
        _ = tokio::time::timeout(LINE, output.drained(LAST)).await;
    };
    tokio::select! {
        () = output.drained(GRACE) => {
            // Nothing that comes now is begun.
            output.end();
            output.drained(LAST).await;
        }
        () = stopped => {}
    }
}

/// What is said of a request that has no answer when the server ends.
fn unanswered(id: RequestId) -> TxJsonRpcMessage<RoleServer> {
    JsonRpcMessage::error(ErrorData::internal_error("the server ended before there was an answer", None), Some(id))
}
