//! The queries, SELECTs and tables of a statement: one list, built in one walk over the syntax tree, in which each is told
//! by its place.
//!
//! Names in a FROM are looked up here, once: all that reads the list knows which common table expression is meant.

use super::bounds::Bounds;
use super::calls::{Calls, needs_all_rows};
use super::conditions::{self, FilterClause};
use super::extent::Extents;
use super::from;
use super::pins::{self, Pin};
use super::restriction::restricts;
use super::star_items::StarItems;
use super::weights::{Weight, weights};
use crate::source::Span;
use crate::syntax::ast::{exposed_name, joined_name, place_of_name};
use crate::syntax::scopes::Scopes;
use sqlparser::ast::{self, Expr, SetExpr, Spanned as _, Statement, TableFactor, Visit, Visitor};
use std::ops::{ControlFlow, Range};

/// Names one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Id(usize);

/// All of a statement. Each entry stands behind the one that it stands in.
#[derive(Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// Queries and SELECTs in the order in which they end.
    inside_out: Vec<Id>,
}

#[derive(Debug)]
struct Node {
    parent: Option<Id>,
    /// Those that stand in it and in nothing between.
    children: Vec<Id>,
    kind: Kind,
}

/// What an entry is.
#[derive(Debug)]
pub(super) enum Kind {
    Query(Query),
    Select(Select),
    Table(Table),
}

/// A query with what its WITH, LIMIT and ORDER BY say.
#[derive(Debug)]
pub(super) struct Query {
    pub role: Role,
    /// What its rows come from; several, where a set operation joins them.
    pub leaves: Vec<Leaf>,
    /// What each of those means for its rows.
    pub weights: Vec<Weight>,
    pub bounds: Bounds,
    /// The conditions behind its `|>`.
    pub filters: Vec<FilterClause>,
    /// Its first token.
    at: Option<usize>,
}

impl Query {
    /// Whether it stands in a range of tokens.
    pub(super) fn stands_in(&self, range: &Range<usize>) -> bool {
        self.at.is_some_and(|at| range.contains(&at))
    }
}

/// What a query is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The rows of the result, or of the query or FROM that it stands in.
    Rows,
    /// It is the body of a common table expression.
    Common,
    /// EXISTS asks whether it has rows.
    Exists {
        /// Whether it must have none.
        negated: bool,
    },
    /// Those of its rows that are alike.
    Set,
    /// A value, or several to compare with.
    Value,
}

/// What the rows of a query come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    Select(Option<Id>),
    Query(Option<Id>),
    Table,
    Other,
}

impl Leaf {
    /// The entry of it.
    pub(super) fn id(self) -> Option<Id> {
        match self {
            Leaf::Select(id) | Leaf::Query(id) => id,
            Leaf::Table | Leaf::Other => None,
        }
    }
}

/// One SELECT.
#[derive(Debug)]
pub(super) struct Select {
    pub has_from: bool,
    /// What is called on all its rows.
    pub calls: Calls,
    /// Whether its rows say nothing of the single rows that it reads. Aggregates of all rows are told by their names.
    pub needs_all_rows: bool,
    /// Whether its WHERE leaves out rows at every call.
    pub is_restricted: bool,
    /// What its rows are put together from.
    pub sources: Vec<Id>,
    /// What a star stands for the columns of.
    pub tables: Vec<Id>,
    /// The columns that are equal to something, with the positions of their sources.
    pub pins: Vec<(usize, Pin)>,
    /// Whether a join may make rows of its own.
    pub is_outer: bool,
    pub stars: StarItems,
    /// Its conditions.
    pub filters: Vec<FilterClause>,
}

/// What a FROM reads, or brackets around several.
#[derive(Debug)]
pub(super) struct Table {
    pub source: Source,
    /// The name that its columns may have in front.
    pub name: Option<String>,
    /// Whether its columns have other names.
    pub renames_columns: bool,
    /// Whether a join has a condition that leaves out rows of it.
    pub is_restricted: bool,
    /// Whether rows are put together without it, too, where none of its own fits.
    pub is_optional: bool,
    /// The innermost common table expression that it stands in.
    pub within: Option<Id>,
    /// Where it is named.
    pub place: Span,
}

/// What is read.
#[derive(Debug)]
pub(super) enum Source {
    /// A table or query outside of the statement.
    Named(String),
    /// A common table expression.
    Common(Id),
    /// A query in the FROM.
    Derived(Option<Id>),
    /// A function, or brackets.
    Other,
}

