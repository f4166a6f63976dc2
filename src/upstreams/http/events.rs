//! Streams of server-sent events, none of which may be larger than is taken.

use super::http_error::HttpError;
use crate::upstreams::local_error::LocalError;
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use reqwest::Response;
use rmcp::model::RequestId;
use sse_stream::{Error as SseError, Sse, SseStream};
use std::fmt;

/// Why a stream ended.
#[derive(Debug)]
enum Broken {
    TooLarge,
    Connection(HttpError),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::TooLarge => f.write_str("an event is too large"),
            Broken::Connection(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Broken {}

/// The events of an answer. One that is too large is the last, and stands for the answer to the request.
pub(super) fn of_answer(
    response: Response,
    most: usize,
    request: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let start = Some((response, Size { most, ..Size::default() }));
    let bytes = stream::unfold(start, |state| async {
        let (mut response, mut size) = state?;
        match response.chunk().await {
            Ok(None) => None,
            Ok(Some(chunk)) if size.allows(&chunk) => Some((Ok(chunk), Some((response, size)))),
            Ok(Some(_)) => Some((Err::<Bytes, Broken>(Broken::TooLarge), None)),
            Err(error) => Some((Err(Broken::Connection(HttpError::of_request(error))), None)),
        }
    });
    SseStream::from_bytes_stream(Box::pin(bytes))
        .map(move |event| event.or_else(|error| answered(error, &request)))
        .boxed()
}

fn answered(error: SseError, request: &Option<RequestId>) -> Result<Sse, SseError> {
    let is_too_large = matches!(
        &error,
        SseError::Body(cause) if matches!(cause.downcast_ref::<Broken>(), Some(Broken::TooLarge))
    );
    match request {
        Some(id) if is_too_large => {
            let message = serde_json::to_string(&LocalError::TooLarge.answer_to(id.clone()));
            message.map(|message| Sse::default().data(message)).map_err(|_| error)
        }
        _ => Err(error),
    }
}

/// Counts the bytes of an event, which ends with an empty line.
#[derive(Default)]
struct Size {
    most: usize,
    event: usize,
    line: usize,
}

impl Size {
    fn allows(&mut self, chunk: &[u8]) -> bool {
        for byte in chunk {
            match byte {
                b'\r' => {}
                b'\n' if self.line == 0 => self.event = 0,
                b'\n' => self.line = 0,
                _ => {
                    self.line += 1;
                    self.event += 1;
                }
            }
            if self.event > self.most {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_one_event() {
        let mut size = Size { most: 10, ..Size::default() };
        assert!(size.allows(b"data: abc\n\ndata: abc\r\n\r\ndata: a"));
        assert!(size.allows(b"bc"));
        assert!(!size.allows(b"de"));
    }
}
