//! Values that are read when nobody calls come from rows that everybody may know.
//!
//! Bad: `allowed_values: { query: SELECT name FROM customers }` over a source with `session`: whose customers?

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Project;
use crate::syntax::ParsedQuery;

/// Checks the queries that give allowed values.
pub(super) fn check<'a>(project: &Project, queries: impl Iterator<Item = &'a ParsedQuery>, sink: &mut Diagnostics) {
    for table in queries.flat_map(|query| query.allowed_queries.values()).flat_map(|query| &query.tables) {
        if let Some(source) = project.file.caller_source(&table.value) {
            sink.push(codes::rows_of_a_caller(table.span, &table.value, source));
        }
    }
}
