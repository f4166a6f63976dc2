//! The planner's errors as diagnostics in the user's file, each at the smallest place that can be told.

use super::Context;
use super::collect::Collected;
use super::functions;
use crate::catalog::Table;
use crate::diagnostic::codes::Scope;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::plan::engine_words::missing_table;
use crate::plan::engine_words::sentence::{Words, place_in};
use crate::source::Span;
use crate::syntax::link::{self, LinkedQuery, Slot};
use crate::ty::Type;
use datafusion::common::{Column, DataFusionError, SchemaError};
use std::collections::BTreeSet;

/// What the planner was asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The place of what is said of the whole statement.
    pub head: Span,
    /// What its `$n` stand for.
    pub slots: &'a [Slot],
}

/// Reports what the planner or the analyzer refused.
pub(super) fn report(error: &DataFusionError, asked: Asked<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    let head = asked.head;
    let words = Words { slots: asked.slots, sources: context.sources };
    let span = error.diagnostic().and_then(|diagnostic| diagnostic.span).and_then(|span| place(span, context));
    let missing = error.diagnostic().and_then(|told| missing_table(&told.message));
    if let (Some(name), Some(span)) = (missing, span) {
        let known = context.catalog.tables.keys().filter(|name| context.catalog.has_own(name)).chain(context.queries);
        sink.push(codes::unknown_table(span, name, known.map(String::as_str)));
        return;
    }
    let Some(schema_error) = schema_error(error) else {
        sink.push(with_type(refused(error, span, asked, context), context));
        return;
    };
    match schema_error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let span = field_span(field, context).or(span).unwrap_or(head);
            let qualifier = field.relation.as_ref().map(|table| table.table());
            if let Some(alias) = qualifier
                && !valid_fields.iter().any(|column| column.relation == field.relation)
            {
                let known: BTreeSet<&str> = valid_fields
                    .iter()
                    .filter_map(|column| column.relation.as_ref().map(|table| table.table()))
                    .collect();
                sink.push(codes::unknown_table(head_of(span, alias, context), alias, known.into_iter()));
                return;
            }
            let scope = Scope {
                table: qualifier.or_else(|| only_table(valid_fields)),
                qualifier,
                columns: &candidates(field, valid_fields),
            };
            sink.push(unknown_column(span, &field.name, scope, context));
        }
        SchemaError::AmbiguousReference { field } if field.relation.is_some() => {
            sink.push(codes::ambiguous_output(field_span(field, context).or(span).unwrap_or(head), &field.name));
        }
        SchemaError::AmbiguousReference { field } => {
            sink.push(codes::ambiguous_column(field_span(field, context).or(span).unwrap_or(head), &field.name));
        }
        SchemaError::DuplicateQualifiedField { name, .. } | SchemaError::DuplicateUnqualifiedField { name } => {
            let name = if is_written(name) { name.clone() } else { words.of(name) };
            sink.push(codes::duplicate_column(span.unwrap_or(head), &name, None));
        }
    }
}

/// A column that does not exist: misspelt, called otherwise by its database, or a text in the quotes of a name.
fn unknown_column(place: Span, name: &str, scope: Scope<'_>, context: Context<'_>) -> Diagnostic {
    let written = written_at(place, context);
    if let Some(here) = name_here(name, scope.columns, context) {
        // In front of the name there may be that of its table.
        let qualifier =
            written.strip_suffix('"').and_then(|rest| rest.rfind('"')).or_else(|| written.rfind('.').map(|at| at + 1));
        let place = Span { start: place.start + qualifier.unwrap_or(0), ..place };
        return codes::renamed_column(place, name, here);
    }
    codes::text_in_quotes(codes::unknown_column(place, name, scope), (place, written), name)
}

/// What one of the columns is called here that its database calls by a name.
fn name_here<'a>(name: &str, columns: &[String], context: Context<'a>) -> Option<&'a str> {
    let in_table = |table: &'a Table| {
        let at = table.native.as_ref()?.columns.iter().position(|column| column.name == name)?;
        let here = table.columns.get(at).map(|column| column.name.as_str());
        here.filter(|here| *here != name && columns.iter().any(|column| column == here))
    };
    context.catalog.tables.values().find_map(in_table)
}

