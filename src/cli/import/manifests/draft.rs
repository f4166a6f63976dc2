//! A manifest as it comes together, and its text.

use super::flow::{flow, text};
use serde_json::{Map, Value};

/// The keys of a manifest in the order that they are written in.
const ORDER: [&str; 22] = [
    "title",
    "description",
    "tags",
    "scopes",
    "params",
    "run",
    "python",
    "simple_json",
    "interpreter",
    "http",
    "json_argument",
    "stdin",
    "output",
    "cwd",
    "env",
    "env_file",
    "passthrough",
    "network",
    "limits",
    "timeout",
    "cache_ttl",
    "annotations",
];

/// A manifest.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    entries: Map<String, Value>,
}

impl Draft {
    /// Says a key; what says nothing is not written.
    pub(crate) fn say(&mut self, key: &str, value: impl Into<Value>) {
        let value = match value.into() {
            Value::String(text) => Value::from(text.trim()),
            other => other,
        };
        let is_nothing = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        };
        if !is_nothing {
            self.entries.insert(key.to_owned(), value);
        }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let place = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
        let mut entries: Vec<(&String, &Value)> = self.entries.iter().collect();
        entries.sort_by_key(|(key, _)| place(key));
        for (key, value) in entries {
            match value {
                Value::Object(map) if matches!(key.as_str(), "params" | "env" | "http") => {
                    out.push_str(&format!("{key}:\n"));
                    map.iter().for_each(|(key, value)| out.push_str(&format!("  {}: {}\n", text(key), flow(value))));
                }
                _ => out.push_str(&format!("{key}: {}\n", flow(value))),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_have_an_order_and_nothing_is_not_written() {
        let mut draft = Draft::default();
        draft.say("run", json!(["wc", "-l", "<< file >>"]));
        draft.say("description", " Counts lines: all.\n");
        draft.say("tags", Vec::<String>::new());
        draft.say("network", true);
        draft.say("params", json!({"file": {"type": "text"}}));
        assert_eq!(
            draft.text(),
            "description: \"Counts lines: all.\"\nparams:\n  file: { type: text }\nrun: [wc, \"-l\", << file >>]\nnetwork: true\n"
        );
    }
}
