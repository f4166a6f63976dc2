//! Which tools change data, for projects that want none of them, or each of them said to be one.
//!
//! Bad: `lints: { changes-data: deny }` in `qtool.yaml`, and `DELETE FROM orders WHERE id = << id >>`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Project;
use crate::syntax::ParsedQuery;

/// Tells the first change of a query.
pub(super) fn check(query: &ParsedQuery, sink: &mut Diagnostics) {
    let changes = query.native.iter().flat_map(|native| &native.changes);
    if let Some(write) = changes.flat_map(|change| &change.writes).next() {
        let table = write.table.value.join(".");
        sink.push(codes::changes_data(write.table.span, &query.name.value, write.operation.keyword(), &table));
    }
}

/// Tells the first of the tools over records that changes them.
pub(super) fn check_records(project: &Project, sink: &mut Diagnostics) {
    for (name, config) in &project.file.records {
        if let Some(kind) = config.kinds().into_iter().find(|kind| kind.writes()) {
            let place = project.document.key_span(&["records", name]);
            sink.push(codes::changes_records(place, &config.tool_name(kind, name), name));
        }
    }
}
