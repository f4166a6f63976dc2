//! A parameter that may be left out is not compared as if it were always there: NULL equals nothing, and the agent reads
//! "no rows" as an answer.
//!
//! Bad: `AND origin = << origin? >>`. Good: `[[ AND origin = << origin >> ]]`;
//! `AND (<< origin? >> IS NULL OR origin = << origin >>)`; `origin IS NOT DISTINCT FROM << origin? >>`;
//! `AND (vip OR origin = << origin? >>)`, where absence only takes an alternative away.

use super::Context;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::shape::{Between, ClauseEdit, Comparison};
use crate::source::{Sources, Span};
use crate::syntax::ParsedQuery;
use std::collections::HashSet;

/// Warns of each condition outside of an optional clause that nothing passes where a parameter is absent.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let Some(shape) = context.shapes.get(query) else { return };
    let absent = typed.parameters.iter().filter(|parameter| parameter.declaration.may_be_absent());
    let required = typed.parameters.iter().filter(|parameter| parameter.declaration.is_required());
    let parameters = Parameters {
        query,
        absent: absent.map(|parameter| parameter.declaration.name.as_str()).collect(),
        required: required.map(|parameter| parameter.declaration.name.as_str()).collect(),
    };
    for comparison in &shape.comparisons {
        let names = parameters.absent_of(comparison);
        if !names.is_empty() {
            let edits = parameters.edits(comparison, &names, &context.project.sources).unwrap_or_default();
            sink.push(codes::null_comparison(comparison.span, &names, &edits));
        }
    }
}

struct Parameters<'a> {
    query: &'a ParsedQuery,
    /// The parameters that are NULL at some calls.
    absent: HashSet<&'a str>,
    /// The parameters that every call must give.
    required: HashSet<&'a str>,
}

impl<'a> Parameters<'a> {
    /// The names of the parameters whose absence matters, in the order they are written.
    fn absent_of(&self, comparison: &Comparison) -> Vec<&'a str> {
        let placeholders = comparison.placeholders.iter().filter_map(|at| self.query.placeholders.get(*at));
        let mut seen = HashSet::new();
        placeholders
            .map(|placeholder| placeholder.name.value.as_str())
            .filter(|name| self.absent.contains(name) && seen.insert(*name))
            .collect()
    }

    /// The names of all parameters in a place.
    fn names_in(&self, place: Span) -> impl Iterator<Item = &'a str> {
        let placeholders = self.query.placeholders.as_slice();
        let start = placeholders.partition_point(|placeholder| placeholder.span.start < place.start);
        let behind = placeholders.get(start..).unwrap_or_default().iter();
        behind.take_while(move |one| one.span.end <= place.end).map(|one| one.name.value.as_str())
    }

    /// Whether a clause around a place would ask for no other parameters than those whose absence matters there anyway: a
    /// required one would become optional, and one that may be absent would take the condition with it.
    fn fits_clause(&self, place: Span, names: &[&str]) -> bool {
        let others = |name: &&str| !names.contains(name);
        !self.names_in(place).filter(others).any(|name| self.required.contains(name) || self.absent.contains(name))
    }

    /// The edits that write optional clauses for the parameters `names`, where those ask for nothing else.
    fn edits(&self, comparison: &Comparison, names: &[&str], sources: &Sources) -> Option<Vec<(Span, String)>> {
        let clause = comparison.clause.as_ref()?;
        match &comparison.between {
            Some(between) => self.edits_of_bounds(clause, between, names, sources),
            None if self.fits_clause(comparison.span, names) => {
                Some(vec![(clause.open, clause.opening.to_owned()), (clause.close, clause.closing.to_owned())])
            }
            None => None,
        }
    }

    /// Makes two conditions of a BETWEEN, each an optional clause where its bound may be absent.
    fn edits_of_bounds(
        &self,
        clause: &ClauseEdit,
        between: &Between,
        names: &[&str],
        sources: &Sources,
    ) -> Option<Vec<(Span, String)>> {
        let operand = sources.get(between.operand.file)?.slice(between.operand);
        let is_absent = |bound: Span| self.names_in(bound).any(|name| names.contains(&name));
        let (low, high) = (is_absent(between.low), is_absent(between.high));
        let fits = |bound: Span| !is_absent(bound) || self.fits_clause(bound, names);
        if operand.contains("--") || operand.contains("/*") || !fits(between.low) || !fits(between.high) {
            return None;
        }
        let mut edits = Vec::new();
        if low {
            edits.push((clause.open, clause.opening.to_owned()));
        }
        edits.push((between.between, ">=".to_owned()));
        let closing = if low { "]] " } else { "" };
        let opening = if high { "[[ " } else { "" };
        edits.push((between.and, format!("{closing}{opening}AND {operand} <=")));
        if high {
            edits.push((clause.close, clause.closing.to_owned()));
        }
        Some(edits)
    }
}
