//! Rows of Arrow batches in the formats an agent may ask for.
//!
//! A row is written straight from the arrays into the text of the answer: `column` looks at an array once and appends
//! its cells, and one module per format says what stands around them. Only what is nested, or rare, becomes a JSON
//! value on its way (`value`). A format is a head and one piece of text per row, so that a result can be cut at a size.

mod column;
mod csv;
mod decimal;
mod escape;
mod format;
mod json_lines;
mod markdown;
mod reader;
mod shortened;
mod stream;
mod structured;
mod temporal;
mod toon;
mod value;

#[cfg(test)]
mod tests;

use crate::project::TableFormat;
use crate::tool::OutputColumn;
use crate::ty::{ExactNumbers, Type};
use arrow::array::{Array, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::error::ArrowError;
use column::Column;
use datafusion::common::ScalarValue;
use format::{Format, Frame};
use reader::Reader;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use value::Losses;

pub(crate) use escape::push_json;

/// The leading rows of batches, each column typed as the tool publishes it.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The columns' names and types.
    pub columns: Vec<(String, Type)>,
    /// What the exact numbers of each column are in JSON.
    numbers: Vec<ExactNumbers>,
    batches: Vec<RecordBatch>,
    len: usize,
}

/// Rows in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The rows and what a format has around them.
    pub text: String,
    /// How many rows the text has.
    pub rows: usize,
    /// What the text does not say of these rows: at most one note per column and kind of loss.
    pub notes: Vec<String>,
}

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
pub(super) fn json_of_value(value: &ScalarValue, ty: &Type) -> Option<Value> {
    let array = value.to_array().ok()?;
    let losses = Losses::default();
    let read = value::reader(&array, ty, &losses)?;
    Some(read(0))
}

/// The values of a column; `None` where it is of another type.
pub(super) fn json_of_column(column: &dyn Array, ty: &Type) -> Option<Vec<Value>> {
    let losses = Losses::default();
    let read = value::reader(column, ty, &losses)?;
    Some((0..column.len()).map(read).collect())
}

/// The JSON text of the columns' names and types, as `table_schema` of a result has them.
pub fn table_schema(columns: &[OutputColumn]) -> Arc<str> {
    let mut out = String::from("[");
    for column in columns {
        out.push_str(if out.len() == 1 { "{\"name\":" } else { ",{\"name\":" });
        push_json(&column.name, &mut out);
        out.push_str(",\"type\":");
        push_json(&column.ty.to_string(), &mut out);
        out.push('}');
    }
    out.push(']');
    out.into()
}

impl Rows {
    /// Takes batches whose columns stand in the order of `columns`.
    ///
    /// Errors: a batch with another number of columns, or with a column of another type.
    pub fn from_batches(columns: &[OutputColumn], batches: &[RecordBatch]) -> Result<Rows, EncodeError> {
        for batch in batches {
            check(columns, batch)?;
        }
        Ok(Rows {
            columns: columns.iter().map(|column| (column.name.clone(), column.ty.clone())).collect(),
            numbers: columns.iter().map(|column| column.numbers).collect(),
            batches: batches.to_vec(),
            len: batches.iter().map(RecordBatch::num_rows).sum(),
        })
    }

