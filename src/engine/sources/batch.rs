//! Rows of a server as batches of Arrow.

use super::columns::{Cell, Column, OVERFLOW, Wrong};
use super::driver::Request;
use super::error::{Misfit, SourceError, ToldRow};
use crate::name::shown_name;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use std::sync::Arc;

/// A batch is handed on when its texts take so many bytes.
const LARGE: usize = 1 << 20;

/// How much of a value is shown of the row that another is in.
const SHOWN: usize = 40;

/// A row as it was sent.
pub(super) trait CellRow {
    /// A value of it.
    type Cell<'a>: Cell<'a>
    where
        Self: 'a;

    /// A value by its place, which is none where it is NULL; `None` where the row has no such column.
    fn cell(&self, at: usize) -> Option<Option<Self::Cell<'_>>>;

    /// A part of a key as a message shows it. A part that has no text here tells no row.
    fn key_text(&self, at: usize) -> Option<String>;
}

/// Rows on their way.
pub(super) struct Batch {
    /// The database.
    source: String,
    /// The table.
    table: Arc<str>,
    schema: SchemaRef,
    /// What the columns are called in messages.
    names: Vec<String>,
    columns: Vec<Column>,
    /// What tells a row: the names of what follows the columns.
    key: Vec<String>,
    /// The columns whose misfits are counted.
    guarded: Vec<String>,
    /// What a value is where such a count finds it, beside NULLs and values that fit.
    guarded_as: &'static str,
    /// How many rows a batch has at most.
    most: usize,
    rows: usize,
    bytes: usize,
    /// How many rows there were before; `None` where their number tells nobody which they are.
    before: Option<usize>,
}

impl Batch {
    /// For the rows of a request, which have its columns. `guarded_as` says what is counted as none of a column's type.
    pub(super) fn new(request: &Request, source: &str, guarded_as: &'static str) -> Batch {
        Batch {
            source: source.to_owned(),
            table: Arc::clone(&request.outline.table),
            schema: Arc::clone(&request.outline.schema),
            names: request.outline.names.clone(),
            columns: request.outline.schema.fields().iter().map(|field| Column::of_type(field.data_type())).collect(),
            key: request.outline.key.clone(),
            guarded: request.outline.guarded.clone(),
            guarded_as,
            most: request.batch,
            rows: 0,
            bytes: 0,
            before: request.outline.is_authored.then_some(0),
        }
    }

    /// Adds a row.
    ///
    /// Errors: a value is none of its column's type here. The batch is then of no use any more.
    pub(super) fn push<R: CellRow>(&mut self, row: &R) -> Result<(), SourceError> {
        self.check_guarded(row)?;
        for at in 0..self.columns.len() {
            let value = row.cell(at).ok_or_else(|| self.changed())?;
            if value.is_none() && !is_nullable(&self.schema, at) {
                return Err(self.changed());
            }
            let Some(column) = self.columns.get_mut(at) else { continue };
            match column.push(value) {
                Ok(bytes) => self.bytes += bytes,
                Err(OVERFLOW) => return Err(SourceError::Overflow { source: self.source.clone() }),
                Err(wrong) => return Err(SourceError::Misfit(self.misfit(row, at, wrong))),
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Whether it is to be handed on.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= self.most || self.bytes >= LARGE
    }

    /// Whether there is no row in it.
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows, which are taken away.
    ///
    /// Errors: none that are known; the columns are those of the schema.
    pub(super) fn take(&mut self) -> Result<RecordBatch, SourceError> {
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.before = self.before.map(|before| before + self.rows);
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
            .map_err(|_| SourceError::Other { source: self.source.clone(), code: "of its columns".to_owned() })
    }

    fn changed(&self) -> SourceError {
        SourceError::Changed { source: self.source.clone(), table: self.table.to_string() }
    }

    /// Values that are none of their type, which were counted in: they are none of what is returned.
    fn check_guarded<R: CellRow>(&self, row: &R) -> Result<(), SourceError> {
        let before = self.columns.len() + self.key.len();
        for (at, column) in self.guarded.iter().enumerate() {
            let count = row.cell(before + at).ok_or_else(|| self.changed())?;
            let count = count.map(|count| count.integer()).transpose().map_err(|_| self.changed())?;
            // Of no rows, the count may be NULL.
            let count = count.unwrap_or_default();
            if count != 0 {
                let values = if count == 1 { "a value".to_owned() } else { format!("{count} values") };
                return Err(SourceError::Misfit(Misfit {
                    table: self.table.to_string(),
                    column: column.clone(),
                    row: None,
                    found: format!("{values} {}", self.guarded_as),
                    expected: String::new(),
                }));
            }
        }
        Ok(())
    }

    /// A value that is none of its column's type, with what tells its row.
    fn misfit<R: CellRow>(&self, row: &R, at: usize, wrong: Wrong) -> Misfit {
        let before = self.columns.len();
        let part = |(at, name): (usize, &String)| {
            let value = match row.cell(before + at)? {
                Some(_) => row.key_text(before + at)?,
                None => "NULL".to_owned(),
            };
            Some(format!("`{}` is {value}", shown_name(name)))
        };
        let parts: Option<Vec<String>> = self.key.iter().enumerate().map(part).collect();
        let misfit = Misfit {
            table: self.table.to_string(),
            column: self.names.get(at).cloned().unwrap_or_default(),
            row: parts.filter(|parts| !parts.is_empty()).map(|parts| ToldRow::Key(parts.join(" and "))),
            found: wrong.found.to_owned(),
            expected: wrong.expected.to_owned(),
        };
        match self.before {
            Some(before) => misfit.in_row(before + self.rows + 1),
            None => misfit,
        }
    }
}

fn is_nullable(schema: &Schema, at: usize) -> bool {
    schema.fields().get(at).is_none_or(|field| field.is_nullable())
}

/// The beginning of a text in quotes, without characters that a terminal would act on.
pub(super) fn quoted_text(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("'{start}{more}'")
}
