//! The columns that the conditions of a SELECT set equal to something, whatever else they ask for.

use crate::syntax::ast::{exposed_name, joined_name, normalized};
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, Select, TableFactor, TableWithJoins, Visit, Visitor,
};
use std::ops::ControlFlow;

/// A column that is equal to something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The column.
    pub column: String,
    /// The sources that the other side has columns of, by their positions; of a constant none.
    pub by: Vec<usize>,
}

/// What joins the tables of a SELECT.
pub(super) struct Pinned {
    /// The names that their columns may have in front.
    pub names: Vec<String>,
    /// The columns that are equal to something, with the positions of their tables.
    pub pins: Vec<(usize, Pin)>,
    /// Whether a join may make rows of its own.
    pub is_outer: bool,
}

/// Looks at the joins and conditions of a SELECT. `outer` are the names of the tables of every SELECT around.
pub(super) fn of_select(select: &Select, outer: &[String]) -> Pinned {
    let mut from = Joined::default();
    for table in &select.from {
        from.table(table);
    }
    from.conditions.extend(select.selection.iter().map(|condition| (condition, 0)));
    let names = from.factors.iter().filter_map(|factor| exposed_name(factor)).collect();
    Pinned { names, pins: from.pins(outer), is_outer: from.is_outer }
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
    fn pins(&self, outer: &[String]) -> Vec<(usize, Pin)> {
        let names: Vec<Option<String>> = self.factors.iter().map(|factor| exposed_name(factor)).collect();
        let columns = Columns { names: &names, outer };
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
    outer: &'a [String],
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
                    None if self.columns.outer.contains(&table) => {}
                    None => return ControlFlow::Break(()),
                }
                ControlFlow::Continue(())
            }
        }

        let mut uses = Uses { columns: self, found: Vec::new() };
        expr.visit(&mut uses).is_continue().then_some(uses.found)
    }
}
