//! Whether a folder of records holds to its contract: each line of the records, and each of the history.

use super::change::{Record, key_of, misfit};
use super::folder::{HISTORY, RECORDS};
use super::history::{Event, REMOVED, WHOLE};
use super::lines::{lines_of, text_of};
use crate::name::nearest;
use crate::project::{LogicalType, RecordContract};
use crate::ty::coerce::shortened;
use chrono::DateTime;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The file in the folder.
    pub file: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// What was looked at, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Records that there are.
    pub records: usize,
    /// Lines of the history.
    pub events: usize,
    /// What is wrong, in the order of files and lines.
    pub flaws: Vec<Flaw>,
}

/// Looks at the records of a folder and at their history.
///
/// Errors: a file is there and cannot be read.
pub fn verify(contract: &RecordContract, folder: &Path) -> std::io::Result<Verified> {
    let (records, history) = (text_of(&folder.join(RECORDS))?, text_of(&folder.join(HISTORY))?);
    let mut found = Verified::default();
    let there = verify_records(contract, &records, &mut found);
    verify_history(contract, &history, &there, &mut found);
    Ok(found)
}

/// A record that is there: its line, and its fields.
type There = HashMap<String, (usize, Record)>;

fn verify_records(contract: &RecordContract, text: &str, found: &mut Verified) -> There {
    let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
    let mut there = There::new();
    for (line, written) in lines_of(text) {
        let mut tell = |why: String| found.flaws.push(Flaw { file: RECORDS, line, why });
        let Ok(record) = serde_json::from_str::<Record>(written) else {
            tell("is no object of JSON".to_owned());
            continue;
        };
        flaws_of(contract, &record).into_iter().for_each(&mut tell);
        let Some(id) = record.get(key).filter(|id| !id.is_null()).map(key_of) else {
            tell(format!("has no `{key}`, which tells records apart"));
            continue;
        };
        if let Some((first, _)) = there.get(&id) {
            tell(format!("has the key {id}, as line {first} has: the last one counts"));
        }
        there.insert(id, (line, record));
    }
    found.records = there.len();
    there
}

/// What is wrong with a record, whoever has written it.
fn flaws_of(contract: &RecordContract, record: &Record) -> Vec<String> {
    let names = || contract.properties().iter().map(|property| property.name.as_str());
    let of_fields = record.iter().filter_map(|(field, value)| match contract.property(field) {
        Some(property) if is_moment_elsewhere(property.logical_type, value) => None,
        Some(property) => misfit(property, value),
        None => {
            let near = nearest(field, names()).map(|near| format!("; there is `{near}`")).unwrap_or_default();
            Some(format!("the contract has no field `{field}`{near}"))
        }
    });
    let is_missing = |name: &str| record.get(name).is_none_or(Value::is_null);
    let missing = contract.properties().iter().filter(|one| one.required && !one.derived && !one.primary_key);
    let missing = missing.filter(|one| is_missing(&one.name));
    of_fields.chain(missing.map(|one| format!("`{}` is required, and is missing or null", one.name))).collect()
}

/// Whether a value is a moment with an offset: it is read as the same moment in UTC.
fn is_moment_elsewhere(ty: LogicalType, value: &Value) -> bool {
    ty == LogicalType::Timestamp && value.as_str().is_some_and(|text| DateTime::parse_from_rfc3339(text).is_ok())
}

fn verify_history(contract: &RecordContract, text: &str, there: &There, found: &mut Verified) {
    // What was done to a record last, and which of its fields are accounted for.
    let mut last: HashMap<String, (usize, bool)> = HashMap::new();
    let mut told: HashMap<String, Vec<String>> = HashMap::new();
    for (line, written) in lines_of(text) {
        let mut tell = |why: String| found.flaws.push(Flaw { file: HISTORY, line, why });
        let Ok(event) = serde_json::from_str::<Event>(written) else {
            tell("is no event: `record_id`, `field`, `source`, `actor` and `at` are needed".to_owned());
            continue;
        };
        found.events += 1;
        let texts = [("field", &event.field), ("source", &event.source), ("actor", &event.actor), ("at", &event.at)];
        texts.iter().filter(|(_, text)| text.is_empty()).for_each(|(name, _)| tell(format!("`{name}` is empty")));
        if event.field != WHOLE && contract.property(&event.field).is_none() {
            tell(format!("the contract has no field `{}`", event.field));
        }
        let id = key_of(&event.record_id);
        last.insert(id.clone(), (line, event.source == REMOVED));
        told.entry(id).or_default().push(event.field);
    }
    for (id, (line, _)) in last.iter().filter(|(id, (_, is_removed))| *is_removed && there.contains_key(*id)) {
        let why = format!("removes the record {id}, which is there: who wrote it again has left no line");
        found.flaws.push(Flaw { file: HISTORY, line: *line, why });
    }
    for (id, (line, record)) in there {
        let derived = contract.properties().iter().filter(|property| property.derived);
        let made = derived.filter(|property| record.get(&property.name).is_some_and(|value| !value.is_null()));
        let is_told = |name: &str| told.get(id).is_some_and(|fields| fields.iter().any(|field| field == name));
        for property in made.filter(|property| !is_told(&property.name)) {
            let value = record.get(&property.name).map(shortened).unwrap_or_default();
            let why =
                format!("`{}` is derived, and no line of the history says where {value} comes from", property.name);
            found.flaws.push(Flaw { file: RECORDS, line: *line, why });
        }
    }
    found.flaws.sort_by_key(|flaw| (flaw.file == HISTORY, flaw.line));
}