impl Arena {
    /// Walks over a statement.
    pub(super) fn of(statement: &Statement, extents: &Extents<'_>) -> Arena {
        let mut builder = Builder {
            extents,
            arena: Arena::default(),
            open: Vec::new(),
            names: Vec::new(),
            scopes: Scopes::default(),
            queries: Vec::new(),
        };
        let _ = statement.visit(&mut builder);
        builder.arena
    }

    /// The query of the statement itself.
    pub(super) fn root(&self) -> Id {
        Id(0)
    }

    /// All entries, each behind the one that it stands in.
    pub(super) fn outside_in(&self) -> impl Iterator<Item = Id> {
        (0..self.nodes.len()).map(Id)
    }

    /// Queries and SELECTs, each behind those that stand in it and those it can read.
    pub(super) fn inside_out(&self) -> impl Iterator<Item = Id> {
        self.inside_out.iter().copied()
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id.0)?.parent
    }

    pub(super) fn children(&self, id: Id) -> &[Id] {
        self.nodes.get(id.0).map_or(&[], |node| node.children.as_slice())
    }

    /// The conditions that an entry has itself.
    pub(super) fn filters(&self, id: Id) -> &[FilterClause] {
        match self.kind(id) {
            Some(Kind::Query(query)) => &query.filters,
            Some(Kind::Select(select)) => &select.filters,
            Some(Kind::Table(_)) | None => &[],
        }
    }

    pub(super) fn kind(&self, id: Id) -> Option<&Kind> {
        Some(&self.nodes.get(id.0)?.kind)
    }

    pub(super) fn query(&self, id: Id) -> Option<&Query> {
        match self.kind(id)? {
            Kind::Query(query) => Some(query),
            _ => None,
        }
    }

    pub(super) fn select(&self, id: Id) -> Option<&Select> {
        match self.kind(id)? {
            Kind::Select(select) => Some(select),
            _ => None,
        }
    }

    pub(super) fn table(&self, id: Id) -> Option<&Table> {
        match self.kind(id)? {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    fn push(&mut self, parent: Option<Id>, kind: Kind) -> Id {
        let id = Id(self.nodes.len());
        if let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(parent.0)) {
            parent.children.push(id);
        }
        self.nodes.push(Node { parent, children: Vec::new(), kind });
        id
    }

    fn kind_mut(&mut self, id: Id) -> Option<&mut Kind> {
        Some(&mut self.nodes.get_mut(id.0)?.kind)
    }

    /// Notes the next thing of its kind that the rows of a query come from.
    fn fill(&mut self, query: Id, filled: Leaf) {
        let Some(Kind::Query(query)) = self.kind_mut(query) else { return };
        let empty = match filled {
            Leaf::Select(_) => Leaf::Select(None),
            _ => Leaf::Query(None),
        };
        if let Some(leaf) = query.leaves.iter_mut().find(|leaf| **leaf == empty) {
            *leaf = filled;
        }
    }
}

/// What the walk stands in.
struct Open {
    id: Id,
    /// How many common table expressions of a query are still to come: they come first.
    common: usize,
    /// The tables of a SELECT that are still to come, the next at the end.
    tables: Vec<Id>,
    /// What a query would be read for, for each expression that is open.
    expressions: Vec<Role>,
}

struct Builder<'a> {
    extents: &'a Extents<'a>,
    arena: Arena,
    open: Vec<Open>,
    /// The names of the tables of every SELECT that is open.
    names: Vec<Vec<String>>,
    scopes: Scopes,
    /// The queries by the numbers that the scopes know them by.
    queries: Vec<Id>,
}

impl Builder<'_> {
    fn enter(&mut self, id: Id, common: usize, tables: Vec<Id>) {
        self.open.push(Open { id, common, tables, expressions: Vec::new() });
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    fn parent(&self) -> Option<Id> {
        self.open.last().map(|open| open.id)
    }

    /// The common table expression that the walk is in.
    fn within(&self) -> Option<Id> {
        self.queries.get(self.scopes.body()?).copied()
    }

    /// What the next query is read for.
    fn role(&mut self) -> Role {
        let Some(open) = self.open.last_mut() else { return Role::Rows };
        match open.expressions.last() {
            Some(role) => *role,
            None if open.common > 0 => {
                open.common -= 1;
                Role::Common
            }
            None => Role::Rows,
        }
    }

    fn table(&mut self, parent: Option<Id>, factor: &TableFactor, side: from::Side) -> Id {
        let within = self.within();
        let mut place = self.extents.file.span(0, 0);
        let mut source = Source::Other;
        let mut renames_columns = false;
        match factor {
            TableFactor::Table { name, alias, args, .. } => {
                renames_columns = alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
                if let (None, Some(joined)) = (args, joined_name(name)) {
                    place = place_of_name(self.extents.file, name, &joined);
                    let body = self.scopes.common_table(&joined).map(|number| self.queries.get(number));
                    source = match body {
                        Some(Some(body)) => Source::Common(*body),
                        Some(None) => Source::Other,
                        None => Source::Named(joined),
                    };
                }
            }
            TableFactor::Derived { .. } => source = Source::Derived(None),
            _ => {}
        }
        let name = exposed_name(factor);
        let from::Side { is_restricted, is_optional } = side;
        let table = Table { source, name, renames_columns, is_restricted, is_optional, within, place };
        self.arena.push(parent, Kind::Table(table))
    }
}

