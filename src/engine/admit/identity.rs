//! Which calls are the same one: for the cursor of a further page, and for results that are kept.

use super::Admitted;
use crate::engine::cursor::{Position, lasting};
use crate::engine::results::Place;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

impl Admitted {
    /// What a cursor is bound to: the tool as it is compiled, the keys that its rows are told apart by, the caller, and all
    /// values, whether they come from the agent, the caller or the environment. `None` where a value cannot be told.
    pub(super) fn identity(&self) -> Option<Vec<u8>> {
        let tables = self.prepared.tables.iter();
        let keys: BTreeMap<&String, &[String]> = tables.map(|table| (table, self.core.primary_key(table))).collect();
        let told = (&*self.prepared.meant, keys, lasting(&self.caller.claims), self.own_arguments());
        let mut all = serde_json::to_vec(&told).ok()?;
        // JSON holds no zero.
        all.push(0);
        all.extend(self.call.identity(&self.tool.contract)?);
        Some(all)
    }

    /// The arguments of a tool that is written in Rust, which reads them itself, in the order of their names.
    fn own_arguments(&self) -> BTreeMap<&String, &Value> {
        let contract = &self.tool.contract;
        let is_native = contract.schema().is_some();
        let own = self.arguments.iter().filter(|(name, _)| is_native && !contract.is_automatic(name));
        own.collect()
    }

    /// Where the result of the call is kept; `None` where it must not be: its author does not ask for that, or a file was
    /// changed so lately that a further change would not show.
    pub(in crate::engine) fn place(&self) -> Option<Place> {
        let lasts = self.tool.contract.cache_ttl?.0;
        let call = &self.call;
        // A tool that is written in Rust may look at all of its caller.
        let caller = self.tool.contract.schema().is_some().then(|| {
            let headers: BTreeMap<&String, &String> = self.caller.headers.iter().collect();
            (&self.caller.claims, headers)
        });
        let page = self.page.map(|page| (page.skip, page.now));
        let told = (call.limit, call.format, page, &call.notes, self.caller.now, caller);
        let versions = Place::versions(&self.prepared, &self.core)?;
        let mut hash = Sha256::new();
        for part in [self.identity()?, serde_json::to_vec(&told).ok()?, serde_json::to_vec(&versions).ok()?] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(&part);
        }
        Some(Place { key: hash.finalize().into(), versions, lasts })
    }

    /// The cursor of the page that begins behind so many rows.
    pub(in crate::engine) fn cursor(&self, skip: u64) -> Option<String> {
        let at = Position { skip, now: self.call.now };
        Some(self.core.key.write(&self.identity()?, at))
    }
}
