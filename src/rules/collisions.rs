//! No two queries have one name, and no query has a table's.
//!
//! Names collide after snake_case: `Late Flights` and `late_flights` are one tool to an agent.

use crate::diagnostic::{Diagnostics, codes};
use crate::source::Spanned;
use crate::syntax::ParsedQuery;

/// The tools that a server offers instead of a long list.
const OF_DISCOVERY: [&str; 2] = ["search_tools", "call_tool"];

/// Reports names that are qtool's own, and the second of every pair, with the first; the positions of those reported, which are no tools.
pub fn check(queries: &[ParsedQuery], tables: &[Spanned<String>], sink: &mut Diagnostics) -> Vec<usize> {
    let mut taken = Vec::new();
    for (at, query) in queries.iter().enumerate() {
        let name = &query.name.value;
        if OF_DISCOVERY.contains(&name.as_str()) {
            sink.push(codes::reserved_tool_name(query.name.span, name));
            taken.push(at);
        }
        let earlier = queries.get(..at).unwrap_or_default();
        if let Some(other) = earlier.iter().find(|other| other.name.value == *name) {
            sink.push(codes::name_collision(query.name.span, name, "another query", other.name.span));
            taken.push(at);
        }
        if let Some(table) = tables.iter().find(|table| table.value == *name) {
            sink.push(codes::name_collision(query.name.span, name, "a table", table.span));
            taken.push(at);
        }
    }
    taken
}
