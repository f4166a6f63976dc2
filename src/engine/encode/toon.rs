//! TOON as folio writes it (`src/folio/_toon.py`): the names once, then one line of cells per row.
//!
//! Byte for byte what folio's encoder in Python gives for the same records, with one exception: folio does not expect
//! names with commas or braces, which a SQL expression may have, and they are quoted here.

use super::escape::push_json;
use super::format::{Format, Frame};
use crate::ty::Type;
use serde_json::Value;

/// The text of folio's encoder.
pub(super) struct Toon;

impl Format for Toon {
    const QUOTE: &'static str = "\"";
    const NULL: &'static str = "null";

    /// The number of rows and the names; neither names nor spaces where there are no rows.
    fn head(columns: &[(String, Type)], rows: usize) -> String {
        if rows == 0 {
            return "[0]{}:".to_owned();
        }
        let mut out = format!("[{rows}]{{");
        for (at, (name, _)) in columns.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            push_name(name, &mut out);
        }
        out.push_str("}:");
        out
    }

    fn frame(columns: &[(String, Type)]) -> Frame {
        Frame::of(columns, ["\n", ", ", ""])
    }

    fn text(text: &str, out: &mut String) {
        if is_bare(text) {
            out.push_str(text);
        } else {
            push_json(text, out);
        }
    }

    /// JSON with the spaces of Python's `json.dumps` and the keys sorted.
    fn nested(value: &Value, out: &mut String) {
        match value {
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    Self::nested(item, out);
                }
                out.push(']');
            }
            Value::Object(map) => {
                let mut entries: Vec<(&String, &Value)> = map.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                out.push('{');
                for (at, (key, item)) in entries.into_iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    push_json(key, out);
                    out.push_str(": ");
                    Self::nested(item, out);
                }
                out.push('}');
            }
            Value::String(text) => push_json(text, out),
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::value(value, out),
        }
    }

    /// Python's `repr`: the digits of `serde_json`, but exponents of two digits, and below 0.0001 always an exponent.
    fn double(digits: &str, out: &mut String) {
        let (sign, size) = digits.strip_prefix('-').map_or(("", digits), |size| ("-", size));
        // It still writes 0.00001 so, and an exponent for anything smaller.
        if let Some((first, rest)) = size.strip_prefix("0.0000").and_then(|digits| digits.split_at_checked(1)) {
            let point = if rest.is_empty() { "" } else { "." };
            out.extend([sign, first, point, rest, "e-05"]);
            return;
        }
        match digits.split_once("e-") {
            Some((mantissa, exponent)) => {
                let zero = if exponent.len() < 2 { "0" } else { "" };
                out.extend([mantissa, "e-", zero, exponent]);
            }
            None => out.push_str(digits),
        }
    }
}

fn push_name(name: &str, out: &mut String) {
    let unclear = |character: char| character.is_control() || matches!(character, ',' | '{' | '}' | '"');
    if name.contains(unclear) {
        push_json(name, out);
    } else {
        out.push_str(name);
    }
}

/// Whether a text cannot be taken for anything else: `^[A-Za-z_][A-Za-z0-9_:.\-]*$`, but no literal of JSON.
fn is_bare(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-');
    starts && text.bytes().all(plain) && !matches!(text, "null" | "true" | "false")
}
