//! Allowed values and examples are of the parameter's type and satisfy its other constraints.
//!
//! Bad: `allowed_values: [1, two]` of an `int`. Good: `allowed_values: [1, 2]`.

use super::{as_unit, constraints_of, expected};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedParameter;
use crate::tool::Constraints;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, shortened};
use serde_json::Value;

/// Checks each value where it stands.
pub(super) fn check(parameter: &TypedParameter, coercion: &Coercion, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    let item = match &parameter.ty {
        Type::List(item) => item,
        ty => ty,
    };
    let others = Constraints {
        allowed_values: super::units(parameter),
        any_unit: parameter.units.is_some(),
        min_items: None,
        max_items: None,
        ..constraints_of(parameter)
    };
    let allowed = parameter.declaration.allowed_values().unwrap_or_default();
    match &parameter.declaration.allowed_query {
        Some((_, query)) => {
            let ty = parameter.declaration.allowed_type.as_ref();
            let other = ty.filter(|ty| !(ty.fits(item) || ty.is_numeric() && item.is_numeric()));
            let why = other.map(|ty| format!("expected values of type {item}, and they are of type {ty}"));
            // Of so many, the first is told, at the query.
            let wrong = || {
                allowed.iter().find_map(|value| misfit(value, item, &others, (parameter, coercion))).map(|(why, _)| why)
            };
            if let Some(why) = why.or_else(wrong) {
                sink.push(codes::invalid_allowed_value(
                    query.span,
                    &parameter.declaration.name,
                    "query of allowed values",
                    &why,
                ));
            }
        }
        None => {
            report("allowed_values", "allowed value", allowed, item, &others, (parameter, coercion), sink);
            report_repeated(allowed, item, parameter, sink);
        }
    }
    let examples = config.examples.as_deref().unwrap_or_default();
    report("examples", "example", examples, &parameter.ty, &constraints_of(parameter), (parameter, coercion), sink);
}

fn report(
    key: &str,
    what: &str,
    values: &[Value],
    ty: &Type,
    constraints: &Constraints,
    (parameter, coercion): (&TypedParameter, &Coercion),
    sink: &mut Diagnostics,
) {
    let name = &parameter.declaration.name;
    for (at, value) in values.iter().enumerate() {
        let span = parameter.declaration.item_span(key, at);
        if let Some((why, near)) = misfit(value, ty, constraints, (parameter, coercion)) {
            let diagnostic = codes::invalid_allowed_value(span, name, what, &why);
            sink.push(codes::did_you_mean(diagnostic, value.as_str().filter(|_| near.1), near.0.as_deref()));
        }
    }
}

/// Reports the values that stand there already, as they are published.
fn report_repeated(values: &[Value], ty: &Type, parameter: &TypedParameter, sink: &mut Diagnostics) {
    let published: Vec<Value> = values.iter().map(|value| ty.canonical(&as_unit(parameter, value))).collect();
    for (at, first) in ty.repeated(&published) {
        let place = |at: usize| parameter.declaration.item_span("allowed_values", at);
        let before = place(at.saturating_sub(1));
        let shown = published.get(first).map(shortened).unwrap_or_default();
        sink.push(codes::repeated_allowed_value(&parameter.declaration.name, &shown, place(first), before, place(at)));
    }
}

/// Why a value is none of the parameter's; with the one that was probably meant, and whether that is the whole of it.
fn misfit(
    value: &Value,
    ty: &Type,
    constraints: &Constraints,
    (parameter, coercion): (&TypedParameter, &Coercion),
) -> Option<(String, (Option<String>, bool))> {
    if let Err(mismatch) = ty.coerce(value, coercion) {
        return Some((mismatch.to_string(), (None, false)));
    }
    let violation = constraints.check(ty, &as_unit(parameter, value), coercion).err()?;
    let wrong = violation.item.as_ref().unwrap_or(value);
    let at = if violation.path.is_empty() { String::new() } else { format!(" at {}", violation.path) };
    let why = format!("expected {}{at}, got {}", expected(parameter, constraints, &violation), shortened(wrong));
    let near = violation.nearest.clone();
    // Of a long value only the beginning is told.
    let is_whole = violation.item.is_none() && violation.allowed.iter().any(|one| one.as_str() == near.as_deref());
    Some((why, (near, is_whole)))
}
