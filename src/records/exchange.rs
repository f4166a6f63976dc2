//! Records for other programs and from them: a Frictionless data package (<https://datapackage.org/standard/data-package/>), and rows
//! of CSV.

use super::change::{Record, Refused};
use crate::project::{LogicalType, Property, RecordContract};
use crate::ty::coerce::{Coercion, Strictness};
use serde_json::{Map, Value, json};

/// A package: its descriptor, and the rows as CSV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// What `datapackage.json` says, but for what is known of the file alone: its size and its hash.
    pub descriptor: Map<String, Value>,
    /// The rows.
    pub rows: Vec<u8>,
}

/// The records as a package whose rows lie in a file of that name.
///
/// Errors: a value cannot be written, which CSV has no reason for.
pub fn package(contract: &RecordContract, records: &[Record], file: &str) -> Result<Package, csv::Error> {
    let nothing = text_for_nothing(records);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = || contract.properties().iter().map(|property| property.name.as_str());
    writer.write_record(names())?;
    for record in records {
        let cell = |name: &str| match record.get(name) {
            None | Some(Value::Null) => nothing.clone(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        writer.write_record(names().map(cell))?;
    }
    let rows = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    let schema = json!({
        "fields": contract.properties().iter().map(field_of).collect::<Vec<_>>(),
        "primaryKey": contract.key().map(|key| &key.name),
        "missingValues": [nothing],
    });
    let resource = json!({
        "name": contract.id, "path": file, "format": "csv", "mediatype": "text/csv", "encoding": "utf-8",
        "profile": "tabular-data-resource", "schema": schema,
    });
    let descriptor = json!({
        "profile": "tabular-data-package", "name": contract.id, "title": contract.name, "version": contract.version,
        "description": contract.description.as_deref().unwrap_or(&contract.name), "resources": [resource],
    });
    Ok(Package { descriptor: descriptor.as_object().cloned().unwrap_or_default(), rows })
}

/// The text that stands for no value: one that no record has as a value, so that an empty text stays one.
fn text_for_nothing(records: &[Record]) -> String {
    let is_there = |text: &str| records.iter().flat_map(Map::values).any(|value| value.as_str() == Some(text));
    let mut text = String::new();
    while is_there(&text) {
        text = if text.is_empty() { "NULL".to_owned() } else { format!("_{text}") };
    }
    text
}

fn field_of(property: &Property) -> Value {
    let (ty, format) = match property.logical_type {
        LogicalType::String => ("string", None),
        LogicalType::Integer => ("integer", None),
        LogicalType::Number => ("number", None),
        LogicalType::Boolean => ("boolean", None),
        LogicalType::Date => ("date", None),
        // The default of the standard asks for a `Z`.
        LogicalType::Timestamp => ("datetime", Some("any")),
        LogicalType::Array => ("array", None),
        LogicalType::Object => ("object", None),
    };
    let mut field = json!({"name": property.name, "type": ty});
    let mut add = |key: &str, value: Value| field.as_object_mut().map(|field| field.insert(key.to_owned(), value));
    format.map(|format| add("format", format.into()));
    property.description.as_ref().map(|text| add("description", text.as_str().into()));
    let mut constraints = Map::new();
    if property.required && !property.derived {
        constraints.insert("required".to_owned(), true.into());
    }
    if property.primary_key {
        constraints.insert("unique".to_owned(), true.into());
    }
    if let Some(allowed) = &property.allowed {
        constraints.insert("enum".to_owned(), json!(allowed));
    }
    if !constraints.is_empty() {
        add("constraints", Value::Object(constraints));
    }
    field
}

/// The record that a row of texts is: values by field, each in its type. `row` is its number, for who is told of it.
///
/// Errors: all of its texts that are no values.
pub fn record_of_texts<'t>(
    contract: &RecordContract,
    row: usize,
    texts: impl Iterator<Item = (&'t str, &'t str)>,
) -> Result<Record, Vec<Refused>> {
    let (mut record, mut wrong) = (Record::new(), Vec::new());
    for (name, text) in texts {
        let Some(property) = contract.property(name) else { continue };
        match value_of_text(property, text) {
            Ok(value) => drop(record.insert(name.to_owned(), value)),
            Err(why) => wrong.push(Refused { record: row, field: Some(name.to_owned()), why }),
        }
    }
    if wrong.is_empty() { Ok(record) } else { Err(wrong) }
}

/// The value that a text of a file is, in the type of a field; else why it is none.
pub(super) fn value_of_text(property: &Property, text: &str) -> Result<Value, String> {
    let leniently = Coercion { strictness: Strictness::Lax, ..Coercion::default() };
    let ty = property.logical_type.ty();
    match property.logical_type {
        LogicalType::String => Ok(Value::from(text)),
        LogicalType::Array | LogicalType::Object => {
            serde_json::from_str(text).map_err(|_| format!("`{}` is no JSON", property.name))
        }
        LogicalType::Boolean | LogicalType::Integer | LogicalType::Number => {
            let text = text.trim();
            let read = ty.coerce(&Value::from(text), &leniently);
            read.map_err(|mismatch| format!("`{}`: {mismatch}", property.name))?;
            let value = match property.logical_type {
                LogicalType::Boolean => Some(text.eq_ignore_ascii_case("true").into()),
                LogicalType::Integer => text.parse::<i64>().ok().map(Value::from),
                _ => text.parse::<f64>().ok().map(Value::from),
            };
            value.ok_or_else(|| format!("`{}` is no {ty}", property.name))
        }
        // They are texts in records, too; whether they are such is told with the rest.
        LogicalType::Date | LogicalType::Timestamp => Ok(Value::from(text.trim().replacen(' ', "T", 1))),
    }
}
