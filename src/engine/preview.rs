//! What a call would change, in words for a person who is asked whether it may.

use super::changed::{Changed, Shown};
use super::encode::Rows;
use crate::project::WriteOperation;
use crate::ty::coerce::is_visible;
use serde_json::{Map, Value};
use std::fmt::Write;

/// More rows are not shown of a statement.
const MOST_ROWS: usize = 10;
/// More characters are not shown of a value: a long one hides no other.
const MOST_CHARACTERS: usize = 80;

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
    let _ = writeln!(out, "\n{} {}", shown.operation.keyword(), shown.table);
    let pairs = pairs(before, after, shown.key);
    for pair in pairs.iter().take(MOST_ROWS) {
        let _ = match pair {
            (Some(before), Some(after)) => writeln!(out, "- {} becomes {}", json(before), json(after)),
            (Some(one), None) | (None, Some(one)) => writeln!(out, "- {}", json(one)),
            (None, None) => Ok(()),
        };
    }
    if pairs.len() > MOST_ROWS {
        let _ = writeln!(out, "- and {} more", pairs.len() - MOST_ROWS);
    }
    if pairs.is_empty() && shown.after.is_none() && shown.operation != WriteOperation::Delete {
        let _ = writeln!(out, "- the database does not tell the rows before they are written");
    }
}

/// The rows that are one before and after: those with the same key, which are the first `key` columns. Without one, in their order.
fn pairs(before: Vec<Value>, after: Vec<Value>, key: usize) -> Vec<(Option<Value>, Option<Value>)> {
    let key_of = |row: &Value| -> Vec<Value> {
        row.as_object().map(|row| row.values().take(key).cloned().collect()).unwrap_or_default()
    };
    if key == 0 {
        let count = before.len().max(after.len());
        return (0..count).map(|at| (before.get(at).cloned(), after.get(at).cloned())).collect();
    }
    let mut found: Vec<(Option<Value>, Option<Value>)> = before.into_iter().map(|row| (Some(row), None)).collect();
    for row in after {
        let own = key_of(&row);
        let is_it = |(before, after): &(Option<Value>, Option<Value>)| {
            after.is_none() && before.as_ref().is_some_and(|before| key_of(before) == own)
        };
        match found.iter_mut().find(|pair| is_it(pair)) {
            Some(pair) => pair.1 = Some(row),
            None => found.push((None, Some(row))),
        }
    }
    found
}

/// JSON whose long texts are cut.
fn json(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let more = items.len().checked_sub(MOST_ROWS + 1).map(|_| format!("… ({} items)", items.len()));
            let shown = items.iter().take(MOST_ROWS).map(json).chain(more);
            format!("[{}]", shown.collect::<Vec<_>>().join(","))
        }
        Value::Object(map) => {
            let one =
                |(name, value): (&String, &Value)| format!("{}:{}", json(&Value::from(name.as_str())), json(value));
            format!("{{{}}}", map.iter().map(one).collect::<Vec<_>>().join(","))
        }
        one => {
            let text = one.to_string();
            let count = text.chars().count();
            let shown = text.chars().take(MOST_CHARACTERS).map(|c| if is_visible(c) { c } else { '\u{fffd}' });
            let shown: String = shown.collect();
            if count > MOST_CHARACTERS { format!("{shown}… ({count} characters)") } else { shown }
        }
    }
}
