//! What a keyword of JSON Schema says, as a sentence for the description of a parameter.

use crate::project::TextFormat;
use crate::ty::Type;
use serde_json::Value;

/// The sentence; `None` where the keyword restricts nothing.
pub(super) fn words_of_keyword(keyword: &str, value: &Value) -> Option<String> {
    let sentence = match keyword {
        "minimum" => format!("At least {value}."),
        "maximum" => format!("At most {value}."),
        "exclusiveMinimum" => format!("More than {value}."),
        "exclusiveMaximum" => format!("Less than {value}."),
        "multipleOf" => format!("A multiple of {value}."),
        "minLength" => format!("At least {}.", counted(value, "character", "characters")),
        "maxLength" => format!("At most {}.", counted(value, "character", "characters")),
        "minItems" => format!("At least {}.", counted(value, "item", "items")),
        "maxItems" => format!("At most {}.", counted(value, "item", "items")),
        "minProperties" => format!("At least {}.", counted(value, "property", "properties")),
        "maxProperties" => format!("At most {}.", counted(value, "property", "properties")),
        "uniqueItems" if value.as_bool() == Some(true) => "No item twice.".to_owned(),
        // That of intervals is long, and says no more than this.
        "pattern" if Type::Interval.input_schema().get("pattern") == Some(value) => {
            "An ISO 8601 duration such as P1DT2H.".to_owned()
        }
        "pattern" => format!("Matches {}.", quoted(&shown_value(value))),
        "format" => format_words(value),
        "contentEncoding" => format!("Encoded in {}.", shown_value(value)),
        "enum" => format!("One of {}.", listed(value)),
        "const" => format!("Always {}.", shown_value(value)),
        "default" if !value.is_null() => format!("Default: {}.", shown_value(value)),
        "examples" => format!("For example {}.", listed(value)),
        "uniqueItems" | "default" | "title" | "$schema" | "$id" | "$anchor" | "$comment" | "deprecated"
        | "readOnly" | "writeOnly" => return None,
        other => format!("{}.", quoted(&format!("{other}: {value}"))),
    };
    Some(sentence)
}

/// The words behind those that are there already, which get a full stop.
pub(super) fn joined(description: Option<&str>, words: &[String]) -> Option<String> {
    let said = description.map(str::trim_end).filter(|said| !said.is_empty());
    let words = words.join(" ");
    match said {
        _ if words.is_empty() => description.map(str::to_owned),
        None => Some(words),
        Some(said) if said.ends_with(['.', '!', '?']) => Some(format!("{said} {words}")),
        Some(said) => Some(format!("{said}. {words}")),
    }
}

fn counted(value: &Value, one: &str, many: &str) -> String {
    format!("{value} {}", if value.as_u64() == Some(1) { one } else { many })
}

fn format_words(value: &Value) -> String {
    let words = match value.as_str().unwrap_or_default() {
        "date" => "a date such as 2024-03-31",
        "date-time" => "a date and time with an offset such as 2024-03-31T17:45:00Z",
        "time" => "a time of day such as 17:45:00Z",
        "uuid" => "a UUID",
        _ => match serde_json::from_value::<TextFormat>(value.clone()) {
            Ok(format) => format.words(),
            Err(_) => return format!("Format: {}.", shown_value(value)),
        },
    };
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}.", first.chain(letters).collect::<String>())
}

fn listed(value: &Value) -> String {
    value
        .as_array()
        .map_or_else(|| shown_value(value), |all| all.iter().map(shown_value).collect::<Vec<_>>().join(", "))
}

/// A value without quotes where it reads as well without.
fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() && text.trim() == text => text.clone(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('`') { "``" } else { "`" };
    format!("{quote}{text}{quote}")
}
