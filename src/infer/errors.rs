//! The planner's errors as diagnostics in the user's file.

use super::Context;
use super::collect::Collected;
use crate::diagnostic::codes::Scope;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::source::Span;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use crate::syntax::{link, lower_first};
use datafusion::common::{Column, DataFusionError, SchemaError};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Reports what the planner or the analyzer refused. `head` is the place where it names none.
pub(super) fn report(error: &DataFusionError, head: Span, context: Context<'_>, sink: &mut Diagnostics) {
    let span = error.diagnostic().and_then(|diagnostic| diagnostic.span).and_then(|span| place(span, context));
    let missing = error.diagnostic().and_then(|told| {
        let name = told.message.strip_prefix("table '")?.strip_suffix("' not found")?;
        Some(name.to_owned())
    });
    if let (Some(name), Some(span)) = (missing, span) {
        let known = context.catalog.tables.keys().chain(context.queries);
        sink.push(codes::unknown_table(span, &name, known.map(String::as_str)));
        return;
    }
    let Some(schema_error) = schema_error(error) else {
        sink.push(refused(error, span.unwrap_or(head), context));
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
            sink.push(codes::unknown_column(span, &field.name, scope));
        }
        SchemaError::AmbiguousReference { field } => {
            sink.push(codes::ambiguous_column(field_span(field, context).or(span).unwrap_or(head), &field.name));
        }
        SchemaError::DuplicateQualifiedField { name, .. } | SchemaError::DuplicateUnqualifiedField { name } => {
            sink.push(codes::duplicate_column(span.unwrap_or(head), name, None));
        }
    }
}

/// What the planner itself has to say of a place, else its bare words.
fn refused(error: &DataFusionError, span: Span, context: Context<'_>) -> Diagnostic {
    let Some(told) = error.diagnostic().filter(|told| told.span.is_some()) else {
        return codes::invalid_query(span, &with_sql_types(&wording(error)));
    };
    let mut diagnostic = codes::invalid_query(span, &with_sql_types(&lower_first(&told.message)));
    for note in &told.notes {
        let words = with_sql_types(&lower_first(&note.message));
        diagnostic = match note.span.and_then(|span| place(span, context)) {
            Some(span) => diagnostic.also(span, words),
            None => diagnostic.note(words),
        };
    }
    for help in &told.helps {
        diagnostic = diagnostic.help(with_sql_types(&lower_first(&help.message)));
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
            Some(alias) if !column.relations.iter().any(|name| name == alias) => {
                let known = column.relations.iter().map(String::as_str);
                sink.push(codes::unknown_table(head_of(column.span, alias, context), alias, known));
            }
            _ => {
                let table = match column.relations.as_slice() {
                    [only] => Some(only.as_str()),
                    _ => None,
                };
                let scope = Scope { table: qualifier.or(table), qualifier, columns: &column.columns };
                sink.push(codes::unknown_column(column.span, &column.name, scope));
            }
        }
    }
}

/// Whether the planner refused a column that it did not find, or found twice.
pub(super) fn is_about_a_column(error: &DataFusionError) -> bool {
    matches!(schema_error(error), Some(SchemaError::FieldNotFound { .. } | SchemaError::AmbiguousReference { .. }))
}

/// Whether the planner tells the place: of columns and tables it does.
pub(super) fn has_place(error: &DataFusionError) -> bool {
    schema_error(error).is_some()
        || error.diagnostic().is_some_and(|told| told.message.starts_with("table '") && told.span.is_some())
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
    // What could have been called instead is said in the engine's own types.
    let text = text.split(" No function matches").next().unwrap_or(text);
    let text = text.split(" You might need to add explicit").next().unwrap_or(text);
    let text = text.split(" Candidate functions:").next().unwrap_or(text);
    let text = text.replace(OPTIONAL_AND, "an optional clause").replace(OPTIONAL_OR, "an optional clause");
    let text = in_backticks(&text);
    let text = text.trim_end_matches('.');
    let cut = text.char_indices().nth(400).map_or(text.len(), |(at, _)| at);
    let text = text.get(..cut).unwrap_or(text);
    if text.is_empty() { "the statement cannot be planned".to_owned() } else { lower_first(text) }
}

/// `'orders.id' must …` → `` `orders.id` must … ``.
fn in_backticks(text: &str) -> String {
    static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"'([A-Za-z_][A-Za-z0-9_.]*)'").ok());
    match QUOTED.as_ref() {
        Some(quoted) => quoted.replace_all(text, "`$1`").into_owned(),
        None => text.to_owned(),
    }
}

/// Arrow's names of types as SQL's: `Utf8 + Int64` is `text + bigint` to an author.
fn with_sql_types(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for word in words.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let (name, rest) = match word.char_indices().next_back() {
            Some((cut, last)) if !last.is_alphanumeric() && last != '_' => {
                word.split_at_checked(cut).unwrap_or((word, ""))
            }
            _ => (word, ""),
        };
        out.push_str(sql_name(name));
        out.push_str(rest);
    }
    out
}

fn sql_name(arrow: &str) -> &str {
    match arrow {
        "Utf8" | "Utf8View" | "LargeUtf8" | "String" => "text",
        "Int8" | "Int16" => "smallint",
        "Int32" => "int",
        "Int64" | "UInt64" => "bigint",
        "Float32" => "real",
        "Float64" => "double",
        "Boolean" => "boolean",
        "Date32" => "date",
        "Decimal128" => "decimal",
        other => other,
    }
}
