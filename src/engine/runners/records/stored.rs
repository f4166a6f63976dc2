//! Records that lie in a database: a table with a column for each field, and one of what was done to them, written in one
//! transaction.

use super::{Asked, Done, told_of_done};
use crate::catalog::DatabaseKind;
use crate::engine::changed::{Changed, Commit};
use crate::engine::core::Core;
use crate::engine::deadline::Deadline;
use crate::engine::encode::json_of_column;
use crate::engine::error::CallError;
use crate::engine::failure::engine_error;
use crate::engine::sources::{
    CallValue, CommitError, SourceError, StatementCall, StatementColumns, Transaction, Work, identifier,
};
use crate::project::{Isolation, Property, RecordContract};
use crate::records::change::{self, Record, Records, Refused, Upserted, key_of};
use crate::records::derived::MadeValues;
use crate::records::folder::Deleted;
use crate::records::history::{self, Event};
use crate::tool::{OutputColumn, RecordStore, Statement, StatementEnd};
use crate::ty::coerce::{Coercion, Strictness};
use crate::ty::{ExactNumbers, Type};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::{DataFusionError, ScalarValue};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// How often a transaction is tried again that others were in the way of.
const MOST_ATTEMPTS: u32 = 12;
/// How long is waited before the second attempt; before each further one, twice as long, up to a second.
const PAUSE: Duration = Duration::from_millis(5);
/// Values of one statement at most: any database takes as many.
const MOST_VALUES: usize = 500;

/// What writes into the tables.
pub(super) struct TableStore<'a> {
    pub(super) store: &'a RecordStore,
    pub(super) contract: &'a RecordContract,
    pub(super) core: &'a Arc<Core>,
    /// The name of the tool, for errors.
    pub(super) tool: &'a str,
    /// The table of the project that the records are.
    pub(super) records: &'a str,
    /// Until when somebody waits, where that is known.
    pub(super) deadline: Option<Deadline>,
    /// Whether what is written is being made to last.
    pub(super) commit: &'a Commit,
    /// Whether what would be written is told, and nothing is written.
    pub(super) is_dry: bool,
    /// Who writes, and when.
    pub(super) actor: &'a str,
    pub(super) at: &'a str,
}

/// Why nothing was written.
pub(super) enum StoreError {
    /// The database fails.
    Source(SourceError),
    /// What was sent does not fit the contract.
    Refused(Vec<Refused>),
    /// The call ends with this.
    Call(Box<CallError>),
}

impl From<SourceError> for StoreError {
    fn from(error: SourceError) -> StoreError {
        StoreError::Source(error)
    }
}

impl From<CallError> for StoreError {
    fn from(error: CallError) -> StoreError {
        StoreError::Call(Box::new(error))
    }
}

impl From<StoreError> for CallError {
    fn from(error: StoreError) -> CallError {
        match error {
            StoreError::Source(error) => engine_error(DataFusionError::External(Box::new(error))),
            StoreError::Refused(all) => super::refused_records(all),
            StoreError::Call(error) => *error,
        }
    }
}

