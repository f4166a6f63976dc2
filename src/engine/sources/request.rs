//! From a query and what becomes of its values to what its driver is asked for: the text, and how what comes is read.

use super::bind::Sent;
use super::driver::{Outline, Request};
use super::guards::guarded;
use super::pushed::{self, StandIn};
use super::remote_query::{Call, Function, Part, RemoteQuery, Shape, Slot};
use super::render::{LeftOut, Statement, head, render};
use super::witness::witnesses;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A query, with what all its requests have in common.
#[derive(Debug)]
pub(super) struct Asked {
    query: RemoteQuery,
    /// It is made with the first request: many plans are never run.
    common: OnceLock<Common>,
}

#[derive(Debug)]
struct Common {
    outline: Arc<Outline>,
    /// How the texts begin.
    head: String,
}

impl Deref for Asked {
    type Target = RemoteQuery;

    fn deref(&self) -> &RemoteQuery {
        &self.query
    }
}

impl Asked {
    /// Nothing of it is written yet.
    pub(super) fn new(query: RemoteQuery) -> Asked {
        Asked { query, common: OnceLock::new() }
    }

    fn common(&self) -> &Common {
        self.common.get_or_init(|| Common { outline: Arc::new(outline(&self.query)), head: head(&self.query) })
    }

    /// The text, with what becomes of the values.
    ///
    /// Errors: a condition that nobody else evaluates holds a value that cannot be sent.
    pub(super) fn statement(&self, sent: &dyn Fn(Slot) -> Sent) -> Result<Statement, LeftOut> {
        render(&self.query, &self.common().head, sent)
    }

    /// What is sent, with what becomes of the values.
    ///
    /// Errors: as of [`Asked::statement`].
    pub(super) fn request(&self, sent: &dyn Fn(Slot) -> Sent, batch: usize) -> Result<Request, LeftOut> {
        let Statement { sql, binds } = self.statement(sent)?;
        let outline = Arc::clone(&self.common().outline);
        Ok(Request { outline, sql, binds, most: self.query.most(), batch, session: Vec::new(), deadline: None })
    }
}

fn outline(query: &RemoteQuery) -> Outline {
    let others = query.tables().into_iter().skip(1);
    Outline {
        table: Arc::clone(&query.table.name),
        native: query.table.native.name.clone(),
        schema: query.wire(),
        names: query.names(),
        stand_ins: query.stand_ins(),
        key: query.row(),
        guarded: guarded(query).into_iter().map(|at| query.name(at)).collect(),
        version: query.table.version,
        others: others.map(|table| (table.native.name.clone(), table.version)).collect(),
        is_witnessed: witnesses(query).is_some(),
        is_authored: false,
        as_told: Vec::new(),
        writes: false,
        has_functions: query.tables().into_iter().any(|table| table.calls_functions),
    }
}

impl RemoteQuery {
    /// The column of the table that each output is, with those that are looked at behind them; `None` for a number of rows.
    fn sources(&self) -> Vec<Option<usize>> {
        let of_column = |at: &usize| match &self.shape {
            Shape::Grouped { keys, .. } if *at < keys.len() => keys.get(*at).copied(),
            Shape::Grouped { keys, calls } => calls.get(*at - keys.len()).and_then(|call| call.column),
            Shape::Rows(_) | Shape::Sorted { .. } => Some(*at),
        };
        self.columns.iter().map(of_column).chain(self.checked.iter().map(|at| Some(*at))).collect()
    }

    /// What the columns are called in messages.
    fn names(&self) -> Vec<String> {
        let name = |at: Option<usize>| at.map_or("*".to_owned(), |at| self.name(at));
        self.sources().into_iter().map(name).collect()
    }

    /// The columns as they come: those that are wanted, and those that are looked at.
    fn wire(&self) -> SchemaRef {
        let of_call = |at: &usize| match &self.shape {
            Shape::Grouped { keys, calls } => match calls.get(at.checked_sub(keys.len())?)? {
                Call { function: Function::Count | Function::Sum, .. } => Some(Field::new("n", DataType::Int64, true)),
                Call { function: Function::Total(digits, scale), .. } => {
                    Some(Field::new("n", DataType::Decimal128(*digits, *scale), true))
                }
                Call { function: Function::Min | Function::Max, .. } => None,
            },
            _ => None,
        };
        let places = self.sources();
        let fields = self.columns.iter().chain(&self.checked).zip(places).enumerate().map(|(place, (at, of))| {
            let call = if place < self.columns.len() { of_call(at) } else { None };
            let is_grouped = matches!(&self.shape, Shape::Grouped { keys, .. } if *at >= keys.len());
            let own = || of.map(|of| self.table.schema.field(of).clone());
            let field = call.or_else(own).unwrap_or_else(|| Field::new("n", DataType::Int64, true));
            // The least of no values is none.
            if is_grouped { field.with_nullable(true) } else { field }
        });
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// What may stand in each output for a value of its type.
    fn stand_ins(&self) -> Vec<StandIn> {
        let stand_in = |at: Option<usize>| at.map_or(StandIn::Nothing, |at| pushed::stand_in(&self.table, at));
        self.sources().into_iter().map(stand_in).collect()
    }

    /// What tells a row in messages. A group is many.
    fn row(&self) -> Vec<String> {
        match (&self.shape, self.joined.as_slice()) {
            (Shape::Grouped { .. }, _) => Vec::new(),
            (_, []) => self.table.row.clone(),
            (_, parts) => {
                let of_part =
                    |part: &Part| part.table.row.iter().map(|name| format!("{}.{name}", part.table.name)).collect();
                parts.iter().flat_map::<Vec<String>, _>(of_part).collect()
            }
        }
    }

    /// How many rows come at most, where that is known.
    pub(super) fn most(&self) -> Option<usize> {
        let one = self.finds_one().then_some(1);
        let is_one = matches!(&self.shape, Shape::Grouped { keys, .. } if keys.is_empty());
        if is_one {
            // It takes as long as reading all of them, but for those that a key finds.
            return one;
        }
        self.fetch().into_iter().chain(one).min()
    }
}
