//! Tables that one statement joins, as one table.
//!
//! Their columns stand one behind the other, each under a name that no other has, as the statement calls them.

use super::facts::Facts;
use crate::catalog::{Native, NativeColumn};
use arrow::datatypes::{Field, Schema};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a column is called, by its place among those of all tables.
pub(super) fn column(at: usize) -> String {
    format!("c{at}")
}

/// What a table is called.
pub(super) fn table(at: usize) -> String {
    format!("t{at}")
}

/// What a part of what tells a row of a table is called.
pub(super) fn row(table: usize, part: usize) -> String {
    format!("r{table}_{part}")
}

/// What is known of tables together, each of them with whether rows before it may have none of it; `None` where there are no
/// tables. `key` has the places of columns whose values tell a row of the join, `rows` says about how many there are.
pub(super) fn facts(tables: &[(Arc<Facts>, bool)], key: &[usize], rows: Option<usize>) -> Option<Facts> {
    let (first, _) = tables.first()?;
    let (mut columns, mut fields, mut row_names): (Vec<NativeColumn>, Vec<Field>, Vec<String>) = Default::default();
    let mut lost = BTreeSet::new();
    for (at, (facts, is_outer)) in tables.iter().enumerate() {
        lost.extend(facts.lost.iter().map(|own| columns.len() + own));
        for (field, native) in facts.schema.fields().iter().zip(&facts.native.columns) {
            let name = column(columns.len());
            let is_nullable = *is_outer || field.is_nullable();
            fields.push(field.as_ref().clone().with_name(&name).with_nullable(is_nullable));
            columns.push(NativeColumn { name, ..native.clone() });
        }
        row_names.extend((0..facts.row.len()).map(|part| row(at, part)));
    }
    let names: Vec<&str> = tables.iter().map(|(facts, _)| facts.name.as_ref()).collect();
    let native = Native { key: key.iter().map(|at| column(*at)).collect(), columns, ..first.native.clone() };
    Some(Facts {
        source: Arc::clone(&first.source),
        name: names.join(" and ").into(),
        schema: Arc::new(Schema::new(fields)),
        native,
        lost,
        rows,
        sorts_bytes: tables.iter().all(|(facts, _)| facts.sorts_bytes),
        calls_functions: tables.iter().any(|(facts, _)| facts.calls_functions),
        version: first.version,
        is_locked: false,
        is_stale: AtomicBool::new(false),
        row: row_names,
    })
}
