//! The body of a request: read as a whole, in bounded time, and not lost where the client leaves as soon as it has sent
//! it.
//!
//! When a client closes its connection, hyper drops what answers it, also where the whole message has been received and
//! nobody has read it yet. Such a message was sent, and who sent it may have left on purpose: what has come is told.

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

/// Why a body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is larger than what is taken.
    TooLarge,
    /// It did not come in time.
    TooSlow,
    /// It comes in pieces that are none of HTTP.
    Malformed,
    /// It ended before its end.
    Broken,
}

/// What is said of [`Unread::TooSlow`].
pub(super) const LATE: &str = "the body did not come in time";

/// What is said of [`Unread::Malformed`].
pub(super) const MALFORMED: &str = "the body does not come in chunks as HTTP has them";

/// What is taken of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// The most bytes.
    pub(super) bytes: usize,
    /// The time until its end.
    pub(super) time: Duration,
}

/// Why a body is not to be read as JSON, as its headers tell. Two media types leave open which of them it is, what is
/// compressed is not unpacked here, and JSON that is sent over a network is UTF-8 (RFC 8259, 8.1).
pub(super) fn is_foreign(headers: &HeaderMap) -> Option<&'static str> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let only = types.next().filter(|_| types.next().is_none()).and_then(|only| only.to_str().ok());
    let mut parts = only.unwrap_or_default().split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    if !essence.eq_ignore_ascii_case("application/json") {
        Some("the body is application/json")
    } else if !parts.all(|parameter| charset(parameter).is_none_or(is_utf8)) {
        Some("the body is UTF-8")
    } else if codings.any(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity")) {
        Some("the body is not compressed: send it without Content-Encoding")
    } else {
        None
    }
}

/// The encoding that a parameter of a media type names.
fn charset(parameter: &str) -> Option<&str> {
    let (name, value) = parameter.split_once('=')?;
    name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
}

fn is_utf8(charset: &str) -> bool {
    ["utf-8", "utf8"].iter().any(|known| known.eq_ignore_ascii_case(charset))
}

/// Reads a body. `left` is told of a whole body whose sender no longer waits, in place of the caller.
pub(super) async fn read(body: Body, taken: Taken, left: impl FnOnce(&[u8])) -> Result<Bytes, Unread> {
    let mut arriving = Arriving { body, first: Bytes::new(), more: Vec::new(), most: taken.bytes, left: Some(left) };
    let whole = std::future::poll_fn(|context| arriving.poll(context));
    let read = tokio::time::timeout(taken.time, whole).await.unwrap_or(Err(Unread::TooSlow));
    arriving.left = None;
    read
}

/// Why a piece cannot be had: its sender wrote something that is none, or has left.
fn unread(error: &axum::Error) -> Unread {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let kind = causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind).next();
    match kind {
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => Unread::Malformed,
        _ => Unread::Broken,
    }
}

struct Arriving<F: FnOnce(&[u8])> {
    body: Body,
    /// Nearly every body comes in one piece, which is not copied.
    first: Bytes,
    more: Vec<u8>,
    most: usize,
    /// Until it was read, or cannot be.
    left: Option<F>,
}

impl<F: FnOnce(&[u8])> Arriving<F> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Bytes, Unread>> {
        if self.body.size_hint().lower() > self.most as u64 {
            return Poll::Ready(Err(Unread::TooLarge));
        }
        while let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(context)) {
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => return Poll::Ready(Err(unread(&error))),
            };
            // What is no data is a trailer, and nobody asked for those.
            if let Ok(data) = frame.into_data()
                && !self.takes(data)
            {
                return Poll::Ready(Err(Unread::TooLarge));
            }
        }
        let whole =
            if self.more.is_empty() { std::mem::take(&mut self.first) } else { std::mem::take(&mut self.more).into() };
        Poll::Ready(Ok(whole))
    }

    /// Adds to what has come; `false` where it becomes too much.
    fn takes(&mut self, data: Bytes) -> bool {
        if self.first.len() + self.more.len() + data.len() > self.most {
            return false;
        }
        if self.first.is_empty() && self.more.is_empty() {
            self.first = data;
        } else {
            self.more.extend_from_slice(&std::mem::take(&mut self.first));
            self.more.extend_from_slice(&data);
        }
        true
    }
}

