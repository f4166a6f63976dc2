//! Records that lie in a database: a table with a column for each field, and one of what was done to them, written in one
//! transaction.

mod statements;

use super::told::{Done, refused_records, told_of_done};
use super::{Asked, Imported};
use crate::catalog::DatabaseKind;
use crate::engine::changed::{Changed, Commit};
use crate::engine::code::CallCode;
use crate::engine::deadline::Deadline;
use crate::engine::error::CallError;
use crate::engine::failure::of_a_database;
use crate::engine::sources::{CommitError, Databases, SourceError, Transaction, Work};
use crate::project::{Isolation, RecordContract};
use crate::records::acts::{self, Author, Fitting};
use crate::records::change::{Record, Records, Refused, Upserted};
use crate::records::derived::MadeValues;
use crate::records::folder::Deleted;
use crate::records::history::{self, Event};
use crate::tool::RecordStore;
use crate::ty::coerce::shortened;
use serde_json::{Map, Value};
pub(in crate::engine::runners) use statements::Through;
use statements::is_same;
use std::time::Duration;

/// How often a transaction is tried again that others were in the way of.
const MOST_ATTEMPTS: u32 = 12;
/// How many refusals are told at most.
const MOST_TOLD: usize = 20;
/// How long is waited before the second attempt; before each further one, twice as long, up to a second.
const PAUSE: Duration = Duration::from_millis(5);

/// What writes into the tables.
pub(in crate::engine::runners) struct TableStore<'a> {
    pub(super) store: &'a RecordStore,
    pub(in crate::engine::runners) contract: &'a RecordContract,
    /// Where the database is one of.
    pub(super) databases: &'a Databases,
    /// The table of the project that the records are.
    pub(super) records: &'a str,
    /// Until when somebody waits, where that is known.
    pub(super) deadline: Option<Deadline>,
    /// Whether what is written is being made to last.
    pub(super) commit: &'a Commit,
    /// Whether what would be written is told, and nothing is written.
    pub(super) is_dry: bool,
    /// Who writes, and when.
    pub(super) author: Author<'a>,
}

/// Why nothing was written.
pub(in crate::engine::runners) enum StoreError {
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
            StoreError::Source(error) => of_a_database(error),
            StoreError::Refused(all) => refused_records(all),
            StoreError::Call(error) => *error,
        }
    }
}

/// What is done in a transaction. A closure would say it more shortly, and the compiler cannot tell of the future of such a one that it
/// may be sent to another thread.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// Records are written or removed; with the fingerprint of what a person has agreed to.
    Change(&'a Asked, Option<&'a str>),
    /// Values are written that were made.
    PutMade(&'a [MadeValues]),
    /// All records of a folder are written, with what was done to them.
    Load(&'a Records, &'a [Event]),
}

/// What comes of it.
enum Came {
    Changed(Box<(Changed, Map<String, Value>)>),
    Put(Vec<bool>),
    Loaded,
}

