//! No two queries have one name, and no query has a table's.
//!
//! Names collide after snake_case: `Late Flights` and `late_flights` are one tool to an agent.

use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Span, Spanned};
use crate::syntax::ParsedQuery;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The tools that a server offers instead of a long list.
const OF_DISCOVERY: [&str; 2] = ["search_tools", "call_tool"];

/// Reports names that are qtool's own, and the second of every pair, with the first; the positions of those reported,
/// which are no tools.
pub fn check(queries: &[Arc<ParsedQuery>], tables: &[Spanned<String>], sink: &mut Diagnostics) -> HashSet<usize> {
    let tables: HashMap<&str, Span> = tables.iter().map(|table| (table.value.as_str(), table.span)).collect();
    let mut first: HashMap<&str, Span> = HashMap::new();
    let mut taken = HashSet::new();
    for (at, query) in queries.iter().enumerate() {
        let name = &query.name.value;
        if OF_DISCOVERY.contains(&name.as_str()) {
            sink.push(codes::reserved_tool_name(query.name.span, name));
            taken.insert(at);
        }
        if let Some(other) = first.get(name.as_str()) {
            sink.push(codes::name_collision(query.name.span, name, "another query", *other));
            taken.insert(at);
        }
        if let Some(table) = tables.get(name.as_str()) {
            sink.push(codes::name_collision(query.name.span, name, "a table", *table));
            taken.insert(at);
        }
        first.entry(name).or_insert(query.name.span);
    }
    taken
}
