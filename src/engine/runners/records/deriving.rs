//! Makes derived fields of records, and tells how they stand.
//!
//! Nothing is locked while values are made: each is written where the record is still what it was made of. What a long call has
//! made is written now and then, so that one that ends early has not worked in vain.

mod asked;
mod given;
mod makers;
mod model;

use super::told::shown_part;
use super::{RecordsRunner, Written, argument, off_thread, rows_of};
use crate::engine::changed::Changed;
use crate::engine::error::CallError;
use crate::engine::records_place::OpenPlace;
use crate::engine::runners::{Order, RunOutput};
use crate::project::{Property, RecordContract, WriteOperation};
use crate::records::change::{Record, Records, key_of, misfit};
use crate::records::derived::{CellState, Cells, MadeValues, cell_state};
use crate::records::folder::Writer;
use crate::records::history::Event;
use asked::Asking;
use futures::future::join_all;
use given::{Failure, Given, failure};
pub(super) use makers::Maker;
use makers::Ready;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// More failures are counted, and not told.
const MOST_TOLD: usize = 100;
/// After how long values are written that were made.
const WRITTEN_AFTER: Duration = Duration::from_secs(5);
/// The part of the time that is left of a call that one value may take: however many never come, there is time for others.
const SHARE: u32 = 4;
/// Others get their turn after so many records.
const BREATH: usize = 64;

/// Values by field.
type Values = Vec<(String, Value)>;

/// What comes of making the values of one record.
enum Came {
    /// They are made, at that cost.
    Made(MadeValues, f64),
    /// They would be made, and nobody is asked for them by a call that only tries.
    Untried,
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
    /// In US dollars.
    cost: f64,
}

