//! What becomes of records where some are written or removed: the rules of the contract, and nothing of where they lie.

use crate::project::{LogicalType, Property, RecordContract};
use crate::ty::coerce::{Coercion, Strictness, shortened};
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// A record: values by field.
pub type Record = Map<String, Value>;

/// Why records are not written: one of them, by its number among those that were sent, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Which of the records, counted from 0.
    pub record: usize,
    /// The field that it is about; `None` where that is the record.
    pub field: Option<String>,
    /// Why, in words for who has sent it.
    pub why: String,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Upserted {
    /// Records that are sent and are new.
    pub inserted: usize,
    /// Records that are sent and were there, be it by an earlier one of the call.
    pub updated: usize,
    /// The cells that have another value than before, by record and field.
    pub cells: Vec<(Value, String)>,
    /// The records that are others than they were, as they were.
    pub before: Vec<Record>,
    /// The same as they are then.
    pub after: Vec<Record>,
    /// The records that are new.
    pub new: Vec<Record>,
}

/// The records of a table, in their order, each by the text of its key.
pub type Records = IndexMap<String, Record>;

/// What a key is among others: numbers and texts are told apart.
pub fn key_of(value: &Value) -> String {
    value.to_string()
}

/// Writes records into those that are there: the fields that are sent, of those with the same key, and the others as new. All of
/// them are written, or none.
///
/// Errors: all that is wrong with them, by the contract.
pub fn upsert(
    contract: &RecordContract,
    there: &mut Records,
    sent: &[Record],
    actor: &str,
) -> Result<Upserted, Vec<Refused>> {
    let mut wrong: Vec<Refused> = Vec::new();
    let Some(key) = contract.key() else {
        return Err(vec![Refused { record: 0, field: None, why: "the contract names no primary key".to_owned() }]);
    };
    let mut done = Upserted::default();
    let mut written: Records = Records::new();
    for (at, record) in sent.iter().enumerate() {
        let refused = |(field, why): (Option<String>, String)| Refused { record: at, field, why };
        let flaws = flaws_of(contract, record, actor);
        let Some(id) = record.get(&key.name).filter(|id| !id.is_null()) else {
            wrong.push(refused((Some(key.name.clone()), format!("`{}` is the primary key, and is missing", key.name))));
            continue;
        };
        let id = key_of(id);
        // The same record may be sent twice: the second is written over the first.
        let before = written.get(&id).or_else(|| there.get(&id));
        let mut merged = before.cloned().unwrap_or_default();
        match before {
            Some(_) => done.updated += 1,
            None => done.inserted += 1,
        }
        record.iter().for_each(|(field, value)| drop(merged.insert(field.clone(), value.clone())));
        let missing = contract.properties().iter().filter(|one| one.required && !one.derived);
        let missing = missing.filter(|one| merged.get(&one.name).is_none_or(Value::is_null));
        let missing =
            missing.map(|one| (Some(one.name.clone()), format!("`{}` is required, and is missing or null", one.name)));
        let found: Vec<(Option<String>, String)> = flaws.into_iter().chain(missing).collect();
        wrong.extend(found.into_iter().map(refused));
        written.insert(id, merged);
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    for (id, record) in written {
        let before = there.get(&id);
        // What is as it was is nothing that somebody is shown.
        match before {
            Some(before) if *before == record => continue,
            Some(before) => {
                done.before.push(before.clone());
                done.after.push(record.clone());
            }
            None => done.new.push(record.clone()),
        }
        let is_other = |(field, value): &(&String, &Value)| before.and_then(|before| before.get(*field)) != Some(value);
        let key = record.get(&key.name).cloned().unwrap_or_default();
        done.cells.extend(record.iter().filter(is_other).map(|(field, _)| (key.clone(), field.clone())));
        there.insert(id, record);
    }
    Ok(done)
}

/// What is wrong with a record that is sent, whatever is there.
fn flaws_of(contract: &RecordContract, record: &Record, actor: &str) -> Vec<(Option<String>, String)> {
    let mut flaws = Vec::new();
    for (field, value) in record {
        let told = match contract.property(field) {
            None => Some(format!("the contract has no field `{field}`")),
            Some(property) if !property.is_editable_by(actor) => Some(match &property.editable_by {
                Some(_) => format!("`{field}` may not be written by `{actor}`"),
                None => format!("`{field}` is derived: nobody writes it"),
            }),
            Some(property) => misfit(property, value),
        };
        flaws.extend(told.map(|why| (Some(field.clone()), why)));
    }
    flaws
}

/// Why a value is none of a field; `None` where it is one.
pub fn misfit(property: &Property, value: &Value) -> Option<String> {
    use LogicalType::{Array, Boolean, Date, Integer, Number, Object, String, Timestamp};
    let fits = |expected: &str, fits: bool| {
        (!fits).then(|| format!("`{}` must be {expected}, got {}", property.name, shortened(value)))
    };
    if value.is_null() {
        return None;
    }
    let strictly = || {
        let coercion = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
        value.is_string() && property.logical_type.ty().coerce(value, &coercion).is_ok()
    };
    let told = match property.logical_type {
        String => fits("a text", value.is_string()),
        Integer => fits("a whole number of 64 bits", value.is_i64() || is_whole(value)),
        Number => fits("a number", value.is_number()),
        Boolean => fits("true or false", value.is_boolean()),
        Date => fits("a day such as \"2024-03-31\"", strictly()),
        Timestamp => fits("a moment such as \"2024-03-31T17:45:00\"", strictly()),
        Array => fits("a list", value.is_array()),
        Object => fits("an object", value.is_object()),
    };
    told.or_else(|| {
        let allowed = property.allowed.as_ref()?;
        let is_one = value.as_str().is_some_and(|text| allowed.iter().any(|one| one == text));
        fits(&format!("one of {}", allowed.join(", ")), is_one)
    })
}

/// Whether a number is whole that is written with a point.
fn is_whole(value: &Value) -> bool {
    // Up to here each whole number has a place of its own among them.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    value.as_f64().is_some_and(|number| number.fract() == 0.0 && number.abs() <= LARGEST)
}

/// Removes records, and gives those that were there with their keys.
pub fn delete(there: &mut Records, ids: &[Value]) -> Vec<(Value, Record)> {
    ids.iter().filter_map(|id| Some((id.clone(), there.shift_remove(&key_of(id))?))).collect()
}
