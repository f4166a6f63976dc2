//! What may be written is made of columns that there are.
//!
//! Bad: `writable: { columns: [statsu] }` over a table with `status`.

use crate::diagnostic::Diagnostics;
use crate::diagnostic::codes::{self, Scope};
use crate::project::{Project, TableSource};

/// Says which columns that may be written are none. A table whose columns are not known has its own error.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    for (name, source) in &project.file.tables {
        let TableSource::Database(own) = source else { continue };
        let native = project.catalog.tables.get(name).and_then(|table| table.native.as_ref());
        let (Some(writable), Some(native)) = (&own.writable, native) else { continue };
        let columns: Vec<String> = native.columns.iter().map(|column| column.name.clone()).collect();
        let is_there = |column: &String| columns.iter().any(|one| one.eq_ignore_ascii_case(column));
        for (at, column) in writable.columns().iter().enumerate().filter(|(_, column)| !is_there(column)) {
            let place = project.document.value_span(&["tables", name, "writable", "columns", &at.to_string()]);
            let scope = Scope { table: Some(name), qualifier: None, columns: &columns };
            sink.push(codes::unknown_column(place, column, scope));
        }
    }
}
