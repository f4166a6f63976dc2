//! Which tables are read without a condition that restricts them.
//!
//! A condition counts where it holds at every call: one in an optional clause may be left out. The ON of an outer join
//! restricts nothing of the side that it keeps. A condition around a subquery counts inside of it, unless the subquery
//! has to see all rows first: for GROUP BY, DISTINCT, LIMIT or a window.

use super::arena::{Arena, Id, Kind, Leaf, Query, Role, Select, Source};
use crate::source::Span;
use std::collections::{BTreeSet, HashMap};

/// What restricts the rows that are read of a table. The functions are those that are called on all rows in between:
/// where one of them is an aggregate, nothing is restricted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// Nothing, and no condition around the statement either.
    Nothing,
    /// What restricts the result of the statement, if anything does.
    Reader(BTreeSet<String>),
    /// A condition, a join or a limit.
    Always(BTreeSet<String>),
}

impl Filter {
    /// What a query is restricted by that nothing stands around.
    fn of_reader() -> Filter {
        Filter::Reader(BTreeSet::new())
    }

    fn always() -> Filter {
        Filter::Always(BTreeSet::new())
    }

    /// The functions in between.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        let calls = match self {
            Filter::Nothing => None,
            Filter::Reader(calls) | Filter::Always(calls) => Some(calls),
        };
        calls.into_iter().flatten().map(String::as_str)
    }

    /// What is left of it inside of a query that calls functions on all rows.
    fn through(self, called: impl IntoIterator<Item = String>) -> Filter {
        match self {
            Filter::Nothing => Filter::Nothing,
            Filter::Reader(calls) => Filter::Reader(calls.into_iter().chain(called).collect()),
            Filter::Always(calls) => Filter::Always(calls.into_iter().chain(called).collect()),
        }
    }

    /// What restricts the rows that two read.
    fn and(self, other: Filter) -> Filter {
        match (self, other) {
            (Filter::Nothing, _) | (_, Filter::Nothing) => Filter::Nothing,
            (Filter::Always(calls), Filter::Always(others)) => Filter::Always(calls).through(others),
            (Filter::Reader(calls) | Filter::Always(calls), Filter::Reader(others) | Filter::Always(others)) => {
                Filter::Reader(calls).through(others)
            }
        }
    }
}

/// What restricts the tables and queries that a statement names, by the places of their names: where they are read, or
/// everywhere the common table expression is read that reads them.
pub(super) fn find(arena: &Arena) -> Vec<(Span, Filter)> {
    let uses = uses(arena);
    let mut known = HashMap::new();
    let of_use = |one: &Use| Some((one.reference?, filter_of(one, &uses, &mut known)));
    uses.iter().filter_map(of_use).collect()
}

/// One name in a FROM.
struct Use {
    /// Where a table or query outside of the statement is named.
    reference: Option<Span>,
    /// The common table expression that is read.
    body: Option<Id>,
    /// The innermost common table expression that it is read in.
    within: Option<Id>,
    /// What restricts it, there or around; its reader is that of the common table expression, where it is in one.
    filter: Filter,
}

fn uses(arena: &Arena) -> Vec<Use> {
    let mut filters: HashMap<Id, Filter> = HashMap::new();
    let mut found = Vec::new();
    // Outside in: what stands around is known.
    for id in arena.outside_in() {
        let around = arena.parent(id).and_then(|parent| filters.get(&parent)).cloned();
        let around = around.unwrap_or_else(Filter::of_reader);
        let filter = match arena.kind(id) {
            Some(Kind::Query(query)) => inside_query(query, arena, around),
            Some(Kind::Select(select)) => inside_select(select, around),
            Some(Kind::Table(table)) if table.is_restricted => Filter::always(),
            Some(Kind::Table(_)) | None => around,
        };
        if let Some(Kind::Table(table)) = arena.kind(id) {
            let (reference, body) = match &table.source {
                Source::Named(_) => (Some(table.place), None),
                Source::Common(body) => (None, Some(*body)),
                Source::Derived(_) | Source::Other => (None, None),
            };
            if reference.is_some() || body.is_some() {
                found.push(Use { reference, body, within: table.within, filter: filter.clone() });
            }
        }
        filters.insert(id, filter);
    }
    found
}

fn filter_of(one: &Use, uses: &[Use], known: &mut HashMap<Id, Filter>) -> Filter {
    let (Filter::Reader(calls), Some(body)) = (&one.filter, one.within) else {
        return one.filter.clone();
    };
    let around = match known.get(&body) {
        Some(filter) => filter.clone(),
        None => {
            // Until it is known: a recursive one that reads itself says nothing.
            known.insert(body, Filter::always());
            let readers = uses.iter().filter(|other| other.body == Some(body));
            let filters: Vec<Filter> = readers.map(|other| filter_of(other, uses, known)).collect();
            let filter = filters.into_iter().fold(Filter::always(), Filter::and);
            known.insert(body, filter.clone());
            filter
        }
    };
    around.through(calls.iter().cloned())
}

/// What restricts the rows that a query reads. `around` is what restricts its own rows.
fn inside_query(query: &Query, arena: &Arena, around: Filter) -> Filter {
    // What stands around a common table expression says nothing; those that read it do.
    let around = if query.role == Role::Common { Filter::of_reader() } else { around };
    if !query.bounds.has_limit {
        return around;
    }
    let select = match query.leaves.as_slice() {
        [Leaf::Select(Some(select))] => arena.select(*select),
        _ => None,
    };
    match select {
        // A limit ends the scan early where nothing has to see all rows first.
        Some(select) if !query.bounds.is_sorted && !select.needs_all_rows => {
            Filter::always().through(select.calls.names.iter().cloned())
        }
        _ => Filter::Nothing,
    }
}

/// The same of one SELECT.
fn inside_select(select: &Select, around: Filter) -> Filter {
    if select.is_restricted {
        Filter::always()
    } else if select.needs_all_rows {
        Filter::Nothing
    } else {
        around.through(select.calls.names.iter().cloned())
    }
}
