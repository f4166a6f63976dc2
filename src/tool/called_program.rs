//! A program whose rows a query selects from.

use super::Tool;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A program whose rows a query selects from, in one use of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalledProgram {
    /// The name that its rows have as a table, in the statements of the query.
    pub table: String,
    /// What is called.
    pub tool: Box<Tool>,
    /// What it is called with, by the names of its parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, ProgramArgument>,
}

/// An argument of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgramArgument {
    /// The value of a parameter of the query.
    Parameter(String),
    /// A value that is written in the query.
    Value(Value),
}
