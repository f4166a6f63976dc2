//! Tables and functions that do not exist, and columns named twice: all of them at once, before the planner stops at
//! the first.

use super::{Context, functions};
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, ParsedQuery};

/// Reports every reference to nothing.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    for reference in &query.references {
        let known = context.catalog.tables.contains_key(&reference.name)
            || context.queries.binary_search(&reference.name).is_ok();
        if !known {
            // Not the query itself: that would be a circle.
            let others = context.queries.iter().filter(|name| **name != query.name.value);
            let candidates = context.catalog.tables.keys().chain(others);
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
    for function in &query.table_functions {
        if !functions.table.contains_key(&function.value) {
            let candidates = functions.table.keys().map(String::as_str);
            sink.push(codes::unknown_function(function.span, &function.value, candidates));
        }
    }
    for function in &query.functions {
        let written = context.sources.get(query.file).map(|file| file.slice(function.span));
        // The markers of optional clauses are inserted, never written.
        let is_marker = function.value == OPTIONAL_AND || function.value == OPTIONAL_OR;
        let called_marker = is_marker && written.is_some_and(|text| text.eq_ignore_ascii_case(&function.value));
        if called_marker || !functions.knows(&function.value) {
            sink.push(codes::unknown_function(function.span, &function.value, functions.names()));
        }
    }
}
