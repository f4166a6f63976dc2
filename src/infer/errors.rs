//! The planner's errors as diagnostics in the user's file.

use super::Context;
use crate::diagnostic::codes::Scope;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::link;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use datafusion::common::{Column, DataFusionError, SchemaError};

/// Reports what the planner or the analyzer refused. `head` is the place where it names none.
pub(super) fn report(error: &DataFusionError, head: Span, context: Context<'_>, sink: &mut Diagnostics) {
    let span = error.diagnostic().and_then(|diagnostic| diagnostic.span).and_then(|span| place(span, context));
    let Some(schema_error) = schema_error(error) else {
        sink.push(codes::invalid_query(span.unwrap_or(head), &wording(error)));
        return;
    };
    match schema_error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let span = field_span(field, context).or(span).unwrap_or(head);
            let qualifier = field.relation.as_ref().map(|table| table.table());
            let scope = Scope {
                table: qualifier.or_else(|| only_table(valid_fields)),
                qualifier,
                columns: &candidates(field, valid_fields),
            };
            sink.push(codes::unknown_column(span, &field.name, scope));
        }
        SchemaError::AmbiguousReference { field } => {
            sink.push(codes::ambiguous_column(field_span(field, context).or(span).unwrap_or(head), &field.name));
        }
        SchemaError::DuplicateQualifiedField { name, .. } | SchemaError::DuplicateUnqualifiedField { name } => {
            sink.push(codes::duplicate_column(span.unwrap_or(head), name));
        }
    }
}

fn schema_error(error: &DataFusionError) -> Option<&SchemaError> {
    match error.find_root() {
        DataFusionError::SchemaError(inner, _) => Some(inner),
        _ => None,
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
    let mut names: Vec<String> = valid.iter().filter(same_table).map(|column| column.name.clone()).collect();
    if names.is_empty() {
        names = valid.iter().map(|column| column.name.clone()).collect();
    }
    names.dedup();
    names
}

fn field_span(field: &Column, context: Context<'_>) -> Option<Span> {
    field.spans().first().and_then(|span| place(span, context))
}

fn place(span: datafusion::common::Span, context: Context<'_>) -> Option<Span> {
    link::place(context.sources, (span.start.line, span.start.column), (span.end.line, span.end.column))
}

/// The engine's words without its prefixes, on one line, starting with a small letter.
fn wording(error: &DataFusionError) -> String {
    let root = match error.find_root() {
        // `find_root` stops at Arrow's error, which repeats the text.
        DataFusionError::Collection(errors) => {
            errors.first().map_or_else(|| error.strip_backtrace(), DataFusionError::strip_backtrace)
        }
        root => root.strip_backtrace(),
    };
    let text = root.lines().take(3).map(str::trim).collect::<Vec<_>>().join(" ");
    let mut text = text.as_str();
    for prefix in [
        "Error during planning: ",
        "This feature is not implemented: ",
        "type_coercion",
        "caused by",
        "Schema error: ",
        "Internal error: ",
        "Execution error: ",
        "Error during planning: ",
    ] {
        text = text.strip_prefix(prefix).unwrap_or(text).trim_start();
    }
    let text = text.split(". This issue was likely caused").next().unwrap_or(text);
    let text = text.replace(OPTIONAL_AND, "an optional clause").replace(OPTIONAL_OR, "an optional clause");
    let text = text.trim_end_matches('.');
    let cut = text.char_indices().nth(400).map_or(text.len(), |(at, _)| at);
    let text = text.get(..cut).unwrap_or(text);
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => "the statement cannot be planned".to_owned(),
    }
}
