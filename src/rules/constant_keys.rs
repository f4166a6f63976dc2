//! What rows are sorted and grouped by differs from row to row.
//!
//! Bad: `ORDER BY << column >>`. Good: the same with `choices` for the parameter.

use crate::diagnostic::{Diagnostics, codes};
use crate::name;
use crate::shape::Shapes;
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::syntax::link::LinkedQuery;

/// Refuses keys that are made of parameters alone, none of which is a choice of SQL; their places.
pub(super) fn check(linked: &LinkedQuery<'_>, shapes: &Shapes, sink: &mut Diagnostics) -> Vec<Span> {
    let Some(query) = linked.own() else { return Vec::new() };
    let Some(shape) = shapes.get(query) else { return Vec::new() };
    let mut places = Vec::new();
    for key in &shape.constant_keys {
        let names = key.placeholders.iter().filter_map(|at| query.placeholders.get(*at)).map(|one| &one.name.value);
        let names: Vec<&String> = names.collect();
        if linked.choices.iter().any(|choice| names.iter().any(|name| *name == choice.name)) {
            continue;
        }
        let Some(placeholder) = key.placeholders.first().and_then(|at| query.placeholders.get(*at)) else { continue };
        let is_plain = placeholder.declared.is_none() && placeholder.default.is_none() && !placeholder.optional;
        let uses = query.placeholders.iter().filter(|one| one.name.value == placeholder.name.value).count();
        let said = codes::ConstantKey {
            clause: key.clause,
            parameter: &placeholder.name.value,
            columns: &columns(query),
            header: query.params_place.filter(|_| key.sorts_result && is_plain && uses == 1),
        };
        sink.push(codes::constant_key(placeholder.span, &said));
        places.push(placeholder.span);
    }
    places
}

/// The columns of the result that can be written without quotes.
fn columns(query: &ParsedQuery) -> Vec<String> {
    query.outputs.iter().map(|output| output.value.clone()).filter(|column| name::is_legal(column)).collect()
}
