//! Values of JSON that are read as their text, in columns that are declared `json`.

use serde::de::IgnoredAny;
use std::collections::HashSet;

/// The text with such values between quotes; a text that is JSON by itself is what it says, and any other is a text of JSON.
/// `records` is how many brackets stand around the names of the columns. What is no JSON stays as it is: its reader says so.
pub(super) fn with_texts(text: &str, columns: &HashSet<String>, records: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut depth) = (0, 0_usize);
    let mut name: Option<String> = None;
    let mut is_value = false;
    while let Some(byte) = text.as_bytes().get(at) {
        let is_begin = !byte.is_ascii_whitespace() && !matches!(byte, b':' | b',' | b'}' | b']');
        let is_wanted = is_begin && is_value && depth == records;
        let value = match name.as_ref().filter(|name| is_wanted && columns.contains(*name)) {
            Some(_) => end_of_value(text, at).and_then(|end| text.get(at..end)),
            None => None,
        };
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            push_text(value, &mut out);
            at += value.len();
            is_value = false;
            continue;
        }
        let mut end = at + 1;
        match byte {
            b'"' => {
                end = end_of_text(text, at);
                if depth == records && !is_value {
                    name = text.get(at..end).and_then(|name| serde_json::from_str(name).ok());
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == records => is_value = true,
            _ => {}
        }
        if depth <= records && matches!(byte, b',' | b'{' | b'}') {
            is_value = false;
        }
        // Up to the next sign of ASCII, which begins a character.
        while text.get(at..end).is_none() {
            end += 1;
        }
        out.push_str(text.get(at..end).unwrap_or_default());
        at = end;
    }
    out
}

/// Writes a value as a text that holds it.
fn push_text(value: &str, out: &mut String) {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let is_text = match value.as_bytes().first() {
        Some(b'{' | b'[') => false,
        // One that is no text of JSON is left to its reader.
        Some(b'"') => serde_json::from_str::<String>(value).map_or(true, |text| is_json(&text)),
        _ => value == "null" || !is_json(value),
    };
    match is_text {
        true => out.push_str(value),
        false => out.push_str(&serde_json::Value::from(value).to_string()),
    }
}

/// Behind the quote that ends a text.
fn end_of_text(text: &str, begin: usize) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(begin + 1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Behind the end of a value; `None` where a list or an object has none.
fn end_of_value(text: &str, begin: usize) -> Option<usize> {
    let is_behind =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'}' | b']' | b'{' | b'[' | b'"' | b':');
    match text.as_bytes().get(begin)? {
        b'"' => return Some(end_of_text(text, begin)),
        b'{' | b'[' => {}
        _ => {
            let length = text.as_bytes().get(begin..)?.iter().position(is_behind);
            return Some(length.map_or(text.len(), |length| begin + length));
        }
    }
    let (mut at, mut depth) = (begin, 0_usize);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                at = end_of_text(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, records: usize) -> String {
        with_texts(text, &HashSet::from(["o".to_owned()]), records)
    }

    #[test]
    fn a_list_or_an_object_becomes_its_text() {
        let text = "{\"id\":1,\"o\":{\"x\":\"}ö\\\"\",\"o\":[1]}}\n{\"o\": [1, 2],\"p\":{\"o\":[1]}}\n{\"o\":5,\"q\":[{\"o\":{}}]}\n";
        let expected = "{\"id\":1,\"o\":\"{\\\"x\\\":\\\"}ö\\\\\\\"\\\",\\\"o\\\":[1]}\"}\n{\"o\": \"[1, 2]\",\"p\":{\"o\":[1]}}\n{\"o\":\"5\",\"q\":[{\"o\":{}}]}\n";
        assert_eq!(read(text, 1), expected);
        assert_eq!(read("[{\"o\":{}},{\"a\":\"o\",\"b\":{}}]", 2), "[{\"o\":\"{}\"},{\"a\":\"o\",\"b\":{}}]");
    }

    #[test]
    fn every_value_becomes_a_text_that_holds_it() {
        for (value, text) in [
            ("1.10", "\"1.10\""),
            ("true ", "\"true\" "),
            ("null", "null"),
            ("\"x\"", "\"\\\"x\\\"\""),
            ("\"\"", "\"\\\"\\\"\""),
            ("\"[1]\"", "\"[1]\""),
            ("\"7\"", "\"7\""),
            ("[\"a\"]", "\"[\\\"a\\\"]\""),
            ("nul", "nul"),
        ] {
            assert_eq!(read(&format!("{{\"o\": {value},\"p\":\"x\"}}"), 1), format!("{{\"o\": {text},\"p\":\"x\"}}"));
            assert_eq!(read(&format!("[{{\"a\":1,\"o\":{value}}}]"), 2), format!("[{{\"a\":1,\"o\":{text}}}]"));
        }
    }

    #[test]
    fn what_is_no_json_stays() {
        for text in ["{\"o\":{", "{\"o\":", "\"", "}]", "{\"o\":[}", "ö"] {
            assert!(read(text, 1).starts_with(text.get(..1).unwrap_or(text)), "{text}");
        }
        assert_eq!(read("{\"o\":{\"x\":1", 1), "{\"o\":{\"x\":1");
    }
}
