//! HTTP on a listener: connections in bounded number, of clients that are waited for as long as is said.

use super::connections::{Connections, Lane, Room, Seat};
use super::paced::Paced;
use super::state::Shared;
use crate::project::{HttpConfig, Patience};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::IntoResponse;
use http::StatusCode;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The largest head of a request. A token has its place in it.
const HEAD: usize = 64 << 10;
/// How long nothing is accepted after the system refused to.
const PAUSE: Duration = Duration::from_millis(50);

/// A listener, and what is kept to of its connections.
pub(super) struct Listening {
    listener: TcpListener,
    connections: Arc<Connections>,
    patience: Patience,
}

impl Listening {
    pub(super) fn new(listener: TcpListener, config: &HttpConfig) -> Listening {
        let room = Room::of(config.connections, config.connections_per_address, descriptors());
        Listening { listener, connections: Connections::new(room), patience: config.patience() }
    }

    /// Serves until `stop`; then those that are answered are finished, and the others closed.
    pub(super) async fn serve(self, router: Router, shared: Arc<Shared>, stop: impl Future<Output = ()>) {
        let stopping = CancellationToken::new();
        let mut open = JoinSet::new();
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => match self.connections.admit(peer.ip()) {
                        Some(seat) => {
                            let served = Served { router: router.clone(), patience: self.patience, stopping: stopping.clone() };
                            open.spawn(served.connection(stream, seat));
                        }
                        None => shared.metrics.refused("connections"),
                    },
                    Err(error) => after(&error).await,
                },
                Some(_) = open.join_next() => {}
            }
            shared.metrics.connected(self.connections.count());
        }
        drop(self.listener);
        stopping.cancel();
        self.connections.close_waiting();
        while open.join_next().await.is_some() {}
    }
}

/// Waits where a connection could not be accepted for want of something; a client that is gone already wants nothing.
async fn after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "a connection cannot be accepted");
        tokio::time::sleep(PAUSE).await;
    }
}

/// What a connection is served with.
struct Served {
    router: Router,
    patience: Patience,
    stopping: CancellationToken,
}

impl Served {
    async fn connection(self, stream: TcpStream, seat: Seat) {
        let lane = Arc::clone(seat.lane());
        let Served { router, patience, stopping } = self;
        let service = service_fn({
            let lane = Arc::clone(&lane);
            move |request| Begun::of(answer(router.clone(), Arc::clone(&lane), request))
        });
        let io = TokioIo::new(Paced::new(stream, Arc::clone(&lane), patience));
        let mut http = http1::Builder::new();
        // hyper counts from the end of the last answer; the head itself is the concern of `Paced`.
        http.timer(TokioTimer::new()).header_read_timeout(patience.idle.max(patience.header)).max_header_size(HEAD);
        let mut connection = std::pin::pin!(http.serve_connection(io, service));
        let mut is_told = false;
        loop {
            tokio::select! {
                // Who was too slow, or is gone, hears no more.
                _ = connection.as_mut() => return,
                () = lane.closed() => return,
                () = stopping.cancelled(), if !is_told => {
                    is_told = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// The answering of a request, which begins in any case.
///
/// hyper drops it when the client has left, also before it has been polled for the first time: whoever sends a request and
/// closes the connection would call a tool, and nobody would know.
struct Begun<F: Future> {
    answering: Pin<Box<F>>,
    has_begun: bool,
}

impl<F: Future> Begun<F> {
    fn of(answering: F) -> Begun<F> {
        Begun { answering: Box::pin(answering), has_begun: false }
    }
}

impl<F: Future> Future for Begun<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.has_begun = true;
        self.answering.as_mut().poll(context)
    }
}

impl<F: Future> Drop for Begun<F> {
    fn drop(&mut self) {
        if !self.has_begun {
            // What it comes to is dropped with it, and notes that by itself.
            let _ = self.answering.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
    }
}

/// Answers a request, and notes how far it is.
async fn answer(
    router: Router,
    lane: Arc<Lane>,
    request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    let request = request.map(|body| match body.is_end_stream() {
        true => {
            lane.works();
            Body::empty()
        }
        false => {
            lane.awaits_body();
            Body::new(Watched { body, lane: Arc::clone(&lane) })
        }
    });
    let mut answering = std::pin::pin!(TowerToHyperService::new(router).call(request));
    let response = std::future::poll_fn(|context| match answering.as_mut().poll(context) {
        Poll::Pending if !(lane.has_left() && lane.is_working()) => Poll::Pending,
        // It has begun, as all that has arrived: dropping it stops its query, and notes that.
        _ if lane.has_left() => Poll::Ready(Ok(StatusCode::NO_CONTENT.into_response())),
        answered => answered,
    });
    let response = response.await?;
    if response.body().size_hint().exact().is_some() {
        lane.answers();
        return Ok(response);
    }
    lane.streams();
    Ok(response.map(|body| Body::new(Heard { body, lane })))
}

/// An answer that ends when nobody listens any more: then the next request of the connection is read.
struct Heard {
    body: Body,
    lane: Arc<Lane>,
}

impl HttpBody for Heard {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.lane.has_left() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A body that tells when it has come.
struct Watched {
    body: Incoming,
    lane: Arc<Lane>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.lane.works();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// How many files the process may open: as many as it may ask for, up to what a server has use for.
#[cfg(target_os = "linux")]
fn descriptors() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    const USEFUL: u64 = 1 << 16;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(USEFUL).min(USEFUL);
    if current.is_some_and(|current| current < wanted)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok()
    {
        return Some(wanted);
    }
    current
}

/// Elsewhere nobody is asked.
#[cfg(not(target_os = "linux"))]
fn descriptors() -> Option<u64> {
    None
}
