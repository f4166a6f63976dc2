//! The keys of one issuer: when they are fetched, and how long they are good for.

use super::Refusal;
use super::jwks::KeySet;
use super::no_keys::NoKeys;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Where keys are fetched from: the network, or a test.
#[async_trait]
pub trait KeySource: Send + Sync {
    /// The JWK set at that URL.
    ///
    /// Errors: why it cannot be had.
    async fn fetch(&self, url: &str) -> Result<Vec<u8>, NoKeys>;
}

/// When keys are fetched again.
const FRESH_FOR: Duration = Duration::from_secs(600);
/// How long keys are used where no newer ones can be had.
const USED_FOR: Duration = Duration::from_secs(24 * 3_600);
/// How long after a fetch there is no other one, whatever tokens say.
const PAUSE: Duration = Duration::from_secs(30);
/// How long a fetch may take.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);

/// An issuer, and its keys as they were fetched last.
pub(super) struct Issuer {
    pub(super) name: String,
    url: String,
    source: Arc<dyn KeySource>,
    state: Mutex<State>,
    flight: tokio::sync::Mutex<()>,
}

#[derive(Clone, Default)]
struct State {
    keys: Arc<KeySet>,
    /// When the keys came.
    fetched: Option<SystemTime>,
    /// When keys were asked for last, whether they came or not.
    tried: Option<SystemTime>,
}

impl Issuer {
    pub(super) fn new(name: &str, url: &str, source: Arc<dyn KeySource>) -> Issuer {
        let (name, url) = (name.to_owned(), url.to_owned());
        Issuer { name, url, source, state: Mutex::default(), flight: tokio::sync::Mutex::default() }
    }

    /// The keys to look up that id in, fetched where they are old or do not have it.
    ///
    /// Errors: there are none, and none can be had.
    pub(super) async fn keys(self: &Arc<Self>, id: Option<&str>, now: SystemTime) -> Result<Arc<KeySet>, Refusal> {
        let state = self.state();
        let in_flight = self.flight.try_lock().is_err();
        let can_do_without = in_flight && state.answers(id, now);
        if state.wants_fetch(id, now) && !can_do_without {
            let (issuer, id) = (Arc::clone(self), id.map(str::to_owned));
            // A task of its own: a caller that hangs up must not end the fetch that others wait for.
            let fetch = tokio::spawn(async move { issuer.fetch(id.as_deref(), now).await });
            fetch.await.map_err(|_| Refusal::Unavailable)?;
        }
        let state = self.state();
        // An unknown key may be a new one, as long as the last fetch failed.
        let undecided = state.failed() && !state.answers(id, now);
        if state.usable(now) && !undecided { Ok(state.keys) } else { Err(Refusal::Unavailable) }
    }

    async fn fetch(&self, id: Option<&str>, now: SystemTime) {
        let _flight = self.flight.lock().await;
        if !self.state().wants_fetch(id, now) {
            return;
        }
        let document = tokio::time::timeout(FETCH_TIMEOUT, self.source.fetch(&self.url)).await;
        let document = document.unwrap_or_else(|_| Err("it takes too long".into()));
        let keys = document.and_then(|document| KeySet::parse(&document));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tried = Some(now);
        match keys {
            Ok(keys) => {
                state.keys = Arc::new(keys);
                state.fetched = Some(now);
            }
            Err(error) => tracing::warn!(issuer = %self.name, %error, "the keys of an issuer cannot be had"),
        }
    }

    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl State {
    fn wants_fetch(&self, id: Option<&str>, now: SystemTime) -> bool {
        let rested = self.tried.is_none_or(|tried| age(now, tried) >= PAUSE);
        let fresh = self.fetched.is_some_and(|fetched| age(now, fetched) < FRESH_FOR);
        rested && !(fresh && self.answers(id, now))
    }

    fn answers(&self, id: Option<&str>, now: SystemTime) -> bool {
        self.usable(now) && id.is_none_or(|id| self.keys.knows(id))
    }

    fn usable(&self, now: SystemTime) -> bool {
        self.fetched.is_some_and(|fetched| age(now, fetched) < USED_FOR)
    }

    fn failed(&self) -> bool {
        self.tried != self.fetched
    }
}

/// Requests overtake each other, so a moment ahead is now. A clock that was set back makes everything old.
fn age(now: SystemTime, then: SystemTime) -> Duration {
    const OVERTAKING: Duration = Duration::from_secs(60);
    match now.duration_since(then) {
        Ok(age) => age,
        Err(ahead) if ahead.duration() <= OVERTAKING => Duration::ZERO,
        Err(_) => Duration::MAX,
    }
}
