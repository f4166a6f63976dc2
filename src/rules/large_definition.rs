//! The definition of a tool leaves room in an agent's context: every definition is read before the first call.
//!
//! Bad: `allowed_values` with 500 names. Good: a tool that searches for the name.

use super::constraints_of;
use crate::diagnostic::codes::Share;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{TypedParameter, TypedQuery};
use crate::project::Kind;
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::syntax::link::LinkedQuery;
use crate::tool::OutputColumn;
use serde_json::Value;

/// Most tokens of one definition: with forty tools at this size a fifth of a context of 200,000 is gone.
const BUDGET: usize = 1_000;
/// English text and JSON; an estimate, because every model counts in its own way.
const BYTES_PER_TOKEN: usize = 4;
/// What the JSON Schema around a parameter takes.
const TOKENS_AROUND_A_PARAMETER: usize = 12;

/// Warns of a tool above the budget, with its largest part.
pub(super) fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, sink: &mut Diagnostics) {
    let Some(query) = linked.own().filter(|query| query.header.kind != Some(Kind::View)) else { return };
    let mut parts = vec![own_texts(query)];
    parts.extend(typed.parameters.iter().map(|parameter| share_of(parameter, query)));
    parts.push(columns(linked, typed, query));
    let tokens: usize = parts.iter().map(|part| part.tokens).sum();
    if tokens > BUDGET
        && let Some(largest) = parts.iter().max_by_key(|part| part.tokens)
    {
        let part = format!("the definition of `{}`", query.name.value);
        let whole = Share { part, tokens, place: query.name.span };
        sink.push(codes::large_definition(&whole, largest, BUDGET));
    }
}

fn tokens_of(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// The place of a key of the header, where it is written; else that of the tool's name.
fn place(query: &ParsedQuery, path: &[&str]) -> Span {
    if query.document.has(path) { query.document.key_span(path) } else { query.name.span }
}

fn own_texts(query: &ParsedQuery) -> Share {
    let texts = [&query.header.title, &query.header.description];
    let bytes = query.name.value.len() + texts.into_iter().flatten().map(String::len).sum::<usize>();
    Share { part: "its description".to_owned(), tokens: tokens_of(bytes), place: place(query, &["description"]) }
}

fn share_of(parameter: &TypedParameter, query: &ParsedQuery) -> Share {
    let name = &parameter.declaration.name;
    let config = &parameter.declaration.config;
    let constraints = constraints_of(parameter);
    let values = [&config.examples, &constraints.allowed_values];
    let bounds = [
        &config.default,
        &constraints.minimum,
        &constraints.maximum,
        &constraints.exclusive_minimum,
        &constraints.exclusive_maximum,
    ];
    let written = values.into_iter().flatten().flatten().chain(bounds.into_iter().flatten());
    let texts = [&config.description, &constraints.pattern];
    let bytes = name.len()
        + parameter.ty.to_string().len()
        + texts.into_iter().flatten().map(String::len).sum::<usize>()
        + written.map(bytes_of).sum::<usize>();
    Share {
        part: format!("parameter `{name}`"),
        tokens: TOKENS_AROUND_A_PARAMETER + tokens_of(bytes),
        place: place(query, &["params", name]),
    }
}

/// As JSON, with the comma behind it.
fn bytes_of(value: &Value) -> usize {
    value.to_string().len() + 1
}

fn columns(linked: &LinkedQuery<'_>, typed: &TypedQuery, query: &ParsedQuery) -> Share {
    let bytes_of = |column: &OutputColumn| {
        let description = linked.column_description(&column.name).map_or(0, str::len);
        column.name.len() + column.ty.to_string().len() + description
    };
    let bytes = typed.columns.iter().map(bytes_of).sum();
    Share { part: "its columns".to_owned(), tokens: tokens_of(bytes), place: place(query, &["columns"]) }
}
