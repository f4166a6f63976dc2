//! What the files of a project say: `qtool.yaml`, the header of a query file, and the two together.
//!
//! The structs here are the formats: the JSON Schemas that editors complete from are generated from them, and a file is
//! checked against that very schema before it is read.

mod bound;
mod lints;
mod text_format;

pub use bound::BoundFrom;
pub use lints::{LintLevel, Lints};
pub use text_format::TextFormat;

use crate::catalog::Catalog;
use crate::source::{FileId, Sources};
use crate::yaml::Document;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::time::Duration;

/// A project as it was loaded: everything that the compiler reads.
#[derive(Debug)]
pub struct Project {
    /// The text of every file.
    pub sources: Sources,
    /// `qtool.yaml`.
    pub file: ProjectFile,
    /// `qtool.yaml` with places.
    pub document: Document,
    /// The query files, sorted by path.
    pub queries: Vec<QueryFile>,
    /// The schemas of the tables.
    pub catalog: Catalog,
}

/// One file under `queries/`.
#[derive(Debug, Clone)]
pub struct QueryFile {
    /// The `.sql` file.
    pub file: FileId,
    /// The `.yaml` file of the same name beside it, if there is one.
    pub sidecar: Option<FileId>,
    /// The path below `queries/` without `.sql`, with `/`: the name where the header gives none.
    pub stem: String,
}

/// `qtool.yaml`: what a project is called, where its tables lie, and what holds for all its queries.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// The server's name, as clients show it.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What the server is for; sent to clients as instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The project's own version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The zone of `current_date` and of times written without an offset: an IANA name or an offset. Default: UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Directories that tables may lie in, relative to the project. Default: the project itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
    /// The tables by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tables: IndexMap<String, TableSource>,
    /// Parameters that several queries have in common, by the name of their group: `params_from` in a header takes them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub param_groups: IndexMap<String, IndexMap<String, ParamConfig>>,
    /// What holds for every query whose header does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// The levels of lints in every query whose header does not say otherwise.
    #[serde(default, skip_serializing_if = "Lints::is_empty")]
    pub lints: Lints,
}

/// Where a table's data lies and how to read it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSource {
    /// A file, a folder or a glob, relative to the project; or a URL: `s3://`, `gs://`, `az://`, `http://`, `https://`.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The file format. Default: what the file's ending says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// What a row is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Columns whose type or description is declared; the type overrides what is inferred from the data.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub columns: IndexMap<String, ColumnSource>,
    /// Whether it is so large that queries must filter it. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large: Option<bool>,
    /// The columns that identify a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primary_key: Vec<String>,
    /// Columns that the folders of the data are named by (`day=2024-03-31/`), with their types.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub partitioned_by: IndexMap<String, String>,
    /// CSV: the character between values. Default: `,`, and a tab for `.tsv`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1))]
    pub delimiter: Option<String>,
    /// CSV: whether the first line names the columns. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// CSV: the text that stands for null beside the empty one, e.g. `NA`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null_value: Option<String>,
    /// CSV and JSON: how the file is compressed. Default: what the file's ending says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Values with commas between.
    Csv,
    /// Values with tabs between.
    Tsv,
    /// One JSON object a line.
    Ndjson,
    /// One JSON list of objects.
    Json,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, file or stream.
    Arrow,
    /// Apache Avro.
    Avro,
}

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip (`.gz`).
    Gzip,
    /// bzip2 (`.bz2`).
    Bzip2,
    /// xz (`.xz`).
    Xz,
    /// Zstandard (`.zst`).
    Zstd,
}

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
}

