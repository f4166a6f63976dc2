//! Rows on their way from a server to who wants them.

use super::super::driver::Rows;
use super::super::error::SourceError;
use arrow::record_batch::RecordBatch;
use futures::Stream;
use futures::future::BoxFuture;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;

/// How many batches may wait for who reads them.
const WAITING: usize = 2;

/// What is sent to who reads the rows.
pub(in crate::engine::sources) type Sent = Result<RecordBatch, SourceError>;

/// The rows that `reading` sends. `runtime` is where connections live: where the rows are polled there too and are `few`, the
/// reading goes on while they are, and no other task is woken for it; else a task does it. What is dropped before its end, and
/// has begun, goes on there until it has ended what it has begun.
pub(in crate::engine::sources) fn rows(
    source: &str,
    runtime: &'static Handle,
    few: bool,
    reading: impl FnOnce(Sender<Sent>) -> BoxFuture<'static, ()>,
) -> Rows {
    let (sender, receiver) = mpsc::channel(WAITING);
    let reading = reading(sender);
    let is_at_hand = few && Handle::try_current().is_ok_and(|current| current.id() == runtime.id());
    match is_at_hand {
        true => Box::pin(AtHand { reading: Some(reading), has_begun: false, receiver, runtime }),
        false => Box::pin(Beside { reading: Some(runtime.spawn(reading)), receiver, source: source.to_owned() }),
    }
}

/// Rows that are read by who polls them.
struct AtHand {
    /// What reads them, until it has ended.
    reading: Option<BoxFuture<'static, ()>>,
    has_begun: bool,
    receiver: Receiver<Sent>,
    runtime: &'static Handle,
}

impl Stream for AtHand {
    type Item = Sent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Sent>> {
        loop {
            // Nobody is to be told when there is something: it comes of the poll below.
            if let Ok(sent) = self.receiver.try_recv() {
                return Poll::Ready(Some(sent));
            }
            self.has_begun = true;
            let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
            match reading.as_mut().poll(context) {
                Poll::Ready(()) => self.reading = None,
                // Who has the first rows may ask for those of another query before the rest of these: by then, the
                // connection of these rests.
                Poll::Pending if self.receiver.len() < WAITING => return Poll::Pending,
                Poll::Pending => {}
            }
        }
    }
}

impl Drop for AtHand {
    fn drop(&mut self) {
        self.receiver.close();
        if let Some(reading) = self.reading.take().filter(|_| self.has_begun) {
            self.runtime.spawn(reading);
        }
    }
}

/// Rows that are read by a task.
struct Beside {
    /// What reads them, until that is known to have ended well.
    reading: Option<JoinHandle<()>>,
    receiver: Receiver<Sent>,
    source: String,
}

impl Stream for Beside {
    type Item = Sent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Sent>> {
        if let Some(sent) = std::task::ready!(self.receiver.poll_recv(context)) {
            return Poll::Ready(Some(sent));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let ended = std::task::ready!(Pin::new(reading).poll(context));
        self.reading = None;
        // Rows that nobody reads any more would else be all there are.
        let lost = || SourceError::Down { source: self.source.clone(), why: "it was not read to the end".to_owned() };
        Poll::Ready(ended.err().map(|_| Err(lost())))
    }
}
