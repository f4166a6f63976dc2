//! A JSON object a line (<https://github.com/ndjson/ndjson-spec>).

use super::format::{Format, Frame};
use super::structured::Structured;
use crate::ty::Type;
use serde_json::Value;

/// The text of objects in lines.
pub(super) struct JsonLines;

impl Format for JsonLines {
    const QUOTE: &'static str = Structured::QUOTE;
    const NULL: &'static str = Structured::NULL;

    fn head(_: &[(String, Type)], _: usize) -> String {
        String::new()
    }

    fn frame(columns: &[(String, Type)]) -> Frame {
        Frame { end: if columns.is_empty() { "{}\n" } else { "}\n" }, ..Structured::frame(columns) }
    }

    fn text(text: &str, out: &mut String) {
        Structured::text(text, out);
    }

    fn nested(value: &Value, out: &mut String) {
        Structured::nested(value, out);
    }
}
