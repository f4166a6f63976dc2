//! Personal data is shown to those who may see it.
//!
//! Bad: `SELECT name, email FROM customers`, where `email` is declared with `pii: email`, and no policy masks it. Good: a policy
//! with `columns: { email: { mask: "'***'", unless: [pii.read] } }`; a count of the addresses.

use crate::catalog::Column;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{Kind, Project};
use crate::syntax::{ParsedQuery, outline_of_expression};
use crate::ty::Type;

/// Warns of each column of a table that a tool returns; a view returns nothing by itself.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, project: &Project, sink: &mut Diagnostics) {
    if query.header.kind == Some(Kind::View) || query.header.enabled == Some(false) {
        return;
    }
    check_allowed_values(query, typed, project, sink);
    // That something is true of a value does not show it.
    let is_boolean = |name: &String| typed.columns.iter().any(|one| one.name == *name && one.ty == Type::Boolean);
    for ((table, column), outputs) in &typed.lineage {
        let Some(pii) = unmasked(project, table, column) else { continue };
        let known =
            project.catalog.tables.get(table).and_then(|known| known.columns.iter().find(|one| one.name == *column));
        let is_test = |name: &&String| is_boolean(name) && known.and_then(Column::ty) != Some(Type::Boolean);
        let Some(output) = outputs.iter().find(|name| !is_test(name)) else { continue };
        let place = query.outputs.iter().find(|one| one.value == *output).map_or(query.head, |one| one.span);
        sink.push(codes::unmasked_pii(place, (&query.name.value, Some(output)), (table, column), pii));
    }
}

/// Warns of the sets of tools made of tables that show any.
pub(super) fn check_project(project: &Project, sink: &mut Diagnostics) {
    for (prefix, config) in &project.file.table_tools {
        for table in config.distinct_tables() {
            let Some(known) = project.catalog.tables.get(table) else { continue };
            let key = project.file.tables.get(table).map(|source| source.known_key(Some(known))).unwrap_or_default();
            for column in &known.columns {
                let Some(pii) = unmasked(project, table, &column.name) else { continue };
                let is_text = column.ty() == Some(Type::Text);
                let shows = config.kinds().into_iter().find(|kind| kind.shows(is_text, key.contains(&column.name)));
                let Some(tool) = shows.map(|kind| kind.tool_name(prefix)) else { continue };
                let place = project.document.value_span(&["tables", table, "columns", &column.name, "pii"]);
                sink.push(codes::unmasked_pii(place, (&tool, None), (table, &column.name), pii));
            }
        }
    }
}

/// Warns of allowed values that are read from such a column: they are published to everybody.
fn check_allowed_values(query: &ParsedQuery, typed: &TypedQuery, project: &Project, sink: &mut Diagnostics) {
    for parameter in &typed.parameters {
        let Some((_, allowed)) = &parameter.declaration.allowed_query else { continue };
        let words = outline_of_expression(&allowed.text).map(|outline| outline.names).unwrap_or_default();
        for table in &allowed.tables {
            let columns = project.catalog.tables.get(&table.value).into_iter().flat_map(|known| &known.columns);
            let mut columns = columns.filter(|column| words.iter().any(|word| column.name.eq_ignore_ascii_case(word)));
            let pii = columns.find_map(|column| Some((column, unmasked(project, &table.value, &column.name)?)));
            if let Some((column, pii)) = pii {
                let names = (table.value.as_str(), column.name.as_str());
                sink.push(codes::unmasked_pii(allowed.span, (&query.name.value, None), names, pii));
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