/// The place that the words of an error tell.
pub(super) fn place_told(error: &DataFusionError, context: Context<'_>) -> Option<Span> {
    place_in(&root_text(error), context.sources)
}

/// Where the function is called that the engine's words are about, where it is called once.
pub(super) fn only_call(error: &DataFusionError, linked: &LinkedQuery<'_>) -> Option<Span> {
    let text = root_text(error).to_lowercase();
    let all = functions::all();
    let is_about = |name: &str| {
        let forms = [format!("function '{name}'"), format!("'{name}' function"), format!("function {name} ")];
        forms.iter().any(|form| text.contains(form))
    };
    let is_named = |name: &str| {
        let name = name.to_lowercase();
        is_about(&name) || all.scalar.get(&name).is_some_and(|function| is_about(function.name()))
    };
    let mut calls = linked.parts.iter().flat_map(|part| &part.query.functions).filter(|call| is_named(&call.value));
    match (calls.next(), calls.next()) {
        (Some(only), None) => Some(only.span),
        (None, _) => only_word(&text, linked),
        _ => None,
    }
}

/// What is a function to the engine and a word to an author: in its words, and as it is written.
const WORDS: [(&str, &str); 2] = [("unnest()", "UNNEST"), ("'array_has' function", "ANY")];

/// Where such a word stands, where it does once.
fn only_word(text: &str, linked: &LinkedQuery<'_>) -> Option<Span> {
    let (_, word) = WORDS.iter().find(|(told, _)| text.contains(told))?;
    let mut places = linked.parts.iter().flat_map(|part| part.query.places_of(word));
    let only = places.next()?;
    places.next().is_none().then_some(only)
}

/// The words of an error, for a message of its own.
pub(super) fn sentence(error: &DataFusionError, slots: &[Slot], context: Context<'_>) -> String {
    Words { slots, sources: context.sources }.sentence(&root_text(error))
}

/// What is said of a type that the planner does not have, with what it is called here.
fn with_type(diagnostic: Diagnostic, context: Context<'_>) -> Diagnostic {
    let named = diagnostic.message.split_once("unsupported SQL type ").map(|(_, name)| name);
    let unknown = named.and_then(|name| Type::parse(name).err()).filter(|unknown| unknown.limits.is_none());
    let place = diagnostic.primary.as_ref().map(|label| label.span);
    match (unknown, place) {
        (Some(unknown), Some(place)) if written_at(place, context).eq_ignore_ascii_case(&unknown.written) => {
            codes::with_meant(diagnostic, place, &unknown)
        }
        _ => diagnostic,
    }
}

/// What the planner itself has to say of a place, else its bare words.
fn refused(error: &DataFusionError, span: Option<Span>, asked: Asked<'_>, context: Context<'_>) -> Diagnostic {
    let words = Words { slots: asked.slots, sources: context.sources };
    let Some(told) = error.diagnostic().filter(|told| told.span.is_some()) else {
        let text = root_text(error);
        let span = span.or_else(|| place_in(&text, context.sources)).unwrap_or(asked.head);
        let sentence = words.sentence(&text);
        let diagnostic = codes::invalid_query(span, &sentence);
        return codes::help_of_query(&sentence).into_iter().fold(diagnostic, Diagnostic::help);
    };
    let sentence = words.sentence(&told.message);
    let mut diagnostic = codes::invalid_query(span.unwrap_or(asked.head), &sentence);
    // What is known to be meant says more than the nearest name.
    if let Some(help) = codes::help_of_query(&sentence) {
        return diagnostic.help(help);
    }
    for note in &told.notes {
        let text = words.sentence(&note.message);
        diagnostic = match note.span.and_then(|span| place(span, context)) {
            Some(span) => diagnostic.also(span, text),
            None => diagnostic.note(text),
        };
    }
    for help in &told.helps {
        diagnostic = diagnostic.help(words.sentence(&help.message));
    }
    diagnostic
}

