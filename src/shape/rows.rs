//! Whether a SELECT has one row at the most, as far as its text tells.
//!
//! Which function is an aggregate and which columns are a key is not known here: both are named, and who knows may tell.

use super::calls::Calls;
use crate::syntax::ast::{exposed_name, joined_name, normalized};
use crate::syntax::scopes::Scopes;
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, Query, Select, TableFactor, TableWithJoins, Visit, Visitor,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

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

/// A column that is equal to something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The column.
    pub column: String,
    /// The sources that the other side has columns of, by their positions; of a constant none.
    pub by: Vec<usize>,
}

/// More than any hand-written query has; common table expressions that read each other twice would grow without end.
const MAX_SIZE: usize = 64;

impl Rows {
    /// The same, unless it is too large to be read again and again.
    pub(super) fn shared(&self) -> Rows {
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

/// What is known around a SELECT.
pub(super) struct Known<'a> {
    /// The names of common table expressions in sight.
    pub scopes: &'a Scopes,
    /// The rows of the queries inside of it and before it, by their addresses.
    pub queries: &'a HashMap<*const Query, Rows>,
    /// The names of the tables of every SELECT around.
    pub outer: &'a [Vec<String>],
}

/// The rows of one SELECT.
pub(super) fn of_select(select: &Select, known: &Known<'_>) -> Rows {
    let mut from = Joined::default();
    for table in &select.from {
        from.table(table);
    }
    from.conditions.extend(select.selection.iter().map(|condition| (condition, 0)));
    let mut sources: Vec<RowSource> =
        from.factors.iter().map(|factor| RowSource { relation: known.relation(factor), pins: Vec::new() }).collect();
    for (at, pin) in from.pins(known) {
        if let Some(source) = sources.get_mut(at) {
            source.pins.push(pin);
        }
    }
    if from.is_outer {
        sources.push(RowSource { relation: Relation::Rows(Rows::Many), pins: Vec::new() });
    }
    Rows::Select { calls: Calls::of(select).names, sources }
}

/// The names that the columns of a SELECT's tables may have in front.
pub(super) fn exposed_names(select: &Select) -> Vec<String> {
    let mut from = Joined::default();
    for table in &select.from {
        from.table(table);
    }
    from.factors.iter().filter_map(|factor| exposed_name(factor)).collect()
}

impl Known<'_> {
    fn relation(&self, factor: &TableFactor) -> Relation {
        match factor {
            // With other names for its columns, a table is another one.
            TableFactor::Table { alias: Some(alias), .. } if !alias.columns.is_empty() => Relation::Rows(Rows::Many),
            TableFactor::Table { name, args: None, .. } => match joined_name(name) {
                Some(name) => match self.scopes.common_table(&name) {
                    Some(body) => Relation::Rows(self.rows(body)),
                    None => Relation::Named(name),
                },
                None => Relation::Rows(Rows::Many),
            },
            TableFactor::Derived { subquery, .. } => Relation::Rows(self.rows(std::ptr::from_ref(subquery.as_ref()))),
            _ => Relation::Rows(Rows::Many),
        }
    }

    /// A query that was not looked at yet reads itself.
    fn rows(&self, query: *const Query) -> Rows {
        self.queries.get(&query).map_or(Rows::Many, Rows::shared)
    }
}

/// The tables of a FROM in the order they are written, with what joins them.
#[derive(Default)]
struct Joined<'a> {
    factors: Vec<&'a TableFactor>,
    /// Conditions, and the first table whose rows they restrict: an outer join keeps those before it.
    conditions: Vec<(&'a Expr, usize)>,
    /// The columns that tables have in common with those before them.
    common: Vec<(usize, Pin)>,
    /// Whether a join may make rows of its own.
    is_outer: bool,
}

