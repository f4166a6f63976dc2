//! What is declared of a column is declared of one that there is.
//!
//! Bad: `columns: { emial: { pii: email } }` over a table with `email`, which then is nobody's.

use crate::diagnostic::Diagnostics;
use crate::diagnostic::codes::{self, Scope};
use crate::project::Project;

/// Says which declared columns are none. A table whose columns are not known has its own error.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    for (name, source) in &project.file.tables {
        let Some(table) = project.catalog.tables.get(name) else { continue };
        let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        // One that its policy denies is there, and nobody sees it.
        let policy = project.file.policies.get(name);
        let is_denied = |column: &String| policy.is_some_and(|policy| policy.columns.contains_key(column));
        let declared = source.columns().iter().filter(|(column, said)| !said.is_left_out() && !is_denied(column));
        for (column, _) in declared.filter(|(column, _)| !columns.contains(column)) {
            let place = project.document.key_span(&["tables", name, "columns", column]);
            let scope = Scope { table: Some(name), qualifier: None, columns: &columns };
            sink.push(codes::unknown_column(place, column, scope));
        }
    }
}
