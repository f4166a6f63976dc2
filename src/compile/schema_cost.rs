//! How long a value is checked against a schema: one that refers to itself in place, or applies its parts to one value thousands of
//! times, would keep the server busy for as long as its author likes.

use serde_json::Value;
use std::collections::HashMap;

/// How often parts of a schema may be applied to one value.
const MOST: u64 = 2_000;
/// How deep a schema may be.
const DEEPEST: usize = 64;
/// The keys whose schemas are applied to the value itself.
const IN_PLACE: [&str; 9] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$ref"];

/// Why a schema is not used; `None` of one that is.
pub(super) fn flaw(schema: &Value) -> Option<&'static str> {
    let mut counted = Counted { root: schema, known: HashMap::new() };
    counted.within(schema, 0)
}

struct Counted<'a> {
    root: &'a Value,
    /// How often the parts of a schema are applied, by its address; `None` while that is being counted.
    known: HashMap<*const Value, Option<u64>>,
}

impl<'a> Counted<'a> {
    /// The first flaw in a schema and all that is in it.
    fn within(&mut self, schema: &'a Value, depth: usize) -> Option<&'static str> {
        if depth > DEEPEST {
            return Some("is nested too deep");
        }
        match self.in_place(schema, 0) {
            None => return Some("refers to itself without looking at a part of the value"),
            Some(count) if count > MOST => return Some("applies its parts to one value thousands of times"),
            Some(_) => {}
        }
        match schema {
            Value::Object(map) => map.values().find_map(|value| self.within(value, depth + 1)),
            Value::Array(items) => items.iter().find_map(|item| self.within(item, depth + 1)),
            _ => None,
        }
    }

    /// How often parts of a schema are applied to one value; `None` where there is no end to that.
    fn in_place(&mut self, schema: &'a Value, depth: usize) -> Option<u64> {
        let Value::Object(map) = schema else { return Some(1) };
        match self.known.get(&std::ptr::from_ref(schema)) {
            Some(count) => return *count,
            None if depth > DEEPEST => return None,
            None => self.known.insert(std::ptr::from_ref(schema), None),
        };
        let mut count = 1_u64;
        for key in IN_PLACE {
            let Some(value) = map.get(key) else { continue };
            let parts: Vec<&'a Value> = match (key, value) {
                ("$ref", Value::String(to)) => self.target(to).into_iter().collect(),
                (_, Value::Array(items)) => items.iter().collect(),
                ("dependentSchemas", Value::Object(all)) => all.values().collect(),
                (_, value) => vec![value],
            };
            for part in parts {
                count = count.saturating_add(self.in_place(part, depth + 1)?);
            }
        }
        self.known.insert(std::ptr::from_ref(schema), Some(count));
        Some(count)
    }

    fn target(&self, to: &str) -> Option<&'a Value> {
        let pointer = to.strip_prefix('#')?;
        self.root.pointer(pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn a_schema_that_doubles_at_each_step_is_refused() {
        let mut definitions = Map::new();
        for at in 0..22 {
            let next = json!({"$ref": format!("#/$defs/x{}", at + 1)});
            definitions.insert(format!("x{at}"), json!({"anyOf": [next, next]}));
        }
        definitions.insert("x22".to_owned(), json!({"const": "no"}));
        let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/x0"}}, "$defs": definitions});
        assert_eq!(flaw(&schema), Some("applies its parts to one value thousands of times"));
    }

    #[test]
    fn schemas_of_trees_and_unions_are_used() {
        let tree = json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {
            "type": "object",
            "properties": {"below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        }}});
        assert_eq!(flaw(&tree), None);
        let round = json!({"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/B"}]}, "B": {"$ref": "#/$defs/A"}}});
        assert_eq!(flaw(&round), Some("refers to itself without looking at a part of the value"));
    }
}
