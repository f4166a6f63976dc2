//! What is asked of a database, as data: no text of SQL is in it.

use super::bind::Form;
use super::facts::Facts;
use std::sync::Arc;

/// Rows of a table.
#[derive(Debug, Clone)]
pub(super) struct RemoteQuery {
    /// The table.
    pub table: Arc<Facts>,
    /// The columns that are wanted, by their places in the table.
    pub columns: Vec<usize>,
    /// What all rows must meet.
    pub conditions: Vec<Sought>,
    /// How many rows are wanted at most.
    pub fetch: Option<usize>,
}

/// A condition that all rows must meet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sought {
    /// The condition.
    pub condition: Condition,
    /// Whether nobody evaluates it but the database, so that it must not be left out.
    pub is_exact: bool,
}

/// A condition that a database evaluates. What is not in this list is never sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// A column and a value.
    Compare {
        /// The place of the column.
        column: usize,
        /// How they are compared.
        op: Comparison,
        /// The value.
        value: Slot,
    },
    /// A column among values.
    OneOf {
        /// The place of the column.
        column: usize,
        /// The values.
        items: Vec<Slot>,
        /// Whether it must be none of them.
        negated: bool,
    },
    /// Whether a column is NULL, or is not.
    Null {
        /// The place of the column.
        column: usize,
        /// Whether it must not be.
        negated: bool,
    },
    /// A column of booleans that is true, or that is false.
    Is {
        /// The place of the column.
        column: usize,
        /// Which.
        value: bool,
    },
    /// All of them.
    All(Vec<Condition>),
    /// One of them at least.
    Any(Vec<Condition>),
    /// The opposite.
    Not(Box<Condition>),
}

/// How a column is compared with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Eq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
}

impl Comparison {
    /// The same with its sides turned round.
    pub(super) fn turned(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::LtEq => Comparison::GtEq,
            Comparison::Gt => Comparison::Lt,
            Comparison::GtEq => Comparison::LtEq,
            same => same,
        }
    }

    /// The sign, which all databases have.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "=",
            Comparison::NotEq => "<>",
            Comparison::Lt => "<",
            Comparison::LtEq => "<=",
            Comparison::Gt => ">",
            Comparison::GtEq => ">=",
        }
    }
}

/// A value of a condition: which of the values of the query, and in which form it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Its place among the values.
    pub value: usize,
    /// Its form.
    pub form: Form,
}
