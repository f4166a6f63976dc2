//! The result of a call: one object, whatever the format of its rows.

mod passed;

use super::changed::Changed;
use super::encode::{Rows, push_json, table_schema};
use crate::project::TableFormat;
pub use passed::Passed;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// What a call returned.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// The rows.
    pub rows: Rows,
    /// The rows in their format.
    pub table: String,
    /// The columns' names and types as JSON ([`super::encode::table_schema`]): the same for all calls of a tool.
    pub table_schema: Arc<str>,
    /// How they are written.
    pub format: TableFormat,
    /// How many rows there are in all, where that is known.
    pub total: Option<u64>,
    /// Whether there are more rows than were returned.
    pub truncated: bool,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// What the agent should know.
    pub notes: Vec<String>,
    /// What was changed, by a tool that changes data.
    pub changed: Option<Box<Changed>>,
    /// What another server answered: then there are no rows.
    pub passed: Option<Box<Passed>>,
}

impl CallResult {
    /// That of a call which another server has answered.
    pub(super) fn of_passed(passed: Passed) -> CallResult {
        CallResult {
            rows: Rows::none(),
            table: String::new(),
            table_schema: table_schema(&[]),
            format: TableFormat::Structured,
            total: None,
            truncated: false,
            next_cursor: None,
            notes: Vec::new(),
            changed: None,
            passed: Some(Box::new(passed)),
        }
    }

    /// The object that the tool's `outputSchema` describes.
    pub fn object(&self) -> Value {
        if let Some(passed) = &self.passed {
            return passed.object();
        }
        let changed = self.changed.as_deref().map(Changed::object).unwrap_or_default();
        let mut object = match &self.changed {
            Some(changed) if !changed.gives_rows() => Value::Object(Map::new()),
            _ => self.object_of_rows(),
        };
        if let Some(map) = object.as_object_mut() {
            map.extend(changed);
            if !self.notes.is_empty() {
                map.insert("notes".to_owned(), json!(self.notes));
            }
            if let Some(cursor) = &self.next_cursor {
                map.insert("next_cursor".to_owned(), json!(cursor));
            }
        }
        object
    }

    /// The part of it that is about rows.
    fn object_of_rows(&self) -> Value {
        let rows = match self.format {
            TableFormat::Structured => self.rows.structured(),
            _ => Value::from(self.table.as_str()),
        };
        let schema: Vec<Value> =
            self.rows.columns.iter().map(|(name, ty)| json!({"name": name, "type": ty.to_string()})).collect();
        json!({
            "table_schema": schema,
            "rows": rows,
            "returned_result_count": self.rows.len(),
            "total_result_count": self.total,
            "truncated": self.truncated,
        })
    }

    /// The JSON text of [`CallResult::object`], without making the object.
    pub fn object_json(&self) -> String {
        let mut out = String::with_capacity(self.table.len() + self.table.len() / 16 + self.table_schema.len() + 256);
        self.write_object(&mut out);
        out
    }

    /// Appends the JSON text of [`CallResult::object`], without making the object.
    pub fn write_object(&self, out: &mut String) {
        if self.changed.is_some() || self.passed.is_some() {
            out.push_str(&self.object().to_string());
            return;
        }
        out.push_str("{\"table_schema\":");
        out.push_str(&self.table_schema);
        out.push_str(",\"rows\":");
        match self.format {
            TableFormat::Structured => out.push_str(&self.table),
            _ => push_json(&self.table, out),
        }
        // Writing to a string does not fail.
        _ = write!(out, ",\"returned_result_count\":{},\"total_result_count\":", self.rows.len());
        match self.total {
            Some(total) => _ = write!(out, "{total}"),
            None => out.push_str("null"),
        }
        _ = write!(out, ",\"truncated\":{}", self.truncated);
        for (at, note) in self.notes.iter().enumerate() {
            out.push_str(if at == 0 { ",\"notes\":[" } else { "," });
            push_json(note, out);
        }
        out.push_str(if self.notes.is_empty() { "" } else { "]" });
        if let Some(cursor) = &self.next_cursor {
            out.push_str(",\"next_cursor\":");
            push_json(cursor, out);
        }
        out.push('}');
    }

    /// Writes the same rows in another format.
    pub fn rewrite(&mut self, format: TableFormat) {
        if self.passed.is_some() {
            return;
        }
        self.table = self.rows.write(format, usize::MAX).text;
        self.format = format;
    }

    /// Whether there are rows, if none of them: a tool that changes data may give none.
    pub fn has_table(&self) -> bool {
        self.passed.is_none() && self.changed.as_deref().is_none_or(Changed::gives_rows)
    }

    /// The rows in their format.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The counts in brackets, and the notes, a line each.
    pub fn summary(&self) -> String {
        let returned = self.rows.len();
        let unit = if returned == 1 { "row" } else { "rows" };
        let mut text = match (self.truncated, self.total) {
            _ if self.changed.is_some() => {
                self.changed.iter().map(|changed| format!("({})", changed.summary())).collect()
            }
            (false, _) => format!("({returned} {unit})"),
            (true, Some(total)) => format!("({returned} of {total} rows)"),
            (true, None) => format!("({returned} {unit}, more exist)"),
        };
        for note in &self.notes {
            text.extend(["\nnote: ", note]);
        }
        if let Some(cursor) = &self.next_cursor {
            text.extend(["\nnext_cursor: ", cursor]);
        }
        text
    }

    /// The same as text: the table, or the JSON. Where there is more to say than the rows do, lines of counts and notes
    /// follow the table.
    pub fn text(&self) -> String {
        if let Some(passed) = &self.passed {
            return passed.text();
        }
        if let Some(changed) = &self.changed
            && (!changed.gives_rows() || changed.is_dry || self.format == TableFormat::Structured)
        {
            return self.object_json();
        }
        let is_whole = self.changed.is_none() && !self.truncated && self.notes.is_empty() && !self.rows.is_empty();
        match self.format {
            TableFormat::Structured => self.object_json(),
            _ if is_whole => self.table.clone(),
            _ => self.annotated(),
        }
    }

    /// The table with closing lines of counts and notes.
    pub fn annotated(&self) -> String {
        let gap = if self.table.ends_with('\n') { "\n" } else { "\n\n" };
        [self.table.as_str(), gap, &self.summary()].concat()
    }
}
