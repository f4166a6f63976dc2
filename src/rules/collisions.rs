//! No two queries have one name, and no query has a table's.
//!
//! Names collide after snake_case: `Late Flights` and `late_flights` are one tool to an agent.

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::ParsedQuery;

/// Reports the second of every pair, with the first.
pub fn check(queries: &[ParsedQuery], catalog: &Catalog, sink: &mut Diagnostics) {
    for (at, query) in queries.iter().enumerate() {
        let name = &query.name.value;
        let earlier = queries.get(..at).unwrap_or_default();
        if let Some(other) = earlier.iter().find(|other| other.name.value == *name) {
            sink.push(codes::name_collision(query.name.span, name, "another query", Some(other.name.span)));
        }
        if catalog.tables.contains_key(name) {
            sink.push(codes::name_collision(query.name.span, name, "a table", None));
        }
    }
}
