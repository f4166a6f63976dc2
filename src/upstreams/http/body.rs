//! Bodies of answers, of at most so many bytes.

use super::http_error::HttpError;
use reqwest::Response;

/// What was read of a body.
pub(super) enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// It is larger than is taken.
    TooLarge,
}

/// Reads a body of at most so many bytes.
///
/// Errors: the connection breaks.
pub(super) async fn read(mut response: Response, most: usize) -> Result<Body, HttpError> {
    if response.content_length().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > most)) {
        return Ok(Body::TooLarge);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(HttpError::of_request)? {
        if bytes.len() + chunk.len() > most {
            return Ok(Body::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Body::Whole(bytes))
}
