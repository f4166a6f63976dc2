//! The columns of a result are listed by name.
//!
//! Bad: `SELECT * FROM orders`. Good: `SELECT id, status FROM orders`; `count(*)`; a star over a subquery that lists
//! its columns.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::syntax::ParsedQuery;

/// Warns of each star over a table, in views too: those that select from them publish the columns.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, sink: &mut Diagnostics) {
    let columns: Vec<String> = typed.columns.iter().map(|column| column.name.clone()).collect();
    for star in &query.stars {
        sink.push(codes::select_star(star.span, star.alone.then_some(columns.as_slice())));
    }
}
