//! Makes derived fields of records, and tells how they stand.
//!
//! Nothing is locked while values are made: each is written where the record is still what it was made of. What a long call has
//! made is written now and then, so that one that ends early has not worked in vain.

use super::{RecordsRunner, Written, argument, off_thread, rows_of};
use crate::engine::admit::Admitted;
use crate::engine::changed::Changed;
use crate::engine::core::Core;
use crate::engine::encode::json_of_column;
use crate::engine::error::CallError;
use crate::engine::prepared::Prepared;
use crate::engine::records_place::OpenPlace;
use crate::engine::runners::{Order, RunOutput};
use crate::project::{Derivation, DerivationKind, Lookup, Property, RecordContract, WriteOperation};
use crate::records::change::{Record, Records, key_of, misfit};
use crate::records::derived::{CellState, Cells, MadeValues, cell_state, input_hash, inputs_of};
use crate::records::folder::Writer;
use crate::records::history::{Event, OVERRIDDEN};
use crate::records::lookup::{LookupRows, hashed};
use crate::tool::{DerivedQuery, RecordDerivation};
use crate::ty::coerce::shortened;
use datafusion::arrow::array::Array as _;
use datafusion::arrow::array::RecordBatch;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More failures are counted, and not told.
const MOST_TOLD: usize = 100;
/// After how long values are written that were made.
const WRITTEN_AFTER: Duration = Duration::from_secs(5);
/// The part of the time of a call that one value may take.
const SHARE: u32 = 4;
/// Others get their turn after so many records.
const BREATH: usize = 64;

/// How fields are made, ready to be called.
pub(super) struct Maker {
    derivation: Derivation,
    /// What gives the value, where that is a query.
    query: Option<(Arc<Prepared>, DerivedQuery)>,
}

impl Maker {
    pub(super) fn of(one: &RecordDerivation) -> Maker {
        let query = one.query.as_deref().cloned();
        let query = query.map(|query| (Arc::new(Prepared::new(query.tool.clone())), query));
        Maker { derivation: one.derivation.clone(), query }
    }

    fn lookup(&self) -> Option<&Lookup> {
        self.derivation.lookup.as_ref()
    }
}

/// What a maker has at hand for one call.
struct Ready<'a> {
    maker: &'a Maker,
    /// The fields that are asked for.
    targets: Vec<&'a Property>,
    /// The rows that values are looked up in; else why there are none.
    rows: Option<Result<LookupRows, String>>,
    /// What the hash of values depends on beside the fields.
    more: Map<String, Value>,
}

/// Why a value is not there.
struct Failure {
    error: String,
    error_type: &'static str,
}

fn failure(error_type: &'static str, error: impl ToString) -> Failure {
    Failure { error: error.to_string(), error_type }
}

/// What comes of making the values of one record.
enum Came {
    /// They are made.
    Made(MadeValues),
    /// They stay as they are.
    Skipped,
    Failed(Failure),
}

/// What has come of a call so far.
#[derive(Default)]
struct Tally {
    materialized: u64,
    skipped: u64,
    failed: u64,
    failures: Vec<Value>,
}

impl Tally {
    fn fail(&mut self, id: &Value, targets: &[&Property], failure: &Failure) {
        for target in targets {
            self.failed += 1;
            if self.failures.len() < MOST_TOLD {
                let Failure { error, error_type } = failure;
                self.failures
                    .push(json!({"record_id": id, "field": target.name, "error": error, "error_type": error_type}));
            }
        }
    }
}

/// A call that makes values.
struct Making<'a> {
    runner: &'a RecordsRunner,
    order: Order<'a>,
    place: &'a OpenPlace,
    actor: &'a str,
    at: String,
    tries_only: bool,
    force: bool,
    /// The records as they were read.
    before: Records,
    /// The same with what was made.
    records: Records,
    cells: Cells,
    /// What is made and not yet written.
    pending: Vec<(Vec<usize>, MadeValues)>,
    written: Instant,
    tally: Tally,
}

impl RecordsRunner {
    fn contract(&self) -> &RecordContract {
        &self.set.contract
    }

    /// The files that say how fields are made, and what tells them from others.
    pub(super) fn derivation_digests(&self) -> Vec<(String, String)> {
        let own = self.makers.iter().map(|maker| &maker.derivation);
        own.filter_map(|derivation| Some((derivation.file.clone()?, derivation.digest.clone()))).collect()
    }

