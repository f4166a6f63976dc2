//! A parameter is a value, and is not written where the column of its name is meant: what it is compared with would be
//! compared with what the agent sends, which is the same for all rows.
//!
//! Bad: `WHERE << status >> = 'open'`. Good: `WHERE status = << status >>`; `WHERE << by >> = 'open'` with `choices` for
//! `by`; `WHERE << mode >> = 'all' OR status = 'open'`, which is no column.

use super::Context;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::name::means_a_column;
use crate::syntax::ParsedQuery;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;

/// Warns of each parameter that nothing else uses and that has the name of a column.
pub(super) fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let Some(query) = linked.own() else { return };
    let Some(shape) = context.shapes.get(query) else { return };
    for placeholder in shape.compared_values.iter().filter_map(|at| query.placeholders.get(*at)) {
        let name = placeholder.name.value.as_str();
        let uses = linked.occurrences.iter().filter(|one| one.name.value == name).count();
        if uses != 1 || !is_free_text(name, typed) {
            continue;
        }
        let table = table_with(name, query, context);
        if table.is_some() || means_a_column(name) {
            sink.push(codes::parameter_as_column(placeholder.span, name, table));
        }
    }
}

/// Whether a parameter is a text of which nobody says where it comes from, or which values it has.
fn is_free_text(name: &str, typed: &TypedQuery) -> bool {
    let found = typed.parameters.iter().find(|one| one.declaration.name == name);
    found.is_some_and(|one| {
        let config = &one.declaration.config;
        one.ty == Type::Text && config.from.is_none() && config.allowed_values.is_none()
    })
}

/// The first table that a query reads which has a column of this name.
fn table_with<'a>(name: &str, query: &'a ParsedQuery, context: Context<'_>) -> Option<&'a str> {
    let tables = &context.project.catalog.tables;
    let has = |table: &str| tables.get(table).is_some_and(|table| table.columns.iter().any(|one| one.name == name));
    query.references.iter().map(|reference| reference.query.as_str()).find(|table| has(table))
}
