//! What inference gives: a query, and its parameters, with their types.

use super::declaration::Declaration;
use super::lineage::Lineage;
use super::pages::Pages;
use crate::source::Span;
use crate::tool::constraints::TIME_FORMAT;
use crate::tool::{Annotations, Change, Changes, OutputColumn, PlaceholderUse, ToolRule, ToolView};
use crate::ty::Type;
use std::collections::{BTreeMap, BTreeSet};

/// A query whose every parameter and column has a type.
#[derive(Debug)]
pub struct TypedQuery {
    /// The parameters in the order of first use.
    pub parameters: Vec<TypedParameter>,
    /// The columns of the result.
    pub columns: Vec<OutputColumn>,
    /// The queries it selects from, each after those it selects from itself.
    pub views: Vec<ToolView>,
    /// The statement as text, with `$n`.
    pub statement: String,
    /// What `$1` to `$n` are.
    pub placeholders: Vec<PlaceholderUse>,
    /// The types that values of parameters are sent as to a database; it finds those of the others.
    pub sent_as: BTreeMap<String, String>,
    /// The columns of the result whose types are those that a database says of them.
    pub as_told: BTreeSet<String>,
    /// The conditions that every call must meet.
    pub rules: Vec<ToolRule>,
    /// The tables it reads, sorted.
    pub tables: Vec<String>,
    /// The columns of theirs whose values it shows.
    pub lineage: Lineage,
    /// What the plan shows of its effects.
    pub annotations: Annotations,
    /// Whether its result comes in pages.
    pub pages: Pages,
    /// What it changes, and what runs for that; `None` where it only reads.
    pub change: Option<Box<TypedChange>>,
}

/// What a statement in a database's own SQL changes.
#[derive(Debug, Clone)]
pub struct TypedChange {
    /// What clients see of it.
    pub changes: Changes,
    /// What runs.
    pub body: Change,
}

/// A parameter with its type.
#[derive(Debug, Clone)]
pub struct TypedParameter {
    /// What is declared of it, with places.
    pub declaration: Declaration,
    /// Its type.
    pub ty: Type,
    /// Whether a use is a number of rows, behind LIMIT, OFFSET or FETCH, or a distance in the frame of a window.
    pub counts_rows: bool,
    /// Whether a use is a share of all rows: a percentile.
    pub is_share: bool,
    /// Whether a use is the position of a row: that of `nth_value`.
    pub is_position: bool,
    /// Whether a use is the format that a time is written in.
    pub is_format: bool,
    /// The units of time it names one of, as the first argument of `date_trunc` or `date_part`.
    pub units: Option<&'static [&'static str]>,
    /// The labels of an enum of its database that it must be one of, where the author does not say what it may be.
    pub labels: Vec<String>,
    /// The column that it has its type of, where it is compared with one.
    pub set_by: Option<Span>,
    /// The column that it has its type of, where it is a sum or a product with one.
    pub computed_with: Option<Span>,
}

impl TypedParameter {
    /// The bound that a number of rows, a distance, a share and a position have by themselves, where the author gives no
    /// lower one. A position below 0 counts from the end: there are some where the author says so.
    pub fn least(&self) -> Option<serde_json::Value> {
        let config = &self.declaration.config;
        let has_bound = config.minimum.is_some() || config.exclusive_minimum.is_some();
        if has_bound {
            return None;
        }
        if self.counts_rows || self.is_share {
            return Some(0.into());
        }
        let is_free = config.maximum.is_none() && config.exclusive_maximum.is_none();
        (self.is_position && is_free && self.declaration.allowed_values().is_none()).then(|| 1.into())
    }

    /// The bound that a share has by itself, where the author gives no upper one.
    pub fn most(&self) -> Option<serde_json::Value> {
        let config = &self.declaration.config;
        let has_bound = config.maximum.is_some() || config.exclusive_maximum.is_some();
        (self.is_share && !has_bound).then(|| 1.into())
    }

    /// The pattern of a format of times, where the author says nothing of it: one without a part that stands for a time is
    /// written as it is, for every row.
    pub fn pattern(&self) -> Option<String> {
        let config = &self.declaration.config;
        let is_free = config.pattern.is_none() && self.declaration.allowed_values().is_none();
        (self.is_format && is_free).then(|| TIME_FORMAT.to_owned())
    }
}
