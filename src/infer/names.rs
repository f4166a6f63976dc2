//! Tables and functions that do not exist, and columns named twice: all of them at once, before the planner stops at
//! the first.

use super::{Context, functions};
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::ParsedQuery;

/// Reports every reference to nothing.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    for reference in &query.references {
        let known = context.catalog.tables.contains_key(&reference.name) || context.queries.contains(&reference.name);
        if !known {
            let candidates = context.catalog.tables.keys().chain(context.queries);
            sink.push(codes::unknown_table(reference.span, &reference.name, candidates.map(String::as_str)));
        }
    }
    for (at, output) in query.outputs.iter().enumerate() {
        let earlier = query.outputs.get(..at).unwrap_or_default();
        if let Some(first) = earlier.iter().find(|one| one.value == output.value) {
            sink.push(codes::duplicate_column(output.span, &output.value, Some(first.span)));
        }
    }
    let functions = functions::all();
    for function in &query.functions {
        if !functions.knows(&function.value) {
            sink.push(codes::unknown_function(function.span, &function.value, functions.names()));
        }
    }
}
