//! Whether a SELECT has one row at the most, as far as its text tells.
//!
//! Which function is an aggregate and which columns are a key is not known here: both are named, and who knows may tell.

use super::arena::{Arena, Id, Select, Source};
use super::pins::Pin;
use std::collections::HashMap;

/// How many rows a query has at the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// One.
    One,
    /// Any number.
    Many,
    /// One, if any of the functions is an aggregate, or if every source gives one.
    Select {
        /// The functions that are called on all rows.
        calls: Vec<String>,
        /// What the rows are put together from.
        sources: Vec<RowSource>,
    },
}

/// One of the tables of a FROM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowSource {
    /// What is read.
    pub relation: Relation,
    /// The columns that a condition sets equal to something.
    pub pins: Vec<Pin>,
}

/// What a FROM reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// A table or query outside of the statement.
    Named(String),
    /// A part of the statement.
    Rows(Rows),
}

/// More than any hand-written query has; common table expressions that read each other twice would grow without end.
const MAX_SIZE: usize = 64;

impl Rows {
    /// The same, unless it is too large to be read again and again.
    fn shared(&self) -> Rows {
        if self.size() > MAX_SIZE { Rows::Many } else { self.clone() }
    }

    fn size(&self) -> usize {
        match self {
            Rows::One | Rows::Many => 1,
            Rows::Select { sources, .. } => {
                let of_source = |source: &RowSource| match &source.relation {
                    Relation::Named(_) => 1,
                    Relation::Rows(rows) => rows.size(),
                };
                1 + sources.iter().map(of_source).sum::<usize>()
            }
        }
    }
}

/// The rows of one SELECT. `queries` are those of the queries inside of it and before it.
pub(super) fn of_select(select: &Select, arena: &Arena, queries: &HashMap<Id, Rows>) -> Rows {
    // A query that was not looked at yet reads itself.
    let of_query = |id: &Id| queries.get(id).map_or(Rows::Many, Rows::shared);
    let relation = |id: &Id| match arena.table(*id).map(|table| (&table.source, table.renames_columns)) {
        Some((Source::Named(name), false)) => Relation::Named(name.clone()),
        Some((Source::Common(body), false)) => Relation::Rows(of_query(body)),
        Some((Source::Derived(Some(query)), _)) => Relation::Rows(of_query(query)),
        // With other names for its columns, a table is another one.
        _ => Relation::Rows(Rows::Many),
    };
    let mut sources: Vec<RowSource> =
        select.sources.iter().map(|id| RowSource { relation: relation(id), pins: Vec::new() }).collect();
    for (at, pin) in &select.pins {
        if let Some(source) = sources.get_mut(*at) {
            source.pins.push(pin.clone());
        }
    }
    if select.is_outer {
        sources.push(RowSource { relation: Relation::Rows(Rows::Many), pins: Vec::new() });
    }
    Rows::Select { calls: select.calls.names.clone(), sources }
}
