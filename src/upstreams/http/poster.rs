//! What the library needs of an HTTP client, over the one that this project has.

use super::http_error::HttpError;
use super::posting::Posting;
use super::{events, redirects};
use crate::upstreams::config::{Address, Config};
use crate::upstreams::failure::Failure;
use futures::stream::BoxStream;
use http::header::ACCEPT;
use http::{HeaderName, HeaderValue, StatusCode};
use reqwest::{Client, RequestBuilder};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_LAST_EVENT_ID, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Error as SseError, Sse};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

type Headers = HashMap<HeaderName, HeaderValue>;
type Outcome<T> = Result<T, StreamableHttpError<HttpError>>;

/// How often a broken stream of events is opened again.
const REOPENED: usize = 3;
/// The longest pause before it is.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Posts messages to one server.
#[derive(Clone)]
pub(crate) struct Poster {
    client: Client,
    most_bytes: usize,
    probe: Duration,
}

impl Poster {
    /// A transport to an address.
    ///
    /// Errors: a header has a name or value that no header may have.
    pub(crate) fn transport(
        config: &Config,
        address: &Address,
    ) -> Result<StreamableHttpClientTransport<Poster>, Failure> {
        let client = Client::builder()
            .redirect(redirects::policy())
            .connect_timeout(config.timeouts.connect)
            .build()
            .map_err(|error| Failure::Unreachable(HttpError::of_request(error).to_string()))?;
        let mut told = StreamableHttpClientTransportConfig::with_uri(address.url.as_str());
        told.custom_headers = headers(address)?;
        told.max_sse_event_size = config.most_bytes;
        told.max_concurrent_requests = config.concurrency.saturating_add(4);
        // A session that is over is a connection that is over: whoever answers now may be another release.
        told.reinit_on_expired_session = false;
        let mut backoff = ExponentialBackoff::default();
        backoff.max_times = Some(REOPENED);
        backoff.max_delay = Some(LONGEST_PAUSE);
        told.retry_config = Arc::new(backoff);
        let poster = Poster { client, most_bytes: config.most_bytes, probe: config.timeouts.probe };
        Ok(StreamableHttpClientTransport::with_client(poster, told))
    }

    fn accepting(&self, request: RequestBuilder, session: Option<&str>, headers: Headers) -> RequestBuilder {
        let accepted = format!("{EVENT_STREAM_MIME_TYPE}, {JSON_MIME_TYPE}");
        let request = headers
            .into_iter()
            .fold(request.header(ACCEPT, accepted), |request, (name, value)| request.header(name, value));
        match session {
            Some(session) => request.header(HEADER_SESSION_ID, session),
            None => request,
        }
    }
}

impl StreamableHttpClient for Poster {
    type Error = HttpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _authorization: Option<String>,
        headers: Headers,
    ) -> Outcome<StreamableHttpPostResponse> {
        let body = serde_json::to_vec(&message)?;
        let request = self.accepting(self.client.post(uri.as_ref()), session.as_deref(), headers);
        let request = request.header(http::header::CONTENT_TYPE, JSON_MIME_TYPE).body(body);
        let posting = Posting { message: &message, has_session: session.is_some(), most_bytes: self.most_bytes };
        match posting.is_probe() {
            true => match tokio::time::timeout(self.probe, posting.send(request)).await {
                Ok(outcome) => outcome,
                Err(_) => Ok(posting.unknown("no answer in time")),
            },
            false => posting.send(request).await,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _authorization: Option<String>,
        headers: Headers,
    ) -> Outcome<()> {
        let request = self.accepting(self.client.delete(uri.as_ref()), Some(&session), headers);
        let status = request.send().await.map_err(HttpError::of_request)?.status();
        match status {
            StatusCode::METHOD_NOT_ALLOWED => Err(StreamableHttpError::ServerDoesNotSupportDeleteSession),
            // It may be over already.
            StatusCode::NOT_FOUND => Ok(()),
            status if status.is_success() => Ok(()),
            status => Err(HttpError::of_status(status).into()),
        }
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _authorization: Option<String>,
        headers: Headers,
    ) -> Outcome<BoxStream<'static, Result<Sse, SseError>>> {
        let mut request = self.accepting(self.client.get(uri.as_ref()), session.as_deref(), headers);
        if let Some(id) = last_event {
            request = request.header(HEADER_LAST_EVENT_ID, id);
        }
        let response = request.send().await.map_err(HttpError::of_request)?;
        match response.status() {
            // Older servers say 400 or 404 where they have no such stream.
            StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => {
                Err(StreamableHttpError::ServerDoesNotSupportSse)
            }
            status if status.is_success() => Ok(events::of_answer(response, self.most_bytes, None)),
            status => Err(HttpError::of_status(status).into()),
        }
    }
}

fn headers(address: &Address) -> Result<Headers, Failure> {
    let mut headers = Headers::new();
    for (name, value) in &address.headers {
        let unfit = || Failure::Unreachable(format!("the header `{name}` cannot be sent"));
        let key = HeaderName::try_from(name.as_str()).map_err(|_| unfit())?;
        let mut value = HeaderValue::try_from(value.exposed()).map_err(|_| unfit())?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}
