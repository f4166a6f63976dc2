//! Markdown tables: numbers to the right, one line per row.

use crate::ty::Type;
use serde_json::Value;
use std::fmt::Write as _;

/// The names, and the line that says how the columns are aligned.
pub(super) fn head(columns: &[(String, Type)]) -> String {
    let mut out = String::from("|");
    for (name, _) in columns {
        out.push(' ');
        push_escaped(name, &mut out);
        out.push_str(" |");
    }
    out.push_str("\n|");
    for (_, ty) in columns {
        out.push_str(if ty.is_numeric() { " ---: |" } else { " --- |" });
    }
    out
}

/// The line of a row, with the line break before it.
pub(super) fn row(row: &[Value], out: &mut String) {
    out.push_str("\n|");
    for value in row {
        out.push(' ');
        match value {
            Value::Null => {}
            Value::String(text) => push_escaped(text, out),
            // Writing to a string does not fail.
            Value::Bool(_) | Value::Number(_) => _ = write!(out, "{value}"),
            Value::Array(_) | Value::Object(_) => push_escaped(&value.to_string(), out),
        }
        out.push_str(" |");
    }
}

/// A line break would end the row and `|` the cell; any other control character is for no reader.
fn push_escaped(text: &str, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '|' => out.push_str("\\|"),
            '\r' => {
                _ = characters.next_if_eq(&'\n');
                out.push_str("<br>");
            }
            '\n' => out.push_str("<br>"),
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
}