impl Tally {
    fn fail(&mut self, id: &Value, targets: &[&Property], failure: &Failure) {
        for target in targets {
            self.failed += 1;
            if self.failures.len() < MOST_TOLD {
                let Failure { error, error_type, .. } = failure;
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
    /// Fields of records that would be made, and whose values nobody knows: the key of the record, and the field.
    untried: HashSet<(String, String)>,
    /// What is made and not yet written.
    pending: Vec<(Vec<usize>, MadeValues)>,
    written: Instant,
    tally: Tally,
}

impl RecordsRunner {
    fn contract(&self) -> &RecordContract {
        &self.set.contract
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
            untried: HashSet::new(),
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
        let width = ready.maker.width();
        for (at, some) in ids.chunks(width).enumerate() {
            let came = join_all(some.iter().map(|id| self.one(ready, id))).await;
            some.iter().zip(came).for_each(|(id, came)| self.take(ready, id, came));
            self.order.caller.progress.advance(some.len() as u64);
            // The next one may be the last that there is time for.
            if self.written.elapsed() > WRITTEN_AFTER || self.left() < WRITTEN_AFTER {
                self.write().await?;
            } else if at % BREATH == BREATH - 1 {
                tokio::task::yield_now().await;
            }
        }
        self.write().await
    }

    /// Takes in what has come of a record.
    fn take(&mut self, ready: &Ready<'_>, id: &Value, came: Came) {
        match came {
            Came::Made(values, cost) => {
                self.tally.cost += cost;
                values.put_into(&mut self.records);
                let fields = ready.targets.iter().map(|target| target.name.as_str());
                let names = self.runner.contract().properties();
                let place = |field: &str| names.iter().position(|property| property.name == field);
                self.pending.push((fields.filter_map(place).collect(), values));
            }
            Came::Untried => {
                self.tally.materialized += ready.targets.len() as u64;
                self.untried.extend(ready.targets.iter().map(|target| (key_of(id), target.name.clone())));
            }
            Came::Skipped => self.tally.skipped += ready.targets.len() as u64,
            Came::Failed(failure) => {
                self.tally.cost += failure.cost;
                self.tally.fail(id, &ready.targets, &failure);
            }
        }
    }

    /// The values of a record, if they are to be made.
    async fn one(&self, ready: &Ready<'_>, id: &Value) -> Came {
        let Some(record) = self.records.get(&key_of(id)) else {
            return Came::Failed(failure("RecordNotFound", format!("record {id} not found")));
        };
        let derivation = &ready.maker.derivation;
        let Some(hash) = ready.hash(self.runner.contract(), record) else { return Came::Skipped };
        let key = key_of(id);
        let depends = derivation.inputs.iter().any(|field| self.untried.contains(&(key.clone(), field.clone())));
        if !self.force {
            let state = |target: &&Property| {
                let latest = self.cells.latest(id, &target.name);
                cell_state(latest, record.get(&target.name), Some(&hash), derivation)
            };
            let states: Vec<CellState> = ready.targets.iter().map(state).collect();
            let is_kept = states.contains(&CellState::Overridden);
            if is_kept || !depends && states.iter().all(|state| *state == CellState::Fresh) {
                return Came::Skipped;
            }
        }
        if depends || self.tries_only && !ready.maker.may_be_tried() {
            return Came::Untried;
        }
        match self.values(ready, id, record).await {
            Ok(Some((values, given))) => {
                let cost = given.cost;
                if let Some(why) = flaw_of_values(&values, &ready.targets) {
                    return Came::Failed(Failure { cost, ..failure("TypeMismatch", why) });
                }
                let seen = derivation.inputs.iter().chain(ready.targets.iter().map(|target| &target.name));
                let seen = seen.map(|field| (field.clone(), record.get(field).cloned().unwrap_or_default())).collect();
                let (source, told) = (derivation.kind.as_str(), given.told);
                Came::Made(MadeValues { id: id.clone(), seen, values, source, input_hash: hash, told }, cost)
            }
            Ok(None) => Came::Skipped,
            Err(failure) => Came::Failed(failure),
        }
    }

    /// The values of a record, and what is known of them; `None` where there are none to be had.
    async fn values(&self, ready: &Ready<'_>, id: &Value, record: &Record) -> Result<Option<(Values, Given)>, Failure> {
        match (&ready.maker.query, &ready.rows, ready.maker.lookup()) {
            (Some((prepared, query)), ..) => {
                let Some(target) = ready.targets.first() else { return Ok(None) };
                let (core, contract, caller) = (&self.runner.core, self.runner.contract(), self.order.caller);
                let asking = Asking { core, contract, caller, most: self.left() / SHARE };
                let given = asking.value(ready.maker, (prepared, query), record, target).await?;
                Ok(Some((vec![(target.name.clone(), given.value.clone())], given)))
            }
            (None, Some(Ok(rows)), Some(lookup)) => {
                let values = rows.values(lookup, id, &ready.targets).map_err(|why| failure("SourceError", why))?;
                Ok(values.map(|values| (values, Given::free(Value::Null))))
            }
            _ => Ok(None),
        }
    }

    /// How long somebody still waits.
    fn left(&self) -> Duration {
        let all = self.order.contract.timeout.0;
        self.order.call.deadline.map_or(all, |deadline| deadline.0.saturating_duration_since(Instant::now()))
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
    fn finish(mut self) -> Result<(Changed, Map<String, Value>), CallError> {
        // What they will be is not known.
        for (id, field) in &self.untried {
            self.records.get_mut(id).into_iter().for_each(|record| drop(record.shift_remove(field)));
        }
        // What a record has no value of is null, be it said or not.
        let said = |record: &Record| -> Record {
            record
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let pairs = self.records.iter().filter_map(|(id, record)| Some((id, self.before.get(id)?, record)));
        let untried: HashSet<&String> = self.untried.iter().map(|(id, _)| id).collect();
        let is_other = |before: &Record, after: &Record| said(before) != said(after);
        let others = pairs.filter(|(id, before, after)| untried.contains(id) || is_other(before, after));
        let (before, after): (Vec<Record>, Vec<Record>) =
            others.map(|(_, before, after)| (before.clone(), after.clone())).unzip();
        let rows = after.len() as u64;
        let part = (WriteOperation::Update, before, Some(after));
        let shown = match rows {
            0 => Vec::new(),
            _ => vec![shown_part(self.runner.contract(), &self.runner.records, part)?],
        };
        let changed = Changed { rows, is_dry: self.tries_only, shown, ..Changed::default() };
        let row = json!({
            "materialized": self.tally.materialized, "skipped": self.tally.skipped, "failed": self.tally.failed,
            "failures": self.tally.failures, "total_cost": self.tally.cost,
        });
        Ok((changed, row.as_object().cloned().unwrap_or_default()))
    }
}

/// Why a field cannot have the value that was made for it.
fn flaw_of_values(values: &Values, targets: &[&Property]) -> Option<String> {
    values.iter().find_map(|(field, value)| {
        let property = targets.iter().find(|target| target.name == *field)?;
        let is_missing = property.required && value.is_null();
        let missing = || is_missing.then(|| format!("`{field}` is required, and there is no value"));
        misfit(property, value).or_else(missing)
    })
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
