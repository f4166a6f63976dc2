//! What a call would change, in words for a person who is asked whether it may.

use super::changed::{Changed, Shown};
use super::encode::Rows;
use crate::ty::coerce::is_visible;
use serde_json::{Map, Value};
use std::fmt::Write;

/// More rows are not shown of a statement.
const MOST_ROWS: usize = 10;
/// More characters are not shown of a row, or of the arguments.
const MOST_CHARACTERS: usize = 300;

impl Changed {
    /// What a call of a tool would change, for a person who is asked whether it may. Values are JSON, which has no line breaks:
    /// what somebody has written into a row cannot be taken for what qtool says.
    pub fn preview(&self, tool: &str, arguments: &Map<String, Value>) -> String {
        let unit = if self.rows == 1 { "row" } else { "rows" };
        let mut out = format!("`{tool}` would change {} {unit}.\n", self.rows);
        for shown in &self.shown {
            statement(shown, &mut out);
        }
        if !arguments.is_empty() {
            // Writing into a text does not fail.
            let _ = writeln!(out, "\nCalled with {}", json(&Value::Object(arguments.clone())));
        }
        out
    }
}

/// The rows of a statement; none where a database does not tell them.
fn statement(shown: &Shown, out: &mut String) {
    let rows = |rows: &Option<Rows>| -> Vec<Value> {
        let rows = rows.as_ref().map(|rows| rows.structured_head(usize::MAX));
        rows.and_then(|rows| rows.as_array().cloned()).unwrap_or_default()
    };
    let (before, after) = (rows(&shown.before), rows(&shown.after));
    let count = before.len().max(after.len());
    let _ = writeln!(out, "\n{} {}", shown.operation.keyword(), shown.table);
    for at in 0..count.min(MOST_ROWS) {
        let _ = match (before.get(at), after.get(at)) {
            (Some(before), Some(after)) => writeln!(out, "- {} becomes {}", json(before), json(after)),
            (Some(one), None) | (None, Some(one)) => writeln!(out, "- {}", json(one)),
            (None, None) => Ok(()),
        };
    }
    if count > MOST_ROWS {
        let _ = writeln!(out, "- and {} more", count - MOST_ROWS);
    }
}

fn json(value: &Value) -> String {
    let text = value.to_string();
    let mut shown: String =
        text.chars().take(MOST_CHARACTERS).map(|c| if is_visible(c) { c } else { '\u{fffd}' }).collect();
    if text.chars().nth(MOST_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}
