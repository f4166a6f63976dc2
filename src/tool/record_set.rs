//! The body of a tool over records: what it does, and the contract that it holds to.

use super::{TableSet, Tool};
use crate::catalog::DatabaseKind;
use crate::project::{Derivation, ModelConfig, RecordContract, RecordToolKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a tool does with a records table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordSet {
    /// What it does.
    pub acts: RecordToolKind,
    /// The folder of the records, as `qtool.yaml` has it.
    pub folder: String,
    /// Who writes where callers do not say who they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The contract.
    pub contract: RecordContract,
    /// What parameters ask of records that are looked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub filters: BTreeMap<String, RecordFilter>,
    /// The table that the records are.
    pub table: TableSet,
    /// How derived fields are made, each behind those that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derivations: Vec<RecordDerivation>,
    /// The database that the records lie in; `None` where that is the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<RecordStore>,
}

/// Where records lie in a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordStore {
    /// The database: a name of `sources`.
    pub source: String,
    /// What kind of database it is.
    pub database: DatabaseKind,
    /// The table of the records, by the parts of its name there.
    pub table: Vec<String>,
    /// The table of what was done to them, by the parts of its name there.
    pub history: Vec<String>,
    /// The columns of fields, by their names there.
    pub columns: BTreeMap<String, String>,
}

/// How derived fields are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordDerivation {
    /// Which, of which, and how.
    pub derivation: Derivation,
    /// What gives the value, where that is a tool: a query, a program, a function or a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Box<DerivedQuery>>,
}

/// A tool that gives the value of a derived field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DerivedQuery {
    /// The tool. Where a model is asked, its request: the prompts are its parameters, and the reply of the server its column.
    pub tool: Tool,
    /// The field of the record that each of its parameters takes its value from.
    pub arguments: BTreeMap<String, String>,
    /// The column that has the value.
    pub column: String,
    /// The model that it asks, and what it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<ModelConfig>>,
}

impl DerivedQuery {
    /// Whether it asks a web service: what one asks may cost something, and is asked for what lasts alone.
    pub fn asks_outside(&self) -> bool {
        let called = self.tool.programs().iter().map(|called| called.tool.as_ref());
        std::iter::once(&self.tool).chain(called).any(|tool| tool.request().is_some() || tool.upstream().is_some())
    }
}

impl RecordSet {
    /// Whether it returns rows of the table, so that what callers see of it holds.
    pub fn reads(&self) -> bool {
        matches!(self.acts, RecordToolKind::List | RecordToolKind::Get | RecordToolKind::Query)
    }
}

/// What a parameter asks of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordFilter {
    /// The field.
    pub field: String,
    /// How its value is compared.
    pub comparison: RecordComparison,
}

/// How a value of a field is compared with one that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordComparison {
    /// They are the same.
    Equal,
    /// It is not smaller.
    AtLeast,
    /// It is not larger.
    AtMost,
}
