//! The `*` that make columns of the result.
//!
//! A star over a common table expression or a subquery stands for the stars in there: what is listed by name inside is
//! listed by name outside.

use super::arena::{Arena, Id, Leaf, Select, Source};
use crate::diagnostic::codes::ColumnList;
use crate::source::Span;
use std::collections::HashSet;

/// A `*` or `t.*` over a table or another query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Star {
    /// Where it stands, with what it leaves out.
    pub span: Span,
    /// The tables and queries.
    pub tables: Vec<String>,
    /// How the names of the columns take its place, where it is all that the statement selects.
    pub list: Option<ColumnList>,
}

/// Every star over a table or another query whose columns the statement returns.
pub(super) fn find(arena: &Arena) -> Vec<Star> {
    let result = match arena.query(arena.root()).map(|query| query.leaves.as_slice()) {
        Some([Leaf::Select(select)]) => *select,
        _ => None,
    };
    let mut search = Search { arena, result, seen: HashSet::new(), found: Vec::new() };
    search.query(arena.root());
    search.found
}

struct Search<'a> {
    arena: &'a Arena,
    /// The SELECT whose columns are those of the result.
    result: Option<Id>,
    /// The queries that were searched: each once, and a recursive one comes to an end.
    seen: HashSet<Id>,
    found: Vec<Star>,
}

impl<'a> Search<'a> {
    fn query(&mut self, id: Id) {
        let arena = self.arena;
        let Some(query) = arena.query(id).filter(|_| self.seen.insert(id)) else { return };
        for leaf in &query.leaves {
            match leaf {
                Leaf::Select(Some(id)) => self.select(*id),
                Leaf::Query(Some(id)) => self.query(*id),
                _ => {}
            }
        }
    }

    fn select(&mut self, id: Id) {
        let arena = self.arena;
        let Some(select) = arena.select(id) else { return };
        for (table, span) in &select.stars.items {
            let tables = self.tables(select, table.as_deref());
            if !tables.is_empty() {
                let list = select.stars.list.clone().filter(|_| self.result == Some(id));
                self.found.push(Star { span: *span, tables, list });
            }
        }
    }

    /// The tables that a star stands for, behind a search of the queries that it stands for; `table` is the name in front
    /// of it.
    fn tables(&mut self, select: &'a Select, table: Option<&str>) -> Vec<String> {
        let arena = self.arena;
        let mut found = Vec::new();
        for one in select.tables.iter().filter_map(|id| arena.table(*id)) {
            if table.is_some() && one.name.as_deref() != table {
                continue;
            }
            match &one.source {
                Source::Common(query) | Source::Derived(Some(query)) => self.query(*query),
                Source::Named(name) => found.push(name.clone()),
                Source::Derived(None) | Source::Other => {}
            }
        }
        found
    }
}
