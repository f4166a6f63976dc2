//! Which queries have one row at the most: one of an aggregate, or one that a primary key names.

use super::{Context, is_aggregate};
use crate::project::Project;
use crate::shape::{Relation, RowSource, Rows};
use crate::syntax::link::LinkedQuery;
use std::collections::HashMap;

/// What is known of the tables and queries that a query reads.
pub(super) struct RowCounts<'a> {
    project: &'a Project,
    /// Whether each of the queries below has one row at the most.
    queries: HashMap<&'a str, bool>,
}

impl<'a> RowCounts<'a> {
    pub(super) fn of(linked: &LinkedQuery<'a>, context: Context<'a>) -> RowCounts<'a> {
        let mut counts = RowCounts { project: context.project, queries: HashMap::new() };
        // Each comes after those that it reads itself.
        for part in &linked.parts {
            let query = part.query;
            let is_one = context.shapes.get(query).is_some_and(|shape| counts.is_one(&shape.rows));
            counts.queries.insert(&query.name.value, is_one);
        }
        counts
    }

    /// Whether there is one row at the most.
    pub(super) fn is_one(&self, rows: &Rows) -> bool {
        match rows {
            Rows::One => true,
            Rows::Many => false,
            Rows::Select { calls, sources } => calls.iter().any(|name| is_aggregate(name)) || self.are_all_one(sources),
        }
    }

    /// Whether every source gives one row, by itself or to each row of the others.
    fn are_all_one(&self, sources: &[RowSource]) -> bool {
        let mut one = vec![false; sources.len()];
        loop {
            let more: Vec<bool> =
                sources.iter().zip(&one).map(|(source, known)| *known || self.gives_one(source, &one)).collect();
            if more == one {
                return one.iter().all(|one| *one);
            }
            one = more;
        }
    }

    /// Whether a source gives one row. `one` are the sources of which that is known.
    fn gives_one(&self, source: &RowSource, one: &[bool]) -> bool {
        let name = match &source.relation {
            Relation::Rows(rows) => return self.is_one(rows),
            Relation::Named(name) => name,
        };
        if let Some(is_one) = self.queries.get(name.as_str()) {
            return *is_one;
        }
        let is_given = |column: &String| {
            let mut pins = source.pins.iter().filter(|pin| pin.column == *column);
            pins.any(|pin| pin.by.iter().all(|at| one.get(*at).copied().unwrap_or(false)))
        };
        self.key(name).is_some_and(|key| key.iter().all(is_given))
    }

    /// The columns that identify a row of a table, where it declares them.
    pub(super) fn key(&self, table: &str) -> Option<Vec<String>> {
        let key = self.project.file.tables.get(table)?.known_key(self.project.catalog.tables.get(table));
        Some(key).filter(|key| !key.is_empty())
    }
}
