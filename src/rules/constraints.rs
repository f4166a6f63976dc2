//! Constraints fit the type, compile, and leave something to accept.
//!
//! Bad: `minimum: 10, maximum: 5`; `pattern` of an `int`; `pattern: "("`.

use super::lax;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedParameter;
use crate::tool::constraints::compile_pattern;
use crate::ty::Type;
use serde_json::Value;
use std::cmp::Ordering;

/// Checks all constraints of one parameter.
pub(super) fn check(parameter: &TypedParameter, sink: &mut Diagnostics) {
    let item = match &parameter.ty {
        Type::List(item) => item.as_ref(),
        ty => ty,
    };
    kinds(parameter, item, sink);
    bounds(parameter, item, sink);
    counts(parameter, sink);
    if let Some(pattern) = parameter.declaration.config.pattern.as_ref().filter(|_| *item == Type::Text)
        && let Err(why) = compile_pattern(pattern)
    {
        report(parameter, "pattern", &why, sink);
    }
}

fn report(parameter: &TypedParameter, key: &str, why: &str, sink: &mut Diagnostics) {
    let span = parameter.declaration.span_of(key);
    sink.push(codes::invalid_constraint(span, &parameter.declaration.name, why));
}

/// Which constraints a type can have at all.
fn kinds(parameter: &TypedParameter, item: &Type, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    let is_list = matches!(parameter.ty, Type::List(_));
    let written = [
        ("minimum", config.minimum.is_some(), item.is_ordered()),
        ("maximum", config.maximum.is_some(), item.is_ordered()),
        ("exclusive_minimum", config.exclusive_minimum.is_some(), item.is_ordered()),
        ("exclusive_maximum", config.exclusive_maximum.is_some(), item.is_ordered()),
        ("min_length", config.min_length.is_some(), *item == Type::Text),
        ("max_length", config.max_length.is_some(), *item == Type::Text),
        ("pattern", config.pattern.is_some(), *item == Type::Text),
        ("min_items", config.min_items.is_some(), is_list),
        ("max_items", config.max_items.is_some(), is_list),
    ];
    for (key, present, fits) in written {
        if present && !fits {
            report(parameter, key, &format!("`{key}` does not apply to {}", parameter.ty), sink);
        }
    }
}

fn bounds(parameter: &TypedParameter, item: &Type, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    let all: [(&str, &Option<Value>); 4] = [
        ("minimum", &config.minimum),
        ("maximum", &config.maximum),
        ("exclusive_minimum", &config.exclusive_minimum),
        ("exclusive_maximum", &config.exclusive_maximum),
    ];
    for (key, bound) in all {
        if let Some(bound) = bound
            && item.is_ordered()
            && let Err(mismatch) = item.coerce(bound, &lax())
        {
            report(parameter, key, &mismatch.to_string(), sink);
        }
    }
    let pairs = [
        ("maximum", &config.minimum, &config.maximum, true),
        ("maximum", &config.exclusive_minimum, &config.maximum, false),
        ("exclusive_maximum", &config.minimum, &config.exclusive_maximum, false),
        ("exclusive_maximum", &config.exclusive_minimum, &config.exclusive_maximum, false),
    ];
    for (key, low, high, equal_is_fine) in pairs {
        let order = low.as_ref().zip(high.as_ref()).and_then(|(low, high)| item.compare(low, high, &lax()));
        let empty = match order {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => !equal_is_fine,
            _ => false,
        };
        if empty {
            report(parameter, key, "no value lies between the bounds", sink);
        }
    }
}

fn counts(parameter: &TypedParameter, sink: &mut Diagnostics) {
    let config = &parameter.declaration.config;
    for (key, least, most) in
        [("max_length", config.min_length, config.max_length), ("max_items", config.min_items, config.max_items)]
    {
        if let Some((least, most)) = least.zip(most)
            && least > most
        {
            report(parameter, key, &format!("{most} is less than the least, {least}"), sink);
        }
    }
}