impl TableStore<'_> {
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

    /// Does it once. `acts`: whether the database changes other records by itself.
    async fn work(&self, transaction: &mut dyn Transaction, task: Task<'_>, acts: bool) -> Result<Came, StoreError> {
        match task {
            Task::Change(asked, agreed) => {
                let done = match asked {
                    Asked::Upsert(sent) => {
                        let (done, total) = self.upsert(transaction, sent, acts).await?;
                        Done::Upserted(done, total)
                    }
                    Asked::Delete(ids) => Done::Deleted(self.delete(transaction, ids, acts).await?),
                };
                let told = told_of_done(self.contract, self.records, done, self.is_dry)?;
                match agreed {
                    Some(agreed) if told.0.fingerprint() != agreed => Err(CallError::confirmation_outdated().into()),
                    _ => Ok(Came::Changed(Box::new(told))),
                }
            }
            Task::PutMade(made) => Ok(Came::Put(self.put_all(transaction, made, acts).await?)),
            Task::Load(records, events) => {
                let there = self.count(transaction).await?
                    + self.events(&mut Through::Transaction(transaction), None).await?.len();
                if there > 0 {
                    let why = format!("the tables of `{}` are not empty: nothing was loaded", self.records);
                    return Err(CallError::new(CallCode::ChangeRefused, why).into());
                }
                let all: Vec<Record> = records.values().cloned().collect();
                if let Some(unfit) = self.without_place(&all).first() {
                    return Err(CallError::new(
                        CallCode::ChangeRefused,
                        format!("record {}: {}", unfit.record + 1, unfit.why),
                    )
                    .into());
                }
                self.fill(transaction, records).await?;
                self.tell(transaction, events).await?;
                Ok(Came::Loaded)
            }
        }
    }

    async fn attempt(&self, task: Task<'_>) -> Result<Came, StoreError> {
        let lasts = match task {
            Task::Change(..) => !self.is_dry,
            Task::PutMade(_) | Task::Load(..) => true,
        };
        let begin = Work {
            isolation: Isolation::Serializable,
            targets: vec![self.store.table.clone(), self.store.history.clone()],
            // No records lie in a database whose rows depend on who calls.
            session: Vec::new(),
            deadline: self.deadline,
        };
        // A transaction may keep others from the file.
        let acts = self.databases.acts_by_itself(&self.store.source, &self.store.table).await?;
        let mut transaction = self.databases.begin(&self.store.source, begin).await?;
        let done = self.work(transaction.as_mut(), task, acts).await?;
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

    /// Writes values that were made, each where the record is still what it was.
    pub(super) async fn put_made(&self, made: &[MadeValues]) -> Result<Vec<bool>, StoreError> {
        match self.in_transaction(Task::PutMade(made)).await? {
            Came::Put(put) => Ok(put),
            _ => Err(CallError::internal("nothing was written").into()),
        }
    }

    /// Writes records and what was done to them into tables that have none.
    pub(super) async fn load(&self, records: &Records, events: &[Event]) -> Result<(), StoreError> {
        match self.in_transaction(Task::Load(records, events)).await? {
            Came::Loaded => Ok(()),
            _ => Err(CallError::internal("nothing was loaded").into()),
        }
    }

    /// All records, and all that was done to them.
    pub(super) async fn whole(&self) -> Result<(Records, Vec<Event>), StoreError> {
        // What is written between both is newer than what is known of it, and is looked at again.
        let events = self.events(&mut Through::Alone, None).await?;
        Ok((self.records(&mut Through::Alone, None).await?, events))
    }

    /// What was done to a record, or to one field of it, in its order.
    pub(super) async fn history(&self, id: &Value, field: Option<&str>) -> Result<Vec<Event>, StoreError> {
        let mut events = self.events(&mut Through::Alone, Some(id)).await?;
        events.retain(|event| field.is_none_or(|field| event.field == field || event.field == history::WHOLE));
        Ok(events)
    }

    async fn upsert(
        &self,
        transaction: &mut dyn Transaction,
        sent: &[Record],
        acts: bool,
    ) -> Result<(Upserted, usize), StoreError> {
        let key = self.key()?;
        let unfit = self.without_place(sent);
        if !unfit.is_empty() {
            return Err(StoreError::Refused(unfit));
        }
        let ids: Vec<Value> = sent.iter().filter_map(|record| record.get(&key.name).cloned()).collect();
        let before = self.records(&mut Through::Transaction(transaction), Some(&ids)).await?;
        let mut after = before.clone();
        let (done, events) = acts::upsert(self.contract, &mut after, sent, self.author).map_err(StoreError::Refused)?;
        self.put(transaction, (&before, &after), (&events, acts)).await?;
        Ok((done, self.count(transaction).await?))
    }

    /// Values that the database cannot hold, whatever its columns are.
    fn without_place(&self, sent: &[Record]) -> Vec<Refused> {
        if self.store.database != DatabaseKind::Postgres {
            return Vec::new();
        }
        let refused = |record: usize, field: &String| {
            let why = format!("`{field}` has the letter U+0000, and a text of PostgreSQL has none");
            Refused { record, field: Some(field.clone()), why }
        };
        let of_record = |(at, record): (usize, &'_ Record)| -> Vec<Refused> {
            record.iter().filter(|(_, value)| has_zero(value)).map(|(field, _)| refused(at, field)).collect()
        };
        sent.iter().enumerate().flat_map(of_record).collect()
    }

    async fn delete(
        &self,
        transaction: &mut dyn Transaction,
        ids: &[Value],
        acts: bool,
    ) -> Result<Deleted, StoreError> {
        let records = self.records(&mut Through::Transaction(transaction), Some(ids)).await?;
        let mut after = records.clone();
        let (before, events) = acts::delete(&mut after, ids, self.author);
        self.put(transaction, (&records, &after), (&events, acts)).await?;
        Ok(Deleted { deleted: before.len(), remaining: self.count(transaction).await?, before })
    }

    async fn put_all(
        &self,
        transaction: &mut dyn Transaction,
        made: &[MadeValues],
        acts: bool,
    ) -> Result<Vec<bool>, StoreError> {
        let ids: Vec<Value> = made.iter().map(|one| one.id.clone()).collect();
        let before = self.records(&mut Through::Transaction(transaction), Some(&ids)).await?;
        let mut after = before.clone();
        let (put, events) = acts::put_made(&mut after, made, self.author);
        self.put(transaction, (&before, &after), (&events, acts)).await?;
        Ok(put)
    }

    /// Writes those of many records that fit the contract, all at once: how many are new, how many were there, and what is wrong with
    /// the others.
    pub(super) async fn upsert_what_fits(&self, sent: &[Record]) -> Result<Imported, StoreError> {
        let mut fitting = Fitting::all(sent);
        loop {
            match self.change(&Asked::Upsert(fitting.records()), None).await {
                Err(StoreError::Refused(wrong)) => fitting.refuse(wrong),
                written => {
                    let (_, row) = written?;
                    let count = |name: &str| row.get(name).and_then(Value::as_u64).unwrap_or_default();
                    let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
                    return Ok(((whole(count("inserted")), whole(count("updated"))), fitting.into_refused()));
                }
            }
        }
    }
}

