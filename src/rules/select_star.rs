//! The columns of a result are listed by name.
//!
//! Bad: `SELECT * FROM orders`. Good: `SELECT id, status FROM orders`; `count(*)`; a star over a subquery or a query file,
//! which has its own columns, and its own warning where it does not list them.

use super::Context;
use crate::catalog::Catalog;
use crate::diagnostic::codes::ColumnList;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::shape::Star;
use crate::syntax::link::LinkedQuery;

/// Warns of each star over a table, in views too: those that select from them publish the columns. `typed` tells the
/// columns, where it is known.
pub(super) fn check(
    linked: &LinkedQuery<'_>,
    typed: Option<&TypedQuery>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) {
    let Some((own, below)) = linked.parts.split_last() else { return };
    let Some(shape) = context.shapes.get(own.query) else { return };
    let is_query = |name: &String| below.iter().any(|part| part.query.name.value == *name);
    for star in shape.stars.iter().filter(|star| !star.tables.iter().all(is_query)) {
        let columns = columns(star, typed, &context.project.catalog);
        sink.push(codes::select_star(star.span, star.list.as_ref().zip(columns.as_deref())));
    }
}

/// The names that a star stands for, where it is all that is selected. The engine selects nothing where there is no
/// SELECT: there the table tells.
fn columns<'a>(star: &Star, typed: Option<&'a TypedQuery>, catalog: &'a Catalog) -> Option<Vec<&'a str>> {
    match (&star.list, star.tables.as_slice()) {
        (Some(ColumnList::BeforeFrom), [table]) => {
            Some(catalog.tables.get(table)?.columns.iter().map(|column| column.name.as_str()).collect())
        }
        _ => Some(typed?.columns.iter().map(|column| column.name.as_str()).collect()),
    }
}
