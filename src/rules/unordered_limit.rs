//! What is cut has an order that tells all rows apart: else two calls return different rows of the same data.
//!
//! Bad: `SELECT id FROM orders LIMIT 10`. Good: `SELECT id FROM orders ORDER BY placed_at DESC, id LIMIT 10`; `WHERE id =
//! << id >> LIMIT 1` with the primary key `id`.

use super::Context;
use super::row_counts::RowCounts;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::Project;
use crate::shape::Order;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;

/// Warns of each cut through rows in no order, or in one that lacks columns of the primary key; one row is in order.
pub(super) fn check(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    let shape = linked.own().and_then(|query| context.shapes.get(query)).filter(|shape| !shape.cuts.is_empty());
    let Some(shape) = shape else { return };
    let counts = RowCounts::of(linked, context);
    for cut in shape.cuts.iter().filter(|cut| !counts.is_one(&cut.rows)) {
        match &cut.order {
            None => sink.push(codes::unordered_limit(cut.span)),
            Some(order) => ties(cut.span, order, &counts, context.project, sink),
        }
    }
}

/// Warns of an ORDER BY of plain columns that leaves out columns of the table's primary key.
fn ties(place: Span, order: &Order, counts: &RowCounts<'_>, project: &Project, sink: &mut Diagnostics) {
    let table = project.catalog.tables.get(&order.table);
    let (Some(table), Some(key)) = (table, counts.key(&order.table)) else { return };
    let is_column = |name: &String| table.columns.iter().any(|column| column.name == *name);
    let missing: Vec<&str> = key.iter().filter(|column| !order.columns.contains(column)).map(String::as_str).collect();
    if !missing.is_empty() && key.iter().chain(&order.columns).all(is_column) {
        let is_taken = missing.iter().any(|column| order.taken.iter().any(|taken| taken.as_str() == *column));
        let end = Some(order.end).filter(|_| !is_taken);
        sink.push(codes::ambiguous_limit(place, &order.table, &missing, end));
    }
}
