//! What must hold of a typed query beyond its types: one file a rule.
//!
//! A rule looks and reports; it changes nothing.

mod allowed_values;
mod audit;
mod bound;
mod changes_data;
pub mod collisions;
mod constant_keys;
mod constraints;
mod declared_columns;
mod default;
mod descriptions;
mod dropped_scopes;
mod effective;
mod hand_written_clause;
mod hidden_clauses;
pub(crate) mod instructing_description;
mod large_definition;
mod lossy_types;
mod missing_auth;
mod nothing_left;
mod null_comparison;
mod null_literals;
mod parameter_as_column;
mod primary_keys;
mod quoted_placeholders;
mod replaced_guards;
mod row_counts;
mod select_star;
mod serving;
mod settings;
mod swallowed_condition;
pub mod table_tools;
mod unbounded_result;
mod unfiltered_scan;
mod unmasked_pii;
mod unnamed_columns;
mod unordered_limit;
mod unstable_order;
mod writable;

use crate::diagnostic::Diagnostics;
use crate::infer::{TypedParameter, TypedQuery};
use crate::plan::functions;
use crate::project::Project;
use crate::shape::Shapes;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::syntax::{HeaderFault, NativeStatement, ParsedQuery};
use crate::tool::Constraints;
use crate::tool::constraints::Violation;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
use serde_json::Value;
use std::sync::Arc;

/// What the rules look at beside a query.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The project.
    pub project: &'a Project,
    /// What its statements look like.
    pub shapes: &'a Shapes,
}

/// Checks one typed query.
pub fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let project = context.project;
    let Some(query) = linked.own() else { return };
    let Some(shape) = context.shapes.get(query) else { return };
    check_header(linked, query, typed, project, sink);
    dropped_scopes::check(linked, sink);
    unnamed_columns::check(query, shape, Some(&typed.columns), sink);
    select_star::check(linked, Some(typed), context, sink);
    unbounded_result::check(linked, typed, context, sink);
    unordered_limit::check(linked, context, sink);
    unstable_order::check(linked, typed, shape, sink);
    null_comparison::check(query, typed, context, sink);
    hand_written_clause::check(query, typed, context, sink);
    parameter_as_column::check(linked, typed, context, sink);
    null_literals::check(shape, sink);
    swallowed_condition::check(shape, sink);
    unfiltered_scan::check(linked, context, sink);
}

/// Checks what a header says, in whichever SQL the statement below it is.
fn check_header(
    linked: &LinkedQuery<'_>,
    query: &ParsedQuery,
    typed: &TypedQuery,
    project: &Project,
    sink: &mut Diagnostics,
) {
    let coercion = lax(project);
    for parameter in &typed.parameters {
        constraints::check(linked, parameter, &coercion, sink);
        allowed_values::check(parameter, &coercion, sink);
        default::check(parameter, &coercion, &project.sources, sink);
        bound::check(parameter, &coercion, sink);
    }
    hidden_clauses::check(typed, sink);
    settings::check(query, typed, project, sink);
    descriptions::check(query, typed, sink);
    instructing_description::check(query, &project.sources, sink);
    large_definition::check(linked, typed, sink);
    unmasked_pii::check(query, typed, project, sink);
}

/// Checks a statement in a database's own SQL: what its text says is the database's affair, but not what becomes of it where
/// parameters are left out. Of a grammar that the parser does not know, nothing is said.
pub fn check_statement(linked: &LinkedQuery<'_>, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let project = context.project;
    let Some(query) = linked.own() else { return };
    check_header(linked, query, typed, project, sink);
    // What is written into a column is compared with nothing.
    if query.native.as_ref().is_some_and(NativeStatement::is_change) {
        return;
    }
    let Some(shape) = context.shapes.get(query) else { return };
    null_comparison::check(query, typed, context, sink);
    hand_written_clause::check(query, typed, context, sink);
    null_literals::check(shape, sink);
    swallowed_condition::check(shape, sink);
}

/// Checks what a manifest says of a program, as it is checked of every header.
pub fn check_program(linked: &LinkedQuery<'_>, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let Some(query) = linked.own() else { return };
    check_header(linked, query, typed, context.project, sink);
}

/// Checks of a view whose parameters only its users can type what asks for no types.
pub fn check_untyped(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    let project = context.project;
    let Some(query) = linked.own() else { return };
    let Some(shape) = context.shapes.get(query) else { return };
    instructing_description::check(query, &project.sources, sink);
    unnamed_columns::check(query, shape, None, sink);
    select_star::check(linked, None, context, sink);
    unordered_limit::check(linked, context, sink);
    null_literals::check(shape, sink);
    swallowed_condition::check(shape, sink);
    unfiltered_scan::check(linked, context, sink);
}