impl ColumnSource {
    /// The declared type, as written.
    pub fn ty(&self) -> Option<&str> {
        match self {
            ColumnSource::Type(ty) => Some(ty),
            ColumnSource::Full(full) => full.ty.as_deref(),
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

/// Settings of queries that say nothing else in their headers.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defaults {
    /// Most rows a call may return, or `none`. Default: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<ResultLimit>,
    /// How rows are written where the agent does not say. Default: markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_format: Option<TableFormat>,
    /// How long a call may take, e.g. `30s`. Default: 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// Read arguments exactly as published, without the usual leniency towards models. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// The header of a query file, and the `.yaml` file beside it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The tool's name in any spelling; the tool is called by its snake_case. Default: the file's path.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// The tool's title, as clients show it. Default: the name.
    #[serde(default)]
    pub title: Option<String>,
    /// What the tool answers: what agents choose by.
    #[serde(default)]
    pub description: Option<String>,
    /// Words to group tools by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The tool's version.
    #[serde(default)]
    pub version: Option<String>,
    /// Data for clients, published as `_meta`.
    #[serde(default)]
    pub meta: Option<serde_json::Map<String, serde_json::Value>>,
    /// False takes the tool out of service; it is still compiled. Default: true.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// The groups of `qtool.yaml` that say more of its parameters; what the header says itself wins, key by key.
    #[serde(default)]
    pub params_from: OneOrMore,
    /// The parameters by name.
    #[serde(default)]
    pub params: IndexMap<String, ParamConfig>,
    /// Most rows a call may return, or `none`. Default: that of `qtool.yaml`.
    #[serde(default)]
    pub result_limit: Option<ResultLimit>,
    /// Rows where the agent asks for none. Default: the result limit.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub default_limit: Option<u64>,
    /// How rows are written where the agent does not say.
    #[serde(default)]
    pub table_format: Option<TableFormat>,
    /// Which automatic parameters the agent sees. Default: both.
    #[serde(default)]
    pub expose: Option<Vec<AutomaticParameter>>,
    /// How long a call may take, e.g. `30s`.
    #[serde(default)]
    pub timeout: Option<Timeout>,
    /// A tool, or a view that only other queries select from. Default: tool.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// The output columns by name.
    #[serde(default)]
    pub columns: IndexMap<String, ColumnConfig>,
    /// Count all rows where the result is cut; costs a second run of the query. Default: false.
    #[serde(default)]
    pub count_total: Option<bool>,
    /// Read arguments exactly as published. Default: that of `qtool.yaml`.
    #[serde(default)]
    pub strict: Option<bool>,
    /// Conditions across parameters that every call must meet.
    #[serde(default)]
    pub rules: Vec<RuleConfig>,
    /// The levels of lints in this query. Default: those of `qtool.yaml`.
    #[serde(default)]
    pub lints: Lints,
}

/// Most rows of a call where nobody says otherwise.
pub const DEFAULT_RESULT_LIMIT: u64 = 100;

impl Header {
    /// The limit that holds: the header's, else the project's, else [`DEFAULT_RESULT_LIMIT`].
    pub fn effective_limit(&self, defaults: &Defaults) -> ResultLimit {
        self.result_limit.or(defaults.result_limit).unwrap_or(ResultLimit::Rows(DEFAULT_RESULT_LIMIT))
    }
}

/// What the header says of one parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParamConfig {
    /// What the argument means, with its unit.
    #[serde(default)]
    pub description: Option<String>,
    /// A SQL type name, where inference finds none or another one.
    #[serde(rename = "type", default)]
    pub ty: Option<String>,
    /// The value where the agent sends none; makes the parameter optional.
    #[serde(default)]
    pub default: Option<serde_json::Value>,
    /// Where the value comes from, instead of from the agent, who neither sees nor sends it: `claim.NAME`, `header.NAME`
    /// or `env.NAME`. A call without it is refused.
    #[serde(default)]
    pub from: Option<BoundFrom>,
    /// The only values that are accepted; of a list parameter, the only items.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub allowed_values: Option<Vec<serde_json::Value>>,
    /// SQL by the names that an agent chooses it by, put in the place of the placeholder: `{newest: date DESC}`.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub choices: Option<IndexMap<String, String>>,
    /// The smallest value.
    #[serde(default)]
    pub minimum: Option<serde_json::Value>,
    /// The largest value.
    #[serde(default)]
    pub maximum: Option<serde_json::Value>,
    /// The value must be larger.
    #[serde(default)]
    pub exclusive_minimum: Option<serde_json::Value>,
    /// The value must be smaller.
    #[serde(default)]
    pub exclusive_maximum: Option<serde_json::Value>,
    /// Accepts only multiples of it.
    #[serde(default)]
    pub multiple_of: Option<serde_json::Number>,
    /// What a text must be.
    #[serde(default)]
    pub format: Option<TextFormat>,
    /// Whether a call without it is refused. Default: unless it has a default, a `?`, or is used in optional clauses only.
    #[serde(default)]
    pub required: Option<bool>,
    /// Fewest characters.
    #[serde(default)]
    pub min_length: Option<u64>,
    /// Most characters.
    #[serde(default)]
    pub max_length: Option<u64>,
    /// A regular expression that a part of the text must match.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Fewest items of a list.
    #[serde(default)]
    pub min_items: Option<u64>,
    /// Most items of a list.
    #[serde(default)]
    pub max_items: Option<u64>,
    /// Values that show what is meant.
    #[serde(default)]
    pub examples: Option<Vec<serde_json::Value>>,
}

/// One name, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Any number.
    More(Vec<String>),
}

