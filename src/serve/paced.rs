//! A connection whose client must send the head of a request, and take an answer, in bounded time.

use super::connections::Lane;
use crate::project::Patience;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// Reads and writes what `stream` does, and fails where the client is too slow.
pub(super) struct Paced<S> {
    stream: S,
    lane: Arc<Lane>,
    patience: Patience,
    head: Alarm,
    answer: Alarm,
    /// Since when the client takes no more, or only some of what there is.
    blocked: Option<Instant>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, lane: Arc<Lane>, patience: Patience) -> Paced<S> {
        Paced { stream, lane, patience, head: Alarm::default(), answer: Alarm::default(), blocked: None }
    }

    /// The client does not take what is to be written: that is borne for a while, and counted until all of it is gone.
    fn blocked<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let since = *self.blocked.get_or_insert_with(Instant::now);
        ready!(self.answer.poll(since, self.patience.answer, context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read its answer")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
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

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.blocked(context),
            written => written,
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write_vectored(context, bytes) {
            Poll::Pending => self.blocked(context),
            written => written,
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
