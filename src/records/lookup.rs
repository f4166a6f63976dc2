//! Values that are looked up by the key of a record: in a file of its folder, or in another folder of records.

use super::change::{Record, key_of};
use super::exchange::value_of_text;
use super::folder::RECORDS;
use super::lines::{check_plain, lines_of};
use crate::in_words::in_words;
use crate::name::nearest;
use crate::project::{LogicalType, Lookup, Property};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

/// A larger file is not read whole for a call.
const MOST_BYTES: u64 = 64 << 20;

in_words! {
    /// Why there is no value, in words for who asked for it.
    pub struct NoValue;
}

/// The rows of a file, by the key of a record.
#[derive(Debug)]
pub struct LookupRows {
    rows: Vec<Record>,
    by_key: HashMap<String, Vec<usize>>,
    /// Whether values are texts that stand for those of a type.
    are_texts: bool,
    /// The SHA-256 of the file; `empty` of an empty one.
    hash: String,
}

impl LookupRows {
    /// Reads a file of a folder: CSV, JSON or lines of JSON, by its ending.
    ///
    /// Errors: it cannot be read, is none of them, or has not the columns that are asked for.
    pub fn of_file(path: &Path, lookup: &Lookup, key: &Property) -> Result<LookupRows, NoValue> {
        let ending = Path::new(&lookup.source).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let text = text_of(path, &lookup.source)?;
        let (rows, are_texts) = match ending.to_ascii_lowercase().as_str() {
            "csv" => (rows_of_csv(&text, lookup)?, true),
            "jsonl" => (rows_of_lines(&text, &lookup.source)?, false),
            "json" => (rows_of_json(&text, &lookup.source)?, false),
            _ => return Err(format!("`{}` is none of .csv, .jsonl and .json", lookup.source).into()),
        };
        LookupRows::new(rows, are_texts, hash_of(&text), lookup, key)
    }

    /// Reads the records of another folder.
    ///
    /// Errors: as of a file.
    pub fn of_folder(path: &Path, lookup: &Lookup, key: &Property) -> Result<LookupRows, NoValue> {
        let text = text_of(&path.join(RECORDS), &lookup.source)?;
        let hash = if text.is_empty() { "empty".to_owned() } else { hash_of(&text) };
        LookupRows::new(rows_of_lines(&text, &lookup.source)?, false, hash, lookup, key)
    }

    fn new(
        rows: Vec<Record>,
        are_texts: bool,
        hash: String,
        lookup: &Lookup,
        key: &Property,
    ) -> Result<LookupRows, NoValue> {
        let values = lookup.value_fields.iter().flat_map(|fields| fields.values());
        for field in [&lookup.key_field].into_iter().chain(&lookup.value_field).chain(values) {
            if !rows.is_empty() && !rows.iter().any(|row| row.contains_key(field)) {
                let names = rows.first().into_iter().flat_map(Map::keys).map(String::as_str);
                let near = nearest(field, names).map(|near| format!("; there is `{near}`")).unwrap_or_default();
                return Err(format!("`{}` has no `{field}`{near}", lookup.source).into());
            }
        }
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let value = row.get(&lookup.key_field).filter(|value| !value.is_null());
            let value = match (value, are_texts) {
                (Some(Value::String(text)), true) => value_of_text(key, text).ok(),
                (value, _) => value.cloned(),
            };
            value.into_iter().for_each(|value| by_key.entry(same_key(&value)).or_default().push(at));
        }
        Ok(LookupRows { rows, by_key, are_texts, hash })
    }

    /// The SHA-256 of the file; `empty` of one without a byte.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The values of a record with that key, for some fields; `None` where there is none.
    ///
    /// Errors: there are several rows of that key, or a text stands for no value of the field.
    pub fn values(
        &self,
        lookup: &Lookup,
        id: &Value,
        targets: &[&Property],
    ) -> Result<Option<Vec<(String, Value)>>, NoValue> {
        let row = match self.by_key.get(&same_key(id)).map(Vec::as_slice) {
            None | Some([]) => return Ok(None),
            Some([at]) => self.rows.get(*at),
            Some(several) => {
                let (found, source, key) = (several.len(), &lookup.source, &lookup.key_field);
                return Err(format!("`{source}` has {found} rows where `{key}` is {id}, and one is expected").into());
            }
        };
        let value = |target: &&Property| {
            let found = row.and_then(|row| row.get(lookup.value_of(&target.name)?)).cloned().unwrap_or_default();
            let value = match found {
                Value::String(text) if self.are_texts => self.of_text(target, &text)?,
                other => other,
            };
            Ok((target.name.clone(), value))
        };
        targets.iter().map(value).collect::<Result<Vec<_>, NoValue>>().map(Some)
    }

    fn of_text(&self, target: &Property, text: &str) -> Result<Value, NoValue> {
        match text.trim().is_empty() && target.logical_type != LogicalType::String {
            true => Ok(Value::Null),
            false => value_of_text(target, text).map_err(NoValue::from),
        }
    }
}

/// What the hash of a value depends on beside its inputs.
pub fn hashed(lookup: &Lookup, rows: &LookupRows, is_sheet: bool) -> Map<String, Value> {
    let hashed = match is_sheet {
        false => json!({"source_file_hash": rows.hash}),
        true => json!({
            "source_sheet": lookup.source, "key_field": lookup.key_field, "value_field": lookup.value_field,
            "value_fields": lookup.value_fields, "foreign_records_hash": rows.hash,
        }),
    };
    hashed.as_object().cloned().unwrap_or_default()
}

/// A key among others, where 1 and 1.0 are one number.
fn same_key(value: &Value) -> String {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    match value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0 && number.abs() <= LARGEST) {
        Some(whole) => format!("{whole:.0}"),
        None => key_of(value),
    }
}

fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

fn text_of(path: &Path, shown: &str) -> Result<String, NoValue> {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(format!(
            "`{shown}` is larger than {most} MiB: make it a table, and say by `sql` what is looked up in it"
        )
        .into());
    }
    let read = check_plain(path).and_then(|()| std::fs::read_to_string(path));
    read.map_err(|error| format!("`{shown}` cannot be read: {error}").into())
}

fn rows_of_csv(text: &str, lookup: &Lookup) -> Result<Vec<Record>, NoValue> {
    let unread = |error: csv::Error| NoValue::from(format!("`{}` is no CSV: {error}", lookup.source));
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
        return Err(format!("a quote of `{}` is not closed", lookup.source).into());
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names = reader.headers().map_err(unread)?.clone();
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.map_err(unread)?;
        let value = |(at, name): (usize, &str)| (name.to_owned(), row.get(at).map_or(Value::Null, Value::from));
        Ok(names.iter().enumerate().map(value).collect())
    };
    reader.records().map(row).collect()
}

fn rows_of_lines(text: &str, shown: &str) -> Result<Vec<Record>, NoValue> {
    let row = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|_| NoValue::from(format!("line {at} of `{shown}` is no object of JSON")))
    };
    lines_of(text).map(row).collect()
}

fn rows_of_json(text: &str, shown: &str) -> Result<Vec<Record>, NoValue> {
    serde_json::from_str(text).map_err(|_| format!("`{shown}` is no list of objects in JSON").into())
}
