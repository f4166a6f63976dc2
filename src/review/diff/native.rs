//! The arguments of a tool that is written in Rust: a JSON Schema instead of parameters.

use super::Found;
use crate::review::change::Kind;
use crate::tool::Contract;
use serde_json::{Map, Value};

/// Compares two schemas of arguments as far as their properties go.
pub(super) fn compare(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    let (old, new) = (before.schema(), after.schema());
    if old == new {
        return;
    }
    let text = |schema: Option<&Value>| schema.map(Value::to_string);
    let (Some(Value::Object(old)), Some(Value::Object(new))) = (old, new) else {
        found.push_texts(Kind::InputSchemaChanged, None, text(old).as_deref(), text(new).as_deref());
        return;
    };
    let (was, is) = (properties(old), properties(new));
    for (name, schema) in was.iter().filter(|(name, _)| !is.contains_key(*name)) {
        found.push_texts(Kind::ParameterRemoved, Some(name), Some(&schema.to_string()), None);
    }
    for (name, schema) in &is {
        match was.get(name) {
            None => {
                let kind = match requires(new, name) {
                    true => Kind::RequiredParameterAdded,
                    false => Kind::OptionalParameterAdded,
                };
                found.push_texts(kind, Some(name), None, Some(&schema.to_string()));
            }
            Some(old_schema) => {
                property(name, old_schema, schema, found);
                match (requires(old, name), requires(new, name)) {
                    (false, true) => found.push(Kind::ParameterBecameRequired, Some(name), (None, None)),
                    (true, false) => found.push(Kind::ParameterBecameOptional, Some(name), (None, None)),
                    _ => {}
                }
            }
        }
    }
    let (was, is) = (rest(old), rest(new));
    if was != is {
        found.push_texts(Kind::InputSchemaChanged, None, Some(&was.to_string()), Some(&is.to_string()));
    }
    if found.changes.is_empty() {
        let listed = |schema: &Map<String, Value>| Value::Object(schema.clone()).to_string();
        let (was, is) = super::differing(Some(&listed(old)), Some(&listed(new)));
        found.push(Kind::SpellingChanged, Some("input schema"), (was, is));
    }
}

fn properties(schema: &Map<String, Value>) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn requires(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|one| one == name))
}

/// All that is said of no property alone. Which are required is told of each.
fn rest(schema: &Map<String, Value>) -> Value {
    let told = ["properties", "required"];
    schema
        .iter()
        .filter(|(key, _)| !told.contains(&key.as_str()))
        .map(|(key, one)| (key.clone(), one.clone()))
        .collect()
}

fn property(name: &str, before: &Value, after: &Value, found: &mut Found<'_>) {
    if before == after {
        return;
    }
    let words = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let (was, is) = (words(before), words(after));
    if was != is {
        found.push_texts(Kind::ParameterDescriptionChanged, Some(name), was.as_deref(), is.as_deref());
    }
    let without = |schema: &Value| {
        let mut schema = schema.clone();
        if let Some(map) = schema.as_object_mut() {
            map.shift_remove("description");
        }
        schema
    };
    let (was, is) = (without(before), without(after));
    if was != is {
        found.push_texts(Kind::ParameterSchemaChanged, Some(name), Some(&was.to_string()), Some(&is.to_string()));
    }
}
