//! Constraints fit the type, compile, and leave something to accept.
//!
//! Bad: `minimum: 10, maximum: 5`; `pattern` of an `int`; `pattern: "("`.

use super::nothing_left::nothing_left;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedParameter;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::tool::constraints::{compile_pattern, plain_value};
use crate::ty::Type;
use crate::ty::coerce::Coercion;
use std::cmp::Ordering;

/// The keys of constraints, in the order in which they are documented.
const KEYS: [&str; 12] = [
    "allowed_values",
    "minimum",
    "maximum",
    "exclusive_minimum",
    "exclusive_maximum",
    "multiple_of",
    "format",
    "min_length",
    "max_length",
    "pattern",
    "min_items",
    "max_items",
];

/// Checks all constraints of one parameter.
pub(super) fn check(linked: &LinkedQuery<'_>, parameter: &TypedParameter, coercion: &Coercion, sink: &mut Diagnostics) {
    let errors = sink.errors();
    kinds(linked, parameter, sink);
    bounds(parameter, coercion, sink);
    counts(parameter, sink);
    if parameter
        .declaration
        .config
        .multiple_of
        .as_ref()
        .and_then(serde_json::Number::as_f64)
        .is_some_and(|step| step <= 0.0)
    {
        report(parameter, "multiple_of", "it has to be more than 0", sink);
    }
    if let Some(pattern) = parameter.declaration.config.pattern.as_ref().filter(|_| applies("pattern", &parameter.ty))
        && let Err(why) = compile_pattern(pattern)
    {
        report(parameter, "pattern", &why.to_string(), sink);
    }
    // Of what is wrong by itself, this is said already.
    if sink.errors() == errors
        && let Some((key, why)) = nothing_left(item(&parameter.ty), &parameter.declaration.config)
    {
        report(parameter, key, &why, sink);
    }
}

fn report(parameter: &TypedParameter, key: &str, why: &str, sink: &mut Diagnostics) {
    let span = parameter.declaration.span_of(key);
    sink.push(codes::invalid_constraint(span, &parameter.declaration.name, key, why));
}

/// What a constraint speaks of: of a list parameter all but the counts speak of its items.
fn item(ty: &Type) -> &Type {
    match ty {
        Type::List(item) => item,
        ty => ty,
    }
}

/// Whether a type can have a constraint.
fn applies(key: &str, ty: &Type) -> bool {
    match key {
        "minimum" | "maximum" | "exclusive_minimum" | "exclusive_maximum" => item(ty).is_ordered(),
        "multiple_of" => item(ty).is_numeric(),
        "format" | "min_length" | "max_length" | "pattern" => *item(ty) == Type::Text,
        "min_items" | "max_items" => matches!(ty, Type::List(_)),
        _ => true,
    }
}

fn kinds(linked: &LinkedQuery<'_>, parameter: &TypedParameter, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    let ty = &parameter.ty;
    let written = [
        ("minimum", config.minimum.is_some()),
        ("maximum", config.maximum.is_some()),
        ("exclusive_minimum", config.exclusive_minimum.is_some()),
        ("exclusive_maximum", config.exclusive_maximum.is_some()),
        ("multiple_of", config.multiple_of.is_some()),
        ("format", config.format.is_some()),
        ("min_length", config.min_length.is_some()),
        ("max_length", config.max_length.is_some()),
        ("pattern", config.pattern.is_some()),
        ("min_items", config.min_items.is_some()),
        ("max_items", config.max_items.is_some()),
    ];
    for (key, _) in written.into_iter().filter(|(key, is_written)| *is_written && !applies(key, ty)) {
        let own: Vec<&str> = KEYS.into_iter().filter(|own| applies(own, ty)).collect();
        let place = key_span(linked, parameter, key);
        sink.push(codes::constraint_of_another_type((place, key), &parameter.declaration.name, ty, &own));
    }
}

/// Where the key of a setting stands: in the header that the setting was taken from.
fn key_span(linked: &LinkedQuery<'_>, parameter: &TypedParameter, key: &str) -> Span {
    let value = parameter.declaration.span_of(key);
    let path = ["params", parameter.declaration.name.as_str(), key];
    let mut documents = linked.parts.iter().map(|part| &part.query.document);
    let found = documents.find(|document| document.has(&path) && document.value_span(&path) == value);
    found.map_or(value, |document| document.key_span(&path))
}

fn bounds(parameter: &TypedParameter, coercion: &Coercion, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    let item = item(&parameter.ty);
    if !item.is_ordered() {
        return;
    }
    let lows =
        [("minimum", &config.minimum, "at least"), ("exclusive_minimum", &config.exclusive_minimum, "more than")];
    let highs =
        [("maximum", &config.maximum, "at most"), ("exclusive_maximum", &config.exclusive_maximum, "less than")];
    for (key, bound, _) in lows.into_iter().chain(highs) {
        if let Some(Err(mismatch)) = bound.as_ref().map(|bound| item.coerce(bound, coercion)) {
            report(parameter, key, &mismatch.to_string(), sink);
        }
    }
    for (low_key, low, from) in lows {
        for (key, high, to) in highs {
            let Some((low, high)) = low.as_ref().zip(high.as_ref()) else { continue };
            let is_empty = match item.compare(low, high, coercion) {
                Some(Ordering::Greater) => true,
                Some(Ordering::Equal) => low_key != "minimum" || key != "maximum",
                _ => false,
            };
            if is_empty {
                let (from, to) = (format!("{from} {}", plain_value(low)), format!("{to} {}", plain_value(high)));
                let declaration = &parameter.declaration;
                let why = format!("no value is {from} and {to}");
                let diagnostic =
                    codes::invalid_constraint(declaration.span_of(key), &declaration.name, key, &why).label(to);
                sink.push(diagnostic.also(declaration.span_of(low_key), from));
            }
        }
    }
}

fn counts(parameter: &TypedParameter, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    let config = &declaration.config;
    let pairs = [
        ("min_length", config.min_length, "max_length", config.max_length),
        ("min_items", config.min_items, "max_items", config.max_items),
    ];
    for (least_key, least, key, most) in pairs {
        if let Some((least, most)) = least.zip(most)
            && least > most
            && applies(key, &parameter.ty)
        {
            let why = format!("{most} is less than `{least_key}` {least}");
            let diagnostic = codes::invalid_constraint(declaration.span_of(key), &declaration.name, key, &why);
            sink.push(diagnostic.also(declaration.span_of(least_key), format!("at least {least}")));
        }
    }
}
