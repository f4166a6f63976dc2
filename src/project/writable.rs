//! `writable` of a table: what tools may change of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What may be done to rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WriteOperation {
    /// New rows.
    Insert,
    /// Other values in rows that are there.
    Update,
    /// Rows are removed.
    Delete,
}

impl WriteOperation {
    /// Every operation.
    pub const ALL: [WriteOperation; 3] = [WriteOperation::Insert, WriteOperation::Update, WriteOperation::Delete];

    /// The word of `qtool.yaml`.
    pub fn as_str(self) -> &'static str {
        match self {
            WriteOperation::Insert => "insert",
            WriteOperation::Update => "update",
            WriteOperation::Delete => "delete",
        }
    }

    /// The word of SQL.
    pub fn keyword(self) -> &'static str {
        match self {
            WriteOperation::Insert => "INSERT",
            WriteOperation::Update => "UPDATE",
            WriteOperation::Delete => "DELETE",
        }
    }
}

/// What tools may change of a table: all of it, nothing, or parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Writable {
    /// All of it, or nothing.
    Whole(bool),
    /// Some columns, or some operations.
    Parts(WritableParts),
}

/// Which columns tools may write, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1, "x-expected" = "`columns`, `operations`, or both"))]
pub struct WritableParts {
    /// The columns that may be written, by the names that they have in the database. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub columns: Option<Vec<String>>,
    /// What may be done. Default: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub operations: Option<Vec<WriteOperation>>,
}

impl Writable {
    /// Whether anything may be changed.
    pub fn is_any(&self) -> bool {
        *self != Writable::Whole(false)
    }

    /// Whether that may be done to rows.
    pub fn allows(&self, operation: WriteOperation) -> bool {
        match self {
            Writable::Whole(is_writable) => *is_writable,
            Writable::Parts(parts) => parts.operations.as_ref().is_none_or(|all| all.contains(&operation)),
        }
    }

    /// Whether that column may be written. Databases do not tell letters from capitals.
    pub fn allows_column(&self, column: &str) -> bool {
        match self {
            Writable::Whole(is_writable) => *is_writable,
            Writable::Parts(parts) => {
                parts.columns.as_ref().is_none_or(|all| all.iter().any(|one| one.eq_ignore_ascii_case(column)))
            }
        }
    }

    /// The columns that may be written, where not all may.
    pub fn columns(&self) -> &[String] {
        match self {
            Writable::Whole(_) => &[],
            Writable::Parts(parts) => parts.columns.as_deref().unwrap_or_default(),
        }
    }
}
