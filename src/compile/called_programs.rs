//! The programs, web services, functions and tools of other servers that queries call in FROM: what a call of such a query needs of them,
//! and whether the values that are written for their parameters are taken.

use super::LinkInput;
use super::analysis::Analysis;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::{CalledArgument, CalledManifest};
use crate::tool::{CalledProgram, Contract, Parameter, ProgramArgument, Tool};
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What queries may call in FROM, by name.
pub(super) struct CalledPrograms {
    tools: HashMap<String, Tool>,
}

impl CalledPrograms {
    /// Of the tools of all manifests, also of those that are not published.
    pub(super) fn new(tools: impl IntoIterator<Item = Tool>) -> CalledPrograms {
        CalledPrograms { tools: tools.into_iter().map(|tool| (tool.contract.name.clone(), tool)).collect() }
    }

    /// What a query calls in FROM. It has their effects, and asks of callers what they ask: that is put into its contract.
    pub(super) fn called_by(&self, input: &LinkInput, contract: &mut Contract) -> Vec<CalledProgram> {
        let mut called = Vec::new();
        for use_of in called_in(input) {
            let Some(program) = self.tools.get(&use_of.tool) else { continue };
            let arguments = use_of.arguments.iter().map(|(name, argument)| {
                let argument = match argument {
                    CalledArgument::Parameter(name) => ProgramArgument::Parameter(name.clone()),
                    CalledArgument::Value(value, _) => ProgramArgument::Value(value.clone()),
                };
                (name.clone(), argument)
            });
            let (own, of) = (&mut contract.annotations, program.contract.annotations);
            own.read_only &= of.read_only;
            own.idempotent &= of.idempotent;
            own.destructive |= of.destructive;
            own.open_world |= of.open_world;
            for scope in &program.contract.scopes {
                if !contract.scopes.contains(scope) {
                    contract.scopes.push(scope.clone());
                }
            }
            let arguments = arguments.collect();
            called.push(CalledProgram { table: use_of.table.clone(), tool: Box::new(program.clone()), arguments });
        }
        called
    }

    /// Reports the values that are written for parameters and that those do not take, in queries and views, once each.
    pub(super) fn check_values(&self, analysis: &Analysis, found: &mut Diagnostics) {
        let mut seen = HashSet::new();
        let inputs = analysis.queries.iter().filter_map(|query| query.reached.link_input());
        for use_of in inputs.flat_map(called_in) {
            let Some(program) = self.tools.get(&use_of.tool) else { continue };
            for (name, argument) in &use_of.arguments {
                if let (CalledArgument::Value(value, place), Some(parameter)) =
                    (argument, program.contract.parameter(name))
                    && seen.insert(*place)
                {
                    check_value(parameter, value, *place, found);
                }
            }
        }
    }
}

/// What a query calls in FROM, itself or by what it selects from.
fn called_in(input: &LinkInput) -> impl Iterator<Item = &CalledManifest> {
    input.uses.iter().filter_map(|part| part.called.as_deref())
}

/// Reports a value that a parameter does not take.
fn check_value(parameter: &Parameter, value: &Value, place: Span, found: &mut Diagnostics) {
    let coercion = Coercion { strictness: Strictness::Strict, time_zone: TimeZoneName::default() };
    if parameter.from.is_some() {
        let why = format!("nobody sends `{}`: its value is bound by the program", parameter.name);
        return found.push(codes::invalid_query(place, &why));
    }
    let expected = match parameter.ty.coerce(value, &coercion) {
        Err(_) => format!("it is of type {}", parameter.ty),
        Ok(_) => match parameter.constraints.check(&parameter.ty, value, &coercion) {
            Err(violation) => format!("it takes {}", violation.expected),
            Ok(()) => return,
        },
    };
    let why = format!("parameter `{}` of the program does not take {value}", parameter.name);
    found.push(codes::invalid_query(place, &why).help(expected));
}
