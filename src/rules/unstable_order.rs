//! A result that comes in pages has an order that tells all rows apart, and that is the same each time.
//!
//! Bad: `SELECT id, name FROM orders ORDER BY random()`. Good: `ORDER BY placed_at`: what rows of one moment need to be told
//! apart by, qtool adds.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{Pages, TypedQuery};
use crate::plan::total_order::Obstacle;
use crate::shape::Shape;
use crate::syntax::link::LinkedQuery;

/// Warns of a tool that would have a cursor if its order were the same each time.
pub(super) fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, shape: &Shape, sink: &mut Diagnostics) {
    let (Some(query), Pages::Unfit(why)) = (linked.own(), &typed.pages) else { return };
    let said = query.header.expose.as_ref().map(|_| query.document.value_span(&["expose"]));
    let place = shape.order.or(said).unwrap_or(query.head);
    sink.push(codes::unstable_order(place, &query.name.value, &why.to_string(), help(why)));
}

fn help(why: &Obstacle) -> &'static str {
    match why {
        Obstacle::FloatSum(_) => {
            "select what tells the rows apart, such as the columns of the GROUP BY, or add up decimals; \
             `expose: [limit, table_format]` says that no cursor is wanted"
        }
        Obstacle::Ties(_) => {
            "give it an ORDER BY of its own that ends in a key; `expose: [limit, table_format]` says that no cursor is wanted"
        }
        Obstacle::Volatile(_) => {
            "leave it out of the rows and of their order; `expose: [limit, table_format]` says that no cursor is wanted"
        }
        Obstacle::NoOrder { .. } => {
            "select a key of the rows, or leave the column out; `expose: [limit, table_format]` says that no cursor is wanted"
        }
        Obstacle::Unknown => "`expose: [limit, table_format]` says that no cursor is wanted",
    }
}
