//! Results that are kept between calls, of tools whose author says for how long (`cache_ttl`).
//!
//! What is given again is what an equal call would find: the key holds the contract, the arguments, the caller, and what
//! the tables' files look like. Of tables elsewhere nobody learns that they changed; there the time is all that counts.

use super::Prepared;
use super::bind::{Arguments, Caller};
use super::cursor::lasting;
use super::limits::Limits;
use super::refresh::Source;
use super::result::CallResult;
use crate::project::BoundFrom;
use crate::tool::Tool;
use moka::Expiry;
use moka::sync::Cache;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a kept result takes beside its text and rows.
const OVERHEAD: usize = 256;

/// The results of all tools.
pub(super) struct Results(Cache<[u8; 32], Kept>);

#[derive(Clone)]
struct Kept {
    result: Arc<CallResult>,
    lasts: Duration,
}

/// Which calls have the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    key: [u8; 32],
    lasts: Duration,
}

/// Every result lasts as long as its tool says.
struct OwnTime;

impl Expiry<[u8; 32], Kept> for OwnTime {
    fn expire_after_create(&self, _: &[u8; 32], kept: &Kept, _: Instant) -> Option<Duration> {
        Some(kept.lasts)
    }
}

impl Results {
    pub(super) fn new(limits: &Limits) -> Results {
        let weigh = |_: &[u8; 32], kept: &Kept| u32::try_from(weight(&kept.result)).unwrap_or(u32::MAX);
        let most = u64::try_from(limits.results).unwrap_or(u64::MAX);
        Results(Cache::builder().max_capacity(most).weigher(weigh).expire_after(OwnTime).build())
    }

    /// Where the result of a call belongs; `None` where it must not be kept: its author does not ask for that, or a file
    /// was changed so lately that a further change would not show.
    pub(super) fn place(
        &self,
        prepared: &Prepared,
        source: &Source,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Option<Place> {
        let tool = prepared.tool();
        let lasts = tool.cache_ttl?.0;
        // In the order of their names, as a cursor has them: an agent's order means nothing.
        let arguments: BTreeMap<&String, &Value> = arguments.iter().collect();
        let headers: Vec<Option<&String>> = headers(&tool).map(|name| caller.headers.get(&name)).collect();
        let versions: Option<Vec<u64>> =
            source.cached(&prepared.tables).map(|table| table.version().map(|version| version.number())).collect();
        let told = (&*prepared.contract, arguments, lasting(&caller.claims), headers, caller.now, versions?);
        Some(Place { key: Sha256::digest(serde_json::to_vec(&told).ok()?).into(), lasts })
    }

    /// The result of an equal call.
    pub(super) fn get(&self, place: &Place) -> Option<CallResult> {
        self.0.get(&place.key).map(|kept| kept.result.as_ref().clone())
    }

    /// Keeps a result for calls to come.
    pub(super) fn keep(&self, place: Place, result: &CallResult) {
        self.0.insert(place.key, Kept { result: Arc::new(result.clone()), lasts: place.lasts });
    }
}

/// The headers that values are taken from.
fn headers(tool: &Tool) -> impl Iterator<Item = String> {
    tool.parameters.iter().filter_map(|parameter| match &parameter.from {
        Some(BoundFrom::Header(name)) => Some(name.to_lowercase()),
        _ => None,
    })
}

fn weight(result: &CallResult) -> usize {
    OVERHEAD + result.table.len() + result.rows.bytes()
}
