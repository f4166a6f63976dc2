//! What `table_tools` of `qtool.yaml` names is there, and described: agents know of these tables what is said of them here.
//!
//! Bad: `table_tools: { flights: { tables: [flihgts] } }`, or a table without a `description`.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, codes};
use crate::name::{is_legal, snake_case};
use crate::project::{Project, TableToolsConfig, is_scope};
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::ty::Type;
use std::collections::HashMap;
use std::sync::Arc;

/// Checks all sets; the names of those that tools can be made of, in the order of `qtool.yaml`.
pub fn check<'a>(project: &'a Project, queries: &[Arc<ParsedQuery>], sink: &mut Diagnostics) -> Vec<&'a str> {
    let taken = taken_names(queries);
    let mut sound = Vec::new();
    for (prefix, set) in &project.file.table_tools {
        let errors = sink.errors();
        names(project, (prefix, set), &taken, sink);
        tables(project, (prefix, set), sink);
        scopes(project, (prefix, set), sink);
        searches(project, (prefix, set), sink);
        // That a schema cannot be read was told.
        let is_known = |table: &String| project.catalog.tables.contains_key(table);
        if sink.errors() == errors && set.tables.iter().all(is_known) {
            sound.push(prefix.as_str());
        }
    }
    sound
}

/// The names of queries, those that they had before among them, each with its place.
fn taken_names(queries: &[Arc<ParsedQuery>]) -> HashMap<String, Span> {
    let mut taken = HashMap::new();
    for query in queries {
        taken.entry(query.name.value.clone()).or_insert(query.name.span);
        for (at, alias) in query.header.aliases.iter().enumerate() {
            taken.entry(snake_case(alias)).or_insert_with(|| query.document.value_span(&["aliases", &at.to_string()]));
        }
    }
    taken
}

type Set<'a> = (&'a str, &'a TableToolsConfig);

/// The names of the tools are legal, and nobody else's.
fn names(project: &Project, (prefix, set): Set<'_>, taken: &HashMap<String, Span>, sink: &mut Diagnostics) {
    let place = project.document.key_span(&["table_tools", prefix]);
    let names = || set.kinds().into_iter().map(|kind| kind.tool_name(prefix));
    if let Some(name) = names().find(|name| !is_legal(name)) {
        let why = format!("`{prefix}` is what names of tools begin with, and `{name}` cannot be one");
        let diagnostic = codes::invalid_setting(place, &why);
        sink.push(diagnostic.note("names are a letter a to z first, then letters a to z, digits and `_`, 64 at most"));
        return;
    }
    for name in names() {
        if let Some(other) = taken.get(&name) {
            sink.push(codes::name_collision(place, &name, "a query", *other));
        }
        if project.file.tables.contains_key(&name) {
            sink.push(codes::name_collision(place, &name, "a table", project.table_span(&name)));
        }
    }
}

/// The tables are there, each once, and each says what a row of it is.
fn tables(project: &Project, (prefix, set): Set<'_>, sink: &mut Diagnostics) {
    for (at, table) in set.tables.iter().enumerate() {
        let place = project.document.value_span(&["table_tools", prefix, "tables", &at.to_string()]);
        let Some(source) = project.file.tables.get(table) else {
            sink.push(codes::unknown_table(place, table, project.file.tables.keys().map(String::as_str)));
            continue;
        };
        if set.tables.iter().take(at).any(|other| other == table) {
            sink.push(codes::invalid_setting(place, &format!("the table `{table}` is there twice")));
        }
        if source.description().is_none_or(|text| text.trim().is_empty()) {
            sink.push(undescribed(project, table, place));
        }
    }
}

/// A table of which an agent would know the name alone: there is no query whose description says more.
fn undescribed(project: &Project, table: &str, place: Span) -> Diagnostic {
    let what = format!("the table `{table}`, of which `table_tools` makes tools,");
    let diagnostic = codes::missing_description(project.table_span(table), &what).also(place, "named here");
    Diagnostic { severity: Severity::Error, ..diagnostic }
}

/// A token can have the scopes that are asked for.
fn scopes(project: &Project, (prefix, set): Set<'_>, sink: &mut Diagnostics) {
    for (at, scope) in set.scopes.iter().enumerate().filter(|(_, scope)| !is_scope(scope)) {
        let place = project.document.value_span(&["table_tools", prefix, "scopes", &at.to_string()]);
        let why = format!("no token can have the scope `{scope}`: a scope has no blanks, quotes or backslashes");
        sink.push(codes::invalid_setting(place, &why));
    }
}

/// Who asks for a search has something to search in. Where all tools are made, those that search are left out instead.
fn searches(project: &Project, (prefix, set): Set<'_>, sink: &mut Diagnostics) {
    let schemas: Option<Vec<_>> = set.tables.iter().map(|table| project.catalog.tables.get(table)).collect();
    let Some(schemas) = schemas else { return };
    let has_texts = schemas.iter().any(|table| table.columns.iter().any(|column| column.ty() == Some(Type::Text)));
    if has_texts {
        return;
    }
    for (at, kind) in set.tools.iter().flatten().enumerate().filter(|(_, kind)| kind.is_search()) {
        let place = project.document.value_span(&["table_tools", prefix, "tools", &at.to_string()]);
        let why = format!("`{}` has no column of texts to search in", kind.as_str());
        sink.push(codes::invalid_setting(place, &why));
    }
}
