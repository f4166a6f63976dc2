//! Says more of columns that are not found, where the SELECT gives the name and WHERE uses it.

use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::source::Sources;
use crate::syntax::link::LinkedQuery;

/// Says of each unknown column in the query's own text whether it is a name that the SELECT gives.
pub fn explain_names(linked: &LinkedQuery<'_>, sources: &Sources, found: &mut Diagnostics) {
    let Some(query) = linked.own() else { return };
    let Some(file) = sources.get(query.file) else { return };
    found.reword(|diagnostic: Diagnostic| {
        let place = diagnostic.primary.as_ref().map(|label| label.span).filter(|span| span.file == query.file);
        let is_free = diagnostic.code == Code::UnknownColumn && diagnostic.helps.is_empty();
        let Some(place) = place.filter(|_| is_free) else { return diagnostic };
        let name = file.slice(place).trim_matches('"');
        match query.named_later(file, place, name) {
            Some(named) => codes::named_later(diagnostic, named.expression, named.computed, named.edits),
            None => match query.named_beside(file, place, name) {
                Some((expression, edit)) => codes::named_beside(diagnostic, expression, edit),
                None => diagnostic,
            },
        }
    });
}
