//! `records` of `qtool.yaml`: tables with a contract, which tools write too.

use super::column_source::{ColumnDeclaration, ColumnSource};
use super::derivation::DerivedConfig;
use super::files_source::{FileFormat, FilesSource};
use super::record_contract::{LogicalType, RecordContract};
use super::{ResultLimit, Timeout};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A records table: where it lies, and which tools there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordsConfig {
    /// The folder with `contract.yaml` and `records.jsonl`, relative to the project.
    #[schemars(length(min = 1))]
    pub path: String,
    /// How derived fields are made, by field, beside the files of `derivations` in the folder.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub derived: IndexMap<String, DerivedConfig>,
    /// Which tools there are. Default: all of them; `materialize` and `status` where fields are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub tools: Option<Vec<RecordToolKind>>,
    /// Most records of a call that writes. Default: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_changes: Option<u64>,
    /// Whether a person sees what a call would write or remove, and must agree to it. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// Who writes where a caller has no token: over standard input, and where there is no `auth`. Default: nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub actor: Option<String>,
    /// Most rows a call may return. Default: that of `defaults`, else 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<ResultLimit>,
    /// What a caller's token must be good for: without all of these the tools are neither listed nor callable over HTTP.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which scopes a caller needs: without `scopes` every caller sees and calls them"))]
    pub scopes: Vec<String>,
    /// Words to group tools by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
    /// How long a call may take, e.g. `10s`. Default: that of `defaults`, else 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
}

/// What a tool does with a records table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordToolKind {
    /// Says what fields records have, and who may write them.
    GetContract,
    /// Returns records with these values.
    List,
    /// Returns one record.
    Get,
    /// Runs one SELECT that the agent has written.
    Query,
    /// Writes records.
    Upsert,
    /// Removes records.
    Delete,
    /// Says who wrote a record, and when.
    History,
    /// Makes derived fields.
    Materialize,
    /// Says what of derived fields is made.
    Status,
}

impl RecordToolKind {
    /// Every kind, in the order in which they are documented.
    pub const ALL: [RecordToolKind; 9] = [
        RecordToolKind::GetContract,
        RecordToolKind::List,
        RecordToolKind::Get,
        RecordToolKind::Query,
        RecordToolKind::Upsert,
        RecordToolKind::Delete,
        RecordToolKind::History,
        RecordToolKind::Materialize,
        RecordToolKind::Status,
    ];

    /// The word for it in `qtool.yaml`, and behind the name of the table.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordToolKind::GetContract => "get_contract",
            RecordToolKind::List => "list",
            RecordToolKind::Get => "get",
            RecordToolKind::Query => "query",
            RecordToolKind::Upsert => "upsert",
            RecordToolKind::Delete => "delete",
            RecordToolKind::History => "history",
            RecordToolKind::Materialize => "materialize",
            RecordToolKind::Status => "status",
        }
    }

    /// The name of the tool over these records.
    pub fn tool_name(self, records: &str) -> String {
        format!("{records}_{}", self.as_str())
    }

    /// Whether it changes records.
    pub fn writes(self) -> bool {
        matches!(self, RecordToolKind::Upsert | RecordToolKind::Delete | RecordToolKind::Materialize)
    }

    /// Whether it is about derived fields.
    pub fn is_of_derived(self) -> bool {
        matches!(self, RecordToolKind::Materialize | RecordToolKind::Status)
    }
}

/// Most records of a call that writes, where nobody says.
const MOST_CHANGES: u64 = 100;

impl RecordsConfig {
    /// The kinds that are asked for, each once.
    pub fn kinds(&self) -> Vec<RecordToolKind> {
        match &self.tools {
            Some(named) => RecordToolKind::ALL.into_iter().filter(|kind| named.contains(kind)).collect(),
            None => RecordToolKind::ALL.to_vec(),
        }
    }

    /// Most records of a call that writes.
    pub fn most_changes(&self) -> u64 {
        self.max_changes.unwrap_or(MOST_CHANGES)
    }

    /// The table that the records are. `file` is what they lie in, in the folder.
    pub fn table(&self, contract: &RecordContract, file: &str) -> FilesSource {
        let column = |property: &super::record_contract::Property| {
            let declared = ColumnDeclaration {
                ty: Some(property.logical_type.ty().to_string()),
                description: property.description.clone(),
                pii: None,
                leave_out: None,
            };
            (property.name.clone(), ColumnSource::Full(declared))
        };
        let columns: IndexMap<String, ColumnSource> = contract.properties().iter().map(column).collect();
        FilesSource {
            format: Some(FileFormat::Ndjson),
            description: contract.description.clone().or_else(|| Some(contract.name.clone())),
            columns,
            primary_key: contract.key().map(|key| vec![key.name.clone()]).unwrap_or_default(),
            ..FilesSource::of_path(format!("{}/{file}", self.path.trim_end_matches('/')))
        }
    }
}

impl LogicalType {
    /// Whether one value of it is like another, or before it: what records are looked for by.
    pub fn is_scalar(self) -> bool {
        !matches!(self, LogicalType::Array | LogicalType::Object)
    }
}
