//! The result of a call: one object, whatever the format of its rows.

use super::encode::Rows;
use crate::project::TableFormat;
use serde_json::{Value, json};

/// What a call returned.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// The rows.
    pub rows: Rows,
    /// How they are to be written.
    pub format: TableFormat,
    /// How many rows there are in all, where that is known.
    pub total: Option<u64>,
    /// Whether there are more rows than were returned.
    pub truncated: bool,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// What the agent should know.
    pub notes: Vec<String>,
}

impl CallResult {
    /// The object that the tool's `outputSchema` describes.
    pub fn object(&self) -> Value {
        let rows = match self.format {
            TableFormat::Structured => self.rows.structured(),
            _ => Value::String(self.table()),
        };
        let schema: Vec<Value> =
            self.rows.columns.iter().map(|(name, ty)| json!({"name": name, "type": ty.to_string()})).collect();
        let mut object = json!({
            "table_schema": schema,
            "rows": rows,
            "returned_result_count": self.rows.rows.len(),
            "total_result_count": self.total,
            "truncated": self.truncated,
        });
        if let Some(map) = object.as_object_mut() {
            if !self.notes.is_empty() {
                map.insert("notes".to_owned(), json!(self.notes));
            }
            if let Some(cursor) = &self.next_cursor {
                map.insert("next_cursor".to_owned(), json!(cursor));
            }
        }
        object
    }

    /// The rows in their format.
    pub fn table(&self) -> String {
        match self.format {
            TableFormat::Structured => self.rows.structured().to_string(),
            TableFormat::Markdown => self.rows.markdown(),
            TableFormat::Toon => self.rows.toon(),
            TableFormat::Csv => self.rows.csv(),
        }
    }

    /// The counts in brackets, and the notes, a line each.
    pub fn summary(&self) -> String {
        let returned = self.rows.rows.len();
        let unit = if returned == 1 { "row" } else { "rows" };
        let mut text = match (self.truncated, self.total) {
            (false, _) => format!("({returned} {unit})"),
            (true, Some(total)) => format!("({returned} of {total} rows)"),
            (true, None) => format!("({returned} {unit}, more exist)"),
        };
        for note in &self.notes {
            text.push_str(&format!("\nnote: {note}"));
        }
        if let Some(cursor) = &self.next_cursor {
            text.push_str(&format!("\nnext_cursor: {cursor}"));
        }
        text
    }

    /// The same as text: the table with closing lines of counts and notes, or the JSON.
    pub fn text(&self) -> String {
        if self.format == TableFormat::Structured {
            return self.object().to_string();
        }
        let table = self.table();
        let gap = if table.ends_with('\n') { "\n" } else { "\n\n" };
        format!("{table}{gap}{}", self.summary())
    }
}