impl Visitor for Builder<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &ast::Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        let (role, parent) = (self.role(), self.parent());
        let mut leaves = Vec::new();
        collect_leaves(&query.body, &mut leaves);
        let bounds = Bounds::of(query, self.extents.file, self.extents.tokens);
        let filters = conditions::of_query(query, self.extents);
        let at = self.extents.first_at(query.span());
        let weights = weights(&query.body);
        let id = self.arena.push(parent, Kind::Query(Query { role, leaves, weights, bounds, filters, at }));
        self.queries.push(id);
        if let Some(parent) = parent.filter(|_| role == Role::Rows) {
            self.arena.fill(parent, Leaf::Query(Some(id)));
            if let Some(Kind::Table(Table { source: Source::Derived(place @ None), .. })) = self.arena.kind_mut(parent)
            {
                *place = Some(id);
            }
        }
        self.enter(id, query.with.as_ref().map_or(0, |with| with.cte_tables.len()), Vec::new());
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &ast::Query) -> ControlFlow<()> {
        self.arena.inside_out.extend(self.parent());
        self.leave();
        self.scopes.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &ast::Select) -> ControlFlow<()> {
        let outer: Vec<String> = self.names.concat();
        let pinned = pins::of_select(select, &outer);
        let parent = self.parent();
        let id = self.arena.push(
            parent,
            Kind::Select(Select {
                has_from: !select.from.is_empty(),
                calls: Calls::of(select),
                needs_all_rows: needs_all_rows(select),
                is_restricted: select.selection.iter().chain(&select.prewhere).any(restricts),
                sources: Vec::new(),
                tables: Vec::new(),
                pins: pinned.pins,
                is_outer: pinned.is_outer,
                stars: StarItems::of(select, self.extents),
                filters: conditions::of_select(select, self.extents),
            }),
        );
        if let Some(parent) = parent {
            self.arena.fill(parent, Leaf::Select(Some(id)));
        }
        let factors = from::factors(select);
        let tables: Vec<Id> = factors.iter().map(|one| self.table(Some(id), one.factor, one.side)).collect();
        let ids = |positions: Vec<usize>| positions.iter().filter_map(|at| tables.get(*at)).copied().collect();
        if let Some(Kind::Select(select)) = self.arena.kind_mut(id) {
            select.sources = ids(from::sources(&factors));
            select.tables = ids(from::tables(&factors));
        }
        self.names.push(pinned.names);
        self.enter(id, 0, tables.into_iter().rev().collect());
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &ast::Select) -> ControlFlow<()> {
        self.arena.inside_out.extend(self.parent());
        self.leave();
        self.names.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let is_table = |open: &&mut Open| matches!(self.arena.kind(open.id), Some(Kind::Table(_)));
        let around = self.open.iter_mut().rev().find(|open| !is_table(open));
        let known = around.and_then(|open| open.tables.pop());
        // A join behind `|>` is in no FROM.
        let id = match known {
            Some(id) => id,
            None => self.table(self.parent(), factor, from::Side::default()),
        };
        self.enter(id, 0, Vec::new());
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, _: &TableFactor) -> ControlFlow<()> {
        self.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let role = match expr {
            Expr::Exists { negated, .. } => Role::Exists { negated: *negated },
            Expr::InSubquery { negated: false, .. } => Role::Set,
            _ => Role::Value,
        };
        if let Some(open) = self.open.last_mut() {
            open.expressions.push(role);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        if let Some(open) = self.open.last_mut() {
            open.expressions.pop();
        }
        ControlFlow::Continue(())
    }
}

fn collect_leaves(body: &SetExpr, found: &mut Vec<Leaf>) {
    match body {
        SetExpr::Select(_) => found.push(Leaf::Select(None)),
        SetExpr::Query(_) => found.push(Leaf::Query(None)),
        SetExpr::SetOperation { left, right, .. } => {
            collect_leaves(left, found);
            collect_leaves(right, found);
        }
        SetExpr::Table(_) => found.push(Leaf::Table),
        _ => found.push(Leaf::Other),
    }
}
