//! TOON as folio writes it (`src/folio/_toon.py`): the names once, then one line of cells per row.
//!
//! Byte for byte what folio's encoder in Python gives for the same records, with one exception: folio does not expect
//! names with commas or braces, which a SQL expression may have, and they are quoted here.

use crate::ty::Type;
use serde_json::{Number, Value};

/// The number of rows and the names; neither names nor spaces where there are no rows.
pub(super) fn head(columns: &[(String, Type)], rows: usize) -> String {
    if rows == 0 {
        return "[0]{}:".to_owned();
    }
    let names: Vec<String> = columns.iter().map(|(name, _)| name_text(name)).collect();
    format!("[{rows}]{{{}}}:", names.join(", "))
}

/// The line of a row, with the line break before it.
pub(super) fn row(row: &[Value], out: &mut String) {
    for (at, value) in row.iter().enumerate() {
        out.push_str(if at == 0 { "\n" } else { ", " });
        match value {
            Value::String(text) if is_bare(text) => out.push_str(text),
            other => push_json(other, out),
        }
    }
}

fn name_text(name: &str) -> String {
    let unclear = |character: char| character.is_control() || matches!(character, ',' | '{' | '}' | '"');
    if name.contains(unclear) { quoted(name) } else { name.to_owned() }
}

/// Whether a text cannot be taken for anything else: `^[A-Za-z_][A-Za-z0-9_:.\-]*$`, but no literal of JSON.
fn is_bare(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-'));
    starts && plain && !matches!(text, "null" | "true" | "false")
}

/// JSON with the spaces of Python's `json.dumps` and the keys sorted.
fn push_json(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                push_json(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, item)) in entries.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                out.push_str(&quoted(key));
                out.push_str(": ");
                push_json(item, out);
            }
            out.push('}');
        }
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Python's `repr`: the digits of `serde_json`, but exponents of two digits, and below 0.0001 always an exponent.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    let (sign, size) = text.strip_prefix('-').map_or(("", text.as_str()), |size| ("-", size));
    // It still writes 0.00001 so, and an exponent for anything smaller.
    if let Some((first, rest)) = size.strip_prefix("0.0000").and_then(|digits| digits.split_at_checked(1)) {
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e-05");
    }
    match text.split_once("e-") {
        Some((mantissa, exponent)) => format!("{mantissa}e-{exponent:0>2}"),
        None => text,
    }
}
