//! Values as YAML that people read: what fits on a line stands on one, long texts over several lines, and no character
//! is hidden. Read back by any reader of YAML 1.2.

use crate::review::hidden::is_hidden;
use serde_json::{Map, Value};

/// The most characters of a line that holds more than one value.
const WIDTH: usize = 110;

/// Writes a mapping, one key after the other.
pub(super) fn write(map: &Map<String, Value>) -> String {
    map.iter().map(|(key, value)| entry(key, value)).collect()
}

/// Writes one key of a mapping at the top.
pub(super) fn entry(key: &str, value: &Value) -> String {
    let mut out = String::new();
    put_entry(&mut out, key, value, 0);
    out
}

/// Reads what [`write`] wrote.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let options = serde_yaml::options! {
        strict_booleans: true,
        budget: serde_yaml::budget! {
            max_depth: 64,
            max_nodes: 1_000_000,
            max_events: 4_000_000,
            max_aliases: 0,
            max_anchors: 0,
            max_documents: 1,
            max_total_scalar_bytes: 64 << 20,
        },
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let words = error.without_snippet().to_string();
        words.lines().next().unwrap_or_default().to_owned()
    })
}

fn put_entry(out: &mut String, key: &str, value: &Value, indent: usize) {
    let start = format!("{}{}:", " ".repeat(indent), scalar(key));
    out.push_str(&start);
    put_value(out, value, indent, start.chars().count());
}

/// Writes a value behind what `used` characters of the line are taken by, and ends the line.
fn put_value(out: &mut String, value: &Value, indent: usize, used: usize) {
    if let Value::String(text) = value
        && is_block(text)
    {
        put_block(out, text, indent + 2);
        return;
    }
    let flow = flow(value);
    let is_one = !matches!(value, Value::Array(_) | Value::Object(_)) || is_empty(value);
    // What has names at the top has a line a name, however short it is.
    let has_names = |value: &Value| match value {
        Value::Array(items) => items.iter().any(Value::is_object),
        value => value.is_object(),
    };
    let fits = used + 1 + flow.chars().count() <= WIDTH && !has_lines(value) && !(indent == 0 && has_names(value));
    if is_one || fits {
        out.push(' ');
        out.push_str(&flow_or_plain(value, flow));
        out.push('\n');
        return;
    }
    out.push('\n');
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| put_entry(out, key, value, indent + 2)),
        Value::Array(items) => {
            for item in items {
                out.push_str(&format!("{}-", " ".repeat(indent + 2)));
                match item {
                    // Keys behind a dash would have to stand beneath each other: one line, however long.
                    Value::Object(_) | Value::Array(_) => out.push_str(&format!(" {}\n", self::flow(item))),
                    item => put_value(out, item, indent + 2, indent + 3),
                }
            }
        }
        _ => {}
    }
}

/// A text that stands alone may have commas.
fn flow_or_plain(value: &Value, flow: String) -> String {
    value.as_str().map_or(flow, scalar)
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

fn has_lines(value: &Value) -> bool {
    match value {
        Value::String(text) => is_block(text),
        Value::Array(items) => items.iter().any(has_lines),
        Value::Object(map) => map.values().any(has_lines),
        _ => false,
    }
}

/// Whether a text can stand as lines beneath its key, each as it is.
fn is_block(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|first| !first.is_whitespace());
    starts && text.contains('\n') && !text.ends_with('\n') && text.chars().all(|c| c == '\n' || is_visible(c))
}

fn put_block(out: &mut String, text: &str, indent: usize) {
    out.push_str(" |-\n");
    for line in text.split('\n') {
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| format!("{}: {}", word(key), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => word(text),
        other => other.to_string(),
    }
}

/// A text where it stands alone behind its key: bare where YAML takes it for a text, else in quotes.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text, ",[]{}\"") { text.to_owned() } else { quoted(text) }
}

/// A text among others on a line.
fn word(text: &str) -> String {
    if is_plain(text, "") { text.to_owned() } else { quoted(text) }
}

/// Whether YAML takes a bare text for a text: it begins with a letter, is no word of another type, and has no sign but
/// those that mean nothing inside of one.
fn is_plain(text: &str, more: &str) -> bool {
    let first = text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '$' || first == '_');
    let legal =
        |c: char| (is_visible(c) && c.is_alphanumeric()) || " _-./$()<>=+*%';^~@&!?|`".contains(c) || more.contains(c);
    let others = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    first && !text.ends_with(' ') && text.chars().all(legal) && !others.iter().any(|one| one.eq_ignore_ascii_case(text))
}

/// The text in double quotes, with escapes for all that could not be seen (YAML 1.2.2, 5.7).
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_visible(c) => out.push(c),
            c if u32::from(c) <= 0xffff => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Whether a person sees a character for what it is.
fn is_visible(c: char) -> bool {
    !is_hidden(c) && (c == ' ' || !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_back_as_themselves() {
        let texts = [
            "",
            " ",
            "plain",
            "two words",
            "a: b",
            "a #b",
            "- a",
            "9E",
            "1e5",
            "0x1F",
            "2013-01-01",
            "12:30",
            "true",
            "No",
            "~",
            "null",
            ".inf",
            "[a]",
            "{a}",
            "a, b",
            "it's",
            "\"q\"",
            "back\\slash",
            "tab\there",
            "cr\r\nlf",
            "a\nb",
            "a\n\n  b\n",
            "\n",
            "  lead\nx",
            "ends \n with",
            "ü – größe",
            "👩\u{200d}💻",
            "zero\u{200b}width",
            "\u{feff}",
            "\u{7f}\u{85}\u{2028}",
            "\u{e0041}",
            "%",
            "@x",
            "`x`",
            "|",
            ">",
            "key?",
            "?",
            "a:",
            ":a",
            "!t",
            "&a *b",
            "$carrier",
            "...",
            "---",
            "a\n---\nb",
            "<< x >>",
            "=",
            "_",
            "1_000",
            "+1",
            "-1",
            ".5",
            "y",
            "on",
        ];
        let mut map = Map::new();
        for (at, text) in texts.iter().enumerate() {
            map.insert(format!("k{at}"), json!(text));
            map.insert(format!("l{at}"), json!([text, {"k": text, *text: 1}]));
            map.insert(format!("m{at}"), json!({"long": "x".repeat(WIDTH), "of": [text, [text]], *text: text}));
        }
        let numbers =
            json!([0, -1, 1.5, 0.1, 1e20, 1e-7, 1e300, -0.0, i64::MIN, i64::MAX, u64::MAX, true, false, null]);
        map.insert("numbers".into(), numbers);
        map.insert("empty".into(), json!([[], {}, {"a": []}]));
        map.insert("true".into(), json!({}));
        let text = write(&map);
        let read = read(&text).unwrap();
        for (key, value) in &map {
            assert_eq!(read.get(key), Some(value), "{key}: {}", entry(key, value));
        }
        assert_eq!(read, Value::Object(map));
    }

    #[test]
    fn a_snapshot_shows_what_nobody_sees() {
        assert_eq!(entry("description", &json!("a\u{200b}b\u{e0041}")), "description: \"a\\u200Bb\\U000E0041\"\n");
        assert_eq!(entry("sql", &json!("SELECT 1,\n  2")), "sql: |-\n  SELECT 1,\n    2\n");
    }
}
