//! The statements that read and write records in a database. Names are quoted, and values stand in placeholders.

use super::{StoreError, TableStore};
use crate::catalog::DatabaseKind;
use crate::engine::code::CallCode;
use crate::engine::encode::json_of_column;
use crate::engine::error::{CallError, Detail};
use crate::engine::sources::{CallValue, StatementCall, StatementColumns, Transaction, identifier};
use crate::engine::tables::records::read_value;
use crate::project::Property;
use crate::project::record_ddl::HISTORY;
use crate::records::change::{Record, Records, key_of};
use crate::records::history::{Event, id_text};
use crate::tool::{OutputColumn, Statement, StatementEnd};
use crate::ty::Type;
use crate::ty::coerce::shortened;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::Float64Type;
use datafusion::common::ScalarValue;
use futures::StreamExt;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Values of one statement at most: any database takes as many.
const MOST_VALUES: usize = 500;

/// What a statement is sent through.
pub(in crate::engine::runners) enum Through<'a> {
    /// A transaction, which holds up other writers.
    Transaction(&'a mut dyn Transaction),
    /// Nothing: it reads, and writers go on.
    Alone,
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

    /// A statement as it is sent, with the columns that it gives.
    fn call(&self, sql: Sql, columns: &[OutputColumn]) -> (StatementColumns, StatementCall<'_>) {
        let statement = Statement {
            source: self.store.source.clone(),
            database: self.store.database,
            statement: String::new(),
            end: StatementEnd::Closed,
            sent_as: BTreeMap::new(),
            as_told: Default::default(),
        };
        let value = |value: ScalarValue| CallValue { value, sent_as: None, parameter: None };
        let call = StatementCall {
            name: self.records,
            text: sql.text,
            values: sql.values.into_iter().map(value).collect(),
            most: None,
            session: Vec::new(),
            deadline: self.deadline,
        };
        (StatementColumns::published(columns, &statement), call)
    }

    /// Runs a statement that changes so many rows. Triggers and rules of a database may see to it that it changes others, or none, and
    /// nobody would be told.
    async fn change_rows(&self, transaction: &mut dyn Transaction, sql: Sql, rows: usize) -> Result<(), StoreError> {
        let (columns, call) = self.call(sql, &[]);
        let request = self.databases.statement_request(&self.store.source, &columns, call, true)?;
        match transaction.run(request).await?.changed == rows as u64 {
            true => Ok(()),
            false => Err(not_written("a trigger or a rule of the database keeps records from being written").into()),
        }
    }

    async fn batches(
        &self,
        through: &mut Through<'_>,
        sql: Sql,
        columns: &[OutputColumn],
    ) -> Result<Vec<RecordBatch>, StoreError> {
        let (columns, call) = self.call(sql, columns);
        match through {
            Through::Transaction(transaction) => {
                let request = self.databases.statement_request(&self.store.source, &columns, call, false)?;
                Ok(transaction.run(request).await?.batches)
            }
            Through::Alone => {
                let mut rows = self.databases.statement_rows(&self.store.source, &columns, call)?;
                let mut batches = Vec::new();
                while let Some(batch) = rows.next().await {
                    batches.push(batch?);
                }
                Ok(batches)
            }
        }
    }

    /// The rows of a SELECT, as objects. What is null is there as null.
    async fn rows(
        &self,
        through: &mut Through<'_>,
        sql: Sql,
        columns: &[OutputColumn],
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let mut rows = Vec::new();
        for batch in self.batches(through, sql, columns).await? {
            let read = batch.columns().iter().zip(columns).map(|(array, column)| json_of_column(array, &column.ty));
            let values = read.collect::<Option<Vec<_>>>();
            let values = values.ok_or_else(|| CallError::internal("a value of a table cannot be read"))?;
            for row in 0..batch.num_rows() {
                let cell = |((column, values), array): ((&OutputColumn, &Vec<Value>), &ArrayRef)| {
                    let value = values.get(row).cloned().unwrap_or_default();
                    // Neither NaN nor infinity is nothing: a contract has none of them.
                    let value = not_finite(array, row).map_or(value, Value::from);
                    (column.name.clone(), value)
                };
                rows.push(columns.iter().zip(&values).zip(batch.columns()).map(cell).collect());
            }
        }
        Ok(rows)
    }

    pub(super) fn key(&self) -> Result<&Property, StoreError> {
        Ok(self.contract.key().ok_or_else(|| CallError::internal("the records have no key"))?)
    }

    fn columns(&self) -> Vec<OutputColumn> {
        let column = |property: &Property| plain_column(&property.name, property.logical_type.ty());
        self.contract.properties().iter().map(column).collect()
    }

    /// The records with some keys, or all of them, in the order of the key. A field without a value is null.
    pub(in crate::engine::runners) async fn records(
        &self,
        through: &mut Through<'_>,
        ids: Option<&[Value]>,
    ) -> Result<Records, StoreError> {
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
            for record in self.rows(through, sql, &columns).await? {
                let id = record.get(&key.name).map(key_of).unwrap_or_default();
                records.insert(id, record);
            }
        }
        Ok(records)
    }

    pub(super) async fn count(&self, transaction: &mut dyn Transaction) -> Result<usize, StoreError> {
        let sql = self.sql(&format!("SELECT count(*) AS n FROM {}", self.table(&self.store.table)));
        let rows = self.rows(&mut Through::Transaction(transaction), sql, &[plain_column("n", Type::Bigint)]).await?;
        let count = rows.first().and_then(|row| row.get("n")?.as_u64());
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default())
    }

    /// Writes what is other in one set of records than in another, and what is told of it.
    pub(super) async fn put(
        &self,
        transaction: &mut dyn Transaction,
        (before, after): (&Records, &Records),
        (events, acts_by_itself): (&[Event], bool),
    ) -> Result<(), StoreError> {
        let key = self.key()?;
        let table = self.table(&self.store.table);
        let name = self.column(&key.name);
        let all = match acts_by_itself {
            true => Some(self.records(&mut Through::Transaction(transaction), None).await?),
            false => None,
        };
        for (id, record) in before.iter().filter(|(id, _)| !after.contains_key(*id)) {
            let mut sql = self.sql(&format!("DELETE FROM {table} WHERE {name} = "));
            sql.push_value(scalar(record.get(&key.name).unwrap_or(&Value::from(id.as_str())), key)?);
            self.change_rows(transaction, sql, 1).await?;
        }
        for (id, record) in after {
            match before.get(id) {
                Some(was) if was == record => {}
                Some(was) => self.update(transaction, (was, record)).await?,
                None => self.insert(transaction, record).await?,
            }
        }
        self.tell(transaction, events).await?;
        // What is put off to the end of the transaction is done now.
        transaction.check().await?;
        self.check_written(transaction, (before, after)).await?;
        match all {
            Some(all) => self.check_others(transaction, &all, (before, after)).await,
            None => Ok(()),
        }
    }

    /// Records that nobody has written are what they were: nobody would be told of others.
    async fn check_others(
        &self,
        transaction: &mut dyn Transaction,
        all: &Records,
        (before, after): (&Records, &Records),
    ) -> Result<(), StoreError> {
        let now = self.records(&mut Through::Transaction(transaction), None).await?;
        let is_meant = |id: &String| before.contains_key(id) || after.contains_key(id);
        let is_other = |id: &&String| !is_meant(id) && now.get(*id) != all.get(*id);
        match all.keys().chain(now.keys()).find(is_other) {
            Some(id) => Err(not_written(&format!("the database changes the record {id} as well")).into()),
            None => Ok(()),
        }
    }

    /// What was written is there as it was sent: columns of other types, triggers and generated values may make something else of it.
    async fn check_written(
        &self,
        transaction: &mut dyn Transaction,
        (before, after): (&Records, &Records),
    ) -> Result<(), StoreError> {
        let key = self.key()?;
        let touched: Vec<&Record> = before
            .iter()
            .filter(|(id, _)| !after.contains_key(*id))
            .chain(after.iter().filter(|(id, record)| before.get(*id) != Some(*record)))
            .map(|(_, record)| record)
            .collect();
        let ids: Vec<Value> = touched.iter().filter_map(|record| record.get(&key.name).cloned()).collect();
        let there = self.records(&mut Through::Transaction(transaction), Some(&ids)).await?;
        for id in ids.iter().map(key_of) {
            let (wanted, found) = (after.get(&id), there.get(&id));
            if wanted.is_some() != found.is_some() {
                return Err(not_written("the database has another key than was sent, or keeps the record").into());
            }
            let is_other = |(field, value): &(&String, &Value)| {
                let found = found.and_then(|found| found.get(*field)).unwrap_or(&Value::Null);
                self.contract.property(field).is_none_or(|property| !is_same(property, value, found))
            };
            if let Some((field, _)) = wanted.into_iter().flatten().find(is_other) {
                return Err(not_written(&format!("the database makes another value of `{field}`")).into());
            }
        }
        Ok(())
    }

    async fn insert(&self, transaction: &mut dyn Transaction, record: &Record) -> Result<(), StoreError> {
        let names: Vec<String> = record.keys().map(|field| self.column(field)).collect();
        let mut sql =
            self.sql(&format!("INSERT INTO {} ({}) VALUES (", self.table(&self.store.table), names.join(", ")));
        let values = record.iter().map(|(field, value)| self.value(field, value)).collect::<Result<Vec<_>, _>>()?;
        sql.push_values(values.into_iter());
        sql.push_str(")");
        self.change_rows(transaction, sql, 1).await
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
        self.change_rows(transaction, sql, 1).await
    }

    fn value(&self, field: &str, value: &Value) -> Result<ScalarValue, StoreError> {
        let property = self.contract.property(field);
        scalar(value, property.ok_or_else(|| CallError::internal(format!("there is no field `{field}`")))?)
    }

    /// Writes records into a table that has none.
    pub(in crate::engine::runners) async fn fill(
        &self,
        transaction: &mut dyn Transaction,
        records: &Records,
    ) -> Result<(), StoreError> {
        let key = self.key()?;
        let fields: Vec<&str> = self.contract.properties().iter().map(|field| field.name.as_str()).collect();
        let names: Vec<String> = fields.iter().map(|field| self.column(field)).collect();
        let head = format!("INSERT INTO {} ({}) VALUES ", self.table(&self.store.table), names.join(", "));
        let all: Vec<&Record> = records.values().collect();
        for some in all.chunks((MOST_VALUES / fields.len().max(1)).max(1)) {
            let mut sql = self.sql(&head);
            for (at, record) in some.iter().enumerate() {
                let value = |field: &&str| {
                    let value = record.get(*field).unwrap_or(&Value::Null);
                    let id = || record.get(&key.name).map(shortened).unwrap_or_default();
                    self.value(field, value).map_err(|error| match error {
                        StoreError::Call(error) => unreadable(&id(), &error).into(),
                        other => other,
                    })
                };
                let values = fields.iter().map(value).collect::<Result<Vec<_>, _>>()?;
                sql.push_str(if at > 0 { ", (" } else { "(" });
                sql.push_values(values.into_iter());
                sql.push_str(")");
            }
            self.change_rows(transaction, sql, some.len()).await?;
        }
        Ok(())
    }

    /// Adds to what was done.
    pub(in crate::engine::runners) async fn tell(
        &self,
        transaction: &mut dyn Transaction,
        events: &[Event],
    ) -> Result<(), StoreError> {
        let names: Vec<String> = HISTORY.iter().map(|name| self.quoted(name)).collect();
        for events in events.chunks(MOST_VALUES / HISTORY.len()) {
            let head = format!("INSERT INTO {} ({}) VALUES ", self.table(&self.store.history), names.join(", "));
            let mut sql = self.sql(&head);
            for (at, event) in events.iter().enumerate() {
                let text = |text: &str| ScalarValue::Utf8(Some(text.to_owned()));
                let more = (!event.more.is_empty()).then(|| Value::Object(event.more.clone()).to_string());
                let id = id_text(&event.record_id);
                let values = [&id, &event.field, &event.source, &event.actor, &event.at].map(|one| text(one));
                sql.push_str(if at > 0 { ", (" } else { "(" });
                sql.push_values(values.into_iter().chain([ScalarValue::Utf8(more)]));
                sql.push_str(")");
            }
            self.change_rows(transaction, sql, events.len()).await?;
        }
        Ok(())
    }

    pub(super) async fn events(&self, through: &mut Through<'_>, id: Option<&Value>) -> Result<Vec<Event>, StoreError> {
        let columns = HISTORY.map(|name| plain_column(name, Type::Text));
        let names: Vec<String> = HISTORY.iter().map(|name| self.quoted(name)).collect();
        let mut sql = self.sql(&format!("SELECT {} FROM {}", names.join(", "), self.table(&self.store.history)));
        if let Some(id) = id {
            sql.push_str(&format!(" WHERE {} = ", self.quoted("record_id")));
            sql.push_value(ScalarValue::Utf8(Some(id_text(id))));
        }
        sql.push_str(&format!(" ORDER BY {}", self.quoted("line")));
        let rows = self.rows(through, sql, &columns).await?;
        let is_text = self.key()?.logical_type.ty() == Type::Text;
        let event = |mut row: Map<String, Value>| {
            let more = row.remove("more").and_then(|more| serde_json::from_str::<Value>(more.as_str()?).ok());
            if let Some(Value::Object(more)) = more {
                row.extend(more);
            }
            // There they are texts, whatever the key is.
            if let Some(id) = row.get_mut("record_id").filter(|_| !is_text)
                && let Some(value) = id.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok())
            {
                *id = value;
            }
            serde_json::from_value::<Event>(Value::Object(row))
        };
        let events = rows.into_iter().map(event).collect::<Result<_, _>>();
        Ok(events.map_err(|error| CallError::internal(format!("a row of the history is none: {error}")))?)
    }
}

