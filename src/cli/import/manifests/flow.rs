//! Values as YAML in one line: JSON, which YAML is a form of, without the quotes that nobody needs.

use serde_json::Value;

/// Words that YAML readers take for something else than a text.
const NO_TEXTS: [&str; 12] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"];

/// The value in one line.
pub(crate) fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", text(key), flow(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(string) => text(string),
        other => other.to_string(),
    }
}

/// A text, in quotes where it could be read as something else.
pub(crate) fn text(string: &str) -> String {
    let is_placeholder = string.strip_prefix("<< ").and_then(|rest| rest.strip_suffix(" >>")).is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    });
    let is_word = string.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && string.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '-'))
        && !NO_TEXTS.contains(&string.to_ascii_lowercase().as_str());
    if is_placeholder || is_word { string.to_owned() } else { quoted(string) }
}

/// A text in quotes, with the signs that YAML does not take as they are, or could take for the end of a line.
fn quoted(string: &str) -> String {
    let mut out = String::new();
    for letter in Value::from(string).to_string().chars() {
        match letter {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let value = json!({
            "on": ["y", "<< city >>", "a b", "-r", "1", 1, 1.5, true, null, "a: b", "#", "über", "*x", "~", "", "\n\t\u{1}\u{7f}\u{85}\u{2028}\u{feff}😀"],
            "Content-Type": "application/json",
            "a b": { "n": "no", "deep": [] , "none": {} },
            "<<": "<< A >>",
        });
        let written = flow(&value);
        let read: Value = serde_yaml::from_str(&written).unwrap();
        assert_eq!(read, value, "{written}");
        assert!(
            written.contains("<< city >>, \"a b\"") && written.contains("Content-Type: application/json"),
            "{written}"
        );
    }
}
