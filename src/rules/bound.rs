//! A parameter that is bound to the caller is never left to anybody else, and one that is fixed or hidden has a value.
//!
//! Bad: `from: claim.tenant_id` beside `default: 1`: a call without the claim would read the data of tenant 1.

use super::constraints_of;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{Declaration, TypedParameter};
use crate::project::BoundFrom;
use crate::ty::coerce::{Coercion, shortened};
use serde_json::Value;

/// Checks one parameter.
pub(super) fn check(parameter: &TypedParameter, coercion: &Coercion, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    match &declaration.config.from {
        None => {}
        Some(BoundFrom::Fixed(value)) => fixed(parameter, value, coercion, sink),
        Some(BoundFrom::Default) => hidden(declaration, sink),
        Some(from) => of_caller(declaration, from, sink),
    }
}

/// A fixed value is one that the parameter takes; a default beside it would never be used.
fn fixed(parameter: &TypedParameter, value: &Value, coercion: &Coercion, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    let (name, place) = (&declaration.name, declaration.span_of("fixed"));
    let default = declaration.span_of("default");
    if declaration.has_default() && default.file == place.file {
        let why = format!("`{name}` has a fixed value in every call: a default beside it is never used");
        sink.push(codes::invalid_setting(default, &why));
    }
    let mut refuse = |why: String| sink.push(codes::invalid_setting(place, &why));
    if value.is_null() {
        return refuse(format!("the fixed value of `{name}` is null: `hidden: true` leaves a parameter out"));
    }
    if let Err(mismatch) = parameter.ty.coerce(value, coercion) {
        return refuse(format!("the fixed value of `{name}`: {mismatch}"));
    }
    if let Err(violation) = constraints_of(parameter).check(&parameter.ty, &super::as_unit(parameter, value), coercion)
    {
        let wrong = violation.item.as_ref().unwrap_or(value);
        refuse(format!("the fixed value of `{name}`: expected {}, got {}", violation.expected, shortened(wrong)));
    }
}

/// What is hidden has a default, or may be left out.
fn hidden(declaration: &Declaration, sink: &mut Diagnostics) {
    if !declaration.has_default() && !declaration.may_be_absent() {
        let why = format!(
            "`{}` is required and nobody sends it: give it a `default`, or a `fixed` value instead of `hidden`",
            declaration.name
        );
        sink.push(codes::invalid_setting(declaration.span_of("hidden"), &why));
    }
}

/// What is bound to the caller has no value of anybody else.
fn of_caller(declaration: &Declaration, from: &BoundFrom, sink: &mut Diagnostics) {
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