/// Checks what rows are sorted and grouped by; the places of what is wrong with it.
pub fn check_keys(linked: &LinkedQuery<'_>, shapes: &Shapes, sink: &mut Diagnostics) -> Vec<Span> {
    constant_keys::check(linked, shapes, sink)
}

/// Checks what a file says in quotes, in comments and in its header, whatever its statement means.
pub fn check_text(query: &ParsedQuery, sink: &mut Diagnostics) {
    quoted_placeholders::check(query, sink);
    replaced_guards::check(query, sink);
    changes_data::check(query, sink);
}

/// Checks what `qtool.yaml` says. `faults` are those of the queries' headers.
pub fn check_project(
    project: &Project,
    queries: &[Arc<ParsedQuery>],
    faults: &[Option<HeaderFault>],
    sink: &mut Diagnostics,
) {
    serving::check(project, queries, sink);
    let sound = queries.iter().zip(faults).filter(|(_, fault)| **fault != Some(HeaderFault::Settings));
    missing_auth::check(project, sound.map(|(query, _)| query.as_ref()), sink);
    instructing_description::check_project(project, sink);
    primary_keys::check(project, sink);
    writable::check(project, sink);
    declared_columns::check(project, sink);
    lossy_types::check(project, sink);
    audit::check(project, sink);
    effective::check(project, sink);
    unmasked_pii::check_project(project, sink);
    changes_data::check_records(project, sink);
}

/// Whether a function makes one value of all rows.
fn is_aggregate(name: &str) -> bool {
    functions::all().aggregate.contains_key(name)
}

/// Authors' values are read as leniently as agents' are, and in the same zone.
fn lax(project: &Project) -> Coercion {
    let time_zone = project.file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
    Coercion { strictness: Strictness::Lax, time_zone }
}

/// The constraints as a tool will carry them.
pub fn constraints_of(parameter: &TypedParameter) -> Constraints {
    let config = &parameter.declaration.config;
    let written = parameter.declaration.allowed_values();
    let listed: Option<Vec<Value>> =
        written.map(|values| values.iter().map(|value| as_unit(parameter, value)).collect());
    Constraints {
        any_unit: listed.is_none() && parameter.units.is_some(),
        allowed_values: listed.or_else(|| units(parameter)).or_else(|| labels(parameter)),
        minimum: parameter.least().or_else(|| config.minimum.clone()),
        maximum: parameter.most().or_else(|| config.maximum.clone()),
        exclusive_minimum: config.exclusive_minimum.clone(),
        exclusive_maximum: config.exclusive_maximum.clone(),
        multiple_of: config.multiple_of.clone(),
        format: config.format,
        min_length: config.min_length,
        max_length: config.max_length,
        pattern: parameter.pattern().or_else(|| config.pattern.clone()),
        min_items: config.min_items,
        max_items: config.max_items,
    }
}

/// A unit of time is one of those that there are.
fn units(parameter: &TypedParameter) -> Option<Vec<Value>> {
    parameter.units.map(|units| units.iter().map(|unit| (*unit).into()).collect())
}

/// The labels of an enum are all that it may be.
fn labels(parameter: &TypedParameter) -> Option<Vec<Value>> {
    let labels = &parameter.labels;
    (!labels.is_empty()).then(|| labels.iter().map(|label| label.as_str().into()).collect())
}

/// An author's value as agents send it.
pub fn canonical(parameter: &TypedParameter, value: &Value) -> Value {
    parameter.ty.canonical(&as_unit(parameter, value))
}

/// A unit of time as it is published: the engine takes it in any letter case.
fn as_unit(parameter: &TypedParameter, value: &Value) -> Value {
    let known = parameter.units.zip(value.as_str());
    let unit = known.and_then(|(units, text)| units.iter().find(|unit| unit.eq_ignore_ascii_case(text)));
    unit.map_or_else(|| value.clone(), |unit| Value::from(*unit))
}

/// What would have been accepted, as an author is told: units of time are listed nowhere in the file.
fn expected(parameter: &TypedParameter, constraints: &Constraints, violation: &Violation) -> String {
    match parameter.units {
        Some([first, second, third, ..]) if constraints.any_unit && !violation.allowed.is_empty() => {
            format!("{} (`{first}`, `{second}`, `{third}`, …)", violation.expected)
        }
        _ => violation.expected.clone(),
    }
}
