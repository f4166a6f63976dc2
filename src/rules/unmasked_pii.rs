//! Personal data is shown to those who may see it.
//!
//! Bad: `SELECT name, email FROM customers`, where `email` is declared with `pii: email`, and no policy masks it. Good: a policy
//! with `columns: { email: { mask: "'***'", unless: [pii.read] } }`; a count of the addresses.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{Kind, Project, TableToolKind};
use crate::syntax::ParsedQuery;
use crate::ty::Type;

/// Warns of each column of a table that a tool returns; a view returns nothing by itself.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, project: &Project, sink: &mut Diagnostics) {
    if query.header.kind == Some(Kind::View) || query.header.enabled == Some(false) {
        return;
    }
    // That something is true of a value does not show it.
    let is_test = |name: &String| typed.columns.iter().any(|one| one.name == *name && one.ty == Type::Boolean);
    for ((table, column), outputs) in &typed.carried {
        let Some(pii) = unmasked(project, table, column) else { continue };
        let Some(output) = outputs.iter().find(|name| !is_test(name)) else { continue };
        let place = query.outputs.iter().find(|one| one.value == *output).map_or(query.head, |one| one.span);
        sink.push(codes::unmasked_pii(place, (&query.name.value, Some(output)), (table, column), pii));
    }
}

/// Warns of the sets of tools made of tables that show any.
pub(super) fn check_project(project: &Project, sink: &mut Diagnostics) {
    for (prefix, config) in &project.file.table_tools {
        let shows = config.kinds().into_iter().find(|kind| *kind != TableToolKind::Schema);
        let Some(tool) = shows.map(|kind| kind.tool_name(prefix)) else { continue };
        for table in config.distinct_tables() {
            let Some(known) = project.catalog.tables.get(table) else { continue };
            for column in &known.columns {
                let Some(pii) = unmasked(project, table, &column.name) else { continue };
                let place = project.document.value_span(&["tables", table, "columns", &column.name, "pii"]);
                sink.push(codes::unmasked_pii(place, (&tool, None), (table, &column.name), pii));
            }
        }
    }
}

/// What of a person the values of a column are, where every caller sees them.
fn unmasked<'a>(project: &'a Project, table: &str, column: &str) -> Option<&'a str> {
    let is_hidden = project.file.policies.get(table).is_some_and(|policy| policy.columns.contains_key(column));
    let source = project.file.tables.get(table).filter(|_| !is_hidden)?;
    source.columns().get(column)?.pii()
}
