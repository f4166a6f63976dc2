//! The head and the body of an answer, read up to a limit.

use super::causes;
use super::failure::{Failure, Fault};
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

/// The headers that every answer may have, in bytes: many have more of them than of the body.
const LEAST_HEAD: usize = 16 << 10;
/// The most bytes that are kept of what is said with a status that is no success.
const MOST_OF_A_REFUSAL: usize = 16 << 10;

/// The most bytes of headers where a body has so many.
pub(super) fn head_limit(bytes: usize) -> usize {
    bytes.max(LEAST_HEAD)
}

/// Checks the headers of an answer.
///
/// Errors: they have more bytes than `limit`.
pub(super) fn check_head(headers: &HeaderMap, limit: usize) -> Result<(), Failure> {
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if bytes > limit { Err(Failure::HeadTooLarge { limit }) } else { Ok(()) }
}

/// The body of an answer, up to `limit` bytes and until `until`.
///
/// Errors: it is longer, takes longer, is broken off or compressed.
pub(super) async fn read_body(response: &mut Response, limit: usize, until: Instant) -> Result<Bytes, Failure> {
    if is_compressed(response.headers()) {
        return Err(Failure::Broken(Fault::Compressed));
    }
    let too_large = Failure::TooLarge { limit };
    if response.content_length().is_some_and(|length| usize::try_from(length).map_or(true, |length| length > limit)) {
        return Err(too_large);
    }
    let mut body = Vec::new();
    loop {
        let chunk = timeout_at(until, response.chunk()).await.map_err(|_| Failure::TimedOut)?;
        let Some(chunk) = chunk.map_err(|error| causes::failure(&error, limit))? else { break };
        if body.len().saturating_add(chunk.len()) > limit {
            return Err(too_large);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Bytes::from(body))
}

/// The beginning of what is said with a status that is no success: as much as comes unbroken and in time.
pub(super) async fn read_refusal(response: &mut Response, limit: usize, until: Instant) -> Bytes {
    let limit = limit.min(MOST_OF_A_REFUSAL);
    let mut body = Vec::new();
    if is_compressed(response.headers()) {
        return Bytes::new();
    }
    while body.len() < limit {
        let Ok(Ok(Some(chunk))) = timeout_at(until, response.chunk()).await else { break };
        body.extend(chunk.iter().take(limit - body.len()));
    }
    Bytes::from(body)
}

fn is_compressed(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}
