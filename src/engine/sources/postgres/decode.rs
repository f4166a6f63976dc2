//! Rows of PostgreSQL as batches of Arrow.

use super::super::driver::Request;
use super::super::error::{Misfit, SourceError};
use super::columns::Column;
use super::wire::{Wire, Wrong, boolean, date, moment};
use crate::name::shown_name;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use chrono::{DateTime, NaiveDate, TimeDelta};
use std::error::Error;
use std::sync::Arc;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

/// A batch is handed on when its texts take so many bytes.
const LARGE: usize = 1 << 20;

/// How much of a value is shown of the row that another is in.
const SHOWN: usize = 40;

/// The bytes of a value, as they came.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Raw(raw))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
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
    /// The columns, and the form that their values come in.
    columns: Vec<(Column, Wire)>,
    /// What tells a row: the names, and the forms where they are read.
    key: Vec<(String, Option<Wire>)>,
    /// The columns whose misfits are counted.
    guarded: Vec<String>,
    /// How many rows a batch has at most.
    most: usize,
    rows: usize,
    bytes: usize,
}

impl Batch {
    /// For the rows of a request that have these columns.
    ///
    /// Errors: they are others than those that were asked for.
    pub(super) fn new(
        request: &Request,
        columns: &[tokio_postgres::Column],
        source: &str,
    ) -> Result<Batch, SourceError> {
        let changed = || match request.is_authored {
            true => SourceError::outdated(source.to_owned(), &request.table),
            false => SourceError::Changed { source: source.to_owned(), table: request.table.to_string() },
        };
        let is_same =
            |(column, field): (&tokio_postgres::Column, &arrow::datatypes::FieldRef)| column.name() == field.name();
        let own = request.schema.fields();
        if request.is_authored && (columns.len() != own.len() || !columns.iter().zip(own).all(is_same)) {
            return Err(changed());
        }
        let mut wires = columns.iter().map(|column| Wire::of_type(column.type_()));
        let mut own = Vec::with_capacity(request.schema.fields().len());
        for field in request.schema.fields() {
            let wire = wires.next().flatten().filter(|wire| wire.is_read_as(field.data_type()));
            own.push((Column::of_type(field.data_type()), wire.ok_or_else(changed)?));
        }
        let mut key = Vec::with_capacity(request.key.len());
        for name in &request.key {
            key.push((name.clone(), wires.next().ok_or_else(changed)?));
        }
        for _ in &request.guarded {
            wires.next().flatten().filter(|wire| *wire == Wire::Int(8)).ok_or_else(changed)?;
        }
        Ok(Batch {
            source: source.to_owned(),
            table: Arc::clone(&request.table),
            schema: Arc::clone(&request.schema),
            names: request.names.clone(),
            columns: own,
            key,
            guarded: request.guarded.clone(),
            most: request.batch,
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds a row.
    ///
    /// Errors: a value is none of its column's type here. The batch is then of no use any more.
    pub(super) fn push(&mut self, row: &Row) -> Result<(), SourceError> {
        self.check_guarded(row)?;
        for at in 0..self.columns.len() {
            let value = raw(row, at).ok_or_else(|| self.changed())?;
            if value.is_none() && !is_nullable(&self.schema, at) {
                return Err(self.changed());
            }
            let Some((column, wire)) = self.columns.get_mut(at) else { continue };
            match column.push(wire, value) {
                Ok(bytes) => self.bytes += bytes,
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
        let arrays = self.columns.iter_mut().map(|(column, _)| column.finish()).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
            .map_err(|_| SourceError::Other { source: self.source.clone(), code: "of its columns".to_owned() })
    }

    fn changed(&self) -> SourceError {
        SourceError::Changed { source: self.source.clone(), table: self.table.to_string() }
    }

    /// Values that are none of their type, which were counted in: they are none of what is returned.
    fn check_guarded(&self, row: &Row) -> Result<(), SourceError> {
        let before = self.columns.len() + self.key.len();
        for (at, column) in self.guarded.iter().enumerate() {
            let count = raw(row, before + at).ok_or_else(|| self.changed())?;
            let count = count.map(|raw| Wire::Int(8).integer(raw)).transpose().map_err(|_| self.changed())?;
            // Of no rows, the count may be NULL.
            let count = count.unwrap_or_default();
            if count != 0 {
                return Err(SourceError::Misfit(Misfit {
                    table: self.table.to_string(),
                    column: column.clone(),
                    row: None,
                    found: if count == 1 { "a value".to_owned() } else { format!("{count} values") }
                        + " without end, or NaN",
                    expected: String::new(),
                }));
            }
        }
        Ok(())
    }

    /// A value that is none of its column's type, with what tells its row.
    fn misfit(&self, row: &Row, at: usize, wrong: Wrong) -> Misfit {
        let before = self.columns.len();
        let told: Option<Vec<String>> = self
            .key
            .iter()
            .enumerate()
            .map(|(at, (name, wire))| {
                let value = match raw(row, before + at)? {
                    Some(raw) => shown_value(wire.as_ref()?, raw)?,
                    None => "NULL".to_owned(),
                };
                Some(format!("`{}` is {value}", shown_name(name)))
            })
            .collect();
        Misfit {
            table: self.table.to_string(),
            column: self.names.get(at).cloned().unwrap_or_default(),
            row: told.filter(|told| !told.is_empty()).map(|told| told.join(" and ")),
            found: wrong.found.to_owned(),
            expected: wrong.expected.to_owned(),
        }
    }
}

/// The bytes of a value, which are none where it is NULL; `None` where the row has no such column.
fn raw(row: &Row, at: usize) -> Option<Option<&[u8]>> {
    let raw: Option<Raw<'_>> = row.try_get(at).ok()?;
    Some(raw.map(|raw| raw.0))
}

fn is_nullable(schema: &Schema, at: usize) -> bool {
    schema.fields().get(at).is_none_or(|field| field.is_nullable())
}

/// A part of a key as a message shows it. A part that has no text here tells no row.
fn shown_value(wire: &Wire, raw: &[u8]) -> Option<String> {
    Some(match wire {
        Wire::Int(_) => wire.integer(raw).ok()?.to_string(),
        Wire::Bool => boolean(raw).ok()?.to_string(),
        Wire::Numeric => wire.text(raw).ok()?.into_owned(),
        Wire::Text | Wire::Padded | Wire::Uuid => format!("'{}'", shown_text(&wire.text(raw).ok()?)),
        Wire::Date => {
            let day = NaiveDate::default().checked_add_signed(TimeDelta::days(date(raw).ok()?.into()))?;
            format!("'{day}'")
        }
        Wire::Timestamp => format!("'{}'", DateTime::from_timestamp_micros(moment(raw).ok()?)?.naive_utc()),
        Wire::Timestamptz => format!("'{}'", DateTime::from_timestamp_micros(moment(raw).ok()?)?),
        _ => return None,
    })
}

/// The beginning of a text, without characters that a terminal would act on.
fn shown_text(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{start}…") } else { start }
}
