//! YAML of programs in Python, as far as it says the same in YAML 1.1 and 1.2.

use serde_json::Value;
use std::fmt;

/// Why a text cannot be read as one YAML document.
#[derive(Debug)]
pub(crate) struct NoYaml(String);

impl fmt::Display for NoYaml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The document of a file.
///
/// Errors: it is no YAML, or several documents.
pub(crate) fn document(text: &str) -> Result<Value, NoYaml> {
    // `n` and `y` are texts to programs in Python; `yes` and `on` are read by [`as_bool`].
    let options = serde_yaml::options! { strict_booleans: true };
    let mut documents: Vec<Value> = serde_yaml::from_multiple_with_options(text, options).map_err(|error| {
        let words = error.without_snippet().to_string();
        NoYaml(words.lines().next().unwrap_or_default().to_owned())
    })?;
    match (documents.pop(), documents.is_empty()) {
        (Some(document), true) => Ok(document),
        (None, _) => Ok(Value::Null),
        (Some(_), false) => Err(NoYaml("it has several documents".to_owned())),
    }
}

/// The boolean that YAML 1.1 reads there.
pub(crate) fn as_bool(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is) => Some(*is),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" => Some(true),
            "no" | "off" | "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_is_read() {
        let read = document("x: &a [on, y, 'no']\nz: *a\nbase: &b { k: 1 }\nm: { <<: *b, l: 2 }\n").unwrap();
        assert_eq!(read["z"], serde_json::json!(["on", "y", "no"]));
        assert_eq!(read["m"]["k"], 1);
        assert_eq!(as_bool(&read["x"][0]), Some(true));
        assert!(document("a: 1\n---\nb: 2\n").is_err() && document("a: [").is_err());
        assert!(document("").unwrap().is_null());
    }
}
