//! A parameter that may be left out is not compared as if it were always there: NULL equals nothing, and the agent reads
//! "no rows" as an answer.
//!
//! Bad: `AND origin = << origin? >>`. Good: `[[ AND origin = << origin >> ]]`;
//! `AND (<< origin? >> IS NULL OR origin = << origin >>)`; `origin IS NOT DISTINCT FROM << origin? >>`.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::syntax::ParsedQuery;

/// Warns of each comparison outside of an optional clause with a parameter that is NULL at some calls.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, sink: &mut Diagnostics) {
    for comparison in &query.comparisons {
        let names = comparison.placeholders.iter().filter_map(|at| query.placeholders.get(*at));
        let absent = names.map(|placeholder| placeholder.name.value.as_str()).find(|name| may_be_null(typed, name));
        if let Some(name) = absent {
            let clause = comparison.clause.map(|edit| [(edit.open, edit.opening), (edit.close, " ]]")]);
            sink.push(codes::null_comparison(comparison.span, name, clause));
        }
    }
}

fn may_be_null(typed: &TypedQuery, name: &str) -> bool {
    let found = typed.parameters.iter().map(|parameter| &parameter.declaration).find(|one| one.name == name);
    found.is_some_and(|declaration| !declaration.is_required() && declaration.config.default.is_none())
}
