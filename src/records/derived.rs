//! What derived values are made of: the hash that tells it, and whether a value is made of what there is now.
//!
//! The hash is Folio's: SHA-256 of the JSON, in the form of RFC 8785, of what the value depends on (`_cache.py` of folio-kit 0.1.8).
//! Either keeps a value that the other has made.

use super::change::{Record, Records, key_of};
use super::history::{Event, OVERRIDDEN, REMOVED, WHOLE, id_text};
use crate::project::Derivation;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The key of a line of the history that says what a value was made of.
const HASH: &str = "input_hash";
/// The largest whole number that RFC 8785 writes as it is.
const LARGEST: i64 = 9_007_199_254_740_991;

/// What was last done to each cell.
#[derive(Debug, Default)]
pub struct Cells(HashMap<String, HashMap<String, (usize, Event)>>);

impl Cells {
    /// Of a history. What was done to a record before it was removed is past.
    pub fn of_history(events: Vec<Event>) -> Cells {
        let mut cells = Cells::default();
        for (line, event) in events.into_iter().enumerate() {
            let id = id_text(&event.record_id);
            if event.field == WHOLE && event.source == REMOVED {
                cells.0.remove(&id);
            } else {
                cells.0.entry(id).or_default().insert(event.field.clone(), (line, event));
            }
        }
        cells
    }

    /// What was last done to a cell.
    pub fn latest(&self, id: &Value, field: &str) -> Option<&Event> {
        self.0.get(&id_text(id))?.get(field).map(|(_, event)| event)
    }

    /// What was last done to a field, whatever the record.
    pub fn last_of_field<'a>(&self, ids: impl Iterator<Item = &'a Value>, field: &str) -> Option<&Event> {
        let cells = ids.filter_map(|id| self.0.get(&id_text(id))?.get(field));
        cells.max_by_key(|(line, _)| *line).map(|(_, event)| event)
    }
}

/// How a derived value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellState {
    /// It is made of what there is now.
    Fresh,
    /// It is made of something else.
    Stale,
    /// It was never made.
    Missing,
    /// Somebody has sent it, and it stays.
    Overridden,
    /// What it is made of is not known here.
    Unknown,
}

impl CellState {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            CellState::Fresh => "fresh",
            CellState::Stale => "stale",
            CellState::Missing => "missing",
            CellState::Overridden => "overridden",
            CellState::Unknown => "unknown",
        }
    }
}

/// How a value stands that was last written so, and would now be made of what has that hash; `None` where that is not known. `value` is
/// what the record has: a value that is gone is made again, whatever was said of it.
pub fn cell_state(
    latest: Option<&Event>,
    value: Option<&Value>,
    hash: Option<&str>,
    derivation: &Derivation,
) -> CellState {
    let (Some(latest), Some(_)) = (latest, value) else { return CellState::Missing };
    if latest.source == OVERRIDDEN && derivation.respects_override {
        return CellState::Overridden;
    }
    match hash {
        Some(hash) if latest.more.get(HASH).and_then(Value::as_str) == Some(hash) => CellState::Fresh,
        Some(_) => CellState::Stale,
        None => CellState::Unknown,
    }
}

/// The values of the fields that a value is made of; null where the record has none.
pub fn inputs_of(derivation: &Derivation, record: &Record) -> Map<String, Value> {
    let value = |field: &String| (field.clone(), record.get(field).cloned().unwrap_or_default());
    derivation.inputs.iter().map(value).collect()
}

/// The hash of what values of a record are made of. `more` is what their kind adds: the hash of a file, another folder.
pub fn input_hash(derivation: &Derivation, inputs: Map<String, Value>, more: &Map<String, Value>) -> String {
    let mut payload = json!({"derivation_file_hash": derivation.digest, "inputs": inputs});
    if let Some(payload) = payload.as_object_mut() {
        more.iter().for_each(|(name, value)| drop(payload.insert(name.clone(), value.clone())));
    }
    exactly(&mut payload);
    let written = serde_json_canonicalizer::to_vec(&payload).unwrap_or_default();
    format!("sha256:{}", hex::encode(Sha256::digest(written)))
}

/// Writes whole numbers as texts that the form has no exact number for. Folio has no hash where there is one.
fn exactly(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let is_exact = number.as_i64().is_some_and(|number| number.unsigned_abs() <= LARGEST.unsigned_abs());
            if !number.is_f64() && !is_exact {
                *value = Value::from(number.to_string());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(exactly),
        Value::Object(fields) => fields.values_mut().for_each(exactly),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Values that were made for a record.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeValues {
    /// The key of the record.
    pub id: Value,
    /// What the record had in its place, and what they were made of: where that is another by now, they are not written.
    pub seen: Vec<(String, Value)>,
    /// The values by field.
    pub values: Vec<(String, Value)>,
    /// The word for how they were made.
    pub source: &'static str,
    /// The hash of what they were made of.
    pub input_hash: String,
    /// What else the history says of how they were made: the model, what it cost.
    pub told: Map<String, Value>,
}

impl MadeValues {
    /// Writes them into the record; whether it is still what it was.
    pub fn put_into(&self, records: &mut Records) -> bool {
        let Some(record) = records.get_mut(&key_of(&self.id)) else { return false };
        let is_as_seen = |(field, value): &(String, Value)| record.get(field).unwrap_or(&Value::Null) == value;
        if !self.seen.iter().all(is_as_seen) {
            return false;
        }
        self.values.iter().for_each(|(field, value)| drop(record.insert(field.clone(), value.clone())));
        true
    }

    /// What the history says of them beside who and when: the field, and the rest.
    pub fn told_fields(&self) -> impl Iterator<Item = (&str, Map<String, Value>)> {
        let hash = [(HASH.to_owned(), Value::from(self.input_hash.as_str()))];
        let more: Map<String, Value> = hash.into_iter().chain(self.told.clone()).collect();
        self.values.iter().map(move |(field, _)| (field.as_str(), more.clone()))
    }
}
