//! Why a request failed, without its address and without its headers: both may hold secrets.

use crate::upstreams::send_failure::{Reached, SendFailure};
use reqwest::StatusCode;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use std::error::Error;
use std::fmt;

/// Why a request failed.
#[derive(Debug)]
pub(crate) struct HttpError {
    reached: Reached,
    words: String,
}

impl HttpError {
    /// A request that could not be sent or whose answer could not be read.
    pub(super) fn of_request(error: reqwest::Error) -> HttpError {
        let reached = if error.is_connect() || error.is_builder() { Reached::Never } else { Reached::Perhaps };
        let error = error.without_url();
        let mut words = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            words = format!("{words}: {cause}");
            source = cause.source();
        }
        HttpError { reached, words }
    }

    /// An answer with a status that is no success.
    pub(super) fn of_status(status: StatusCode) -> HttpError {
        let words = match status {
            StatusCode::UNAUTHORIZED => "HTTP 401: it asks for authorization".to_owned(),
            StatusCode::FORBIDDEN => "HTTP 403: it does not allow this".to_owned(),
            status => format!("HTTP {status}"),
        };
        HttpError { reached: Reached::Perhaps, words }
    }

    /// An answer that is not understood.
    pub(super) fn of_answer(words: impl Into<String>) -> HttpError {
        HttpError { reached: Reached::Perhaps, words: words.into() }
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Error for HttpError {}

impl From<HttpError> for StreamableHttpError<HttpError> {
    fn from(error: HttpError) -> Self {
        StreamableHttpError::Client(error)
    }
}

impl From<StreamableHttpError<HttpError>> for SendFailure {
    fn from(error: StreamableHttpError<HttpError>) -> SendFailure {
        match error {
            StreamableHttpError::Client(error) => SendFailure { reached: error.reached, words: error.words },
            StreamableHttpError::SessionExpired => {
                SendFailure { reached: Reached::Forgotten, words: "its session is over".to_owned() }
            }
            other => SendFailure { reached: Reached::Perhaps, words: other.to_string() },
        }
    }
}