impl Default for OneOrMore {
    fn default() -> Self {
        OneOrMore::More(Vec::new())
    }
}

/// A condition that every call must meet, checked before the query runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// A boolean SQL expression over parameters, e.g. `<< start >> <= << end >>`. NULL passes, as in a CHECK constraint.
    #[schemars(length(min = 1))]
    pub check: String,
    /// What an agent is told whose call does not meet it.
    #[schemars(length(min = 1))]
    pub message: String,
}

/// What the header says of one output column.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnConfig {
    /// What the values mean, with their unit.
    #[serde(default)]
    pub description: Option<String>,
}

/// Whether a query file is a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Published to agents.
    Tool,
    /// Not published; other queries select from it.
    View,
}

/// A parameter that qtool adds to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AutomaticParameter {
    /// How many rows at most.
    Limit,
    /// How rows are written.
    TableFormat,
}

/// How rows are written in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TableFormat {
    /// A Markdown table.
    #[default]
    Markdown,
    /// A list of JSON objects.
    Structured,
    /// TOON: the names once, then one bracketed row after the other.
    Toon,
    /// CSV with a header line.
    Csv,
}

impl TableFormat {
    /// Every format, in the order it is published.
    pub const ALL: [TableFormat; 4] =
        [TableFormat::Markdown, TableFormat::Structured, TableFormat::Toon, TableFormat::Csv];

    /// The name an agent uses.
    pub fn as_str(self) -> &'static str {
        match self {
            TableFormat::Markdown => "markdown",
            TableFormat::Structured => "structured",
            TableFormat::Toon => "toon",
            TableFormat::Csv => "csv",
        }
    }

    /// The format of that name.
    pub fn parse(name: &str) -> Option<TableFormat> {
        TableFormat::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// A positive number of rows, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultLimit {
    /// At most that many.
    Rows(u64),
    /// As many as there are.
    None,
}

impl ResultLimit {
    /// The number, where there is one.
    pub fn rows(self) -> Option<u64> {
        match self {
            ResultLimit::Rows(rows) => Some(rows),
            ResultLimit::None => None,
        }
    }
}

impl Serialize for ResultLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ResultLimit::Rows(rows) => serializer.serialize_u64(*rows),
            ResultLimit::None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for ResultLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        match (value.as_u64(), value.as_str()) {
            (Some(rows), _) if rows > 0 => Ok(ResultLimit::Rows(rows)),
            (_, Some("none")) => Ok(ResultLimit::None),
            _ => Err(serde::de::Error::custom("a number of at least 1, or `none`")),
        }
    }
}

impl JsonSchema for ResultLimit {
    fn schema_name() -> Cow<'static, str> {
        "ResultLimit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of rows of at least 1, or `none`.",
            "x-expected": "a number of at least 1, or `none`",
            "anyOf": [{"type": "integer", "minimum": 1}, {"const": "none"}]
        })
    }
}

/// A length of time, written as a whole number and a unit: `500ms`, `30s`, `5m`, `1h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Duration);

const TIMEOUT_PATTERN: &str = r"^[1-9][0-9]{0,8}(ms|s|m|h)$";

impl Timeout {
    fn parse(text: &str) -> Option<Timeout> {
        let cut = text.find(|c: char| !c.is_ascii_digit())?;
        let (amount, unit) = text.split_at_checked(cut)?;
        let amount: u64 = amount.parse().ok().filter(|amount| (1..1_000_000_000).contains(amount))?;
        let millis = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        };
        Some(Timeout(Duration::from_millis(amount * millis)))
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let millis = self.0.as_millis();
        let text = if millis.is_multiple_of(1_000) { format!("{}s", millis / 1_000) } else { format!("{millis}ms") };
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timeout::parse(&text).ok_or_else(|| serde::de::Error::custom("a time such as `30s`"))
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A length of time such as `500ms`, `30s`, `5m` or `1h`.",
            "x-expected": "a length of time such as `30s`",
            "type": "string",
            "pattern": TIMEOUT_PATTERN
        })
    }
}