impl<'a> Joined<'a> {
    fn table(&mut self, table: &'a TableWithJoins) {
        let start = self.factors.len();
        self.factor(&table.relation);
        for join in &table.joins {
            let joined = self.factors.len();
            self.factor(&join.relation);
            let (constraint, first) = match &join.join_operator {
                JoinOperator::Join(constraint)
                | JoinOperator::Inner(constraint)
                | JoinOperator::CrossJoin(constraint)
                | JoinOperator::StraightJoin(constraint) => (constraint, 0),
                JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => (constraint, joined),
                _ => {
                    self.is_outer = true;
                    continue;
                }
            };
            match constraint {
                JoinConstraint::On(condition) => self.conditions.push((condition, first)),
                // Of several tables in brackets, any may have the column.
                JoinConstraint::Using(columns) if self.factors.len() == joined + 1 => {
                    let names = columns.iter().filter_map(joined_name);
                    let by: Vec<usize> = (start..joined).collect();
                    self.common.extend(names.map(|column| (joined, Pin { column, by: by.clone() })));
                }
                JoinConstraint::Using(_) | JoinConstraint::Natural | JoinConstraint::None => {}
            }
        }
    }

    fn factor(&mut self, factor: &'a TableFactor) {
        match factor {
            TableFactor::NestedJoin { table_with_joins, alias: None } => self.table(table_with_joins),
            other => self.factors.push(other),
        }
    }

    /// The columns that are equal to something, with the positions of their tables.
    fn pins(&self, known: &Known<'_>) -> Vec<(usize, Pin)> {
        let names: Vec<Option<String>> = self.factors.iter().map(|factor| exposed_name(factor)).collect();
        let columns = Columns { names: &names, outer: known.outer };
        let mut pins = self.common.clone();
        for (condition, first) in &self.conditions {
            let mut equal = Vec::new();
            equalities(condition, &mut equal);
            for (left, right) in equal {
                for (column, other) in [(left, right), (right, left)] {
                    let pin = columns.pin(column, other).filter(|(at, _)| at >= first);
                    pins.extend(pin);
                }
            }
        }
        pins
    }
}

/// The two sides of every equality that a condition asks for, whatever else it asks for.
fn equalities<'a>(condition: &'a Expr, found: &mut Vec<(&'a Expr, &'a Expr)>) {
    match condition {
        Expr::Nested(inner) => equalities(inner, found),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            equalities(left, found);
            equalities(right, found);
        }
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } | Expr::IsNotDistinctFrom(left, right) => {
            found.push((left, right));
        }
        _ => {}
    }
}

/// Looks columns up in the tables of one FROM.
struct Columns<'a> {
    names: &'a [Option<String>],
    outer: &'a [Vec<String>],
}

impl Columns<'_> {
    fn pin(&self, column: &Expr, other: &Expr) -> Option<(usize, Pin)> {
        let (at, column) = self.column(column)?;
        let by = self.sources_of(other)?;
        (!by.contains(&at)).then_some((at, Pin { column, by }))
    }

    /// A plain column and the position of its table.
    fn column(&self, expr: &Expr) -> Option<(usize, String)> {
        match expr {
            Expr::Nested(inner) => self.column(inner),
            Expr::Identifier(column) if self.names.len() == 1 => Some((0, normalized(column))),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] => Some((self.table(&normalized(table))?, normalized(column))),
                _ => None,
            },
            _ => None,
        }
    }

    fn table(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known.as_deref() == Some(name))
    }

    /// The tables whose columns an expression uses; `None` where a column may be of any.
    fn sources_of(&self, expr: &Expr) -> Option<Vec<usize>> {
        struct Uses<'a> {
            columns: &'a Columns<'a>,
            found: Vec<usize>,
        }

        impl Visitor for Uses<'_> {
            type Break = ();

            fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
                let table = match expr {
                    Expr::Identifier(_) => return ControlFlow::Break(()),
                    Expr::CompoundIdentifier(parts) => parts.first().map(normalized),
                    _ => return ControlFlow::Continue(()),
                };
                let Some(table) = table else { return ControlFlow::Break(()) };
                match self.columns.table(&table) {
                    Some(at) => self.found.push(at),
                    None if self.columns.outer.iter().flatten().any(|name| *name == table) => {}
                    None => return ControlFlow::Break(()),
                }
                ControlFlow::Continue(())
            }
        }

        let mut uses = Uses { columns: self, found: Vec::new() };
        expr.visit(&mut uses).is_continue().then_some(uses.found)
    }
}
