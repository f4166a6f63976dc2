//! `records` of `qtool.yaml`: tables with a contract, which tools write too.

use super::column_source::{ColumnDeclaration, ColumnSource};
use super::derivation::DerivedConfig;
use super::files_source::{FileFormat, FilesSource};
use super::record_contract::{LogicalType, RecordContract};
use super::{DatabaseSource, ResultLimit, TableSource, Timeout};
use crate::catalog::DatabaseKind;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A records table: where it lies, and which tools there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordsConfig {
    /// The folder with `contract.yaml` and `records.jsonl`, relative to the project. Default: `records/` and the name of the records.
    #[serde(default)]
    pub path: String,
    /// The database that the records lie in, SQLite or PostgreSQL: a name of `sources`. Default: none, and they lie in the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub source: Option<String>,
    /// What their table is called there, with its schema where it has one: `public.todo`. What was done to them lies beside it, in
    /// `public.todo_provenance`. Default: the name of the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub table: Option<String>,
    /// How derived fields are made, by field, beside the files of `derivations` in the folder.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub derived: IndexMap<String, DerivedConfig>,
    /// Which tools there are, and what they are called. Default: all of them; `materialize` and `status` where fields are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<RecordTools>,
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

/// Which tools there are over records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RecordTools {
    /// These.
    Listed(#[schemars(length(min = 1))] Vec<RecordToolKind>),
    /// These, with names and descriptions of their own.
    Described(Box<DescribedTools>),
}

/// Which tools there are over records, with names and descriptions of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribedTools {
    /// Says what fields records have, and who may write them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub get_contract: Option<DescribedTool>,
    /// Returns records with these values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<DescribedTool>,
    /// Returns one record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub get: Option<DescribedTool>,
    /// Runs one SELECT that the agent has written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<DescribedTool>,
    /// Writes records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upsert: Option<DescribedTool>,
    /// Removes records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete: Option<DescribedTool>,
    /// Says who wrote a record, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<DescribedTool>,
    /// Makes derived fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub materialize: Option<DescribedTool>,
    /// Says what of derived fields is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<DescribedTool>,
}

impl DescribedTools {
    fn tool(&self, kind: RecordToolKind) -> Option<&DescribedTool> {
        match kind {
            RecordToolKind::GetContract => self.get_contract.as_ref(),
            RecordToolKind::List => self.list.as_ref(),
            RecordToolKind::Get => self.get.as_ref(),
            RecordToolKind::Query => self.query.as_ref(),
            RecordToolKind::Upsert => self.upsert.as_ref(),
            RecordToolKind::Delete => self.delete.as_ref(),
            RecordToolKind::History => self.history.as_ref(),
            RecordToolKind::Materialize => self.materialize.as_ref(),
            RecordToolKind::Status => self.status.as_ref(),
        }
    }
}

/// What a tool over records is called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribedTool {
    /// Its name. Default: that of the records and what it does: `todo_list`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// What it does, for agents. Default: what qtool says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub description: Option<String>,
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
        let is_asked = |kind: &RecordToolKind| match &self.tools {
            Some(RecordTools::Listed(kinds)) => kinds.contains(kind),
            Some(RecordTools::Described(tools)) => tools.tool(*kind).is_some(),
            None => true,
        };
        RecordToolKind::ALL.into_iter().filter(is_asked).collect()
    }

    /// What is said of a tool.
    pub fn described(&self, kind: RecordToolKind) -> Option<&DescribedTool> {
        match &self.tools {
            Some(RecordTools::Described(tools)) => tools.tool(kind),
            Some(RecordTools::Listed(_)) | None => None,
        }
    }

    /// What a tool is called, over the records of that name.
    pub fn tool_name(&self, kind: RecordToolKind, records: &str) -> String {
        let own = self.described(kind).and_then(|tool| tool.name.clone());
        own.unwrap_or_else(|| format!("{records}_{}", kind.as_str()))
    }

    /// The names of the tools, over the records of that name.
    pub fn tool_names(&self, records: &str) -> impl Iterator<Item = String> {
        self.kinds().into_iter().map(move |kind| self.tool_name(kind, records))
    }

    /// Most records of a call that writes.
    pub fn most_changes(&self) -> u64 {
        self.max_changes.unwrap_or(MOST_CHANGES)
    }

    /// The table that the records are. `file` is what they lie in, in the folder; `kind` is that of the database, where they lie in one.
    pub fn table_source(&self, contract: &RecordContract, file: &str, kind: Option<DatabaseKind>) -> TableSource {
        let column = |property: &super::record_contract::Property| {
            // PostgreSQL knows its types best.
            let ty = (kind != Some(DatabaseKind::Postgres)).then(|| property.logical_type.ty().to_string());
            let declared =
                ColumnDeclaration { ty, description: property.description.clone(), pii: None, leave_out: None };
            (property.name.clone(), ColumnSource::Full(declared))
        };
        let said = |property: &&super::record_contract::Property| {
            kind != Some(DatabaseKind::Postgres) || property.description.is_some()
        };
        let columns: IndexMap<String, ColumnSource> = contract.properties().iter().filter(said).map(column).collect();
        let description = contract.description.clone().or_else(|| Some(contract.name.clone()));
        let primary_key = contract.key().map(|key| vec![key.name.clone()]).unwrap_or_default();
        match &self.source {
            Some(source) => TableSource::Database(Box::new(DatabaseSource {
                source: source.clone(),
                table: self.table.clone(),
                description,
                columns,
                large: None,
                primary_key,
                writable: None,
                rename: IndexMap::new(),
                is_included: false,
            })),
            None => TableSource::Files(Box::new(FilesSource {
                format: Some(FileFormat::Ndjson),
                description,
                columns,
                primary_key,
                ..FilesSource::of_path(format!("{}/{file}", self.path.trim_end_matches('/')))
            })),
        }
    }

    /// The table of what was done to records, by the parts of its name, beside that of the records.
    pub fn history_table(table: &[String]) -> Vec<String> {
        let mut parts = table.to_vec();
        parts.last_mut().into_iter().for_each(|name| name.push_str("_provenance"));
        parts
    }
}

impl LogicalType {
    /// Whether one value of it is like another, or before it: what records are looked for by.
    pub fn is_scalar(self) -> bool {
        !matches!(self, LogicalType::Array | LogicalType::Object)
    }
}
