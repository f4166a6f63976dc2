//! How derived fields are made, what is at hand for a call that makes them, and how they stand.

use super::super::{RecordsRunner, off_thread};
use crate::engine::error::CallError;
use crate::engine::prepared::Prepared;
use crate::engine::runners::Order;
use crate::project::{Derivation, DerivationKind, Lookup, Property, RecordContract};
use crate::records::change::{Record, Records, key_of};
use crate::records::derived::{CellState, Cells, cell_state, input_hash, inputs_of};
use crate::records::history::OVERRIDDEN;
use crate::records::lookup::{LookupRows, hashed};
use crate::tool::{DerivedQuery, RecordDerivation};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The most values that are asked for at a time.
const MOST_AT_ONCE: usize = 6;

/// How fields are made, ready to be called.
pub(in super::super) struct Maker {
    pub(super) derivation: Derivation,
    /// What gives the value, where that is a tool.
    pub(super) query: Option<(Arc<Prepared>, DerivedQuery)>,
}

impl Maker {
    pub(in super::super) fn of(one: &RecordDerivation) -> Maker {
        let query = one.query.as_deref().cloned();
        let query = query.map(|query| (Arc::new(Prepared::new(query.tool.clone())), query));
        Maker { derivation: one.derivation.clone(), query }
    }

    /// Whether a call that only tries makes its values: it costs nothing, and changes nothing.
    pub(super) fn may_be_tried(&self) -> bool {
        let reads = |query: &DerivedQuery| query.tool.contract.annotations.read_only && !query.asks_outside();
        self.query.as_ref().is_none_or(|(_, query)| reads(query))
    }

    /// How many of its values are made at a time: as many as a service or a machine stands, where none changes anything.
    pub(super) fn width(&self) -> usize {
        use DerivationKind::{Ai, Http, Python};
        let reads = self.query.as_ref().is_some_and(|(_, query)| query.tool.contract.annotations.read_only);
        if reads && matches!(self.derivation.kind, Http | Ai | Python) { MOST_AT_ONCE } else { 1 }
    }

    pub(super) fn lookup(&self) -> Option<&Lookup> {
        self.derivation.lookup.as_ref()
    }
}

/// What a maker has at hand for one call.
pub(super) struct Ready<'a> {
    pub(super) maker: &'a Maker,
    /// The fields that are asked for.
    pub(super) targets: Vec<&'a Property>,
    /// The rows that values are looked up in; else why there are none.
    pub(super) rows: Option<Result<LookupRows, String>>,
    /// What the hash of values depends on beside the fields.
    more: Map<String, Value>,
}

impl RecordsRunner {
    /// The files that say how fields are made, and what tells them from others.
    pub(in super::super) fn derivation_digests(&self) -> Vec<(String, String)> {
        let own = self.makers.iter().map(|maker| &maker.derivation);
        own.filter_map(|derivation| Some((derivation.file.clone()?, derivation.digest.clone()))).collect()
    }

