//! The keys of calls that change data: with the same one again, a call gets the first answer, and changes nothing.
//!
//! They are kept in a table of the same database, written in the same transaction: there is no key without its change, and no
//! change without its key. Of two calls with one key at the same time, the database lets one write it; the other finds it when it
//! is tried again.

use super::Failed;
use crate::engine::bind::Arguments;
use crate::engine::changed::Changed;
use crate::engine::code::CallCode;
use crate::engine::consent::Consent;
use crate::engine::error::CallError;
use crate::engine::runners::Order;
use crate::engine::sources::{CallValue, Databases, Rule, SourceError, StatementCall, StatementColumns, Transaction};
use crate::project::AutomaticParameter;
use crate::tool::{Change, Idempotency};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::common::ScalarValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What is found of a call, or kept.
pub(super) struct Answer {
    pub(super) changed: Changed,
    pub(super) batches: Vec<RecordBatch>,
}

/// The key of a call.
pub(super) struct Key<'a> {
    change: &'a Change,
    kept: &'a Idempotency,
    databases: &'a Databases,
    /// Of whom and of which tool it is, in one text.
    id: String,
    /// What it was sent with.
    arguments: String,
    now: i64,
}

impl<'a> Key<'a> {
    /// That of a call; `None` where it has none.
    pub(super) fn of(order: Order<'_>, change: &'a Change, databases: &'a Databases) -> Option<Key<'a>> {
        let kept = change.idempotency.as_ref()?;
        // Whoever has the answer need not ask a person again.
        let is_sought = order.caller.consent == Consent::Sought;
        let key = order.call.idempotency_key.as_deref().filter(|_| !order.call.dry_run || is_sought)?;
        let whose = order.caller.principal.as_deref().unwrap_or_default();
        let tool = order.contract.alias_of.as_deref().unwrap_or(&order.contract.name);
        let now = order.call.now.timestamp_millis();
        // Whoever has another tenant, say, is somebody else, whatever they are called.
        let bound = bound(order);
        let id = digest(&[tool, whose, key, &bound]);
        // A tool that is another one by now has no answer to this.
        let columns = format!("{:?}", order.contract.columns());
        let arguments = digest(&[&sent(order.arguments), &change.statement, &columns]);
        Some(Key { change, kept, databases, id, arguments, now })
    }

    /// The answer of an earlier call with the same key.
    ///
    /// Errors: the earlier call had other arguments, or the database fails.
    pub(super) async fn found(&self, transaction: &mut dyn Transaction) -> Result<Option<Answer>, Failed> {
        let columns = [("arguments", DataType::Utf8), ("answer", DataType::Utf8)];
        let oldest = self.now.saturating_sub(self.kept.keep_milliseconds());
        let text = |place: [&str; 2]| {
            let [id, at] = place;
            format!("SELECT arguments, answer FROM {} WHERE id = {id} AND at > {at}", self.kept.table)
        };
        let values = [text_value(&self.id), ScalarValue::Int64(Some(oldest))];
        let batches = self.ran(transaction, &text, values, &columns, false).await?;
        let found = batches.iter().find(|batch| batch.num_rows() > 0);
        let Some((arguments, answer)) = found.and_then(|batch| Some((cell(batch, 0)?, cell(batch, 1)?))) else {
            return Ok(None);
        };
        if arguments != self.arguments {
            let message = "the `idempotency_key` was sent with other arguments before";
            let error = CallError::about(CallCode::IdempotencyKeyReused, "idempotency_key", message);
            return Err(error.hint("send another key for another change").into());
        }
        let answer = read(&answer).ok_or_else(|| CallError::internal("a kept answer cannot be read"))?;
        Ok(Some(answer))
    }

    /// Keeps the answer.
    pub(super) async fn keep(
        &self,
        transaction: &mut dyn Transaction,
        changed: &Changed,
        batches: &[RecordBatch],
    ) -> Result<(), Failed> {
        let oldest = self.now.saturating_sub(self.kept.keep_milliseconds());
        // Placeholders are counted by their places in MySQL: each value stands once.
        let forget = |[id, at]: [&str; 2]| format!("DELETE FROM {} WHERE id = {id} AND at <= {at}", self.kept.table);
        let values = [text_value(&self.id), ScalarValue::Int64(Some(oldest))];
        self.ran(transaction, &forget, values, &[], true).await?;
        let answer = write(changed, batches).ok_or_else(|| CallError::internal("an answer cannot be kept"))?;
        let values = [
            text_value(&self.id),
            text_value(&self.arguments),
            text_value(&answer),
            ScalarValue::Int64(Some(self.now)),
        ];
        let text = |places: [&str; 4]| {
            format!("INSERT INTO {} (id, arguments, answer, at) VALUES ({})", self.kept.table, places.join(", "))
        };
        match self.ran(transaction, &text, values, &[], true).await {
            // Another call with the same key was faster: what it has answered is found when this is tried again.
            Err(Failed::Source(SourceError::Violated { source, rule: Rule::Unique, .. })) => {
                Err(SourceError::Serialization { source }.into())
            }
            outcome => outcome.map(drop),
        }
    }

    async fn ran<const N: usize>(
        &self,
        transaction: &mut dyn Transaction,
        text: &(dyn Fn([&str; N]) -> String + Sync),
        values: [ScalarValue; N],
        columns: &[(&str, DataType)],
        writes: bool,
    ) -> Result<Vec<RecordBatch>, Failed> {
        let values = values.map(|value| CallValue { value, sent_as: None, parameter: None });
        let mut number = 0;
        let places = values.each_ref().map(|value| {
            number += 1;
            value.placeholder(self.change.database, number)
        });
        let text = text(places.each_ref().map(String::as_str));
        let columns = StatementColumns::plain(columns);
        let values = values.into();
        let call = StatementCall { name: "idempotency", text, values, most: None, session: Vec::new(), deadline: None };
        let request = self.databases.statement_request(&self.change.source, &columns, call, writes)?;
        Ok(transaction.run(request).await?.batches)
    }
}

fn text_value(text: &str) -> ScalarValue {
    ScalarValue::Utf8(Some(text.to_owned()))
}

fn cell(batch: &RecordBatch, column: usize) -> Option<String> {
    let texts = batch.columns().get(column)?.as_string_opt::<i32>()?;
    texts.iter().next()?.map(str::to_owned)
}

/// A digest of several texts, each with its length before it.
fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hex::encode(hasher.finalize())
}

