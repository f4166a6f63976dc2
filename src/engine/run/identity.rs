//! Which calls are the same one: for the cursor of a further page, and for results that are kept.

use super::Checked;
use crate::engine::core::Core;
use crate::engine::cursor::lasting;
use crate::engine::results::Place;
use crate::engine::{Prepared, cursor};
use crate::name::RESERVED;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

impl Checked {
    /// What a cursor is bound to: the tool as it is compiled, the keys that its rows are told apart by, the caller, and all
    /// values, whether they come from the agent, the caller or the environment. `None` where a value cannot be told.
    pub(super) fn identity(&self, prepared: &Prepared, core: &Core) -> Option<Vec<u8>> {
        let keys: BTreeMap<&String, &[String]> =
            prepared.tables.iter().map(|table| (table, core.primary_key(table))).collect();
        let told = (&*prepared.contract, keys, lasting(&self.caller.claims), self.own_arguments());
        let mut all = serde_json::to_vec(&told).ok()?;
        // JSON holds no zero.
        all.push(0);
        all.extend(self.call.identity(&self.tool.contract)?);
        Some(all)
    }

    /// The arguments of a tool that is written in Rust, which reads them itself, in the order of their names.
    fn own_arguments(&self) -> BTreeMap<&String, &Value> {
        let is_native = self.tool.contract.schema().is_some();
        let own = self.arguments.iter().filter(|(name, _)| is_native && !RESERVED.contains(&name.as_str()));
        own.collect()
    }

    /// Where the result of the call is kept; `None` where it must not be: its author does not ask for that, or a file was
    /// changed so lately that a further change would not show.
    pub(super) fn place(&self, prepared: &Prepared, core: &Core) -> Option<Place> {
        let lasts = self.tool.contract.cache_ttl?.0;
        let call = &self.call;
        // A tool that is written in Rust may look at all of its caller.
        let caller = self.tool.contract.schema().is_some().then(|| {
            let headers: BTreeMap<&String, &String> = self.caller.headers.iter().collect();
            (&self.caller.claims, headers)
        });
        let page = self.page.map(|page| (page.skip, page.now));
        let told = (call.limit, call.format, page, &call.notes, self.caller.now, caller);
        let versions = Place::versions(prepared, core)?;
        let mut hash = Sha256::new();
        for part in
            [self.identity(prepared, core)?, serde_json::to_vec(&told).ok()?, serde_json::to_vec(&versions).ok()?]
        {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(&part);
        }
        Some(Place { key: hash.finalize().into(), versions, lasts })
    }

    /// The cursor of the page that begins behind so many rows.
    pub(super) fn cursor(&self, prepared: &Prepared, core: &Core, skip: u64) -> Option<String> {
        let at = cursor::Position { skip, now: self.call.now };
        Some(core.key.write(&self.identity(prepared, core)?, at))
    }
}