/// Reports columns that no relation in scope has, or several.
pub(super) fn columns(found: &Collected, context: Context<'_>, sink: &mut Diagnostics) {
    for (span, name) in &found.ambiguous {
        sink.push(codes::ambiguous_column(*span, name));
    }
    for column in &found.unknown {
        let qualifier = column.qualifier.as_deref();
        match qualifier {
            Some(table) if column.is_merged => sink.push(codes::merged_column(column.span, table, &column.name)),
            Some(alias) if !column.relations.iter().any(|name| name == alias) => {
                let known = column.relations.iter().map(String::as_str);
                sink.push(codes::unknown_table(head_of(column.span, alias, context), alias, known));
            }
            _ => {
                let table = match column.relations.as_slice() {
                    [only] => Some(only.as_str()),
                    _ => None,
                };
                let columns: Vec<String> = column.columns.iter().filter(|name| is_written(name)).cloned().collect();
                let scope = Scope { table: qualifier.or(table), qualifier, columns: &columns };
                sink.push(unknown_column(column.span, &column.name, scope, context));
            }
        }
    }
}

/// Reports names in ORDER BY that are not clear; `None` where there is one.
pub(super) fn orders(found: &Collected, sink: &mut Diagnostics) -> Option<()> {
    for (span, name) in &found.orders {
        sink.push(codes::ambiguous_in_order(*span, name));
    }
    found.orders.is_empty().then_some(())
}

/// Whether the planner refused a column that it did not find, or found twice.
pub(super) fn is_about_a_column(error: &DataFusionError) -> bool {
    matches!(schema_error(error), Some(SchemaError::FieldNotFound { .. } | SchemaError::AmbiguousReference { .. }))
}

/// Whether the planner tells the place: of columns and tables it does.
pub(super) fn has_place(error: &DataFusionError) -> bool {
    schema_error(error).is_some()
        || error.diagnostic().is_some_and(|told| missing_table(&told.message).is_some() && told.span.is_some())
}

/// Whether the engine names the null type, which stands in for types that are not known; a column may be called so, but
/// not alone and in this spelling.
pub(super) fn speaks_of_null(error: &DataFusionError) -> bool {
    error.to_string().split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "Null")
}

fn schema_error(error: &DataFusionError) -> Option<&SchemaError> {
    match error.find_root() {
        DataFusionError::SchemaError(inner, _) => Some(inner),
        _ => None,
    }
}

/// The name in front of a column, where it stands in the text as it is.
fn head_of(span: Span, alias: &str, context: Context<'_>) -> Span {
    let text = context.sources.get(span.file).map(|file| file.slice(span)).unwrap_or_default();
    if text.len() > alias.len() && text.starts_with(alias) {
        Span { end: span.start + alias.len(), ..span }
    } else {
        span
    }
}

/// The table that all columns belong to, if it is one.
fn only_table(valid: &[Column]) -> Option<&str> {
    let mut tables = valid.iter().map(|column| column.relation.as_ref().map(|table| table.table()));
    let first = tables.next()??;
    tables.all(|table| table == Some(first)).then_some(first)
}

/// Names of columns: of the table that was named, if it was, else of all.
fn candidates(field: &Column, valid: &[Column]) -> Vec<String> {
    let same_table = |column: &&Column| field.relation.is_none() || column.relation == field.relation;
    let named = || valid.iter().filter(|column| is_written(&column.name));
    let mut names: Vec<String> = named().filter(same_table).map(|column| column.name.clone()).collect();
    if names.is_empty() {
        names = named().map(|column| column.name.clone()).collect();
    }
    names.dedup();
    names
}

/// Whether a column has a name that an author can write: the planner names an expression after itself, with our `$n`.
fn is_written(name: &str) -> bool {
    let numbered =
        |(at, _): (usize, &str)| name.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    !name.is_empty() && !name.match_indices('$').any(numbered)
}

fn field_span(field: &Column, context: Context<'_>) -> Option<Span> {
    field.spans().first().and_then(|span| place(span, context))
}

fn place(span: datafusion::common::Span, context: Context<'_>) -> Option<Span> {
    link::place(context.sources, (span.start.line, span.start.column), (span.end.line, span.end.column))
}

/// The engine's own text, which may be a page long.
fn root_text(error: &DataFusionError) -> String {
    match error.find_root() {
        // `find_root` stops at Arrow's error, which repeats the text.
        DataFusionError::Collection(errors) => {
            errors.first().map_or_else(|| error.strip_backtrace(), DataFusionError::strip_backtrace)
        }
        root => root.strip_backtrace(),
    }
}

/// What stands at a place.
fn written_at<'a>(place: Span, context: Context<'a>) -> &'a str {
    context.sources.get(place.file).map(|file| file.slice(place)).unwrap_or_default()
}
