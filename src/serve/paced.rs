//! A connection whose client must send the head of a request, and take an answer, in bounded time, and that is noticed when
//! it leaves.
//!
//! hyper reads while it answers, and so it notices by itself; but not where the client has sent a further request already,
//! which waits to be read. So it is looked here, and noticed where an answer can no longer be written. Whoever has left
//! takes no answer: what is written is dropped, what goes on for as long as there is something to say ends, and what was
//! sent before is read to its end, so that each of those requests is begun, given up and recorded.

use super::connections::Lane;
use crate::project::Patience;
use futures::FutureExt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// How often it is looked whether the client has left, while it is answered.
const LOOK: Duration = Duration::from_millis(250);

/// Reads and writes what `stream` does, and fails where the client is too slow.
pub(super) struct Paced {
    stream: TcpStream,
    lane: Arc<Lane>,
    patience: Patience,
    head: Alarm,
    answer: Alarm,
    look: Alarm,
    looked: Instant,
    /// Since when the client takes no more, or only some of what there is.
    blocked: Option<Instant>,
}

impl Paced {
    pub(super) fn new(stream: TcpStream, lane: Arc<Lane>, patience: Patience) -> Paced {
        let (head, answer, look) = (Alarm::default(), Alarm::default(), Alarm::default());
        Paced { stream, lane, patience, head, answer, look, looked: Instant::now(), blocked: None }
    }

    /// Looks now and then whether the client that is answered has left.
    fn look(&mut self, context: &mut Context<'_>) {
        if self.lane.has_left() || !self.lane.is_working() && !self.lane.is_streaming() {
            return;
        }
        if self.look.poll(self.looked, LOOK, context).is_pending() {
            return;
        }
        self.looked = Instant::now();
        // Its time is not over, and it wakes this task then.
        let _ = self.look.poll(self.looked, LOOK, context);
        // Known also where more is to be read before the end.
        let ready = self.stream.ready(Interest::READABLE).now_or_never().and_then(Result::ok);
        if ready.is_some_and(|ready| ready.is_read_closed()) {
            self.leaves(context);
        }
    }

    fn leaves(&self, context: &mut Context<'_>) {
        self.lane.leaves();
        // Who answers looks again.
        context.waker().wake_by_ref();
    }

    /// What was written of `all`. What cannot be written has nobody to read it, and is dropped as all that follows.
    fn written(&self, written: io::Result<usize>, all: usize, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        Poll::Ready(written.or_else(|_| {
            self.leaves(context);
            Ok(all)
        }))
    }

    /// The client does not take what is to be written: that is borne for a while, and counted until all of it is gone.
    fn blocked<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let since = *self.blocked.get_or_insert_with(Instant::now);
        ready!(self.answer.poll(since, self.patience.answer, context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read its answer")))
    }
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = into.filled().len();
        match Pin::new(&mut this.stream).poll_read(context, into) {
            Poll::Pending => {
                let Some(since) = this.lane.head_since() else { return Poll::Pending };
                ready!(this.head.poll(since, this.patience.header, context));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the head of the request does not come")))
            }
            read => {
                if into.filled().len() > before {
                    this.lane.hears();
                }
                read
            }
        }
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.lane.has_left() {
            return Poll::Ready(Ok(bytes.len()));
        }
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.blocked(context),
            Poll::Ready(written) => self.written(written, bytes.len(), context),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let all = bytes.iter().map(|piece| piece.len()).sum();
        if self.lane.has_left() {
            return Poll::Ready(Ok(all));
        }
        match Pin::new(&mut self.stream).poll_write_vectored(context, bytes) {
            Poll::Pending => self.blocked(context),
            Poll::Ready(written) => self.written(written, all, context),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Pending => self.blocked(context),
            Poll::Ready(flushed) => {
                self.blocked = None;
                self.lane.has_sent();
                self.look(context);
                Poll::Ready(flushed)
            }
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(context) {
            Poll::Pending => self.blocked(context),
            shut => shut,
        }
    }
}

/// Rings a while after something began; made when it is first needed.
#[derive(Default)]
struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    fn poll(&mut self, since: Instant, patience: Duration, context: &mut Context<'_>) -> Poll<()> {
        let at = tokio::time::Instant::from_std(since) + patience;
        let sleep = self.0.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        if sleep.deadline() != at {
            sleep.as_mut().reset(at);
        }
        sleep.as_mut().poll(context)
    }
}
