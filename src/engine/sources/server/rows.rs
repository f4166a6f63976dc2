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
        self.has_begun = true;
        // Who has the first rows may ask for those of another query before the rest of these. By then, the connection of these
        // rests: none is handed on before it does, or before they are too many.
        while self.receiver.len() < WAITING
            && let Some(reading) = &mut self.reading
        {
            match reading.as_mut().poll(context) {
                Poll::Ready(()) => self.reading = None,
                Poll::Pending if self.receiver.len() < WAITING => return Poll::Pending,
                Poll::Pending => {}
            }
        }
        Poll::Ready(self.receiver.try_recv().ok())
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Schema;
    use futures::{FutureExt, StreamExt};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;
    use tokio::runtime::{Builder, Runtime};
    use tokio::sync::Notify;

    /// A runtime that lasts as long as the process, as that of the connections does.
    fn home() -> &'static Runtime {
        static HOME: std::sync::OnceLock<Runtime> = std::sync::OnceLock::new();
        HOME.get_or_init(|| Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap())
    }

    fn batch() -> Sent {
        Ok(RecordBatch::new_empty(Arc::new(Schema::empty())))
    }

    /// Rows, and how often something that awaits another task in their midst has gone on behind that.
    fn two_batches(few: bool, rest: &Arc<Notify>, ended: &Arc<AtomicUsize>) -> Rows {
        let (rest, ended) = (Arc::clone(rest), Arc::clone(ended));
        rows("shop", home().handle(), few, |sender| {
            async move {
                let _ = sender.send(batch()).await;
                rest.notified().await;
                let _ = sender.send(batch()).await;
                ended.fetch_add(1, Ordering::SeqCst);
            }
            .boxed()
        })
    }

    async fn count_of(mut rows: Rows) -> (usize, usize) {
        let (mut fine, mut wrong) = (0, 0);
        while let Some(row) = rows.next().await {
            *if row.is_ok() { &mut fine } else { &mut wrong } += 1;
        }
        (fine, wrong)
    }

    #[test]
    fn all_rows_come_whoever_reads_them() {
        for few in [true, false] {
            let (rest, ended) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
            let rows = two_batches(few, &rest, &ended);
            rest.notify_one();
            assert_eq!(home().block_on(count_of(rows)), (2, 0), "{few}");
            assert_eq!(ended.load(Ordering::SeqCst), 1, "{few}");
        }
    }

    /// Who has the first rows may wait for something that the end of these gives back.
    #[test]
    fn few_rows_come_when_their_connection_rests() {
        let (rest, ended) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        home().block_on(async {
            let mut rows = two_batches(true, &rest, &ended);
            assert!(tokio::time::timeout(Duration::from_millis(20), rows.next()).await.is_err());
            rest.notify_one();
            assert!(rows.next().await.is_some());
            assert_eq!(ended.load(Ordering::SeqCst), 1, "before the second");
        });
    }

    #[test]
    fn what_has_begun_goes_on_where_nobody_reads_it_and_nothing_else_does() {
        for (has_begun, expected) in [(true, 1), (false, 0)] {
            let (rest, ended) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
            home().block_on(async {
                let mut rows = two_batches(true, &rest, &ended);
                if has_begun {
                    assert!(tokio::time::timeout(Duration::from_millis(20), rows.next()).await.is_err());
                }
                drop(rows);
                rest.notify_one();
                for _ in 0..100 {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    if ended.load(Ordering::SeqCst) > 0 {
                        break;
                    }
                }
            });
            assert_eq!(ended.load(Ordering::SeqCst), expected, "{has_begun}");
        }
    }

    #[test]
    fn a_reading_that_dies_is_no_end_of_the_rows() {
        let dying = rows("shop", home().handle(), false, |sender| {
            async move {
                let _ = sender.send(batch()).await;
                panic!("as a bug would");
            }
            .boxed()
        });
        assert_eq!(home().block_on(count_of(dying)), (1, 1));
    }
}