/// What is done in a transaction.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// Records are written or removed; with the fingerprint of what a person has agreed to.
    Change(&'a Asked, Option<&'a str>),
    /// Values are written that were made.
    PutMade(&'a [MadeValues]),
    /// All is read.
    ReadAll,
    /// What was done to a record is read.
    ReadHistory(&'a Value),
}

/// What comes of it.
enum Came {
    Changed(Box<(Changed, Map<String, Value>)>),
    Put(Vec<bool>),
    Read(Records, Vec<Event>),
}

/// A statement with its values.
struct Sql {
    kind: DatabaseKind,
    text: String,
    values: Vec<ScalarValue>,
}

impl Sql {
    fn new(kind: DatabaseKind, text: &str) -> Sql {
        Sql { kind, text: text.to_owned(), values: Vec::new() }
    }

    fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes the place of a value, or null.
    fn push_value(&mut self, value: ScalarValue) {
        if value.is_null() {
            self.text.push_str("NULL");
            return;
        }
        let call = CallValue { value, sent_as: None, parameter: None };
        self.text.push_str(&call.placeholder(self.kind, self.values.len() + 1));
        self.values.push(call.value);
    }

    /// Writes several with commas between them.
    fn push_values(&mut self, values: impl Iterator<Item = ScalarValue>) {
        for (at, value) in values.enumerate() {
            self.push_str(if at > 0 { ", " } else { "" });
            self.push_value(value);
        }
    }
}

impl TableStore<'_> {
    fn quoted(&self, name: &str) -> String {
        identifier(self.store.database, name)
    }

    fn table(&self, parts: &[String]) -> String {
        parts.iter().map(|part| self.quoted(part)).collect::<Vec<_>>().join(".")
    }

    /// The column of a field.
    fn column(&self, field: &str) -> String {
        self.quoted(self.store.columns.get(field).map_or(field, String::as_str))
    }

    fn sql(&self, text: &str) -> Sql {
        Sql::new(self.store.database, text)
    }

    /// Does something in a transaction, and once more where others were in its way.
    async fn in_transaction(&self, task: Task<'_>) -> Result<Came, StoreError> {
        let mut pause = PAUSE;
        for attempt in 1.. {
            match self.attempt(task).await {
                Err(StoreError::Source(SourceError::Serialization { .. } | SourceError::Busy { .. }))
                    if attempt < MOST_ATTEMPTS =>
                {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
                outcome => return outcome,
            }
        }
        Err(CallError::internal("no attempt was made").into())
    }

    /// Does it once.
    async fn work(&self, transaction: &mut dyn Transaction, task: Task<'_>) -> Result<Came, StoreError> {
        match task {
            Task::Change(asked, agreed) => {
                let done = match asked {
                    Asked::Upsert(sent) => {
                        let (done, total) = self.upsert(transaction, sent).await?;
                        Done::Upserted(done, total)
                    }
                    Asked::Delete(ids) => Done::Deleted(self.delete(transaction, ids).await?),
                };
                let told = told_of_done(self.contract, self.records, done, self.is_dry)?;
                match agreed {
                    Some(agreed) if told.0.fingerprint() != agreed => Err(CallError::confirmation_outdated().into()),
                    _ => Ok(Came::Changed(Box::new(told))),
                }
            }
            Task::PutMade(made) => Ok(Came::Put(self.put_all(transaction, made).await?)),
            Task::ReadAll => {
                let records = self.records(transaction, None).await?;
                Ok(Came::Read(records, self.events(transaction, None).await?))
            }
            Task::ReadHistory(id) => Ok(Came::Read(Records::new(), self.events(transaction, Some(id)).await?)),
        }
    }

    async fn attempt(&self, task: Task<'_>) -> Result<Came, StoreError> {
        let lasts = match task {
            Task::Change(..) => !self.is_dry,
            Task::PutMade(_) => true,
            Task::ReadAll | Task::ReadHistory(_) => false,
        };
        let begin = Work {
            isolation: Isolation::Serializable,
            targets: vec![self.store.table.clone(), self.store.history.clone()],
            // No records lie in a database whose rows depend on who calls.
            session: Vec::new(),
            deadline: self.deadline,
        };
        let mut transaction = self.core.databases.begin(&self.store.source, begin).await?;
        let done = self.work(transaction.as_mut(), task).await?;
        if !lasts {
            transaction.check().await?;
            return Ok(done);
        }
        let commit = self.commit;
        if !commit.is_begun() && !commit.begin() {
            return Err(CallError::internal("the call was given up before its change was made to last").into());
        }
        match transaction.commit().await {
            Ok(()) => Ok(done),
            Err(CommitError::Refused(error)) => {
                commit.refused();
                Err(error.into())
            }
            Err(CommitError::Unknown(error)) => {
                let told = CallError::from(StoreError::Source(error));
                Err(CallError { detail: told.detail, ..CallError::outcome_unknown() }.into())
            }
        }
    }

    /// Runs a statement.
    async fn run(
        &self,
        transaction: &mut dyn Transaction,
        (sql, columns): (Sql, &[OutputColumn]),
        writes: bool,
    ) -> Result<Vec<RecordBatch>, StoreError> {
        let statement = Statement {
            source: self.store.source.clone(),
            database: self.store.database,
            statement: String::new(),
            end: StatementEnd::Closed,
            sent_as: BTreeMap::new(),
            as_told: Default::default(),
        };
        let columns = StatementColumns::published(columns, &statement);
        let value = |value: ScalarValue| CallValue { value, sent_as: None, parameter: None };
        let call = StatementCall {
            name: self.tool,
            text: sql.text,
            values: sql.values.into_iter().map(value).collect(),
            most: None,
            session: Vec::new(),
            deadline: self.deadline,
        };
        let request = self.core.databases.statement_request(&self.store.source, &columns, call, writes)?;
        Ok(transaction.run(request).await?.batches)
    }

    /// The rows of a SELECT, as objects. What is null is there as null.
    async fn rows(
        &self,
        transaction: &mut dyn Transaction,
        sql: Sql,
        columns: &[OutputColumn],
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let mut rows = Vec::new();
        for batch in self.run(transaction, (sql, columns), false).await? {
            let read = batch.columns().iter().zip(columns).map(|(array, column)| json_of_column(array, &column.ty));
            let values = read.collect::<Option<Vec<_>>>();
            let values = values.ok_or_else(|| CallError::internal("a value of a table cannot be read"))?;
            for row in 0..batch.num_rows() {
                let cell = |(column, values): (&OutputColumn, &Vec<Value>)| {
                    (column.name.clone(), values.get(row).cloned().unwrap_or_default())
                };
                rows.push(columns.iter().zip(&values).map(cell).collect());
            }
        }
        Ok(rows)
    }

    fn key(&self) -> Result<&Property, StoreError> {
        Ok(self.contract.key().ok_or_else(|| CallError::internal("the records have no key"))?)
    }

    fn columns(&self) -> Vec<OutputColumn> {
        let column = |property: &Property| plain_column(&property.name, property.logical_type.ty());
        self.contract.properties().iter().map(column).collect()
    }

    /// The records with some keys, or all of them, in the order of the key. A field without a value is null.
    async fn records(&self, transaction: &mut dyn Transaction, ids: Option<&[Value]>) -> Result<Records, StoreError> {
        let key = self.key()?;
        let columns = self.columns();
        let names: Vec<String> = columns.iter().map(|column| self.column(&column.name)).collect();
        let select = format!("SELECT {} FROM {}", names.join(", "), self.table(&self.store.table));
        let mut records = Records::new();
        let chunks: Vec<Option<&[Value]>> = match ids {
            Some(ids) => ids.chunks(MOST_VALUES).map(Some).collect(),
            None => vec![None],
        };
        for ids in chunks {
            let mut sql = self.sql(&select);
            if let Some(ids) = ids {
                sql.push_str(&format!(" WHERE {} IN (", self.column(&key.name)));
                let values: Vec<ScalarValue> = ids.iter().map(|id| scalar(id, key)).collect::<Result<_, _>>()?;
                sql.push_values(values.into_iter());
                sql.push_str(")");
            }
            sql.push_str(&format!(" ORDER BY {}", self.column(&key.name)));
            for record in self.rows(transaction, sql, &columns).await? {
                let id = record.get(&key.name).map(key_of).unwrap_or_default();
                records.insert(id, record);
            }
        }
        Ok(records)
    }

    async fn count(&self, transaction: &mut dyn Transaction) -> Result<usize, StoreError> {
        let sql = self.sql(&format!("SELECT count(*) AS n FROM {}", self.table(&self.store.table)));
        let rows = self.rows(transaction, sql, &[plain_column("n", Type::Bigint)]).await?;
        let count = rows.first().and_then(|row| row.get("n")?.as_u64());
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default())
    }

    /// Writes what is other in one set of records than in another, and what is told of it.
    async fn put(
        &self,
        transaction: &mut dyn Transaction,
        (before, after): (&Records, &Records),
        events: &[Event],
    ) -> Result<(), StoreError> {
        let key = self.key()?;
        let table = self.table(&self.store.table);
        let name = self.column(&key.name);
        for (id, record) in before.iter().filter(|(id, _)| !after.contains_key(*id)) {
            let mut sql = self.sql(&format!("DELETE FROM {table} WHERE {name} = "));
            sql.push_value(scalar(record.get(&key.name).unwrap_or(&Value::from(id.as_str())), key)?);
            self.run(transaction, (sql, &[]), true).await?;
        }
        for (id, record) in after {
            match before.get(id) {
                Some(was) if was == record => {}
                Some(was) => self.update(transaction, (was, record)).await?,
                None => self.insert(transaction, record).await?,
            }
        }
        self.tell(transaction, events).await
    }

    async fn insert(&self, transaction: &mut dyn Transaction, record: &Record) -> Result<(), StoreError> {
        let names: Vec<String> = record.keys().map(|field| self.column(field)).collect();
        let mut sql =
            self.sql(&format!("INSERT INTO {} ({}) VALUES (", self.table(&self.store.table), names.join(", ")));
        let values = record.iter().map(|(field, value)| self.value(field, value)).collect::<Result<Vec<_>, _>>()?;
        sql.push_values(values.into_iter());
        sql.push_str(")");
        self.run(transaction, (sql, &[]), true).await.map(drop)
    }

    async fn update(
        &self,
        transaction: &mut dyn Transaction,
        (was, record): (&Record, &Record),
    ) -> Result<(), StoreError> {
        let key = self.key()?;
        let mut sql = self.sql(&format!("UPDATE {} SET ", self.table(&self.store.table)));
        let others = record.iter().filter(|(field, value)| was.get(*field) != Some(*value));
        for (at, (field, value)) in others.enumerate() {
            sql.push_str(&format!("{}{} = ", if at > 0 { ", " } else { "" }, self.column(field)));
            sql.push_value(self.value(field, value)?);
        }
        sql.push_str(&format!(" WHERE {} = ", self.column(&key.name)));
        sql.push_value(scalar(record.get(&key.name).unwrap_or(&Value::Null), key)?);
        self.run(transaction, (sql, &[]), true).await.map(drop)
    }

    fn value(&self, field: &str, value: &Value) -> Result<ScalarValue, StoreError> {
        let property = self.contract.property(field);
        scalar(value, property.ok_or_else(|| CallError::internal(format!("there is no field `{field}`")))?)
    }

    /// Adds to what was done.
    async fn tell(&self, transaction: &mut dyn Transaction, events: &[Event]) -> Result<(), StoreError> {
        let names: Vec<String> = HISTORY.iter().map(|name| self.quoted(name)).collect();
        for events in events.chunks(MOST_VALUES / HISTORY.len()) {
            let head = format!("INSERT INTO {} ({}) VALUES ", self.table(&self.store.history), names.join(", "));
            let mut sql = self.sql(&head);
            for (at, event) in events.iter().enumerate() {
                let text = |text: &str| ScalarValue::Utf8(Some(text.to_owned()));
                let more = (!event.more.is_empty()).then(|| Value::Object(event.more.clone()).to_string());
                let id = event.record_id.as_str().map_or_else(|| event.record_id.to_string(), str::to_owned);
                let values = [&id, &event.field, &event.source, &event.actor, &event.at].map(|one| text(one));
                sql.push_str(if at > 0 { ", (" } else { "(" });
                sql.push_values(values.into_iter().chain([ScalarValue::Utf8(more)]));
                sql.push_str(")");
            }
            self.run(transaction, (sql, &[]), true).await?;
        }
        Ok(())
    }

    fn event(&self, id: &Value, field: &str, source: &str) -> Event {
        Event {
            record_id: id.clone(),
            field: field.to_owned(),
            source: source.to_owned(),
            actor: self.actor.to_owned(),
            at: self.at.to_owned(),
            more: Map::new(),
        }
    }

    /// Writes or removes records. `agreed` is the fingerprint of what a person has agreed to.
    pub(super) async fn change(
        &self,
        asked: &Asked,
        agreed: Option<&str>,
    ) -> Result<(Changed, Map<String, Value>), StoreError> {
        match self.in_transaction(Task::Change(asked, agreed)).await? {
            Came::Changed(told) => Ok(*told),
            _ => Err(CallError::internal("nothing was changed").into()),
        }
    }

    async fn upsert(
        &self,
        transaction: &mut dyn Transaction,
        sent: &[Record],
    ) -> Result<(Upserted, usize), StoreError> {
        let key = self.key()?;
        let ids: Vec<Value> = sent.iter().filter_map(|record| record.get(&key.name).cloned()).collect();
        let before = self.records(transaction, Some(&ids)).await?;
        let mut after = before.clone();
        let done = change::upsert(self.contract, &mut after, sent, self.actor).map_err(StoreError::Refused)?;
        let event = |(id, field): &(Value, String)| {
            let is_derived = self.contract.property(field).is_some_and(|property| property.derived);
            self.event(id, field, if is_derived { history::OVERRIDDEN } else { history::SENT })
        };
        let events: Vec<Event> = done.cells.iter().map(event).collect();
        self.put(transaction, (&before, &after), &events).await?;
        Ok((done, self.count(transaction).await?))
    }

    async fn delete(&self, transaction: &mut dyn Transaction, ids: &[Value]) -> Result<Deleted, StoreError> {
        let before = self.records(transaction, Some(ids)).await?;
        let mut after = before.clone();
        let gone = change::delete(&mut after, ids);
        let events: Vec<Event> = gone.iter().map(|(id, _)| self.event(id, history::WHOLE, history::REMOVED)).collect();
        self.put(transaction, (&before, &after), &events).await?;
        let before: Vec<Record> = gone.into_iter().map(|(_, record)| record).collect();
        Ok(Deleted { deleted: before.len(), remaining: self.count(transaction).await?, before })
    }

    async fn put_all(&self, transaction: &mut dyn Transaction, made: &[MadeValues]) -> Result<Vec<bool>, StoreError> {
        let ids: Vec<Value> = made.iter().map(|one| one.id.clone()).collect();
        let before = self.records(transaction, Some(&ids)).await?;
        let mut after = before.clone();
        let (mut events, mut put) = (Vec::new(), Vec::new());
        for one in made {
            let is_put = one.put_into(&mut after);
            let told = one.told_fields().filter(|_| is_put);
            events.extend(told.map(|(field, more)| Event { more, ..self.event(&one.id, field, one.source) }));
            put.push(is_put);
        }
        self.put(transaction, (&before, &after), &events).await?;
        Ok(put)
    }

    /// Writes values that were made, each where the record is still what it was.
    pub(super) async fn put_made(&self, made: &[MadeValues]) -> Result<Vec<bool>, StoreError> {
        match self.in_transaction(Task::PutMade(made)).await? {
            Came::Put(put) => Ok(put),
            _ => Err(CallError::internal("nothing was written").into()),
        }
    }

    /// Writes those of many records that fit the contract, all at once: how many are new, how many were there, and what is wrong with
    /// the others.
    pub(super) async fn upsert_what_fits(&self, sent: &[Record]) -> Result<((usize, usize), Vec<Refused>), StoreError> {
        let mut left: Vec<(usize, &Record)> = sent.iter().enumerate().collect();
        let mut refused: Vec<Refused> = Vec::new();
        loop {
            let asked = Asked::Upsert(left.iter().map(|(_, record)| (*record).clone()).collect());
            match self.change(&asked, None).await {
                Err(StoreError::Refused(wrong)) => {
                    let at = |one: &Refused| left.get(one.record).map_or(one.record, |(at, _)| *at);
                    let bad: HashSet<usize> = wrong.iter().map(at).collect();
                    refused.extend(wrong.iter().map(|one| Refused { record: at(one), ..one.clone() }));
                    left.retain(|(at, _)| !bad.contains(at));
                }
                written => {
                    let (_, row) = written?;
                    let count = |name: &str| row.get(name).and_then(Value::as_u64).unwrap_or_default();
                    let counted = (count("inserted"), count("updated"));
                    refused.sort_by_key(|one| one.record);
                    let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
                    return Ok(((whole(counted.0), whole(counted.1)), refused));
                }
            }
        }
    }

    /// All records, and all that was done to them.
    pub(super) async fn whole(&self) -> Result<(Records, Vec<Event>), StoreError> {
        self.read(Task::ReadAll).await
    }

    /// What was done to a record, or to one field of it, in its order.
    pub(super) async fn history(&self, id: &Value, field: Option<&str>) -> Result<Vec<Event>, StoreError> {
        let (_, mut events) = self.read(Task::ReadHistory(id)).await?;
        events.retain(|event| field.is_none_or(|field| event.field == field || event.field == history::WHOLE));
        Ok(events)
    }

    async fn read(&self, task: Task<'_>) -> Result<(Records, Vec<Event>), StoreError> {
        match self.in_transaction(task).await? {
            Came::Read(records, events) => Ok((records, events)),
            _ => Err(CallError::internal("nothing was read").into()),
        }
    }

    async fn events(&self, transaction: &mut dyn Transaction, id: Option<&Value>) -> Result<Vec<Event>, StoreError> {
        let columns = HISTORY.map(|name| plain_column(name, Type::Text));
        let names: Vec<String> = HISTORY.iter().map(|name| self.quoted(name)).collect();
        let mut sql = self.sql(&format!("SELECT {} FROM {}", names.join(", "), self.table(&self.store.history)));
        if let Some(id) = id {
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            sql.push_str(&format!(" WHERE {} = ", self.quoted("record_id")));
            sql.push_value(ScalarValue::Utf8(Some(id)));
        }
        sql.push_str(&format!(" ORDER BY {}", self.quoted("line")));
        let rows = self.rows(transaction, sql, &columns).await?;
        let event = |mut row: Map<String, Value>| {
            let more = row.remove("more").and_then(|more| serde_json::from_str::<Value>(more.as_str()?).ok());
            if let Some(Value::Object(more)) = more {
                row.extend(more);
            }
            serde_json::from_value::<Event>(Value::Object(row)).ok()
        };
        Ok(rows.into_iter().filter_map(event).collect())
    }
}

/// The columns of what was done, but for their number.
const HISTORY: [&str; 6] = ["record_id", "field", "source", "actor", "at", "more"];

fn plain_column(name: &str, ty: Type) -> OutputColumn {
    OutputColumn { name: name.to_owned(), ty, nullable: true, description: None, numbers: ExactNumbers::default() }
}

/// A value of a field as a database takes it.
fn scalar(value: &Value, property: &Property) -> Result<ScalarValue, StoreError> {
    let ty = property.logical_type.ty();
    if value.is_null() {
        return ScalarValue::try_from(ty.to_arrow()).map_err(|error| CallError::internal(error.to_string()).into());
    }
    if ty == Type::Json {
        return Ok(ScalarValue::Utf8(Some(value.to_string())));
    }
    let strictly = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
    let name = &property.name;
    ty.coerce(value, &strictly).map_err(|mismatch| CallError::internal(format!("`{name}`: {mismatch}")).into())
}
