//! Rows of Arrow batches in the formats an agent may ask for.
//!
//! Two steps: `value` turns every cell into the JSON value that the tool's output schema promises, and one module per
//! format writes those values. A format is a head and one piece of text per row, so that a result can be cut at a size.

mod csv;
mod markdown;
mod temporal;
mod toon;
mod value;

#[cfg(test)]
mod tests;

use crate::project::TableFormat;
use crate::tool::OutputColumn;
use crate::ty::Type;
use arrow::array::{Array, RecordBatch};
use datafusion::common::ScalarValue;
use serde_json::{Map, Value};
use std::fmt;
use value::{Losses, Reader};

/// Rows as JSON values, each column typed as the tool publishes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The columns' names and types.
    pub columns: Vec<(String, Type)>,
    /// The values, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// What the JSON values do not say: at most one note per column and kind of loss.
    pub notes: Vec<String>,
}

/// Appends a row to a text.
type WriteRow<'a> = &'a dyn Fn(&[Value], &mut String);

/// Batches that are not what the tool publishes. The message is for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError {
    message: String,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EncodeError {}

/// One value as an agent would send it; `None` where it is of another type.
pub(super) fn one(value: &ScalarValue, ty: &Type) -> Option<Value> {
    let array = value.to_array().ok()?;
    let losses = Losses::default();
    let read = value::reader(&array, ty, &losses)?;
    Some(read(0))
}

/// The values of a column; `None` where it is of another type.
pub(super) fn all(column: &dyn Array, ty: &Type) -> Option<Vec<Value>> {
    let losses = Losses::default();
    let read = value::reader(column, ty, &losses)?;
    Some((0..column.len()).map(read).collect())
}

impl Rows {
    /// Converts batches whose columns stand in the order of `columns`.
    ///
    /// Errors: a batch with another number of columns, or with a column of another type.
    pub fn from_batches(columns: &[OutputColumn], batches: &[RecordBatch]) -> Result<Rows, EncodeError> {
        let losses: Vec<Losses> = columns.iter().map(|_| Losses::default()).collect();
        let mut rows: Vec<Vec<Value>> = Vec::with_capacity(batches.iter().map(RecordBatch::num_rows).sum());
        for batch in batches {
            let readers = readers(columns, batch, &losses)?;
            rows.extend((0..batch.num_rows()).map(|row| readers.iter().map(|read| read(row)).collect()));
        }
        let notes = columns.iter().zip(&losses).flat_map(|(column, losses)| losses.notes(&column.name)).collect();
        let columns = columns.iter().map(|column| (column.name.clone(), column.ty.clone())).collect();
        Ok(Rows { columns, rows, notes })
    }

    /// A list of objects, their keys in the order of the columns.
    pub fn structured(&self) -> Value {
        self.rows.iter().map(|row| self.object(row)).collect()
    }

    /// A Markdown table; without rows, its header.
    pub fn markdown(&self) -> String {
        self.text(markdown::head(&self.columns), markdown::row)
    }

    /// TOON as folio writes it.
    pub fn toon(&self) -> String {
        self.text(toon::head(&self.columns, self.rows.len()), toon::row)
    }

    /// CSV with a header line; null is an empty cell.
    pub fn csv(&self) -> String {
        self.text(csv::head(&self.columns), csv::row)
    }

    /// How many leading rows fit into `max_bytes` of a format, its head included.
    pub fn fitting(&self, max_bytes: usize, format: TableFormat) -> usize {
        let object = |row: &[Value], out: &mut String| {
            out.push_str(&self.object(row).to_string());
            out.push(',');
        };
        let (head, write): (String, WriteRow<'_>) = match format {
            TableFormat::Markdown => (markdown::head(&self.columns), &markdown::row),
            TableFormat::Structured => ("[".to_owned(), &object),
            // The head counts the rows: with fewer of them it can only become shorter.
            TableFormat::Toon => (toon::head(&self.columns, self.rows.len()), &toon::row),
            TableFormat::Csv => (csv::head(&self.columns), &csv::row),
        };
        let mut size = head.len();
        let mut text = String::new();
        let fits = |row: &&Vec<Value>| {
            text.clear();
            write(row, &mut text);
            size += text.len();
            size <= max_bytes
        };
        self.rows.iter().take_while(fits).count()
    }

    fn text(&self, head: String, write: fn(&[Value], &mut String)) -> String {
        let mut text = head;
        for row in &self.rows {
            write(row, &mut text);
        }
        text
    }

    fn object(&self, row: &[Value]) -> Value {
        let names = self.columns.iter().map(|(name, _)| name.clone());
        Value::Object(names.zip(row.iter().cloned()).collect::<Map<_, _>>())
    }
}

fn readers<'a>(
    columns: &[OutputColumn],
    batch: &'a RecordBatch,
    losses: &'a [Losses],
) -> Result<Vec<Reader<'a>>, EncodeError> {
    if batch.num_columns() != columns.len() {
        let message = format!("the result has {} columns, the tool {}", batch.num_columns(), columns.len());
        return Err(EncodeError { message });
    }
    columns
        .iter()
        .zip(batch.columns())
        .zip(losses)
        .map(|((column, array), losses)| {
            value::reader(array.as_ref(), &column.ty, losses).ok_or_else(|| EncodeError {
                message: format!(
                    "column `{}` is published as {} but holds {}",
                    column.name,
                    column.ty,
                    array.data_type()
                ),
            })
        })
        .collect()
}
