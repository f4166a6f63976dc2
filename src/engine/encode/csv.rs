//! CSV as RFC 4180 has it, with `\n` between the lines.
//!
//! Text that a spreadsheet would run as a formula stays as it is: what is returned is the data.

use super::escape::{divide, equal};
use super::format::{Format, Frame};
use crate::ty::Type;
use serde_json::Value;

/// CSV with a header line; null is an empty cell.
pub(super) struct Csv;

impl Format for Csv {
    const QUOTE: &'static str = "";
    const NULL: &'static str = "";
    /// An empty line would be no row.
    const EMPTY_ROW: &'static str = "\"\"";

    /// The line of names.
    fn head(columns: &[(String, Type)], _: usize) -> String {
        let mut out = String::new();
        for (at, (name, _)) in columns.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { "," });
            push_cell(name, &mut out);
        }
        out.push_str(if out.is_empty() { "\"\"\n" } else { "\n" });
        out
    }

    fn frame(columns: &[(String, Type)]) -> Frame {
        Frame::of(columns, ["", ",", "\n"])
    }

    fn text(text: &str, out: &mut String) {
        push_cell(text, out);
    }

    fn nested(value: &Value, out: &mut String) {
        push_cell(&value.to_string(), out);
    }
}

/// In quotes where a reader would take a part of it for the end of the cell.
fn push_cell(text: &str, out: &mut String) {
    let marks = |word| equal(word, b',') | equal(word, b'"') | equal(word, b'\n') | equal(word, b'\r');
    if divide(text, marks).1.is_empty() {
        out.push_str(text);
        return;
    }
    out.push('"');
    let mut rest = text;
    loop {
        let (clean, marked) = divide(rest, |word| equal(word, b'"'));
        out.push_str(clean);
        let Some(behind) = marked.strip_prefix('"') else { break };
        out.push_str("\"\"");
        rest = behind;
    }
    out.push('"');
}
