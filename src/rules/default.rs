//! A default is of the parameter's type, among its allowed values, and within its bounds.
//!
//! Bad: `<< origin = 'XXX' >>` with `allowed_values: [EWR, JFK, LGA]`.

use super::{constraints_of, lax};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedParameter;
use crate::tool::Constraints;
use crate::ty::coerce::shortened;

/// Checks the default, if there is one.
pub(super) fn check(parameter: &TypedParameter, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    let Some(default) = &declaration.config.default else {
        return;
    };
    let span = declaration.span_of("default");
    if let Err(mismatch) = parameter.ty.coerce(default, &lax()) {
        sink.push(codes::invalid_default(span, &declaration.name, &mismatch.to_string()));
        return;
    }
    let constraints = constraints_of(parameter);
    let allowed = Constraints { allowed_values: constraints.allowed_values.clone(), ..Constraints::default() };
    if let Err(violation) = allowed.check(&parameter.ty, default, &lax()) {
        let place = declaration.span_of("allowed_values");
        let shown = shortened(violation.item.as_ref().unwrap_or(default));
        let diagnostic = codes::default_not_allowed(span, &declaration.name, &shown, place);
        sink.push(codes::did_you_mean(diagnostic, violation.nearest.as_deref()));
        return;
    }
    if let Err(violation) = constraints.check(&parameter.ty, default, &lax()) {
        let why = format!("expected {}, got {}", violation.expected, shortened(default));
        sink.push(codes::invalid_default(span, &declaration.name, &why));
    }
}
