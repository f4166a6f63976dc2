//! What must hold of a typed query beyond its types: one file a rule.
//!
//! A rule looks and reports; it changes nothing.

mod allowed_values;
pub mod collisions;
mod constraints;
mod default;
mod descriptions;
mod settings;
mod unnamed_columns;

use crate::diagnostic::Diagnostics;
use crate::infer::{TypedParameter, TypedQuery};
use crate::project::Defaults;
use crate::syntax::ParsedQuery;
use crate::tool::Constraints;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};

/// Checks one typed query.
pub fn check(query: &ParsedQuery, typed: &TypedQuery, defaults: &Defaults, sink: &mut Diagnostics) {
    for parameter in &typed.parameters {
        constraints::check(parameter, sink);
        allowed_values::check(parameter, sink);
        default::check(parameter, sink);
    }
    settings::check(query, typed, defaults, sink);
    descriptions::check(query, typed, sink);
    unnamed_columns::check(query, sink);
}

/// Authors' values are read as leniently as agents' are.
fn lax() -> Coercion {
    Coercion { strictness: Strictness::Lax, time_zone: TimeZoneName::default() }
}

/// The constraints as a tool will carry them.
pub fn constraints_of(parameter: &TypedParameter) -> Constraints {
    let config = &parameter.declaration.config;
    Constraints {
        allowed_values: config.allowed_values.clone(),
        minimum: parameter.least_row_count().or_else(|| config.minimum.clone()),
        maximum: config.maximum.clone(),
        exclusive_minimum: config.exclusive_minimum.clone(),
        exclusive_maximum: config.exclusive_maximum.clone(),
        min_length: config.min_length,
        max_length: config.max_length,
        pattern: config.pattern.clone(),
        min_items: config.min_items,
        max_items: config.max_items,
    }
}
