//! What a statement looks like to the lints: what bounds and orders its rows, what restricts what it reads, which of its
//! conditions a missing parameter empties.
//!
//! Built once from the syntax tree of a query file. Nothing here knows a schema, or which function is an aggregate: what
//! depends on that is named, and who knows may tell.

mod calls;
mod comparisons;
mod constant_keys;
mod limits;
mod projection;
mod rows;
mod scans;
mod stars;
mod swallowed;

pub use comparisons::{Between, ClauseEdit, Comparison};
pub use constant_keys::ConstantKey;
pub use limits::{Cut, Order, Unbounded};
pub use projection::Unnamed;
pub use rows::{Pin, Relation, RowSource, Rows};
pub use scans::Filter;
pub use stars::Star;
pub use swallowed::Swallowed;

use crate::source::{FileId, Sources, Span};
use crate::syntax::{ParsedQuery, Reference};
use std::collections::HashMap;

/// The shapes of the queries of a project.
#[derive(Debug)]
pub struct Shapes(HashMap<FileId, Shape>);

impl Shapes {
    /// Looks at all statements.
    pub fn of(queries: &[ParsedQuery], sources: &Sources) -> Shapes {
        let of_query = |query: &ParsedQuery| Some((query.file, Shape::of(query, sources)?));
        Shapes(queries.iter().filter_map(of_query).collect())
    }

    /// The shape of a query; under new names for its parameters, it is that of its file.
    pub fn get(&self, query: &ParsedQuery) -> Option<&Shape> {
        self.0.get(&query.file)
    }
}

/// What a statement looks like, with the first of all choices.
#[derive(Debug)]
pub struct Shape {
    /// The expressions of the result that have no name.
    pub unnamed: Vec<Unnamed>,
    /// The `*` over tables and other queries that make columns of the result.
    pub stars: Vec<Star>,
    /// The LIMITs and their like that cut rows in no order, or in one that may not tell all rows apart.
    pub cuts: Vec<Cut>,
    /// What the rows of the result are sorted by.
    pub order: Option<Span>,
    /// The SELECTs of the result that no LIMIT bounds at every call.
    pub unbounded: Vec<Unbounded>,
    /// How many rows it has at the most.
    pub rows: Rows,
    /// The comparisons with placeholders outside of optional clauses.
    pub comparisons: Vec<Comparison>,
    /// The keys of ORDER BY and its like that are made of parameters alone.
    pub constant_keys: Vec<ConstantKey>,
    /// The conditions that go with an optional clause before them.
    pub swallowed: Vec<Swallowed>,
    /// What restricts what is read, by the places where it is named.
    filters: HashMap<Span, Filter>,
}

impl Shape {
    fn of(query: &ParsedQuery, sources: &Sources) -> Option<Shape> {
        let file = sources.get(query.file)?;
        let whole = &query.trees.statement;
        let (statement, tokens) = (&whole.statement, whole.tokens.as_slice());
        let limits = limits::find(statement, file, tokens);
        let mut filters = HashMap::new();
        for tree in query.trees.apart.iter().chain([whole]) {
            for (place, filter) in scans::find(&tree.statement, sources.get(tree.file)?) {
                filters.entry(place).or_insert(filter);
            }
        }
        Some(Shape {
            unnamed: projection::find(statement, file, tokens),
            stars: stars::find(statement, file, tokens),
            cuts: limits.cuts,
            order: limits.order,
            unbounded: limits.unbounded,
            rows: limits.rows.unwrap_or(Rows::Many),
            comparisons: comparisons::find(&query.tokens, &query.placeholders),
            constant_keys: constant_keys::find(statement),
            swallowed: swallowed::find(&query.tokens),
            filters,
        })
    }

    /// What restricts the rows that are read of a table or query.
    pub fn filter(&self, reference: &Reference) -> &Filter {
        self.filters.get(&reference.span).unwrap_or(&Filter::Nothing)
    }
}
