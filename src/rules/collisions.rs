//! No two queries have one name, and no query has a table's.
//!
//! Names collide after snake_case: `Late Flights` and `late_flights` are one tool to an agent.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, snake_case};
use crate::project::Kind;
use crate::source::{Span, Spanned};
use crate::syntax::ParsedQuery;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The tools that a server offers instead of a long list.
pub(crate) const OF_DISCOVERY: [&str; 2] = ["search_tools", "call_tool"];

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
    for (at, query) in queries.iter().enumerate() {
        if !aliases_are_free(query, (&first, &tables), sink) {
            taken.insert(at);
        }
    }
    aliases_are_apart(queries, sink);
    taken
}

/// Whether the names that a query had before are legal, and nobody else's now. What is not is reported.
fn aliases_are_free(
    query: &ParsedQuery,
    (queries, tables): (&HashMap<&str, Span>, &HashMap<&str, Span>),
    sink: &mut Diagnostics,
) -> bool {
    let errors = sink.errors();
    for (alias, place) in aliases(query) {
        let name = alias.as_str();
        if !is_legal(name) {
            sink.push(codes::invalid_tool_name(place, name));
        } else if OF_DISCOVERY.contains(&name) {
            sink.push(codes::reserved_tool_name(place, name));
        } else if name == query.name.value {
            sink.push(codes::invalid_setting(place, &format!("`{name}` is the tool's own name, and no alias of it")));
        } else if let Some(other) = queries.get(name) {
            sink.push(codes::name_collision(place, name, "another query", *other));
        } else if let Some(table) = tables.get(name) {
            sink.push(codes::name_collision(place, name, "a table", *table));
        }
    }
    if query.header.kind == Some(Kind::View) && !query.header.aliases.is_empty() {
        let why = "a view is not called: it has no aliases";
        sink.push(codes::invalid_setting(query.document.key_span(&["aliases"]), why));
    }
    sink.errors() == errors
}

/// Reports the second of two equal aliases.
fn aliases_are_apart(queries: &[Arc<ParsedQuery>], sink: &mut Diagnostics) {
    let mut seen: HashMap<String, Span> = HashMap::new();
    for (alias, place) in queries.iter().flat_map(|query| aliases(query)) {
        match seen.get(&alias) {
            Some(other) => sink.push(codes::name_collision(place, &alias, "another alias", *other)),
            None => _ = seen.insert(alias, place),
        }
    }
}

/// The names that a query had before, each with its place.
fn aliases(query: &ParsedQuery) -> Vec<(String, Span)> {
    let place = |at: usize| query.document.value_span(&["aliases", &at.to_string()]);
    query.header.aliases.iter().enumerate().map(|(at, alias)| (snake_case(alias), place(at))).collect()
}