/// What writes into tables of records for somebody, in a transaction of its own or of others.
pub(in crate::engine::runners) fn store_over<'a>(
    (store, contract): (&'a RecordStore, &'a RecordContract),
    databases: &'a Databases,
    (records, commit): (&'a str, &'a Commit),
    author: Author<'a>,
) -> TableStore<'a> {
    TableStore { store, contract, databases, records, deadline: None, commit, is_dry: false, author }
}

/// What statements have made of records, done to those that were there as it is everywhere: what is told of it in the history.
///
/// Errors: what does not fit the contract.
pub(in crate::engine::runners) fn accounted(
    store: &TableStore<'_>,
    there: &mut Records,
    after: &Records,
) -> Result<Vec<Event>, StoreError> {
    let (contract, key) = (store.contract, &store.key()?.name);
    let of_key = |record: &Record| record.get(key).cloned().unwrap_or_default();
    let gone: Vec<Value> =
        there.iter().filter(|(id, _)| !after.contains_key(*id)).map(|(_, one)| of_key(one)).collect();
    let mut sent: Vec<Record> = Vec::new();
    for (id, record) in after {
        let was = there.get(id);
        let is_other = |(field, value): &(&String, &Value)| {
            let before = was.and_then(|was| was.get(*field)).unwrap_or(&Value::Null);
            contract.property(field).is_some_and(|property| !is_same(property, before, value))
        };
        let mut others: Record =
            record.iter().filter(is_other).map(|(field, value)| (field.clone(), value.clone())).collect();
        if !others.is_empty() {
            others.insert(key.clone(), of_key(record));
            sent.push(others);
        }
    }
    let (_, mut events) = acts::delete(there, &gone, store.author);
    let told = |refused: Refused| {
        let id = sent.get(refused.record).map(of_key).unwrap_or_default();
        format!("the record {} of `{}`: {}", shortened(&id), store.records, refused.why)
    };
    match acts::upsert(contract, there, &sent, store.author) {
        Ok((_, more)) => events.extend(more),
        Err(wrong) => {
            let all: Vec<String> = wrong.into_iter().take(MOST_TOLD).map(told).collect();
            return Err(CallError::new(CallCode::ChangeRefused, all.join("; ")).hint("nothing was changed").into());
        }
    }
    Ok(events)
}

/// Whether a text in a value has the letter U+0000.
fn has_zero(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_zero),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_zero(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