/// The values of all that no agent sends.
fn bound(order: Order<'_>) -> String {
    let hidden = order.contract.parameters().iter().filter(|parameter| parameter.from.is_some());
    let values: Vec<String> =
        hidden.map(|parameter| format!("{}={:?}", parameter.name, order.call.value(&parameter.name))).collect();
    values.join(",")
}

/// What was sent, but for what qtool adds, in one order.
fn sent(arguments: &Arguments) -> String {
    let is_own = |name: &&String| !AutomaticParameter::ALL.iter().any(|one| one.as_str() == name.as_str());
    let own: BTreeMap<&String, Value> = arguments
        .iter()
        .filter(|(name, value)| is_own(name) && !value.is_null())
        .map(|(name, value)| {
            let mut value = value.clone();
            value.sort_all_objects();
            (name, value)
        })
        .collect();
    json!(own).to_string()
}

fn write(changed: &Changed, batches: &[RecordBatch]) -> Option<String> {
    let mut rows = Value::Null;
    if let Some(first) = batches.first() {
        let mut writer = StreamWriter::try_new(Vec::new(), &first.schema()).ok()?;
        for batch in batches {
            writer.write(batch).ok()?;
        }
        rows = BASE64_STANDARD.encode(writer.into_inner().ok()?).into();
    }
    Some(json!({"changed": changed.rows, "rows": rows}).to_string())
}

fn read(answer: &str) -> Option<Answer> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let changed = Changed { rows: answer.get("changed")?.as_u64()?, is_repeated: true, ..Changed::default() };
    let batches = match answer.get("rows")? {
        Value::Null => Vec::new(),
        rows => {
            let bytes = BASE64_STANDARD.decode(rows.as_str()?).ok()?;
            let reader = StreamReader::try_new(bytes.as_slice(), None).ok()?;
            reader.collect::<Result<Vec<_>, _>>().ok()?
        }
    };
    Some(Answer { changed, batches })
}
