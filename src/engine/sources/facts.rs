//! What is known of a table in a database, by its columns here.

use super::error::SourceError;
use crate::catalog::{Native, NativeColumn};
use arrow::datatypes::{Field, SchemaRef};
use datafusion::common::DataFusionError;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A table.
#[derive(Debug)]
pub(super) struct Facts {
    /// The name of its database.
    pub source: Arc<str>,
    /// Its name here.
    pub name: Arc<str>,
    /// Its columns here.
    pub schema: SchemaRef,
    /// Its names and types there; the columns in the same order.
    pub native: Native,
    /// The places of columns that are not what tools were compiled for: they are gone, of another type, or may hold nulls.
    pub lost: BTreeSet<usize>,
    /// About how many rows it has.
    pub rows: Option<usize>,
    /// Whether the bytes of texts sort there as they do here.
    pub sorts_bytes: bool,
    /// Whether to read it may call functions of the database's own people.
    pub calls_functions: bool,
    /// The state of the schema that these are facts of.
    pub version: Option<u64>,
    /// Whether they are of the lock, because the database could not be asked.
    pub is_locked: bool,
    /// Whether the database has said that they hold no more.
    pub is_stale: AtomicBool,
    /// What a row is told by in messages: names of columns there.
    pub row: Vec<String>,
}

impl Facts {
    /// A column by its place.
    pub(super) fn column(&self, at: usize) -> Option<(&Field, &NativeColumn)> {
        Some((self.schema.fields().get(at)?, self.native.columns.get(at)?))
    }

    /// The place of a column by its name here.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.schema.index_of(name).ok()
    }

    /// Whether all that is judged by is as in others.
    pub(super) fn is_like(&self, other: &Facts) -> bool {
        let is_same = self.native == other.native && self.schema == other.schema && self.lost == other.lost;
        is_same && self.sorts_bytes == other.sorts_bytes && self.calls_functions == other.calls_functions
    }

    /// Whether a column is all of the primary key, so that a value of it tells one row.
    pub(super) fn is_key(&self, at: usize) -> bool {
        let column = self.native.columns.get(at).map(|column| column.name.as_str());
        matches!(self.native.key.as_slice(), [only] if Some(only.as_str()) == column)
    }
}

/// The table is not what it was.
pub(super) fn changed(facts: &Facts) -> DataFusionError {
    let (source, table) = (facts.source.to_string(), facts.name.to_string());
    DataFusionError::External(Box::new(SourceError::Changed { source, table }))
}
