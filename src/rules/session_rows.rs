//! Values that are read when nobody calls come from rows that everybody may know.
//!
//! Bad: `allowed_values: { query: SELECT name FROM customers }` over a source with `session`: whose customers?

use crate::diagnostic::{Diagnostics, codes};
use crate::project::{Project, TableSource};
use crate::syntax::ParsedQuery;

/// Checks the queries that give allowed values.
pub(super) fn check<'a>(project: &Project, queries: impl Iterator<Item = &'a ParsedQuery>, sink: &mut Diagnostics) {
    for table in queries.flat_map(|query| query.allowed_queries.values()).flat_map(|query| &query.tables) {
        let Some(TableSource::Database(read)) = project.file.tables.get(&table.value) else { continue };
        let has_session =
            project.file.sources.get(&read.source).is_some_and(|config| config.session().next().is_some());
        if has_session {
            sink.push(codes::rows_of_a_caller(table.span, &table.value, &read.source));
        }
    }
}