/// That a record cannot be read which is there.
fn unreadable(id: &str, error: &CallError) -> CallError {
    let message = "a value of the records is none of its field; the server's log says which";
    let why = match &error.detail {
        Some(Detail::Own(why)) => format!("the record {id}: {why}"),
        _ => format!("the record {id}: {}", error.message),
    };
    CallError { detail: Some(Detail::Own(why)), ..CallError::new(CallCode::UnreadableData, message) }
}

/// That a call is taken back, because the database does something else.
fn not_written(why: &str) -> CallError {
    CallError::new(CallCode::ChangeRefused, why).hint("nothing was changed")
}

/// Whether a value is the one that was sent, written in whichever way.
pub(super) fn is_same(property: &Property, sent: &Value, found: &Value) -> bool {
    let ty = property.logical_type.ty();
    match (sent.is_null(), found.is_null()) {
        (true, true) => true,
        (false, false) if property.logical_type.is_scalar() && !sent.is_number() => {
            match (read_value(sent, &ty), read_value(found, &ty)) {
                (Ok(sent), Ok(found)) => sent == found,
                _ => false,
            }
        }
        (false, false) => is_same_json(sent, found),
        _ => false,
    }
}

/// The same of JSON, in which 1 and 1.0 are one number.
fn is_same_json(sent: &Value, found: &Value) -> bool {
    match (sent, found) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_json(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has =
                |(name, value): (&String, &Value)| other.get(name).is_some_and(|found| is_same_json(value, found));
            one.len() == other.len() && one.iter().all(has)
        }
        (sent, found) => sent == found,
    }
}

/// A number that JSON has not, in words.
fn not_finite(array: &ArrayRef, row: usize) -> Option<String> {
    let numbers = array.as_primitive_opt::<Float64Type>().filter(|numbers| numbers.is_valid(row))?;
    let number = numbers.value(row);
    (!number.is_finite()).then(|| number.to_string())
}

fn plain_column(name: &str, ty: Type) -> OutputColumn {
    OutputColumn::new(name, ty)
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
    let name = &property.name;
    read_value(value, &ty).map_err(|mismatch| CallError::internal(format!("`{name}`: {mismatch}")).into())
}
