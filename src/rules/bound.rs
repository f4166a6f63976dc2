//! A parameter that is bound to the caller is never left to anybody else.
//!
//! Bad: `from: claim.tenant_id` beside `default: 1`: a call without the claim would read the data of tenant 1.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedParameter;

/// Checks one parameter.
pub(super) fn check(parameter: &TypedParameter, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    let Some(from) = &declaration.config.from else { return };
    let name = &declaration.name;
    if declaration.has_default() {
        let why = format!("`{name}` comes from `{from}`, and a call without it is refused: it cannot have a default");
        sink.push(codes::invalid_setting(declaration.span_of("default"), &why));
    }
    if declaration.optional {
        let why = format!("`{name}` comes from `{from}`, and a call without it is refused: it cannot be optional");
        // The place of a default of null, where there is one.
        sink.push(codes::invalid_setting(declaration.span_of("default"), &why));
    }
}
