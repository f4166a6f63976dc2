//! A parameter that is hidden and has no value leaves out its optional clauses, which may be what is wanted; not where
//! another parameter stands in them alone, which would be published and never do anything.
//!
//! Bad: `[[ AND total BETWEEN << least >> AND << most >> ]]` with `most: { hidden: true }`: `least` restricts nothing.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::BoundFrom;
use crate::syntax::clauses::idle_parameters;

/// Checks one query.
pub(super) fn check(typed: &TypedQuery, sink: &mut Diagnostics) {
    let is_left_out = |name: &str| {
        let found = typed.parameters.iter().map(|one| &one.declaration).find(|one| one.name == name);
        found.is_some_and(|one| one.config.from == Some(BoundFrom::Default) && one.may_be_absent())
    };
    if !typed.parameters.iter().any(|one| is_left_out(&one.declaration.name)) {
        return;
    }
    let views = typed.views.iter().map(|view| (view.name.as_str(), view.statement.as_str()));
    // Nothing selects from the query's own statement.
    let statements = views.chain(std::iter::once(("", typed.statement.as_str())));
    let names: Vec<&str> = typed.placeholders.iter().map(|one| one.parameter.as_str()).collect();
    for (idle, hidden) in idle_parameters(statements, &names, is_left_out) {
        let declared = typed.parameters.iter().map(|one| &one.declaration).find(|one| one.name == hidden);
        let why = format!(
            "`{hidden}` is hidden and has no value, so `{idle}` never does anything: give `{hidden}` a `fixed` value or a `default`"
        );
        declared.into_iter().for_each(|one| sink.push(codes::invalid_setting(one.span_of("hidden"), &why)));
    }
}
