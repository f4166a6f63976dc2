//! `columns` of a table in `qtool.yaml`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A declared column: its type, or its type and description.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ColumnSource {
    /// A SQL type name.
    Type(String),
    /// Both.
    Full(ColumnDeclaration),
}

/// The long form of a declared column.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnDeclaration {
    /// A SQL type name; absent to keep what the data has.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// What the values mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What of a person the values are, in a word: `email`, `name`, `phone`. A tool that returns them as they are is told of
    /// (`unmasked-pii`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub pii: Option<String>,
    /// Databases: whether it is no column of the table. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_out: Option<bool>,
}

impl ColumnSource {
    /// The declared type, as written.
    pub fn ty(&self) -> Option<&str> {
        match self {
            ColumnSource::Type(ty) => Some(ty),
            ColumnSource::Full(full) => full.ty.as_deref(),
        }
    }

    /// Whether it is no column of the table.
    pub fn is_left_out(&self) -> bool {
        matches!(self, ColumnSource::Full(ColumnDeclaration { leave_out: Some(true), .. }))
    }

    /// What of a person the values are, where that is said.
    pub fn pii(&self) -> Option<&str> {
        match self {
            ColumnSource::Type(_) => None,
            ColumnSource::Full(full) => full.pii.as_deref(),
        }
    }

    /// The description, if one is given.
    pub fn description(&self) -> Option<&str> {
        match self {
            ColumnSource::Type(_) => None,
            ColumnSource::Full(full) => full.description.as_deref(),
        }
    }
}
