//! What is declared large is read through a condition that holds at every call.
//!
//! Bad: `SELECT count(*) FROM events` with `events: { large: true }`; a condition around a GROUP BY. Good: `… WHERE day >=
//! << since >>`.

use super::{Context, is_aggregate};
use crate::diagnostic::codes::LargeScan;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::shape::{Filter, Shape};
use crate::syntax::Reference;
use crate::syntax::link::LinkedQuery;

/// Warns of each large table, and of each query that reads one from end to end, where nothing restricts it. A view may
/// leave the filter to those that select from it, where theirs would reach the table.
pub(super) fn check(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    let tables = context.project.file.tables.iter().filter(|(_, table)| table.is_large());
    // What is read in full under each name.
    let mut large: Vec<(&str, &str)> = tables.map(|(name, _)| (name.as_str(), name.as_str())).collect();
    let Some((own, below)) = linked.parts.split_last() else { return };
    for part in below {
        let Some(shape) = context.shapes.get(part.query) else { continue };
        let mut left = part.query.references.iter().filter(|reference| scan(shape, reference) == Scan::LeftToReaders);
        let table = left.find_map(|reference| table_behind(&large, &reference.name));
        large.extend(table.map(|table| (part.query.name.value.as_str(), table)));
    }
    let Some(shape) = context.shapes.get(own.query) else { return };
    let is_view = own.query.header.kind == Some(Kind::View);
    for reference in &own.query.references {
        let is_open = match scan(shape, reference) {
            Scan::Restricted => false,
            Scan::LeftToReaders => !is_view,
            Scan::Full => true,
        };
        if let Some(table) = table_behind(&large, &reference.name).filter(|_| is_open) {
            let scan = LargeScan {
                table,
                reads: Some(reference.name.as_str()).filter(|name| *name != table),
                view: Some(own.query.name.value.as_str()).filter(|_| is_view),
                has_clause: own.query.placeholders.iter().any(|placeholder| placeholder.clause.is_some()),
            };
            sink.push(codes::unfiltered_scan(reference.span, &scan));
        }
    }
}

/// How much of a table is read.
#[derive(PartialEq, Eq)]
enum Scan {
    /// A part.
    Restricted,
    /// What those ask for that select from the query.
    LeftToReaders,
    /// All of it.
    Full,
}

fn scan(shape: &Shape, reference: &Reference) -> Scan {
    match shape.filter(reference) {
        filter if filter.calls().any(is_aggregate) => Scan::Full,
        Filter::Nothing => Scan::Full,
        Filter::Reader(_) => Scan::LeftToReaders,
        Filter::Always(_) => Scan::Restricted,
    }
}

fn table_behind<'a>(large: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
    large.iter().find(|(known, _)| *known == name).map(|(_, table)| *table)
}
