//! What the server writes: line by line, the answers of a [`batch`](super::super::batch) in one, until nobody reads it.

use super::super::batch;
use rmcp::model::RequestId;
use serde::Deserialize;
use std::borrow::Cow;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Notify;

/// The batches of a connection that wait for their answers.
#[derive(Default)]
pub(super) struct Batches {
    /// Whether the client speaks a revision that has them.
    are_taken: AtomicBool,
    open: Mutex<Vec<Batch>>,
    /// Told when one needs no further answers.
    over: Notify,
}

/// One of them.
#[derive(Default)]
pub(super) struct Batch {
    /// The ids of requests that have no answer yet.
    pub(super) waits: Vec<RequestId>,
    /// The answers that there are.
    pub(super) answers: Vec<String>,
}

/// What a line says of the request that it answers.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(default)]
    method: Option<serde::de::IgnoredAny>,
}

impl Batches {
    /// Notes that the client speaks a revision that has them, or one that has not.
    pub(super) fn agree(&self, version: &str) {
        self.are_taken.store(batch::is_of_revision(version), Ordering::Relaxed);
    }

    pub(super) fn are_taken(&self) -> bool {
        self.are_taken.load(Ordering::Relaxed)
    }

    /// Waits for the answers of a batch from now on.
    pub(super) fn open(&self, batch: Batch) {
        self.lock().push(batch);
        self.over.notify_one();
    }

    /// No longer waits for the answer to a request that was cancelled: there will be none.
    pub(super) fn forget(&self, id: &RequestId) {
        self.settle(id, None);
        self.over.notify_one();
    }

    /// Takes the answer to a request out of the first batch that waits for it; `false` where none does.
    fn settle(&self, id: &RequestId, answer: Option<&str>) -> bool {
        let mut open = self.lock();
        let waiting = open.iter_mut().find_map(|batch| {
            let at = batch.waits.iter().position(|waiting| waiting == id)?;
            Some((batch, at))
        });
        let Some((batch, at)) = waiting else { return false };
        batch.waits.remove(at);
        batch.answers.extend(answer.map(str::to_owned));
        true
    }

    /// Keeps a line that is a part of a batch; `false` where it is none.
    fn keep(&self, line: &[u8]) -> bool {
        if self.lock().is_empty() {
            return false;
        }
        let Ok(Line { id: Some(id), method: None }) = serde_json::from_slice(line) else { return false };
        std::str::from_utf8(line).is_ok_and(|line| self.settle(&id, Some(line.trim_end())))
    }

    /// The batches that are answered, a line each. One that has only notifications has no answer.
    fn answered(&self) -> String {
        let mut open = self.lock();
        let over: Vec<Batch> = open.extract_if(.., |batch| batch.waits.is_empty()).collect();
        drop(open);
        let told = over.iter().filter(|batch| !batch.answers.is_empty());
        told.map(|batch| batch::answer(&batch.answers) + "\n").collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Batch>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the SDK begins an error that answers nobody.
const NOBODYS: &[u8] = br#"{"jsonrpc":"2.0","error":"#;

/// A line with the `id` that JSON-RPC asks for (2.0, 5): null, where it answers what has none that could be read.
pub(super) fn with_id(line: &[u8]) -> Cow<'_, [u8]> {
    match line.strip_prefix(NOBODYS) {
        Some(rest) => [&br#"{"jsonrpc":"2.0","id":null,"error":"#[..], rest].concat().into(),
        None => line.into(),
    }
}

/// Hands on all lines that the server writes.
///
/// Errors: nobody reads them any more.
pub(super) async fn hand_out(
    from: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    batches: &Batches,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line: Vec<u8> = Vec::new();
    loop {
        // What was read of a line stays where it is when a batch is over meanwhile.
        let is_over = tokio::select! {
            read = from.read_until(b'\n', &mut line) => read? == 0,
            () = batches.over.notified() => {
                output.write_all(batches.answered().as_bytes()).await?;
                output.flush().await?;
                continue;
            }
        };
        if batches.keep(&line) {
            line.clear();
        }
        output.write_all(&with_id(&line)).await?;
        line.clear();
        output.write_all(batches.answered().as_bytes()).await?;
        output.flush().await?;
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: i64) -> RequestId {
        RequestId::Number(number)
    }

    async fn handed_out(text: &str, batches: &Batches) -> String {
        let mut output = Vec::new();
        hand_out(text.as_bytes(), &mut output, batches).await.unwrap();
        String::from_utf8(output).unwrap()
    }

    #[tokio::test]
    async fn the_answers_of_a_batch_are_one_line() {
        let batches = Batches::default();
        let lines = "{\"id\":1,\"result\":{}}\n{\"id\":7,\"result\":{}}\n{\"method\":\"x\",\"id\":2}\n{\"id\":2,\"error\":{}}\n";
        assert_eq!(handed_out(lines, &batches).await, lines, "no batch is open");
        batches.open(Batch { waits: vec![id(1), id(2)], answers: vec!["{}".to_owned()] });
        let expected = "{\"id\":7,\"result\":{}}\n{\"method\":\"x\",\"id\":2}\n[{},{\"id\":1,\"result\":{}},{\"id\":2,\"error\":{}}]\n";
        assert_eq!(handed_out(lines, &batches).await, expected);
    }

    #[tokio::test]
    async fn an_error_that_answers_nobody_has_an_id() {
        let lines = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n";
        let expected =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n";
        assert_eq!(handed_out(lines, &Batches::default()).await, expected);
    }

    #[tokio::test]
    async fn what_was_cancelled_is_not_waited_for() {
        let batches = Batches::default();
        batches.open(Batch { waits: vec![id(1), id(2)], answers: Vec::new() });
        batches.forget(&id(2));
        assert_eq!(handed_out("{\"id\":1,\"result\":{}}\n", &batches).await, "[{\"id\":1,\"result\":{}}]\n");
        batches.open(Batch::default());
        assert_eq!(handed_out("", &batches).await, "", "of notifications alone there is no answer");
    }

    #[tokio::test]
    async fn nobody_who_reads_is_an_error() {
        struct Closed;
        impl AsyncWrite for Closed {
            fn poll_write(
                self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
                _: &[u8],
            ) -> std::task::Poll<io::Result<usize>> {
                std::task::Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
            }
            fn poll_flush(
                self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<io::Result<()>> {
                std::task::Poll::Ready(Ok(()))
            }
            fn poll_shutdown(
                self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<io::Result<()>> {
                std::task::Poll::Ready(Ok(()))
            }
        }
        assert!(hand_out(&b"{}\n"[..], Closed, &Batches::default()).await.is_err());
    }
}
