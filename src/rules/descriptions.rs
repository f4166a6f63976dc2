//! Tools and parameters have descriptions: an agent knows them by nothing else.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::Kind;
use crate::syntax::ParsedQuery;

/// Warns of each missing description of a tool; a view is seen by no agent.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, sink: &mut Diagnostics) {
    if query.header.kind == Some(Kind::View) {
        return;
    }
    if query.header.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
        sink.push(codes::missing_description(query.name.span, &format!("tool `{}`", query.name.value)));
    }
    let lists = || query.native.iter().flat_map(|native| &native.lists);
    for list in lists() {
        let config = query.header.params.get(&list.name.value);
        if config.and_then(|config| config.description.as_deref()).is_none_or(|text| text.trim().is_empty()) {
            sink.push(codes::missing_description(list.name.span, &format!("parameter `{}`", list.name.value)));
        }
    }
    for parameter in &typed.parameters {
        let declaration = &parameter.declaration;
        // No agent sees it, or it is told of its list.
        let is_field = query.native.as_ref().is_some_and(|native| native.list_of(&declaration.name).is_some());
        if declaration.config.from.is_some() || is_field {
            continue;
        }
        // One that only a view uses is published by this tool all the same.
        let own = declaration.first_use.file == query.file;
        let place = if own { declaration.first_use } else { query.name.span };
        if declaration.config.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
            sink.push(codes::missing_description(place, &format!("parameter `{}`", declaration.name)));
        }
    }
}
