//! What a schema would have taken in the place of a value, in words.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

/// The key of a schema under which a format says in words what it takes.
pub const EXPECTED: &str = "x-expected";

/// The keys of the object schema that an `additionalProperties` complaint came from.
pub(super) fn known_keys(schema: &Value, schema_path: &str) -> Vec<String> {
    let parent = schema_path.strip_suffix("/additionalProperties").unwrap_or(schema_path);
    schema
        .pointer(parent)
        .and_then(|object| object.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

pub(super) fn collect_expectations(error: &jsonschema::ValidationError<'_>, schema: &Value, found: &mut Vec<String>) {
    let path = error.schema_path().as_str();
    let own = path.rsplit_once('/').and_then(|(parent, _)| schema.pointer(parent)?.get(EXPECTED)?.as_str());
    match (own, error.kind()) {
        (Some(own), _) => found.push(own.to_owned()),
        (None, ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) => {
            for alternative in context {
                // A word says more than that it is a text.
                let is_word = |inner: &&jsonschema::ValidationError<'_>| {
                    matches!(inner.kind(), ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. })
                };
                let words: Vec<_> = alternative.iter().filter(is_word).collect();
                let all = if words.is_empty() { alternative.iter().collect() } else { words };
                for inner in all {
                    collect_expectations(inner, schema, found);
                }
            }
        }
        (None, _) => found.push(expectation(error)),
    }
}

fn expectation(error: &jsonschema::ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => article(&kind.to_string()),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => {
            let kinds: Vec<String> = kinds
                .iter()
                .map(|kind| kind.to_string())
                .filter(|kind| kind != "null")
                .map(|kind| article(&kind))
                .collect();
            kinds.join(" or ")
        }
        ValidationErrorKind::Enum { options } => {
            let options: Vec<String> = options
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|option| format!("`{option}`"))
                .collect();
            format!("one of {}", options.join(", "))
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("`{}`", expected_value.as_str().unwrap_or_default())
        }
        ValidationErrorKind::Minimum { limit } => format!("a number of at least {limit}"),
        ValidationErrorKind::MinItems { limit } => format!("a list of at least {limit} item"),
        ValidationErrorKind::MinProperties { limit } => format!("a mapping of at least {limit} key"),
        ValidationErrorKind::MinLength { .. } => "a text that is not empty".to_owned(),
        ValidationErrorKind::MaxLength { limit } => format!("a text of at most {limit} characters"),
        ValidationErrorKind::Maximum { limit } => format!("a number of at most {limit}"),
        ValidationErrorKind::Pattern { pattern } => format!("a text that matches `{pattern}`"),
        _ => "something else".to_owned(),
    }
}

fn article(json_type: &str) -> String {
    match json_type {
        "string" => "a text".to_owned(),
        "integer" => "a whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "object" => "a mapping".to_owned(),
        "array" => "a list".to_owned(),
        "number" => "a number".to_owned(),
        other => other.to_owned(),
    }
}

pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(map) if map.is_empty() => "an empty mapping".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
        Value::String(text) => format!("the text `{text}`"),
        other => format!("`{other}`"),
    }
}
