//! Sends requests.

use super::address::{self, Judge};
use super::answer::Answer;
use super::body;
use super::bounds::{Bounds, Reach};
use super::causes;
use super::failure::Failure;
use super::guard::{self, Guard, SystemNames};
use super::prepared::Prepared;
use super::redirect::Redirects;
use super::retry_after::retry_after;
use super::trust::{NoClient, Trust};
use chrono::Utc;
use http::HeaderValue;
use http::header::ACCEPT_ENCODING;
use reqwest::dns::Resolve;
use reqwest::{Response, redirect, retry};
use rustls::ClientConfig;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// Sends requests. Cheap to share; one that is dropped while it sends ends its connection.
#[derive(Clone)]
pub struct Client {
    /// Two, because connections are kept: one to a private address must not serve a request that may not go there.
    public: reqwest::Client,
    any: reqwest::Client,
    judge: Judge,
}

/// A connection that waits longer for the next request is closed.
const IDLE: Duration = Duration::from_secs(30);
/// The most connections to one host that wait.
const MOST_IDLE: usize = 4;
/// Some servers answer nobody who does not say who it is.
const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
/// A longer time is cut to it: it can be added to any instant.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

impl Client {
    /// A client that asks the system for names.
    ///
    /// Errors: a trusted certificate is none, or TLS cannot be used.
    pub fn new(trust: Trust) -> Result<Client, NoClient> {
        Client::over(trust, Arc::new(SystemNames::new()), address::kind_of_address)
    }

    /// A client that asks another resolver and another judge.
    pub(super) fn over(trust: Trust, names: Arc<dyn Resolve>, judge: Judge) -> Result<Client, NoClient> {
        let tls = trust.into_config()?;
        let public = connecting(tls.clone(), Arc::new(Guard::new(Arc::clone(&names), judge)))?;
        let any = connecting(tls, Arc::new(Guard::new(names, |_| None)))?;
        Ok(Client { public, any, judge })
    }

    /// Sends a request, follows where it is led, and reads the answer. Dropping the future ends it.
    ///
    /// Errors: there is no answer with a status of success, or none within the bounds.
    pub async fn send(&self, request: Prepared, reach: &Reach, bounds: &Bounds) -> Result<Answer, Failure> {
        let until = Instant::now() + bounds.time.min(LONGEST);
        let limit = body::head_limit(bounds.bytes);
        let redirects = Redirects::new(request.url(), reach, bounds);
        let mut request = request;
        let mut followed = 0;
        loop {
            let asked = timeout_at(until, self.ask(&request, reach)).await.map_err(|_| Failure::TimedOut)?;
            let response = asked.map_err(|asked| asked.into_failure(limit))?;
            body::check_head(response.headers(), limit)?;
            let Some(next) = redirects.next(&request, response.status(), response.headers())? else {
                return finish(response, request.url().clone(), bounds.bytes, until).await;
            };
            if followed == bounds.redirects {
                return Err(Failure::TooManyRedirects { limit: bounds.redirects });
            }
            followed += 1;
            request = next;
        }
    }

    /// One exchange, up to the end of the head.
    async fn ask(&self, request: &Prepared, reach: &Reach) -> Result<Response, NotAsked> {
        let client = if reach.private { &self.any } else { &self.public };
        if !reach.private {
            guard::check_host(request.url(), self.judge).map_err(|address| NotAsked::For(Failure::Refused(address)))?;
        }
        let mut asked = reqwest::Request::new(request.method().clone(), request.url().clone());
        *asked.headers_mut() = request.headers().clone();
        asked.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        *asked.body_mut() = request.body().cloned().map(reqwest::Body::from);
        client.execute(asked).await.map_err(NotAsked::By)
    }
}

/// Why an exchange did not come to the end of the head.
enum NotAsked {
    For(Failure),
    By(reqwest::Error),
}

impl NotAsked {
    fn into_failure(self, limit: usize) -> Failure {
        match self {
            NotAsked::For(failure) => failure,
            NotAsked::By(error) => causes::failure(&error, limit),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

/// A client that connects to what the guard lets through, straight: a proxy would ask for names itself.
fn connecting(tls: ClientConfig, guard: Arc<Guard>) -> Result<reqwest::Client, NoClient> {
    let client = reqwest::Client::builder().use_preconfigured_tls(tls).dns_resolver(guard).no_proxy();
    // What other crates switch on in reqwest must change nothing here.
    let client = client.no_gzip().no_brotli().no_zstd().no_deflate().http1_only();
    let client = client.redirect(redirect::Policy::none()).retry(retry::never()).referer(false);
    let client = client.user_agent(USER_AGENT).pool_idle_timeout(IDLE).pool_max_idle_per_host(MOST_IDLE);
    client.build().map_err(|_| NoClient::Client)
}

async fn finish(mut response: Response, final_url: Url, bytes: usize, until: Instant) -> Result<Answer, Failure> {
    let status = response.status();
    if !status.is_success() {
        let retry_after = retry_after(response.headers(), Utc::now());
        let body = body::read_refusal(&mut response, bytes, until).await;
        return Err(Failure::Status { status: status.as_u16(), retry_after, body });
    }
    let body = body::read_body(&mut response, bytes, until).await?;
    Ok(Answer { status: status.as_u16(), headers: std::mem::take(response.headers_mut()), body, final_url })
}
