//! What a format's documents must look like, as the JSON Schema of its struct. A key that may be left out is left out:
//! null is a value only where any value is.

use indexmap::IndexMap;
use serde_json::{Map, Value};

/// What a format's documents must look like: the JSON Schema of its struct, ready to check with.
pub struct Shape {
    schema: Value,
    validator: Option<jsonschema::Validator>,
}

impl Shape {
    /// The shape of a format; made once and kept, because it costs more than reading a header.
    pub fn of<T: schemars::JsonSchema>() -> Shape {
        let mut schema = schemars::generate::SchemaSettings::draft2020_12()
            .with(|settings| settings.inline_subschemas = true)
            .into_generator()
            .into_root_schema_for::<T>()
            .to_value();
        refuse_null(&mut schema);
        // The schema is generated from our own types: it always compiles (a test of every format sees to it).
        let validator = jsonschema::validator_for(&schema).ok();
        Shape { schema, validator }
    }

    /// The keys that a document may have.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|map| map.keys().map(String::as_str))
    }

    /// The schema.
    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Every place where a value does not have the shape.
    pub(super) fn errors<'v>(&'v self, value: &'v Value) -> impl Iterator<Item = jsonschema::ValidationError<'v>> {
        self.validator.iter().flat_map(|validator| validator.iter_errors(value))
    }
}

/// The JSON Schema of a YAML format, for editors: draft 2020-12, pretty-printed, with a final line break.
pub fn schema_text<T: schemars::JsonSchema>() -> String {
    let mut schema = schemars::schema_for!(T).to_value();
    refuse_null(&mut schema);
    let mut entries: Vec<(&String, &Value)> = schema.as_object().into_iter().flatten().collect();
    // What it is comes first.
    let first = ["$schema", "title", "description"];
    entries.sort_by_key(|(key, _)| first.iter().position(|known| known == key).unwrap_or(first.len()));
    let ordered: IndexMap<&String, &Value> = entries.into_iter().collect();
    let mut text = serde_json::to_string_pretty(&ordered).unwrap_or_default();
    text.push('\n');
    text
}

/// The key of a schema that says that other programs write null where they mean that nothing is said.
const WRITTEN_NULL: &str = "x-written-null";

/// Takes null out of the schemas of all keys. To serde a key that is null is absent; to people it is one that they have
/// forgotten to fill in.
fn refuse_null(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                properties.values_mut().filter_map(Value::as_object_mut).for_each(without_null);
            }
            map.values_mut().for_each(refuse_null);
        }
        Value::Array(items) => items.iter_mut().for_each(refuse_null),
        _ => {}
    }
}

/// Takes null out of one schema: as a type, as one of several schemas, as one of several values, and as the default.
fn without_null(schema: &mut Map<String, Value>) {
    if schema.contains_key(WRITTEN_NULL) {
        return;
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    for key in ["type", "enum"] {
        if let Some(Value::Array(items)) = schema.get_mut(key) {
            items.retain(|item| !item.is_null() && item != "null");
            if let ("type", [one]) = (key, items.as_slice()) {
                let one = one.clone();
                schema.insert(key.to_owned(), one);
            }
        }
    }
    let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") else { return };
    alternatives.retain(|one| one.get("type").is_none_or(|ty| ty != "null"));
    if let [Value::Object(only)] = alternatives.as_slice() {
        let only = only.clone();
        schema.remove("anyOf");
        for (key, value) in only {
            schema.entry(key).or_insert(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_is_left_out_and_not_null() {
        let mut schema = json!({
            "properties": {
                "text": {"description": "d", "type": ["string", "null"], "default": null},
                "record": {"description": "d", "anyOf": [{"$ref": "#/$defs/r", "description": "r"}, {"type": "null"}]},
                "choice": {"enum": ["a", null]},
                "any": {"description": "d"},
                "map": {"additionalProperties": {"type": ["string", "null"], "properties": {"x": {"type": ["integer", "null"]}}}},
            }
        });
        refuse_null(&mut schema);
        let wanted = json!({
            "properties": {
                "text": {"description": "d", "type": "string"},
                "record": {"description": "d", "$ref": "#/$defs/r"},
                "choice": {"enum": ["a"]},
                "any": {"description": "d"},
                "map": {"additionalProperties": {"type": ["string", "null"], "properties": {"x": {"type": "integer"}}}},
            }
        });
        assert_eq!(schema, wanted);
    }
}
