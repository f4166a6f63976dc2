//! A primary key is made of columns that there are: pages rely on it.
//!
//! Bad: `primary_key: [idd]` over a table with `id`.

use crate::diagnostic::Diagnostics;
use crate::diagnostic::codes::{self, Scope};
use crate::project::Project;

/// Says which columns of primary keys are none. A table whose columns are not known has its own error.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    for (name, source) in &project.file.tables {
        let Some(table) = project.catalog.tables.get(name) else { continue };
        let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        for (at, column) in source.primary_key().iter().enumerate().filter(|(_, column)| !columns.contains(column)) {
            let place = project.document.value_span(&["tables", name, "primary_key", &at.to_string()]);
            let scope = Scope { table: Some(name), qualifier: None, columns: &columns };
            sink.push(codes::unknown_column(place, column, scope));
        }
    }
}