    /// No rows, of no columns.
    pub(super) fn none() -> Rows {
        Rows { columns: Vec::new(), numbers: Vec::new(), batches: Vec::new(), len: 0 }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The memory that they hold, with what they share with others.
    pub fn bytes(&self) -> usize {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all rows behind the first `rows`.
    pub fn truncate(&mut self, rows: usize) {
        self.len = self.len.min(rows);
    }

    /// The leading rows that fit into `max_bytes` of a format, its head included.
    pub fn write(&self, format: TableFormat, max_bytes: usize) -> Written {
        match format {
            TableFormat::Markdown => self.write_as::<markdown::Markdown>(max_bytes),
            TableFormat::Structured => self.write_as::<structured::Structured>(max_bytes),
            TableFormat::Toon => self.write_as::<toon::Toon>(max_bytes),
            TableFormat::Csv => self.write_as::<csv::Csv>(max_bytes),
        }
    }

    /// A list of objects, their keys in the order of the columns.
    pub fn structured(&self) -> Value {
        let object = |row: Vec<Value>| {
            let names = self.columns.iter().map(|(name, _)| name.clone());
            Value::Object(names.zip(row).collect::<Map<_, _>>())
        };
        self.values().into_iter().map(object).collect()
    }

    /// The same of the first rows alone.
    pub(super) fn structured_head(&self, rows: usize) -> Value {
        let mut head = self.clone();
        head.truncate(rows);
        head.structured()
    }

    /// The values of the first columns, by row.
    pub(super) fn first_columns(&self, columns: usize) -> Value {
        let first = |row: Vec<Value>| Value::from_iter(row.into_iter().take(columns));
        self.values().into_iter().map(first).collect()
    }

    /// Some of the rows, by their number.
    ///
    /// Errors: there is no room for them.
    pub(super) fn only(&self, keep: &dyn Fn(usize) -> bool) -> Result<Rows, ArrowError> {
        let mut from = 0;
        let part = |batch: &RecordBatch| {
            let mask: BooleanArray =
                (from..from + batch.num_rows()).map(|row| Some(row < self.len && keep(row))).collect();
            from += batch.num_rows();
            filter_record_batch(batch, &mask)
        };
        let batches = self.batches.iter().map(part).collect::<Result<Vec<_>, _>>()?;
        let len = batches.iter().map(RecordBatch::num_rows).sum();
        Ok(Rows { batches, len, ..self.clone() })
    }

    /// A value, as it is kept.
    pub(super) fn value(&self, row: usize, column: usize) -> Option<ScalarValue> {
        let mut at = row;
        for batch in &self.batches {
            if at < batch.num_rows() {
                return ScalarValue::try_from_array(batch.columns().get(column)?, at).ok();
            }
            at -= batch.num_rows();
        }
        None
    }

    /// The values of every row, in the order of the columns.
    pub fn values(&self) -> Vec<Vec<Value>> {
        let losses = self.losses();
        let mut rows = Vec::with_capacity(self.len);
        for batch in &self.batches {
            let pairs = batch.columns().iter().zip(&self.columns).zip(&losses);
            // What cannot be read is no part of the rows: it was checked before.
            let readers: Vec<Reader<'_>> =
                pairs.filter_map(|((array, (_, ty)), losses)| value::reader(array.as_ref(), ty, losses)).collect();
            let count = batch.num_rows().min(self.len - rows.len());
            rows.extend((0..count).map(|row| readers.iter().map(|read| read(row)).collect::<Vec<Value>>()));
        }
        rows
    }

    fn write_as<F: Format>(&self, max_bytes: usize) -> Written {
        let losses = self.losses();
        let frame = F::frame(&self.columns);
        let head = F::head(&self.columns, self.len);
        let mut text = String::with_capacity(head.len() + frame.row_bytes().saturating_mul(self.len).min(max_bytes));
        text.push_str(&head);
        let mut rows = 0;
        for batch in &self.batches {
            let columns = self.columns_of(batch, &frame, &losses);
            let count = batch.num_rows().min(self.len - rows);
            let written = write_rows::<F>(&columns, count, frame.end, (&mut text, max_bytes));
            rows += written;
            if written < count {
                break;
            }
        }
        let mut notes: Vec<String> =
            self.columns.iter().zip(&losses).flat_map(|((name, _), losses)| losses.notes(name)).collect();
        if rows < self.len && !notes.is_empty() {
            // They may be about the row that did not fit.
            return Rows { len: rows, ..self.clone() }.write_as::<F>(usize::MAX);
        }
        if F::may_be_changed(&text) {
            notes.extend(self.changed::<F>(rows));
        }
        if rows < self.len {
            text.replace_range(..head.len(), &F::head(&self.columns, rows));
        }
        F::close(&mut text);
        Written { text, rows, notes }
    }

    /// Notes on the columns whose texts a format writes as others.
    fn changed<F: Format>(&self, rows: usize) -> Vec<String> {
        let values = Rows { len: rows, ..self.clone() }.values();
        let is_changed =
            |at: usize| values.iter().filter_map(|row| row.get(at)).any(|value| has_text(value, &F::is_changed));
        let names = self.columns.iter().enumerate().filter(|(at, _)| is_changed(*at)).map(|(_, (name, _))| name);
        names.map(|name| format!("`{name}` holds tabs or control characters, shown as ␉ or the like")).collect()
    }

    /// What may be lost of each column: nothing yet.
    fn losses(&self) -> Vec<Losses> {
        self.numbers.iter().map(|numbers| Losses::of(*numbers)).collect()
    }

    /// The columns of a batch, each with what stands before its cells.
    fn columns_of<'a>(
        &self,
        batch: &'a RecordBatch,
        frame: &'a Frame,
        losses: &'a [Losses],
    ) -> Vec<(&'a str, Column<'a>)> {
        let column = |(at, before): &'a (usize, String)| {
            let ((_, ty), array) = (self.columns.get(*at)?, batch.columns().get(*at)?);
            Some((before.as_str(), Column::of(array.as_ref(), ty, losses.get(*at)?)?))
        };
        frame.before.iter().filter_map(column).collect()
    }
}

/// Whether a value is a text of a kind; what is nested is written as JSON, which has escapes for them.
fn has_text(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
    value.as_str().is_some_and(is)
}

/// Appends rows as long as the text is not longer than `max_bytes`; how many.
fn write_rows<F: Format>(
    columns: &[(&str, Column<'_>)],
    count: usize,
    end: &str,
    (text, max_bytes): (&mut String, usize),
) -> usize {
    for row in 0..count {
        let start = text.len();
        for (before, column) in columns {
            text.push_str(before);
            column.write::<F>(row, text);
        }
        if text.len() == start {
            text.push_str(F::EMPTY_ROW);
        }
        text.push_str(end);
        if text.len() > max_bytes {
            text.truncate(start);
            return row;
        }
    }
    count
}

fn check(columns: &[OutputColumn], batch: &RecordBatch) -> Result<(), EncodeError> {
    if batch.num_columns() != columns.len() {
        let message = format!("the result has {} columns, the tool {}", batch.num_columns(), columns.len());
        return Err(EncodeError { message });
    }
    let losses = Losses::default();
    for (column, array) in columns.iter().zip(batch.columns()) {
        if Column::of(array.as_ref(), &column.ty, &losses).is_none() {
            let (name, ty, held) = (&column.name, &column.ty, array.data_type());
            return Err(EncodeError { message: format!("column `{name}` is published as {ty} but holds {held}") });
        }
    }
    Ok(())
}
