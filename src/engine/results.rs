//! Results that are kept between calls, of tools whose author says for how long (`cache_ttl`).
//!
//! What is given again is what an equal call would find: the key holds the contract, the values that the call is bound to,
//! the caller, and the versions of the tables' data. Of some tables nobody learns that they changed; there the time is all
//! that counts.

use super::core::Core;
use super::limits::Limits;
use super::open_table::DataVersion;
use super::prepared::Prepared;
use super::result::{CallResult, Passed};
use moka::Expiry;
use moka::sync::Cache;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The hash of all that tells it apart.
    pub key: [u8; 32],
    /// Which rows the tables have.
    pub versions: Vec<u64>,
    /// How long the result is kept.
    pub lasts: Duration,
}

impl Place {
    /// Which rows the tables of a tool have; `None` where a change would not show.
    pub(super) fn versions(prepared: &Prepared, core: &Core) -> Option<Vec<u64>> {
        let told = core.opened(&prepared.tables).filter_map(|table| number(table.data_version()));
        let of_database = prepared.source.iter().filter_map(|source| number(core.databases.data_version(source)));
        told.chain(of_database).collect()
    }

    /// Whether the tables have the rows that they had. Else nobody knows which rows a result is made of.
    pub(super) fn holds(&self, prepared: &Prepared, core: &Core) -> bool {
        Place::versions(prepared, core).as_ref() == Some(&self.versions)
    }
}

/// The number of a state of data, where one is told; `None` inside where a change would not show.
fn number(version: DataVersion) -> Option<Option<u64>> {
    match version {
        DataVersion::Of(number) => Some(Some(number)),
        DataVersion::Unsettled => Some(None),
        DataVersion::Untold => None,
    }
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

    /// The result of an equal call.
    pub(super) fn get(&self, place: &Place) -> Option<CallResult> {
        self.0.get(&place.key).map(|kept| kept.result.as_ref().clone())
    }

    /// Keeps a result for calls to come.
    pub(super) fn keep(&self, place: &Place, result: &CallResult) {
        self.0.insert(place.key, Kept { result: Arc::new(result.clone()), lasts: place.lasts });
    }
}

fn weight(result: &CallResult) -> usize {
    OVERHEAD + result.table.len() + result.rows.bytes() + result.passed.as_deref().map_or(0, Passed::size)
}
