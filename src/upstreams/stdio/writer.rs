//! What is written to a program, in the order in which it is given.

use crate::upstreams::send_failure::{Reached, SendFailure};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Mutex, mpsc, oneshot};

/// How many messages may wait for a program that does not read.
const MOST_WAITING: usize = 256;

type Sent = Result<(), SendFailure>;
type Item = (Vec<u8>, oneshot::Sender<Sent>);

/// Writes to a program. What it can take at once is written at once: a task in between costs two switches a call.
pub(super) struct Writer {
    input: Arc<Mutex<ChildStdin>>,
    behind: Arc<AtomicUsize>,
    queue: mpsc::Sender<Item>,
}

impl Writer {
    /// Writes to an input, which is closed when this is dropped and all that was given is written.
    pub(super) fn new(input: ChildStdin) -> Writer {
        let (queue, waiting) = mpsc::channel(MOST_WAITING);
        let (input, behind) = (Arc::new(Mutex::new(input)), Arc::new(AtomicUsize::new(0)));
        tokio::spawn(write(input.clone(), behind.clone(), waiting));
        Writer { input, behind, queue }
    }

    /// Writes a line. The order is that of the calls of this function, not of its futures.
    pub(super) fn send(&self, line: Vec<u8>) -> BoxFuture<'static, Sent> {
        let rest = match self.write_at_once(line) {
            Ok(None) => return ready(Ok(())).boxed(),
            Ok(Some(rest)) => rest,
            Err(error) => return ready(Err(unwritten(&error))).boxed(),
        };
        let (sent, was_sent) = oneshot::channel();
        self.behind.fetch_add(1, Ordering::AcqRel);
        if let Err(error) = self.queue.try_send((rest, sent)) {
            self.behind.fetch_sub(1, Ordering::AcqRel);
            let words = match error {
                TrySendError::Full(_) => "it reads nothing",
                TrySendError::Closed(_) => "it has closed its input",
            };
            return ready(Err(never(words))).boxed();
        }
        async move { was_sent.await.unwrap_or_else(|_| Err(never("it has closed its input"))) }.boxed()
    }

    /// Writes as much as the program takes now. Gives what is left of the line.
    fn write_at_once(&self, mut line: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        // Elsewhere than on Unix, a write is over only when it was waited for.
        if !cfg!(unix) || self.behind.load(Ordering::Acquire) > 0 {
            return Ok(Some(line));
        }
        let Ok(mut input) = self.input.try_lock() else { return Ok(Some(line)) };
        match input.write(&line).now_or_never() {
            Some(Ok(written)) if written == line.len() => Ok(None),
            Some(Ok(written)) => Ok(Some(line.split_off(written))),
            Some(Err(error)) => Err(error),
            None => Ok(Some(line)),
        }
    }
}

async fn write(input: Arc<Mutex<ChildStdin>>, behind: Arc<AtomicUsize>, mut waiting: mpsc::Receiver<Item>) {
    while let Some((bytes, sent)) = waiting.recv().await {
        let written = {
            let mut input = input.lock().await;
            match input.write_all(&bytes).await {
                Ok(()) => input.flush().await,
                Err(error) => Err(error),
            }
        };
        behind.fetch_sub(1, Ordering::AcqRel);
        let is_over = written.is_err();
        let _ = sent.send(written.map_err(|error| unwritten(&error)));
        if is_over {
            return;
        }
    }
}

/// A line that has no end is never read as a message.
fn unwritten(error: &io::Error) -> SendFailure {
    never(format!("it cannot be written to: {error}"))
}

fn never(words: impl Into<String>) -> SendFailure {
    SendFailure { reached: Reached::Never, words: words.into() }
}
