//! The size of a schema, as OpenAI counts it for strict mode.

use super::limits;
use serde_json::{Map, Value};

/// What is counted of a schema.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Measure {
    /// Properties of all objects.
    pub(super) properties: usize,
    /// Levels of nesting; a schema of plain values has one.
    pub(super) depth: usize,
    /// Characters of the names of properties and definitions, and of the values of `enum` and `const`.
    pub(super) characters: usize,
    /// Values of every `enum`.
    pub(super) enum_values: usize,
    /// Characters of the longest `enum` that has so many strings that they are counted.
    pub(super) large_enum: usize,
}

impl Measure {
    pub(super) fn of(schema: &Value) -> Measure {
        let mut measure = Measure::default();
        measure.add(schema, 1);
        measure
    }

    /// What is too large, in words.
    pub(super) fn excess(&self) -> Vec<String> {
        [
            (self.properties, limits::STRICT_PROPERTIES, "properties"),
            (self.depth, limits::STRICT_DEPTH, "levels of nesting"),
            (self.characters, limits::STRICT_CHARACTERS, "characters of names and listed values"),
            (self.enum_values, limits::STRICT_ENUM_VALUES, "listed values"),
            (self.large_enum, limits::STRICT_LARGE_ENUM_CHARACTERS, "characters in one list of values"),
        ]
        .into_iter()
        .filter(|(count, most, _)| count > most)
        .map(|(count, most, what)| format!("the schema has {count} {what}, and {most} are the most in strict mode"))
        .collect()
    }

    fn add(&mut self, schema: &Value, depth: usize) {
        let Value::Object(map) = schema else { return };
        self.depth = self.depth.max(depth);
        self.listed(map);
        for (keyword, value) in map {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    self.properties += properties.len();
                    for (name, schema) in properties {
                        self.characters += name.chars().count();
                        self.add(schema, depth + usize::from(is_nested(schema)));
                    }
                }
                ("$defs", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.characters += name.chars().count();
                        self.add(schema, depth + usize::from(is_nested(schema)));
                    }
                }
                ("items", schema) => self.add(schema, depth + usize::from(is_nested(schema))),
                ("anyOf", Value::Array(schemas)) => {
                    for schema in schemas {
                        self.add(schema, depth + usize::from(is_nested(schema)));
                    }
                }
                _ => {}
            }
        }
    }

    fn listed(&mut self, map: &Map<String, Value>) {
        let listed = map.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let characters = listed.iter().map(length).sum();
        self.enum_values += listed.len();
        self.characters += characters + map.get("const").map_or(0, length);
        if listed.len() > limits::STRICT_LARGE_ENUM && listed.iter().all(Value::is_string) {
            self.large_enum = self.large_enum.max(characters);
        }
    }
}

/// Objects and arrays open a level; it is not documented whether arrays do.
fn is_nested(schema: &Value) -> bool {
    schema.get("properties").is_some() || schema.get("items").is_some()
}

fn length(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().len(), |text| text.chars().count())
}
