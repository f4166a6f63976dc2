//! Rows of PostgreSQL as batches of Arrow.

use super::super::batch::{self, CellRow, quoted_text};
use super::super::columns::{Cell, Wrong};
use super::super::driver::Request;
use super::super::error::SourceError;
use super::types::{column_type, numeric_words};
use super::wire::{self, Wire};
use arrow::array::types::IntervalMonthDayNano;
use arrow::datatypes::{DataType, FieldRef};
use arrow::record_batch::RecordBatch;
use chrono::{DateTime, NaiveDate, TimeDelta};
use std::borrow::Cow;
use std::error::Error;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};

/// What a value is that is none of its type here, and is counted.
const COUNTED: &str = "without end, or NaN";

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

/// A value with the form that it came in.
struct Sent<'a> {
    wire: &'a Wire,
    raw: &'a [u8],
}

impl<'a> Cell<'a> for Sent<'a> {
    fn boolean(&self) -> Result<bool, Wrong> {
        wire::boolean(self.raw)
    }

    fn integer(&self) -> Result<i64, Wrong> {
        self.wire.integer(self.raw)
    }

    fn float(&self) -> Result<f32, Wrong> {
        wire::float(self.raw)
    }

    fn double(&self) -> Result<f64, Wrong> {
        self.wire.double(self.raw)
    }

    fn decimal(&self, digits: u8, scale: i8) -> Result<i128, Wrong> {
        self.wire.decimal(self.raw, digits, scale)
    }

    fn text(&self) -> Result<Cow<'a, str>, Wrong> {
        self.wire.text(self.raw)
    }

    fn bytes(&self) -> Result<&'a [u8], Wrong> {
        Ok(self.raw)
    }

    fn date(&self) -> Result<i32, Wrong> {
        wire::date(self.raw)
    }

    fn time(&self) -> Result<i64, Wrong> {
        wire::time(self.raw)
    }

    fn moment(&self) -> Result<i64, Wrong> {
        wire::moment(self.raw)
    }

    fn interval(&self) -> Result<IntervalMonthDayNano, Wrong> {
        wire::interval(self.raw)
    }

    fn items(&self, each: &mut dyn FnMut(Option<Self>) -> Result<(), Wrong>) -> Result<(), Wrong> {
        let Wire::List(wire, ty) = self.wire else { return Err(wire::BROKEN) };
        for item in wire::items(self.raw, *ty)? {
            each(item?.map(|raw| Sent { wire, raw }))?;
        }
        Ok(())
    }
}

/// A row with the forms of its values; `None` of those that are not read.
struct SentRow<'a> {
    row: &'a Row,
    wires: &'a [Option<Wire>],
}

impl SentRow<'_> {
    /// The bytes of a value, which are none where it is NULL; `None` where the row has no such column.
    fn raw(&self, at: usize) -> Option<Option<&[u8]>> {
        let raw: Option<Raw<'_>> = self.row.try_get(at).ok()?;
        Some(raw.map(|raw| raw.0))
    }
}

impl CellRow for SentRow<'_> {
    type Cell<'a>
        = Sent<'a>
    where
        Self: 'a;

    fn cell(&self, at: usize) -> Option<Option<Sent<'_>>> {
        // What is not read is a part of a key, and nothing else than that it is there is asked of it.
        let wire = self.wires.get(at)?.as_ref().unwrap_or(&Wire::Bytes);
        Some(self.raw(at)?.map(|raw| Sent { wire, raw }))
    }

    fn key_text(&self, at: usize) -> Option<String> {
        key_text(self.wires.get(at)?.as_ref()?, self.raw(at)??)
    }
}

