//! Which query selects from which, and an order in which every query comes after those it selects from.

use crate::diagnostic::{Diagnostics, codes};
use crate::source::Spanned;
use crate::syntax::ParsedQuery;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The queries by the names that they are selected from by. A table has its name for itself.
pub(super) fn index<'a>(parsed: &'a [Arc<ParsedQuery>], tables: &[Spanned<String>]) -> HashMap<&'a str, usize> {
    let tables: HashSet<&str> = tables.iter().map(|table| table.value.as_str()).collect();
    let named = parsed.iter().enumerate().rev().map(|(at, query)| (query.name.value.as_str(), at));
    // Nobody can select from a statement of a database.
    let is_selectable = |at: usize| parsed.get(at).is_some_and(|query| query.native.is_none());
    named.filter(|(name, at)| !tables.contains(name) && is_selectable(*at)).collect()
}

/// The order of the queries.
pub(super) struct Order {
    /// By query: those that it selects from itself.
    below: Vec<Vec<usize>>,
    /// By query: whether one selects from it.
    is_used: Vec<bool>,
    /// Those that do not select from themselves, each behind those that it selects from.
    pub(super) sequence: Vec<usize>,
}

impl Order {
    /// Puts queries in order, and reports those that select from themselves.
    pub(super) fn of(parsed: &[Arc<ParsedQuery>], index: &HashMap<&str, usize>, sink: &mut Diagnostics) -> Order {
        let below_of = |query: &Arc<ParsedQuery>| {
            let queries = query.references.iter().filter_map(|reference| index.get(reference.query.as_str()));
            let mut below: Vec<usize> = queries.copied().collect();
            below.sort_unstable();
            below.dedup();
            below
        };
        let below: Vec<Vec<usize>> = parsed.iter().map(below_of).collect();
        let mut is_used = vec![false; parsed.len()];
        for used in below.iter().flatten() {
            is_used.get_mut(*used).into_iter().for_each(|flag| *flag = true);
        }
        let mut order = Order { below, is_used, sequence: Vec::new() };
        let mut walk = Walk { parsed, state: vec![Visit::New; parsed.len()], way: Vec::new(), sink };
        for at in 0..parsed.len() {
            order.visit(at, &mut walk);
        }
        order
    }

    /// Depth first; a query that is met again on the way to itself closes a cycle and never enters the sequence.
    fn visit(&mut self, at: usize, walk: &mut Walk<'_>) -> bool {
        match walk.state.get(at) {
            Some(Visit::Done(fine)) => return *fine,
            Some(Visit::Open) => {
                walk.report_cycle(at);
                return false;
            }
            _ => {}
        }
        walk.set(at, Visit::Open);
        walk.way.push(at);
        let below = self.below.get(at).cloned().unwrap_or_default();
        let mut fine = true;
        for next in below {
            fine &= self.visit(next, walk);
        }
        walk.way.pop();
        walk.set(at, Visit::Done(fine));
        if fine {
            self.sequence.push(at);
        }
        fine
    }

    /// The queries that one selects from itself.
    pub(super) fn below(&self, at: usize) -> &[usize] {
        self.below.get(at).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a query selects from it.
    pub(super) fn is_used(&self, at: usize) -> bool {
        self.is_used.get(at).copied().unwrap_or(false)
    }
}

#[derive(Clone, Copy)]
enum Visit {
    New,
    Open,
    Done(bool),
}

struct Walk<'a> {
    parsed: &'a [Arc<ParsedQuery>],
    state: Vec<Visit>,
    /// From the query that the walk began at to the one that it is at.
    way: Vec<usize>,
    sink: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn set(&mut self, at: usize, to: Visit) {
        if let Some(slot) = self.state.get_mut(at) {
            *slot = to;
        }
    }

    fn report_cycle(&mut self, at: usize) {
        let start = self.way.iter().position(|step| *step == at).unwrap_or(0);
        let round = self.way.get(start..).unwrap_or_default();
        let names: Vec<String> = round
            .iter()
            .chain([&at])
            .filter_map(|step| self.parsed.get(*step))
            .map(|query| query.name.value.clone())
            .collect();
        let last = self.way.last().and_then(|last| self.parsed.get(*last));
        let reference = last.and_then(|last| {
            let name = names.last()?;
            last.references.iter().find(|reference| reference.query == *name)
        });
        if let Some(reference) = reference {
            self.sink.push(codes::query_cycle(reference.span, &names));
        }
    }
}