    /// Makes derived fields.
    pub(super) async fn materialize(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let Written { actor, agreed } = self.writer_of(order)?;
        let place = self.open()?;
        if let Some(agreed) = agreed {
            let (now, _) = self.make((order, &place), &actor, true).await?;
            if now.fingerprint() != agreed {
                return Err(CallError::confirmation_outdated());
            }
        }
        let (changed, row) = self.make((order, &place), &actor, order.call.dry_run).await?;
        Ok(RunOutput { changed: Some(changed), ..rows_of(order, vec![row])? })
    }

    async fn make(
        &self,
        (order, place): (Order<'_>, &OpenPlace),
        actor: &str,
        tries_only: bool,
    ) -> Result<(Changed, Map<String, Value>), CallError> {
        let (records, events) = self.whole(order, place).await?;
        let mut making = Making {
            runner: self,
            order,
            place,
            actor,
            at: super::moment_of(order),
            tries_only,
            force: order.call.flag("force"),
            before: records.clone(),
            records,
            cells: Cells::of_history(events),
            pending: Vec::new(),
            written: Instant::now(),
            tally: Tally::default(),
        };
        let ids = ids_of(order).unwrap_or_else(|| making.keys());
        let ready = self.ready(order, true).await?;
        order.caller.progress.expect((ready.len() * ids.len()) as u64);
        for one in &ready {
            making.values_of(one, &ids).await?;
        }
        making.finish()
    }

    async fn whole(&self, order: Order<'_>, place: &OpenPlace) -> Result<(Records, Vec<Event>), CallError> {
        if let Some(store) = &self.set.store {
            return Ok(self.table_store(store, order, ("", "")).whole().await?);
        }
        let (folder, contract) = (place.folder.clone(), self.set.contract.clone());
        off_thread(move || folder.whole(&contract)).await
    }

    /// The makers of the fields that are asked for. Of those that are made elsewhere, only where all are wanted.
    async fn ready(&self, order: Order<'_>, only_here: bool) -> Result<Vec<Ready<'_>>, CallError> {
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
            let more = maker.query.iter().filter(|_| maker.derivation.kind == DerivationKind::Tool);
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

    /// How derived fields stand.
    pub(super) async fn status(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let place = self.open()?;
        let (records, events) = self.whole(order, &place).await?;
        let cells = Cells::of_history(events);
        let asked = ids_of(order);
        let ready = self.ready(order, false).await?;
        let mut rows = Vec::new();
        for one in &ready {
            for target in &one.targets {
                rows.push(one.status(self.contract(), target, (&records, &cells), asked.as_deref()));
            }
        }
        rows_of(order, rows)
    }
}

impl Ready<'_> {
    /// The hash of what the values of a record are made of; `None` where that is not known here.
    fn hash(&self, contract: &RecordContract, record: &Record) -> Option<String> {
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
    fn status(
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

impl Making<'_> {
    fn keys(&self) -> Vec<Value> {
        let key = self.runner.contract().key().map(|key| key.name.as_str()).unwrap_or_default();
        self.records.values().filter_map(|record| record.get(key).cloned()).collect()
    }

    /// Makes the values of some fields.
    async fn values_of(&mut self, ready: &Ready<'_>, ids: &[Value]) -> Result<(), CallError> {
        if let Some(Err(why)) = &ready.rows {
            self.tally.fail(&Value::Null, &ready.targets, &failure("SourceError", why));
            self.order.caller.progress.advance(ids.len() as u64);
            return Ok(());
        }
        for (at, id) in ids.iter().enumerate() {
            match self.one(ready, id).await {
                Came::Made(values) => {
                    values.put_into(&mut self.records);
                    let fields = ready.targets.iter().map(|target| target.name.as_str());
                    let names = self.runner.contract().properties();
                    let place = |field: &str| names.iter().position(|property| property.name == field);
                    self.pending.push((fields.filter_map(place).collect(), values));
                }
                Came::Skipped => self.tally.skipped += ready.targets.len() as u64,
                Came::Failed(failure) => self.tally.fail(id, &ready.targets, &failure),
            }
            self.order.caller.progress.advance(1);
            if self.written.elapsed() > WRITTEN_AFTER {
                self.write().await?;
            } else if at % BREATH == BREATH - 1 {
                tokio::task::yield_now().await;
            }
        }
        self.write().await
    }

    /// The values of a record, if they are to be made.
    async fn one(&self, ready: &Ready<'_>, id: &Value) -> Came {
        let Some(record) = self.records.get(&key_of(id)) else {
            return Came::Failed(failure("RecordNotFound", format!("record {id} not found")));
        };
        let derivation = &ready.maker.derivation;
        let Some(hash) = ready.hash(self.runner.contract(), record) else { return Came::Skipped };
        if !self.force {
            let state = |target: &&Property| {
                let latest = self.cells.latest(id, &target.name);
                cell_state(latest, record.get(&target.name), Some(&hash), derivation)
            };
            let states: Vec<CellState> = ready.targets.iter().map(state).collect();
            let is_kept = states.contains(&CellState::Overridden);
            if is_kept || states.iter().all(|state| *state == CellState::Fresh) {
                return Came::Skipped;
            }
        }
        let values = match (&ready.maker.query, &ready.rows, ready.maker.lookup()) {
            (Some((prepared, query)), ..) => {
                let is_tool = derivation.kind == DerivationKind::Tool;
                self.of_query((prepared, query, is_tool), record, &ready.targets).await.map(Some)
            }
            (None, Some(Ok(rows)), Some(lookup)) => {
                rows.values(lookup, id, &ready.targets).map_err(|why| failure("SourceError", why))
            }
            _ => Ok(None),
        };
        let values = match values {
            Ok(Some(values)) => values,
            Ok(None) => return Came::Skipped,
            Err(failure) => return Came::Failed(failure),
        };
        for (field, value) in &values {
            let property = ready.targets.iter().find(|target| target.name == *field);
            if let Some(why) = property.and_then(|property| misfit(property, value)) {
                return Came::Failed(failure("TypeMismatch", why));
            }
            if property.is_some_and(|property| property.required) && value.is_null() {
                return Came::Failed(failure("TypeMismatch", format!("`{field}` is required, and there is no value")));
            }
        }
        let seen = derivation.inputs.iter().chain(ready.targets.iter().map(|target| &target.name));
        let seen = seen.map(|field| (field.clone(), record.get(field).cloned().unwrap_or_default())).collect();
        Came::Made(MadeValues { id: id.clone(), seen, values, source: derivation.kind.as_str(), input_hash: hash })
    }

    /// The value that a query gives; null where it gives no row.
    async fn of_query(
        &self,
        (prepared, query, is_tool): (&Arc<Prepared>, &DerivedQuery, bool),
        record: &Record,
        targets: &[&Property],
    ) -> Result<Vec<(String, Value)>, Failure> {
        let argument = |(parameter, field): (&String, &String)| {
            let value = record.get(field).filter(|value| !value.is_null())?;
            Some((parameter.clone(), value.clone()))
        };
        let arguments = query.arguments.iter().filter_map(argument).collect();
        let contract = &query.tool.contract;
        let is_needed = |name: &String| contract.parameter(name).is_some_and(|parameter| parameter.required);
        let is_null = |field: &String| record.get(field).is_none_or(Value::is_null);
        // What is made of something that is not there is not there, as in SQL. A parameter of a tool that is left out would ask for
        // something else: all rows, or a usual value.
        if query.arguments.iter().any(|(parameter, field)| (is_tool || is_needed(parameter)) && is_null(field)) {
            return Ok(targets.iter().map(|target| (target.name.clone(), Value::Null)).collect());
        }
        let told = |error: CallError| failure("QueryFailed", error.message);
        let core: &Arc<Core> = &self.runner.core;
        let call = Admitted::new(core, prepared, &arguments, self.order.caller).map_err(told)?;
        let plans = prepared.plans(core).map_err(told)?;
        // One that takes long is one failure, and not that of the others.
        let most = contract.timeout.0.min(self.order.contract.timeout.0 / SHARE);
        let output = tokio::time::timeout(most, plans.runner.run_boxed(call.order())).await;
        let output =
            output.map_err(|_| failure("QueryFailed", format!("it took longer than {most:?}")))?.map_err(told)?;
        let value = match output.batches.iter().map(RecordBatch::num_rows).sum() {
            0 => Value::Null,
            1 => {
                let value = only_value(&output, &call, &query.column)?;
                targets.first().map_or(Ok(value.clone()), |target| as_document(target, value))?
            }
            _ => return Err(failure("SeveralRows", "it gives several rows, and one is expected")),
        };
        Ok(targets.iter().map(|target| (target.name.clone(), value.clone())).collect())
    }

    /// Writes what was made, where records are still what they were.
    async fn write(&mut self) -> Result<(), CallError> {
        self.written = Instant::now();
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok(());
        }
        let (folder, contract) = (self.place.folder.clone(), self.runner.set.contract.clone());
        let (actor, at, tries_only) = (self.actor.to_owned(), self.at.clone(), self.tries_only);
        let made: Vec<MadeValues> = pending.iter().map(|(_, values)| values.clone()).collect();
        if let Some(store) = self.runner.set.store.as_ref().filter(|_| !tries_only) {
            let put = self.runner.table_store(store, self.order, (&actor, &at)).put_made(&made).await?;
            self.count(pending, put);
            return Ok(());
        }
        // From here on nobody can say that nothing was written.
        if !tries_only && !self.order.call.commit.is_begun() && !self.order.call.commit.begin() {
            return Err(CallError::internal("the call was given up before its change was made to last"));
        }
        let put = off_thread(move || {
            let until = Instant::now() + super::MOST_WAITING;
            let writer = Writer { actor: &actor, at: &at, until, tries_only };
            folder.put_made(&contract, &made, writer)
        });
        let put = if tries_only { Ok(vec![true; pending.len()]) } else { put.await };
        if put.is_err() {
            self.order.call.commit.refused();
        }
        self.count(pending, put?);
        Ok(())
    }

    /// Counts what is written, and what is not.
    fn count(&mut self, pending: Vec<(Vec<usize>, MadeValues)>, put: Vec<bool>) {
        for ((fields, values), is_put) in pending.into_iter().zip(put) {
            let properties = self.runner.contract().properties();
            let targets: Vec<&Property> = fields.iter().filter_map(|at| properties.get(*at)).collect();
            match is_put {
                true => self.tally.materialized += targets.len() as u64,
                false => {
                    let why = "the record was changed while its value was made: call again";
                    self.tally.fail(&values.id, &targets, &failure("RecordChanged", why));
                    self.take_back(&values, &targets);
                }
            }
        }
    }

    /// Leaves a record as it was that cannot be written.
    fn take_back(&mut self, values: &MadeValues, targets: &[&Property]) {
        let Some(record) = self.records.get_mut(&key_of(&values.id)) else { return };
        for (field, before) in values.seen.iter().filter(|(field, _)| targets.iter().any(|one| one.name == *field)) {
            match before {
                Value::Null => drop(record.shift_remove(field)),
                before => drop(record.insert(field.clone(), before.clone())),
            }
        }
    }

    /// What has come of it.
    fn finish(self) -> Result<(Changed, Map<String, Value>), CallError> {
        // What a record has no value of is null, be it said or not.
        let said = |record: &Record| -> Record {
            record
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let pairs = self.records.iter().filter_map(|(id, record)| Some((self.before.get(id)?, record)));
        let others = pairs.filter(|(before, after)| said(before) != said(after));
        let (before, after): (Vec<Record>, Vec<Record>) =
            others.map(|(before, after)| (before.clone(), after.clone())).unzip();
        let rows = after.len() as u64;
        let part = (WriteOperation::Update, before, Some(after));
        let shown = match rows {
            0 => Vec::new(),
            _ => vec![super::shown_part(self.runner.contract(), &self.runner.records, part)?],
        };
        let changed = Changed { rows, is_dry: self.tries_only, shown, ..Changed::default() };
        let row = json!({
            "materialized": self.tally.materialized, "skipped": self.tally.skipped, "failed": self.tally.failed,
            "failures": self.tally.failures, "total_cost": 0.0,
        });
        Ok((changed, row.as_object().cloned().unwrap_or_default()))
    }
}

/// The value of a column in the one row.
fn only_value(output: &RunOutput, call: &Admitted, column: &str) -> Result<Value, Failure> {
    let columns = output.columns.as_deref().unwrap_or_else(|| call.tool.contract.columns());
    let at = columns.iter().position(|one| one.name == column);
    let batch = output.batches.iter().find(|batch| batch.num_rows() > 0);
    let array = at.zip(batch).and_then(|(at, batch)| Some((batch.columns().get(at)?, columns.get(at)?)));
    let (array, column) = array.ok_or_else(|| failure("QueryFailed", "it gives no such column"))?;
    let value = json_of_column(array.as_ref(), &column.ty).and_then(|values| values.into_iter().next());
    match value {
        // JSON has no such number.
        Some(Value::Null) if array.is_valid(0) => {
            Err(failure("TypeMismatch", "it gives infinity, or no number: records have no such value"))
        }
        Some(value) => Ok(value),
        None => Err(failure("QueryFailed", "it gives no value that records can have")),
    }
}

/// A list or an object that a query gives as its text.
fn as_document(target: &Property, value: Value) -> Result<Value, Failure> {
    match value {
        Value::String(text) if !target.logical_type.is_scalar() => serde_json::from_str(&text)
            .map_err(|_| failure("TypeMismatch", format!("`{}` is no JSON: {}", target.name, shortened(&text.into())))),
        value => Ok(value),
    }
}

/// The keys that are asked for; `None` where all are meant.
fn ids_of(order: Order<'_>) -> Option<Vec<Value>> {
    match argument(order, "record_ids") {
        Value::Array(mut ids) => {
            let mut seen = HashSet::new();
            ids.retain(|id| seen.insert(key_of(id)));
            Some(ids)
        }
        _ => None,
    }
}
