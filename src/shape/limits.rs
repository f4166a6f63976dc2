//! What bounds the rows of a query, and in which order they are cut: LIMIT, OFFSET and FETCH.

use super::arena::{Arena, Id, Kind, Leaf, Query, Role};
use super::bounds::Count;
use super::rows::{self, Relation, RowSource, Rows};
use crate::source::Span;
use std::collections::HashMap;

/// A LIMIT, OFFSET or FETCH whose rows may be chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The clause.
    pub span: Span,
    /// How many rows there are to cut at the most.
    pub rows: Rows,
    /// The columns that the rows are sorted by; `None` where there is no ORDER BY.
    pub order: Option<Order>,
}

/// An ORDER BY of plain columns of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The table or query.
    pub table: String,
    /// Its columns that tell rows apart: those that are sorted by, and those that have one value.
    pub columns: Vec<String>,
    /// The names that mean something else than a column of the table in the ORDER BY.
    pub taken: Vec<String>,
    /// Where it ends.
    pub end: Span,
}

/// A SELECT of the result that no LIMIT bounds at every call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unbounded {
    /// How many rows it has at the most.
    pub rows: Rows,
    /// The LIMITs that bound it unless a placeholder is NULL: those placeholders, by their positions in
    /// [`crate::syntax::ParsedQuery::placeholders`].
    pub limits: Vec<Vec<usize>>,
}

/// What a statement's clauses say of the number of its rows.
pub(super) struct Limits {
    pub cuts: Vec<Cut>,
    pub unbounded: Vec<Unbounded>,
    pub rows: Rows,
}

/// Every cut of a statement, and what bounds its result. What EXISTS asks for has no order: any row will do.
pub(super) fn find(arena: &Arena) -> Limits {
    let mut search = Search { arena, selects: HashMap::new(), queries: HashMap::new(), cuts: Vec::new() };
    // Inside out: what a query reads was looked at.
    for id in arena.inside_out() {
        match arena.kind(id) {
            Some(Kind::Select(select)) => {
                let rows = rows::of_select(select, arena, &search.queries);
                search.selects.insert(id, rows);
            }
            Some(Kind::Query(query)) => search.query(id, query),
            Some(Kind::Table(_)) | None => {}
        }
    }
    let mut unbounded = Vec::new();
    search.unbounded_of(arena.root(), &[], &mut unbounded);
    let rows = search.queries.remove(&arena.root()).unwrap_or(Rows::Many);
    Limits { cuts: search.cuts, unbounded, rows }
}

struct Search<'a> {
    arena: &'a Arena,
    selects: HashMap<Id, Rows>,
    queries: HashMap<Id, Rows>,
    cuts: Vec<Cut>,
}

impl Search<'_> {
    fn query(&mut self, id: Id, query: &Query) {
        let rows = self.rows_in(query);
        if let Some(span) = query.bounds.cut.filter(|_| !matches!(query.role, Role::Exists { .. })) {
            let found = cut(query, rows.clone(), span);
            self.cuts.extend(found);
        }
        let rows = if query.bounds.is_one { Rows::One } else { rows };
        self.queries.insert(id, rows);
    }

    fn rows_in(&self, query: &Query) -> Rows {
        let known = match query.leaves.as_slice() {
            [Leaf::Select(Some(select))] => self.selects.get(select),
            [Leaf::Query(Some(query))] => self.queries.get(query),
            _ => None,
        };
        known.cloned().unwrap_or(Rows::Many)
    }

    /// The SELECTs of the result that no LIMIT or FETCH bounds. `limits` are those around.
    fn unbounded_of(&self, id: Id, limits: &[Vec<usize>], found: &mut Vec<Unbounded>) {
        let Some(query) = self.arena.query(id) else { return };
        let mut limits = limits.to_vec();
        match &query.bounds.count {
            Count::Always => return,
            Count::Unless(absent) => limits.push(absent.clone()),
            Count::Nothing => {}
        }
        for leaf in &query.leaves {
            match leaf {
                Leaf::Select(Some(id)) => {
                    // What has no FROM is bounded by what is written.
                    if self.arena.select(*id).is_some_and(|select| select.has_from) {
                        let rows = self.selects.get(id).cloned().unwrap_or(Rows::Many);
                        found.push(Unbounded { rows, limits: limits.clone() });
                    }
                }
                Leaf::Table => found.push(Unbounded { rows: Rows::Many, limits: limits.clone() }),
                Leaf::Query(Some(id)) => self.unbounded_of(*id, &limits, found),
                Leaf::Select(None) | Leaf::Query(None) | Leaf::Other => {}
            }
        }
    }
}

/// The cut of a query, where its rows are in no order, or in one that is known by its columns.
fn cut(query: &Query, rows: Rows, span: Span) -> Option<Cut> {
    if query.bounds.is_sorted {
        let order = order(query, &rows)?;
        return Some(Cut { span, rows, order: Some(order) });
    }
    (!query.bounds.has_order).then_some(Cut { span, rows, order: None })
}

fn order(query: &Query, rows: &Rows) -> Option<Order> {
    let sorted = query.bounds.sorted.as_ref()?;
    let Rows::Select { sources, .. } = rows else { return None };
    let [RowSource { relation: Relation::Named(table), pins }] = sources.as_slice() else { return None };
    let mut columns = sorted.columns.clone();
    columns.extend(pins.iter().filter(|pin| pin.by.is_empty()).map(|pin| pin.column.clone()));
    Some(Order { table: table.clone(), columns, taken: sorted.taken.clone(), end: sorted.end })
}
