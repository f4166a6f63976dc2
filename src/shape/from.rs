//! The tables of a FROM, in the order in which the syntax tree is walked: each before those inside it.

use super::restriction::{optional_sides, restricted_sides};
use sqlparser::ast::{Select, TableFactor, TableWithJoins};

/// What a FROM reads, or brackets around several.
pub(super) struct Factor<'a> {
    pub factor: &'a TableFactor,
    /// Those around it, by their positions.
    around: Vec<usize>,
    pub side: Side,
}

/// What the joins around a table do with its rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Side {
    /// Whether one has a condition that leaves out rows of it.
    pub is_restricted: bool,
    /// Whether one has rows without it, too.
    pub is_optional: bool,
}

/// All of a SELECT, those in brackets too.
pub(super) fn factors(select: &Select) -> Vec<Factor<'_>> {
    let mut walk = Walk { around: Vec::new(), found: Vec::new() };
    for table in &select.from {
        walk.joined(table);
    }
    walk.found
}

/// The positions of what rows are put together from. Brackets with a name are one of them.
pub(super) fn sources(factors: &[Factor<'_>]) -> Vec<usize> {
    let is_open = |one: &Factor<'_>| matches!(one.factor, TableFactor::NestedJoin { alias: None, .. });
    outermost(factors, is_open)
}

/// The positions of what a star stands for the columns of: brackets are looked into.
pub(super) fn tables(factors: &[Factor<'_>]) -> Vec<usize> {
    outermost(factors, |one| matches!(one.factor, TableFactor::NestedJoin { .. }))
}

/// The positions of what stands in nothing but what is looked into.
fn outermost(factors: &[Factor<'_>], is_looked_into: impl Fn(&Factor<'_>) -> bool) -> Vec<usize> {
    let is_within = |one: &Factor<'_>| one.around.iter().all(|at| factors.get(*at).is_some_and(&is_looked_into));
    let wanted = factors.iter().enumerate().filter(|(_, one)| !is_looked_into(one) && is_within(one));
    wanted.map(|(at, _)| at).collect()
}

struct Walk<'a> {
    around: Vec<usize>,
    found: Vec<Factor<'a>>,
}

impl<'a> Walk<'a> {
    /// Looks at the joins of one table; the positions of its tables, those in brackets too.
    fn joined(&mut self, table: &'a TableWithJoins) -> Vec<usize> {
        let mut left = self.factor(&table.relation);
        for join in &table.joins {
            let right = self.factor(&join.relation);
            let (restricts_left, restricts_right) = restricted_sides(&join.join_operator);
            let (without_left, without_right) = optional_sides(&join.join_operator);
            self.mark(&left, Side { is_restricted: restricts_left, is_optional: without_left });
            self.mark(&right, Side { is_restricted: restricts_right, is_optional: without_right });
            left.extend(right);
        }
        left
    }

    fn mark(&mut self, positions: &[usize], side: Side) {
        for at in positions {
            if let Some(factor) = self.found.get_mut(*at) {
                factor.side.is_restricted |= side.is_restricted;
                factor.side.is_optional |= side.is_optional;
            }
        }
    }

    fn factor(&mut self, factor: &'a TableFactor) -> Vec<usize> {
        let at = self.found.len();
        self.found.push(Factor { factor, around: self.around.clone(), side: Side::default() });
        self.around.push(at);
        let inside = match factor {
            TableFactor::NestedJoin { table_with_joins, .. } => Some(self.joined(table_with_joins)),
            TableFactor::Pivot { table, .. }
            | TableFactor::Unpivot { table, .. }
            | TableFactor::MatchRecognize { table, .. } => {
                self.factor(table);
                None
            }
            _ => None,
        };
        self.around.pop();
        inside.unwrap_or_else(|| vec![at])
    }
}