    /// The makers of the fields that are asked for. Of those that are made elsewhere, only where all are wanted.
    pub(super) async fn ready(&self, order: Order<'_>, only_here: bool) -> Result<Vec<Ready<'_>>, CallError> {
        let asked = order.call.texts("targets").filter(|targets| !targets.is_empty());
        let mut found = Vec::new();
        for maker in &self.makers {
            let is_asked = |name: &&String| asked.as_ref().is_none_or(|asked| asked.contains(*name));
            let names = maker.derivation.targets.iter().filter(is_asked);
            let targets: Vec<&Property> = names.filter_map(|name| self.contract().property(name)).collect();
            if targets.is_empty() || only_here && !maker.derivation.is_made_here() {
                continue;
            }
            found.push(self.ready_one(maker, targets).await?);
        }
        Ok(found)
    }

    async fn ready_one<'a>(&'a self, maker: &'a Maker, targets: Vec<&'a Property>) -> Result<Ready<'a>, CallError> {
        let Some(lookup) = maker.lookup() else {
            // What SQL and a prompt say is in the digest, and with it all that matters.
            let is_own = matches!(maker.derivation.kind, DerivationKind::Sql | DerivationKind::Ai);
            let more = maker.query.iter().filter(|_| !is_own);
            let more = more.map(|(prepared, _)| ("tool".to_owned(), Value::from(&*prepared.contract)));
            return Ok(Ready { maker, targets, rows: None, more: more.collect() });
        };
        let is_sheet = maker.derivation.kind == DerivationKind::CrossSheet;
        let rows = match self.source_of(lookup, is_sheet) {
            Err(why) => Err(why),
            Ok(path) => {
                let (lookup, key) = (lookup.clone(), self.contract().key().cloned());
                let read = move || {
                    let Some(key) = key else { return Ok(Err("the records have no key".to_owned())) };
                    let rows = match is_sheet {
                        true => LookupRows::of_folder(&path, &lookup, &key),
                        false => LookupRows::of_file(&path, &lookup, &key),
                    };
                    Ok(rows.map_err(|why| why.to_string()))
                };
                off_thread(read).await?
            }
        };
        let more = rows.as_ref().map(|rows| hashed(lookup, rows, is_sheet)).unwrap_or_default();
        Ok(Ready { maker, targets, rows: Some(rows), more })
    }

    /// Where values are looked up: a file of the folder, or a folder that the project may read.
    fn source_of(&self, lookup: &Lookup, is_sheet: bool) -> Result<PathBuf, String> {
        let roots = self.core.roots.as_ref().ok_or("there is no folder to look in")?;
        let written = format!("{}/{}", self.set.folder, lookup.source);
        // Where else the project may not read is nobody's business.
        let unread = |_| format!("`{}` is not there, or the project may not read it", lookup.source);
        let path = roots.resolve_file(&written).map_err(unread)?;
        let own = roots.resolve_file(&self.set.folder).map_err(unread)?;
        match is_sheet || path.starts_with(&own) {
            true => Ok(path),
            false => Err(format!("`{}` is no file of the folder", lookup.source)),
        }
    }
}

impl Ready<'_> {
    /// The hash of what the values of a record are made of; `None` where that is not known here.
    pub(super) fn hash(&self, contract: &RecordContract, record: &Record) -> Option<String> {
        let derivation = &self.maker.derivation;
        if !derivation.is_made_here() || matches!(self.rows, Some(Err(_))) {
            return None;
        }
        let mut inputs = inputs_of(derivation, record);
        if derivation.lookup.is_some() {
            // It is looked up by its key, whatever else it is made of.
            let key = contract.key().map(|key| key.name.clone()).unwrap_or_default();
            let id = record.get(&key).cloned().unwrap_or_default();
            inputs.insert(key, id);
        }
        Some(input_hash(derivation, inputs, &self.more))
    }

    /// How a field stands in all records.
    pub(super) fn status(
        &self,
        contract: &RecordContract,
        target: &Property,
        (records, cells): (&Records, &Cells),
        asked: Option<&[Value]>,
    ) -> Map<String, Value> {
        let derivation = &self.maker.derivation;
        let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
        let id_of = |record: &Record| record.get(key).cloned().unwrap_or_default();
        let state = |record: &Record| {
            let latest = cells.latest(&id_of(record), &target.name);
            cell_state(latest, record.get(&target.name), self.hash(contract, record).as_deref(), derivation)
        };
        let latest = || records.values().filter_map(|record| cells.latest(&id_of(record), &target.name));
        let from = |source: &str| latest().filter(|event| event.source == source).count();
        let last = cells.last_of_field(records.values().filter_map(|record| record.get(key)), &target.name);
        let states: Vec<CellState> = records.values().map(state).collect();
        let count = |wanted: &[CellState]| states.iter().filter(|state| wanted.contains(state)).count();
        let cell = |id: &Value| {
            let record = records.get(&key_of(id))?;
            let latest = cells.latest(id, &target.name);
            Some(json!({
                "record_id": id, "state": state(record).as_str(), "source": latest.map(|event| &event.source),
                "actor": latest.map(|event| &event.actor), "at": latest.map(|event| &event.at),
            }))
        };
        let cells: Option<Vec<Value>> = asked.map(|asked| asked.iter().filter_map(cell).collect());
        let mut row = json!({
            "target": target.name, "derivation_kind": derivation.kind.as_str(), "total_records": records.len(),
            "with_provenance": latest().count(), "human_override_count": from(OVERRIDDEN),
            "fresh_count": count(&[CellState::Fresh]), "stale_count": count(&[CellState::Stale, CellState::Missing]),
            "last_at": last.map(|event| &event.at), "last_actor": last.map(|event| &event.actor), "cells": cells,
        });
        for kind in DerivationKind::ALL {
            if let Some(row) = row.as_object_mut() {
                row.insert(format!("{}_count", kind.as_str()), Value::from(from(kind.as_str())));
            }
        }
        row.as_object().cloned().unwrap_or_default()
    }
}