/// Rows on their way.
pub(super) struct Batch {
    rows: batch::Batch,
    /// The forms that the values come in.
    wires: Vec<Option<Wire>>,
    /// The columns of a statement of an author that have other digits than when it was compiled: a value that does not fit is
    /// one of these.
    retyped: Vec<String>,
    /// What is told then.
    outdated: SourceError,
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
        let changed = || match request.outline.is_authored {
            true => SourceError::outdated(source.to_owned(), &request.outline.table),
            false => SourceError::Changed { source: source.to_owned(), table: request.outline.table.to_string() },
        };
        let fields = request.outline.schema.fields();
        let is_same = |(column, field): (&tokio_postgres::Column, &FieldRef)| column.name() == field.name();
        if request.outline.is_authored && (columns.len() != fields.len() || !columns.iter().zip(fields).all(is_same)) {
            return Err(changed());
        }
        let wires: Vec<Option<Wire>> = columns.iter().map(|column| Wire::of_type(column.type_())).collect();
        if wires.len() < fields.len() + request.outline.key.len() + request.outline.guarded.len() {
            return Err(changed());
        }
        let is_read = wires
            .iter()
            .zip(fields)
            .all(|(wire, field)| wire.as_ref().is_some_and(|wire| wire.is_read_as(field.data_type())));
        let mut counts =
            wires.iter().skip(fields.len() + request.outline.key.len()).take(request.outline.guarded.len());
        if !is_read || !counts.all(|wire| *wire == Some(Wire::Int(8))) {
            return Err(changed());
        }
        let is_retyped = |(at, (column, field)): &(usize, (&tokio_postgres::Column, &FieldRef))| {
            request.outline.as_told.get(*at) == Some(&true) && has_other_digits(column, field.data_type())
        };
        let retyped = columns.iter().zip(fields).enumerate().filter(is_retyped);
        let retyped = retyped.map(|(_, (column, _))| column.name().to_owned()).collect();
        Ok(Batch { rows: batch::Batch::new(request, source, COUNTED), wires, retyped, outdated: changed() })
    }

    /// Adds a row.
    ///
    /// Errors: a value is none of its column's type here. The batch is then of no use any more.
    pub(super) fn push(&mut self, row: &Row) -> Result<(), SourceError> {
        self.rows.push(&SentRow { row, wires: &self.wires }).map_err(|error| match &error {
            SourceError::Misfit(misfit) if self.retyped.contains(&misfit.column) => self.outdated.clone(),
            _ => error,
        })
    }

    /// Whether it is to be handed on.
    pub(super) fn is_full(&self) -> bool {
        self.rows.is_full()
    }

    /// Whether there is no row in it.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, which are taken away.
    ///
    /// Errors: none that are known; the columns are those of the schema.
    pub(super) fn take(&mut self) -> Result<RecordBatch, SourceError> {
        self.rows.take()
    }
}

/// Whether a column of numbers has other digits than it is read with.
fn has_other_digits(column: &tokio_postgres::Column, here: &DataType) -> bool {
    let own = column_type(&numeric_words(column.type_modifier()));
    *column.type_() == Type::NUMERIC && own.is_none_or(|own| own.to_arrow() != *here)
}

/// A part of a key as a message shows it. A part that has no text here tells no row.
fn key_text(wire: &Wire, raw: &[u8]) -> Option<String> {
    Some(match wire {
        Wire::Int(_) => wire.integer(raw).ok()?.to_string(),
        Wire::Bool => wire::boolean(raw).ok()?.to_string(),
        Wire::Numeric => wire.text(raw).ok()?.into_owned(),
        Wire::Text | Wire::Padded | Wire::Uuid => quoted_text(&wire.text(raw).ok()?),
        Wire::Date => {
            let day = NaiveDate::default().checked_add_signed(TimeDelta::days(wire::date(raw).ok()?.into()))?;
            format!("'{day}'")
        }
        Wire::Timestamp => format!("'{}'", DateTime::from_timestamp_micros(wire::moment(raw).ok()?)?.naive_utc()),
        Wire::Timestamptz => format!("'{}'", DateTime::from_timestamp_micros(wire::moment(raw).ok()?)?),
        _ => return None,
    })
}
