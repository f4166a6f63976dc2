//! The definition of a tool leaves room in an agent's context: every definition is read before the first call.
//!
//! Bad: `allowed_values` with 500 names. Good: a tool that searches for the name.

use super::constraints_of;
use crate::diagnostic::codes::Share;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{TypedParameter, TypedQuery};
use crate::project::Kind;
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

/// A part of a definition.
enum Part<'a> {
    Texts,
    Parameter(&'a str),
    Columns,
}

/// Warns of a tool above the budget, with its largest part, which may stand in a view that it selects from.
pub(super) fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, sink: &mut Diagnostics) {
    let Some(query) = linked.own().filter(|query| query.header.kind != Some(Kind::View)) else { return };
    let mut parts = vec![(own_texts(query), Part::Texts)];
    // What comes from elsewhere than from the agent is not published.
    let published = typed.parameters.iter().filter(|parameter| parameter.declaration.config.from.is_none());
    parts.extend(published.map(|one| (tokens_of_parameter(one), Part::Parameter(&one.declaration.name))));
    parts.push((columns(linked, typed), Part::Columns));
    let tokens: usize = parts.iter().map(|(tokens, _)| *tokens).sum();
    if tokens > BUDGET
        && let Some((most, part)) = parts.iter().max_by_key(|(tokens, _)| *tokens)
        && let Some(largest) = share(part, *most, linked, typed)
    {
        let name = format!("the definition of `{}`", query.name.value);
        let whole = Share { part: name, tokens, place: query.name.span, inherited_from: None };
        sink.push(codes::large_definition(&whole, &largest, BUDGET));
    }
}

fn tokens_of(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// A part with its place: that of the query's own key, or of a view's, where that writes more of it.
fn share(part: &Part<'_>, tokens: usize, linked: &LinkedQuery<'_>, typed: &TypedQuery) -> Option<Share> {
    let query = linked.own()?;
    let size = |author: &ParsedQuery| written_in(author, part, typed);
    let most = linked.parts.iter().map(|part| part.query).max_by_key(|author| size(author));
    let author = most.filter(|most| size(most) > size(query)).unwrap_or(query);
    let (name, path) = match part {
        Part::Texts => ("its description".to_owned(), vec!["description"]),
        Part::Parameter(name) => (format!("parameter `{name}`"), vec!["params", *name]),
        Part::Columns => ("its columns".to_owned(), vec!["columns"]),
    };
    let document = &author.document;
    Some(Share {
        part: name,
        tokens,
        place: if document.has(&path) { document.key_span(&path) } else { author.name.span },
        inherited_from: (author.file != query.file).then(|| author.name.value.clone()),
    })
}

/// About how many bytes of a part the header of a query writes.
fn written_in(query: &ParsedQuery, part: &Part<'_>, typed: &TypedQuery) -> usize {
    match part {
        // Of a view, agents see none.
        Part::Texts => 0,
        Part::Parameter(name) => {
            let config = query.document.value.get("params").and_then(|params| params.get(name));
            config.map_or(0, bytes_of)
        }
        Part::Columns => {
            let configs = typed.columns.iter().filter_map(|column| query.header.columns.get(&column.name));
            configs.filter_map(|config| config.description.as_ref()).map(String::len).sum()
        }
    }
}

fn own_texts(query: &ParsedQuery) -> usize {
    let texts = [&query.header.title, &query.header.description];
    tokens_of(query.name.value.len() + texts.into_iter().flatten().map(String::len).sum::<usize>())
}

fn tokens_of_parameter(parameter: &TypedParameter) -> usize {
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
    let expression = parameter.declaration.expression.as_ref().map(|expression| expression.text.clone());
    let texts = [&config.description, &constraints.pattern, &expression];
    let bytes = name.len()
        + parameter.ty.to_string().len()
        + texts.into_iter().flatten().map(String::len).sum::<usize>()
        + written.map(bytes_of).sum::<usize>();
    TOKENS_AROUND_A_PARAMETER + tokens_of(bytes)
}

/// As JSON, with the comma behind it.
fn bytes_of(value: &Value) -> usize {
    value.to_string().len() + 1
}

fn columns(linked: &LinkedQuery<'_>, typed: &TypedQuery) -> usize {
    let bytes_of = |column: &OutputColumn| {
        let description = linked.column_description(&column.name).map_or(0, str::len);
        column.name.len() + column.ty.to_string().len() + description
    };
    tokens_of(typed.columns.iter().map(bytes_of).sum())
}
