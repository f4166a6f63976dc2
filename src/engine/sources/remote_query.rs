//! What is asked of a database, as data: no text of SQL is in it.

use super::bind::Form;
use super::facts::Facts;
use std::sync::Arc;

/// How many rows a table is thought to have of which that is not known.
const LARGE: usize = 1_000_000;

/// The part of the rows that a condition is thought to leave, as where files are read.
const KEPT: f64 = 0.2;

/// More conditions are thought to say the same again.
const MOST_COUNTED: usize = 3;

/// Rows of a table, or of several that are joined.
#[derive(Debug, Clone)]
pub(super) struct RemoteQuery {
    /// The table; of several, what is known of all of them together.
    pub table: Arc<Facts>,
    /// The tables that are joined; none where there is one table.
    pub joined: Vec<Part>,
    /// The columns that are wanted, by their places in what the shape gives.
    pub columns: Vec<usize>,
    /// Columns of conditions that are read to be looked at, and not returned. Of groups, they are counted.
    pub checked: Vec<usize>,
    /// What all rows must meet.
    pub conditions: Vec<Sought>,
    /// What is given of the rows that meet them.
    pub shape: Shape,
}

/// A table that is joined with those before it.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The table.
    pub table: Arc<Facts>,
    /// The place of its first column among those of all tables.
    pub first: usize,
    /// What its rows must meet, by its own columns.
    pub conditions: Vec<Sought>,
    /// Pairs of columns, by their places among those of all tables, that are equal: one before, and one of this table. The
    /// first table has none.
    pub on: Vec<(usize, usize)>,
    /// Whether rows before it stay that it has no row for.
    pub is_outer: bool,
    /// How many of its rows are joined, if not all.
    pub fetch: Option<usize>,
}

/// What is given of the rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// The rows, or so many of them.
    Rows(Option<usize>),
    /// The first of them in an order.
    Sorted {
        /// The order.
        keys: Vec<SortKey>,
        /// How many.
        fetch: usize,
    },
    /// Their groups: the keys, then what is made of each group. Without keys, they are one group.
    Grouped {
        /// The places of the columns that are equal in a group.
        keys: Vec<usize>,
        /// What is made of it.
        calls: Vec<Call>,
    },
}

/// A column of an order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    /// The place of the column.
    pub column: usize,
    /// Whether the largest comes first.
    pub is_descending: bool,
    /// Whether NULL comes first.
    pub nulls_first: bool,
}

/// What is made of a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// What.
    pub function: Function,
    /// The place of the column that it is made of; `None` for the rows themselves.
    pub column: Option<usize>,
}

impl RemoteQuery {
    /// How many rows are asked for.
    pub(super) fn fetch(&self) -> Option<usize> {
        match &self.shape {
            Shape::Rows(fetch) => *fetch,
            Shape::Sorted { fetch, .. } => Some(*fetch),
            Shape::Grouped { .. } => None,
        }
    }

    /// About how many rows come. A table of which that is not known is thought to be large: joined with another, that one
    /// is read first, and says what is wanted of it.
    pub(super) fn about(&self) -> usize {
        if matches!(&self.shape, Shape::Grouped { keys, .. } if keys.is_empty()) {
            return 1;
        }
        if self.finds_one() {
            return 1;
        }
        let kept = KEPT.powi(i32::try_from(self.sought().count().min(MOST_COUNTED)).unwrap_or_default());
        let fetch = self.joined.iter().find_map(|part| part.fetch).unwrap_or(usize::MAX);
        ((self.table.rows.unwrap_or(LARGE) as f64 * kept) as usize).clamp(1, fetch.max(1))
    }

    /// Whether a value of a key is asked for, which one row has. Where it is left out there are more; that is found out when
    /// it is sent.
    pub(super) fn finds_one(&self) -> bool {
        let is_of_key = |(at, sought): (usize, &Sought)| matches!(sought.condition, Condition::Compare { column, op: Comparison::Eq, .. } if self.table.is_key(at + column));
        self.sought().any(is_of_key)
    }

    /// All conditions in the order in which they are written, and where the columns begin that each of them counts.
    pub(super) fn sought(&self) -> impl Iterator<Item = (usize, &Sought)> {
        let of_parts = self.joined.iter().flat_map(|part| part.conditions.iter().map(|sought| (part.first, sought)));
        of_parts.chain(self.conditions.iter().map(|sought| (0, sought)))
    }

    /// What a column is called in messages.
    pub(super) fn name(&self, at: usize) -> String {
        match self.joined.iter().rfind(|part| part.first <= at) {
            Some(Part { table, first, .. }) => format!("{}.{}", table.name, table.schema.field(at - first).name()),
            None => self.table.schema.field(at).name().clone(),
        }
    }

    /// The tables that are read.
    pub(super) fn tables(&self) -> Vec<&Arc<Facts>> {
        match self.joined.as_slice() {
            [] => vec![&self.table],
            parts => parts.iter().map(|part| &part.table).collect(),
        }
    }

    /// Whether it names a column that is lost.
    pub(super) fn reads_lost(&self) -> bool {
        let is_lost = |at: &usize| self.table.lost.contains(at);
        let of_shape = match &self.shape {
            Shape::Rows(_) => self.columns.iter().any(is_lost),
            Shape::Sorted { keys, .. } => {
                self.columns.iter().any(is_lost) || keys.iter().any(|key| is_lost(&key.column))
            }
            Shape::Grouped { keys, calls } => {
                keys.iter().any(is_lost) || calls.iter().filter_map(|call| call.column).any(|at| is_lost(&at))
            }
        };
        let mut found = of_shape || self.checked.iter().any(is_lost);
        self.sought().for_each(|(first, sought)| sought.condition.columns(&mut |at| found |= is_lost(&(first + at))));
        found || self.joined.iter().flat_map(|part| &part.on).any(|(one, other)| is_lost(one) || is_lost(other))
    }

    /// All rows of a table.
    pub(super) fn rows(table: Arc<Facts>, columns: Vec<usize>) -> RemoteQuery {
        let (joined, checked, conditions) = (Vec::new(), Vec::new(), Vec::new());
        RemoteQuery { table, joined, columns, checked, conditions, shape: Shape::Rows(None) }
    }
}

impl Condition {
    /// Hands out the values in the order of their placeholders.
    pub(super) fn slots(&self, found: &mut dyn FnMut(Slot)) {
        match self {
            Condition::Compare { value, .. } => found(*value),
            Condition::OneOf { items, .. } => items.iter().for_each(|item| found(*item)),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| part.slots(found)),
            Condition::Not(inner) => inner.slots(found),
            Condition::Null { .. } | Condition::Is { .. } => {}
        }
    }

    /// Hands out the columns.
    pub(super) fn columns(&self, found: &mut dyn FnMut(usize)) {
        match self {
            Condition::Compare { column, .. }
            | Condition::OneOf { column, .. }
            | Condition::Null { column, .. }
            | Condition::Is { column, .. } => found(*column),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| part.columns(found)),
            Condition::Not(inner) => inner.columns(found),
        }
    }
}

/// A function of the rows of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// How many are not NULL.
    Count,
    /// The least.
    Min,
    /// The largest.
    Max,
    /// The sum of integers.
    Sum,
    /// The sum of decimals: a decimal of so many digits, so many of them behind the point.
    Total(u8, i8),
}

impl Function {
    /// The name, which all databases have.
    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Count => "count",
            Function::Min => "min",
            Function::Max => "max",
            Function::Sum | Function::Total(..) => "sum",
        }
    }
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
