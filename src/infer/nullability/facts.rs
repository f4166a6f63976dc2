//! What is known of the rows of one operator, and what a condition adds to it.

use datafusion::logical_expr::Expr;
use std::collections::BTreeSet;

/// Most expressions beside columns that are remembered of one operator; what is forgotten may be null.
const MOST_EXPRESSIONS: usize = 64;

/// What is known of every row of an operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts<'p> {
    nullable: Vec<bool>,
    /// Never null, written with the names of the operator's columns.
    never_null: Vec<&'p Expr>,
}

impl<'p> Facts<'p> {
    /// Columns of which it is known whether they may be null.
    pub(super) fn of(nullable: Vec<bool>) -> Facts<'p> {
        Facts { nullable, never_null: Vec::new() }
    }

    /// So many columns, of which nothing is known.
    pub(super) fn unknown(width: usize) -> Facts<'p> {
        Facts::of(vec![true; width])
    }

    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.nullable.len()
    }

    /// Whether each column may be null.
    pub(super) fn columns(&self) -> &[bool] {
        &self.nullable
    }

    /// Whether a column may be null.
    pub(super) fn may_be_null(&self, column: usize) -> bool {
        self.nullable.get(column).copied().unwrap_or(true)
    }

    /// Whether it is known that an expression is never null, other than from its operands.
    pub(super) fn settle(&self, expr: &Expr) -> bool {
        self.never_null.contains(&expr)
    }

    /// Adds what follows from a condition that holds of all rows.
    pub(super) fn learn(&mut self, implied: Implied<'p>) {
        for column in implied.columns {
            if let Some(nullable) = self.nullable.get_mut(column) {
                *nullable = false;
            }
        }
        remember(&mut self.never_null, implied.exprs);
    }

    /// The same rows, of which a condition holds in addition.
    pub(super) fn with(&self, implied: Implied<'p>) -> Facts<'p> {
        let mut facts = self.clone();
        facts.learn(implied);
        facts
    }

    /// Rows of both, side by side.
    pub(super) fn beside(&self, right: &Facts<'p>) -> Facts<'p> {
        let mut facts = self.clone();
        facts.nullable.extend_from_slice(&right.nullable);
        remember(&mut facts.never_null, right.never_null.clone());
        facts
    }
}

/// What is not null where a condition comes out in a certain way.
#[derive(Debug, Clone, Default)]
pub(super) struct Implied<'p> {
    columns: BTreeSet<usize>,
    exprs: Vec<&'p Expr>,
}

impl<'p> Implied<'p> {
    /// A column, by its place in the schema.
    pub(super) fn column(at: usize) -> Implied<'p> {
        Implied { columns: BTreeSet::from([at]), exprs: Vec::new() }
    }

    /// An expression; nothing where it has another value whenever it is evaluated.
    pub(super) fn expr(expr: &'p Expr) -> Implied<'p> {
        let exprs = if expr.is_volatile() { Vec::new() } else { vec![expr] };
        Implied { columns: BTreeSet::new(), exprs }
    }

    /// Where both are the case.
    pub(super) fn and(mut self, other: Implied<'p>) -> Implied<'p> {
        self.columns.extend(other.columns);
        remember(&mut self.exprs, other.exprs);
        self
    }

    /// Where one of the two is the case, whichever it is.
    pub(super) fn or(mut self, other: &Implied<'p>) -> Implied<'p> {
        self.columns.retain(|column| other.columns.contains(column));
        self.exprs.retain(|expr| other.exprs.contains(expr));
        self
    }

    /// The same of columns that stand so many places further on.
    pub(super) fn moved(self, by: usize) -> Implied<'p> {
        Implied { columns: self.columns.into_iter().map(|column| column + by).collect(), exprs: self.exprs }
    }
}

fn remember<'p>(known: &mut Vec<&'p Expr>, exprs: Vec<&'p Expr>) {
    for expr in exprs {
        if known.len() < MOST_EXPRESSIONS && !known.contains(&expr) {
            known.push(expr);
        }
    }
}