impl<F: FnOnce(&[u8])> Drop for Arriving<F> {
    fn drop(&mut self) {
        let Some(left) = self.left.take() else { return };
        // What is still to come never will: the connection is gone.
        if let Poll::Ready(Ok(whole)) = self.poll(&mut Context::from_waker(Waker::noop())) {
            left(&whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const TAKEN: Taken = Taken { bytes: 8, time: Duration::from_secs(5) };

    fn pieces(pieces: &[&'static str]) -> Body {
        let pieces: Vec<Result<&'static str, std::io::Error>> = pieces.iter().map(|piece| Ok(*piece)).collect();
        Body::from_stream(futures::stream::iter(pieces))
    }

    #[tokio::test]
    async fn a_body_is_read_as_a_whole_or_not_at_all() {
        let nobody = |_: &[u8]| panic!("it was waited for");
        assert_eq!(read(Body::from("12345678"), TAKEN, nobody).await.unwrap(), "12345678");
        assert_eq!(read(pieces(&["123", "", "45", "678"]), TAKEN, nobody).await.unwrap(), "12345678");
        assert_eq!(read(Body::empty(), TAKEN, nobody).await.unwrap(), "");
        assert_eq!(read(Body::from("123456789"), TAKEN, nobody).await, Err(Unread::TooLarge));
        assert_eq!(read(pieces(&["12345", "6789"]), TAKEN, nobody).await, Err(Unread::TooLarge));
        let broken = futures::stream::iter([Ok("1"), Err(std::io::Error::other("gone"))]);
        assert_eq!(read(Body::from_stream(broken), TAKEN, nobody).await, Err(Unread::Broken));
        let malformed = futures::stream::iter([Ok("1"), Err(io::Error::new(io::ErrorKind::InvalidInput, "no size"))]);
        assert_eq!(read(Body::from_stream(malformed), TAKEN, nobody).await, Err(Unread::Malformed));
    }

    #[test]
    fn one_media_type_says_what_a_body_is() {
        let foreign = |of: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in of {
                headers.append(*name, value.parse().unwrap());
            }
            is_foreign(&headers)
        };
        let json = ("content-type", "Application/JSON; charset=utf-8");
        assert_eq!(foreign(&[json]), None);
        assert_eq!(foreign(&[json, ("content-encoding", "identity")]), None);
        for wrong in [&[][..], &[("content-type", "text/plain")], &[json, ("content-type", "text/plain")]] {
            assert_eq!(foreign(wrong), Some("the body is application/json"), "{wrong:?}");
        }
        for known in [r#"application/json;charset="UTF-8""#, "application/json; a=b; charset=utf8", "application/json;"]
        {
            assert_eq!(foreign(&[("content-type", known)]), None, "{known}");
        }
        for wrong in [
            "application/json; charset=utf-16",
            "application/json;Charset = \"UTF-16\"",
            "application/json; charset=utf-8; charset=iso-8859-1",
            "application/json; charset=",
        ] {
            assert_eq!(foreign(&[("content-type", wrong)]), Some("the body is UTF-8"), "{wrong}");
        }
        assert!(foreign(&[json, ("content-encoding", "gzip")]).is_some_and(|why| why.contains("not compressed")));
    }

    #[tokio::test]
    async fn a_body_that_does_not_end_is_given_up() {
        let endless = Body::from_stream(futures::stream::pending::<Result<&'static str, std::io::Error>>());
        let taken = Taken { time: Duration::from_millis(10), ..TAKEN };
        assert_eq!(read(endless, taken, |_| panic!("it did not come")).await, Err(Unread::TooSlow));
    }

    /// What is told of a body that nobody waits for, after it was looked at so often.
    fn told(body: Body, polls: usize) -> Option<Vec<u8>> {
        let told = RefCell::new(None);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _guard = runtime.enter();
        let mut reading = Box::pin(read(body, TAKEN, |bytes| *told.borrow_mut() = Some(bytes.to_vec())));
        for _ in 0..polls {
            let polled = reading.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
        }
        drop(reading);
        told.into_inner()
    }

    #[test]
    fn a_whole_body_is_told_of_though_nobody_waits() {
        type Piece = Result<&'static str, std::io::Error>;
        let late = |end: Poll<Option<Piece>>| {
            let mut polls = 0;
            Body::from_stream(futures::stream::poll_fn(move |_| -> Poll<Option<Piece>> {
                polls += 1;
                match polls {
                    1 => Poll::Ready(Some(Ok("123"))),
                    2 => Poll::Pending,
                    3 => Poll::Ready(Some(Ok("45"))),
                    _ if end.is_pending() => Poll::Pending,
                    _ => Poll::Ready(None),
                }
            }))
        };
        assert_eq!(told(late(Poll::Ready(None)), 1).as_deref(), Some(b"12345".as_slice()));
        assert_eq!(told(late(Poll::Pending), 1), None, "its end has not come");
    }
}
