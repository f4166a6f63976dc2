//! Makes derived fields of records, and tells how they stand.
//!
//! Nothing is locked while values are made: each is written where the record is still what it was made of. What a long call has
//! made is written now and then, so that one that ends early has not worked in vain.

mod makers;

use super::{RecordsRunner, Written, argument, off_thread, rows_of};
use crate::engine::admit::Admitted;
use crate::engine::changed::Changed;
use crate::engine::core::Core;
use crate::engine::encode::{json_of_column, json_of_value};
use crate::engine::error::CallError;
use crate::engine::prepared::Prepared;
use crate::engine::records_place::OpenPlace;
use crate::engine::runners::{Order, RunOutput};
use crate::engine::tables::records::read_value;
use crate::project::{DerivationKind, Property, RecordContract, WriteOperation};
use crate::records::change::{Record, Records, key_of, misfit};
use crate::records::derived::{CellState, Cells, MadeValues, cell_state};
use crate::records::folder::Writer;
use crate::records::history::Event;
use crate::tool::DerivedQuery;
use crate::ty::coerce::shortened;
use datafusion::arrow::array::Array as _;
use datafusion::arrow::array::RecordBatch;
pub(super) use makers::Maker;
use makers::Ready;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More failures are counted, and not told.
const MOST_TOLD: usize = 100;
/// After how long values are written that were made.
const WRITTEN_AFTER: Duration = Duration::from_secs(5);
/// The part of the time that is left of a call that one value may take: however many never come, there is time for others.
const SHARE: u32 = 4;
/// Others get their turn after so many records.
const BREATH: usize = 64;

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
            // The next one may be the last that there is time for.
            if self.written.elapsed() > WRITTEN_AFTER || self.left() < WRITTEN_AFTER {
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

    /// How long somebody still waits.
    fn left(&self) -> Duration {
        let all = self.order.contract.timeout.0;
        self.order.call.deadline.map_or(all, |deadline| deadline.0.saturating_duration_since(Instant::now()))
    }

    /// A value of a field, as the table of the records has it: a moment with an offset is in UTC.
    fn argument(&self, field: &str, value: &Value) -> Result<Value, Failure> {
        let property = self.runner.contract().property(field).filter(|property| property.logical_type.is_scalar());
        let Some(ty) = property.map(|property| property.logical_type.ty()) else { return Ok(value.clone()) };
        let read = read_value(value, &ty).map_err(|why| failure("TypeMismatch", format!("`{field}`: {why}")))?;
        Ok(json_of_value(&read, &ty).unwrap_or_else(|| value.clone()))
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
            Some(self.argument(field, value).map(|value| (parameter.clone(), value)))
        };
        let arguments = query.arguments.iter().filter_map(argument).collect::<Result<_, Failure>>()?;
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
        let most = contract.timeout.0.min(self.left() / SHARE);
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
