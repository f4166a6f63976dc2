//! What is declared large is read through a condition that holds at every call.
//!
//! Bad: `SELECT count(*) FROM events` with `events: { large: true }`. Good: `… WHERE day >= << since >>`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::{Kind, Project};
use crate::syntax::link::LinkedQuery;

/// Warns of each large table, and of each query that reads one from end to end, where nothing restricts it. A view may
/// leave the filter to those that select from it.
pub(super) fn check(linked: &LinkedQuery<'_>, project: &Project, sink: &mut Diagnostics) {
    let tables = project.file.tables.iter().filter(|(_, table)| table.large == Some(true));
    // What is read in full under each name.
    let mut large: Vec<(&str, &str)> = tables.map(|(name, _)| (name.as_str(), name.as_str())).collect();
    let Some((own, below)) = linked.parts.split_last() else { return };
    for part in below {
        let mut scanned = part.query.references.iter().filter(|reference| !reference.filtered);
        let table = scanned.find_map(|reference| table_behind(&large, &reference.name));
        large.extend(table.map(|table| (part.query.name.value.as_str(), table)));
    }
    if own.query.header.kind == Some(Kind::View) {
        return;
    }
    for reference in own.query.references.iter().filter(|reference| !reference.filtered) {
        if let Some(table) = table_behind(&large, &reference.name) {
            let reads = Some(reference.name.as_str()).filter(|name| *name != table);
            sink.push(codes::unfiltered_scan(reference.span, table, reads));
        }
    }
}

fn table_behind<'a>(large: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
    large.iter().find(|(known, _)| *known == name).map(|(_, table)| *table)
}
