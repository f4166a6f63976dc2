//! What a statement looks like to the lints: what bounds and orders its rows, what restricts what it reads, which of its
//! conditions a missing parameter empties.
//!
//! Built once from the syntax tree of a query file. Nothing here knows a schema, or which function is an aggregate: what
//! depends on that is named, and who knows may tell.

mod arena;
mod bounds;
mod calls;
mod compared_values;
mod comparisons;
mod conditions;
mod constant_keys;
mod decisive;
mod extent;
mod from;
mod hand_written;
mod limits;
mod null_literals;
mod operands;
mod outside;
mod pins;
mod projection;
mod restriction;
mod rows;
mod scans;
mod star_items;
mod stars;
mod swallowed;
mod weights;

pub use comparisons::{ClauseEdit, Comparison};
pub use conditions::Between;
pub use constant_keys::ConstantKey;
pub use hand_written::HandWritten;
pub use limits::{Cut, Order, Unbounded};
pub use null_literals::{ComparedNull, NullLiteral};
pub use pins::Pin;
pub use projection::Unnamed;
pub use rows::{Relation, RowSource, Rows};
pub use scans::Filter;
pub use stars::Star;
pub use swallowed::Swallowed;

use crate::source::{FileId, Sources, Span};
use crate::syntax::{ParsedQuery, Reference};
use arena::Arena;
use extent::Extents;
use sqlparser::ast::Statement;
use std::collections::HashMap;
use std::sync::Arc;

/// The shapes of the queries of a project.
#[derive(Debug)]
pub struct Shapes(HashMap<FileId, Shape>);

impl Shapes {
    /// Looks at all statements.
    pub fn of(queries: &[Arc<ParsedQuery>], sources: &Sources) -> Shapes {
        let of_query = |query: &Arc<ParsedQuery>| Some((query.file, Shape::of(query, sources)?));
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
    /// The placeholders that are compared with texts as they are written, by their positions.
    pub compared_values: Vec<usize>,
    /// The optional clauses that are written out.
    pub hand_written: Vec<HandWritten>,
    /// The comparisons with NULL as it is written.
    pub null_literals: Vec<NullLiteral>,
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
        let statement = &whole.statement;
        let extents = Extents::of(file, &whole.tokens);
        let arena = Arena::of(statement, &extents);
        let limits = limits::find(&arena);
        let mut filters = HashMap::new();
        for tree in &query.trees.apart {
            let extents = Extents::of(sources.get(tree.file)?, &tree.tokens);
            filters.extend(scans::find(&Arena::of(&tree.statement, &extents)));
        }
        for (place, filter) in scans::find(&arena) {
            filters.entry(place).or_insert(filter);
        }
        let order = match statement {
            Statement::Query(query) => bounds::order_of(query, file),
            _ => None,
        };
        Some(Shape {
            unnamed: projection::find(statement, &extents),
            stars: stars::find(&arena),
            cuts: limits.cuts,
            order,
            unbounded: limits.unbounded,
            rows: limits.rows,
            comparisons: comparisons::find(&arena, &whole.tokens, &query.placeholders),
            compared_values: compared_values::find(statement),
            hand_written: hand_written::find(&arena, &extents, &query.placeholders),
            null_literals: null_literals::find(&extents),
            constant_keys: constant_keys::find(statement),
            swallowed: swallowed::find(statement, &extents),
            filters,
        })
    }

    /// What restricts the rows that are read of a table or query.
    pub fn filter(&self, reference: &Reference) -> &Filter {
        self.filters.get(&reference.span).unwrap_or(&Filter::Nothing)
    }
}

#[cfg(test)]
mod tests;
