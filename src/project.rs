//! What the files of a project say: `qtool.yaml`, the header of a query file, and the two together.
//!
//! The structs here are the formats: the JSON Schemas that editors complete from are generated from them, and a file is
//! checked against that very schema before it is read.

mod allowed_values;
mod appearance;
mod audit;
mod auth;
mod bound;
mod column_source;
mod database_source;
mod discovery;
mod eval;
mod files_source;
mod http;
mod inclusion;
mod limits;
mod lints;
mod package;
mod param;
mod prompt;
mod resources;
mod settings;
mod sources;
mod statements;
mod table_source;
mod table_tools;
mod test;
mod text_format;
mod variables;

pub use allowed_values::{AllowedQueryConfig, AllowedValues, Refresh, UnreadValues};
pub use appearance::{AnnotationsConfig, Icon, IconTheme};
pub use audit::{AuditArguments, AuditConfig, AuditTarget};
pub(crate) use auth::is_scope;
pub use auth::{AuthConfig, AuthFlaw, AuthorizationServer, SigningAlgorithm, StaticToken, TokenHash};
pub use bound::BoundFrom;
pub use column_source::{ColumnDeclaration, ColumnSource};
pub use database_source::{DatabaseSource, name_parts, written_name};
pub use discovery::DiscoveryConfig;
pub use eval::{EvalConfig, EvalFile, EvalFileConfig, ExpectedArgument};
pub use files_source::{CacheMode, Compression, FileFormat, FilesSource, NullValue, OnError};
pub use http::{HttpConfig, Patience};
pub use inclusion::{Inclusion, TableNames, matches_pattern};
pub use limits::{ByteSize, Limits};
pub use lints::{LintLevel, Lints};
pub use package::{BudgetConfig, PackageConfig};
pub use param::ParamConfig;
pub use prompt::{PromptArgumentConfig, PromptFile, PromptHeader};
pub use resources::ResourcesConfig;
pub use settings::{Definition, ResultLimit, Timeout};
pub use sources::{MysqlConfig, PostgresConfig, ServerAddress, SourceConfig, SqliteConfig, TlsConfig, TlsMode};
pub use statements::{AskedParameter, ForeignColumn, PreparedStatements, RefusedStatement, UnpreparedStatement};
pub use table_source::TableSource;
pub use table_tools::{TableToolKind, TableToolsConfig};
pub use test::{CountBounds, CountExpectation, ErrorAbout, ErrorExpectation, ExpectConfig, TestConfig, TestFile};
pub use text_format::{TextFormat, flaw_of_regex};
pub use variables::{VariableFlaw, Variables, has_variables};

use crate::catalog::Catalog;
use crate::in_words::in_words;
use crate::source::{FileId, Sources, Span};
use crate::ty::JsonNumber;
use crate::yaml::Document;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// A project as it was loaded: everything that the compiler reads.
#[derive(Debug)]
pub struct Project {
    /// The text of every file.
    pub sources: Sources,
    /// `qtool.yaml`, with the overrides of the environment, and variables filled in.
    pub file: ProjectFile,
    /// `qtool.yaml` with places.
    pub document: Document,
    /// The query files, sorted by path.
    pub queries: Vec<QueryFile>,
    /// The prompt files, sorted by path.
    pub prompts: Vec<PromptFile>,
    /// The schemas of the tables.
    pub catalog: Catalog,
    /// The allowed values that queries gave.
    pub allowed_values: ReadValues,
    /// What databases say of the queries that are in their own SQL.
    pub statements: PreparedStatements,
}

in_words! {
    /// Why the values of a query of allowed values cannot be had, in words for its author.
    pub struct NoValues;
}

/// The values that queries of allowed values gave, by query file and parameter; or why not.
pub type ReadValues = HashMap<(FileId, String), Result<Vec<Value>, NoValues>>;

/// One file under `queries/`.
#[derive(Debug, Clone)]
pub struct QueryFile {
    /// The `.sql` file.
    pub file: FileId,
    /// The `.yaml` file of the same name beside it, if there is one.
    pub sidecar: Option<FileId>,
    /// Whether a file that is not read seems to hold settings of it: then it becomes no tool.
    pub is_refused: bool,
    /// The path below `queries/` without `.sql`, with `/`: the name where the header gives none.
    pub stem: String,
    /// What it takes from other query files.
    pub relatives: Relatives,
}

/// What a query file takes from others.
#[derive(Debug, Clone, Default)]
pub struct Relatives {
    /// The name that it has because a newer version of it has the plain one.
    pub name: Option<String>,
    /// What its header extends.
    pub base: Option<BaseQuery>,
}

/// What the header of a query extends.
#[derive(Debug, Clone)]
pub enum BaseQuery {
    /// The query, then what that extends itself, and so on.
    Found(Vec<QueryFile>),
    /// There is none of that name; one of a similar name.
    Missing(Option<String>),
    /// It extends itself.
    Circular,
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
    /// The server's pictures, as clients show them beside its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The zone of `current_date` and of times written without an offset: an IANA name or an offset. Default: UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Directories that tables may lie in, relative to the project. Default: the project itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub roots: Vec<String>,
    /// The databases that tables lie in, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub sources: IndexMap<String, SourceConfig>,
    /// The tables by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tables: IndexMap<String, TableSource>,
    /// Tools that are made of tables, without a query: each key is what the names of its tools begin with.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub table_tools: IndexMap<String, TableToolsConfig>,
    /// Parameters that several queries have in common, by the name of their group: `params_from` in a header takes them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub param_groups: IndexMap<String, IndexMap<String, ParamConfig>>,
    /// What holds for every query whose header does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// What calls may take.
    #[serde(default)]
    pub limits: Limits,
    /// Who may talk to the server over HTTP.
    #[serde(default)]
    pub http: HttpConfig,
    /// Who may call tools over HTTP: without it, everybody who reaches the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-keep" = "say who may call: without `auth` it is everybody who reaches the server"))]
    pub auth: Option<AuthConfig>,
    /// A line for every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditConfig>,
    /// What clients may read beside calling tools.
    #[serde(default, skip_serializing_if = "ResourcesConfig::is_default")]
    pub resources: ResourcesConfig,
    /// Some of the tools under a name, to serve them apart: `/mcp/<name>`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub toolsets: IndexMap<String, ToolsetConfig>,
    /// How clients find their way among many tools.
    #[serde(default, skip_serializing_if = "DiscoveryConfig::is_default")]
    pub discovery: DiscoveryConfig,
    /// What packages of a built server say of it.
    #[serde(default, skip_serializing_if = "PackageConfig::is_default")]
    pub package: PackageConfig,
    /// How many tokens a model is to read at most.
    #[serde(default, skip_serializing_if = "BudgetConfig::is_default")]
    pub budget: BudgetConfig,
    /// The levels of lints in every query whose header does not say otherwise.
    #[serde(default, skip_serializing_if = "Lints::is_empty")]
    pub lints: Lints,
    /// What is different elsewhere, by the name that `--env` takes: keys of this file, laid over what it says.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub environments: IndexMap<String, serde_json::Map<String, Value>>,
}

impl Project {
    /// Where a table is declared: its name, or, where it has no line of its own, what includes it.
    pub fn table_span(&self, table: &str) -> Span {
        let source = self.file.tables.get(table).and_then(TableSource::source);
        match source.filter(|_| !self.document.has(&["tables", table])) {
            Some(source) => self.document.value_span(&["sources", source, "tables", "include"]),
            None => self.document.key_span(&["tables", table]),
        }
    }
}

impl ProjectFile {
    /// The file, folder or pattern that a table's data is read from, as it is written; `None` where that is not on this
    /// machine.
    pub fn local_path(&self, table: &str) -> Option<&str> {
        match self.tables.get(table)? {
            TableSource::Files(files) => files.is_local().then_some(files.path.as_str()),
            TableSource::Database(database) => self.sources.get(&database.source)?.local_path(),
        }
    }

    /// The names of the tools that are made of tables.
    pub fn table_tool_names(&self) -> impl Iterator<Item = String> {
        self.table_tools.iter().flat_map(|(prefix, set)| set.kinds().into_iter().map(|kind| kind.tool_name(prefix)))
    }

    /// The source that a table lies in, where that gives rows to callers alone.
    pub fn caller_source(&self, table: &str) -> Option<&str> {
        let TableSource::Database(database) = self.tables.get(table)? else { return None };
        self.sources.get(&database.source)?.session().next()?;
        Some(&database.source)
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
    /// Append a line per parameter to the description of every tool, for clients that show no schema. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters_in_description: Option<bool>,
    /// What 64-bit integers of results are in JSON. Default: `number`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bigint: Option<JsonNumber>,
    /// What decimals of results are in JSON. Default: `string`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<JsonNumber>,
    /// Whether results are structured content as well as text, with a published schema. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_output: Option<bool>,
    /// How much of a tool is published. Default: `full`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Definition>,
}

/// The header of a query file, and the `.yaml` file beside it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The tool's name in any spelling; the tool is called by its snake_case. Default: the file's path.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// Names that it had before, in any spelling: it is still called by them, and shown as deprecated under each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub aliases: Vec<String>,
    /// The query whose header holds for this one too, key by key where this one says nothing else. Not taken over are
    /// `name`, `title`, `version`, `aliases`, `kind`, `source`, `enabled`, `columns` and `tests`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say which query: its header may say who may call, and what is bound to the caller"))]
    pub extends: Option<String>,
    /// The database whose own SQL the statement is written in: a name of `sources`. Default: none, and the statement is
    /// over the project's tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub source: Option<String>,
    /// The tool's title, as clients show it. Default: the name.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub title: Option<String>,
    /// What the tool answers: what agents choose by.
    #[serde(default)]
    pub description: Option<String>,
    /// Words to group tools by.
    #[serde(default)]
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
    /// The tool's version.
    #[serde(default)]
    pub version: Option<String>,
    /// Its pictures, as clients show them beside its title.
    #[serde(default)]
    pub icons: Vec<Icon>,
    /// What the plan cannot tell of its effects; what it can tell must not be denied.
    #[serde(default)]
    pub annotations: AnnotationsConfig,
    /// What a caller's token must be good for: without all of these the tool is neither listed nor callable over HTTP.
    #[serde(default)]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which scopes a caller needs: without `scopes` every caller sees and calls it"))]
    pub scopes: Vec<String>,
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
    /// Which automatic parameters the agent sees. Default: `limit` and `table_format`, and `cursor` where the query has an
    /// ORDER BY and no LIMIT.
    #[serde(default)]
    pub expose: Option<Vec<AutomaticParameter>>,
    /// How long a call may take, e.g. `30s`.
    #[serde(default)]
    pub timeout: Option<Timeout>,
    /// The most bytes of rows in a result, e.g. `64KiB`. Default: that of `limits` in `qtool.yaml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
    /// How many calls of it a second one principal may make, and at most twice as many at once. Default: as many as of all
    /// tools together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000))]
    pub calls_per_second: Option<u32>,
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
    /// Append a line per parameter to the published description, for clients that show no schema. Default: that of
    /// `qtool.yaml`.
    #[serde(default)]
    pub parameters_in_description: Option<bool>,
    /// How long a result is kept and given again to equal calls of the same caller, e.g. `60s`. A changed local file is
    /// seen all the same. Default: not at all.
    #[serde(default)]
    pub cache_ttl: Option<Timeout>,
    /// Whether results are structured content as well as text, with a published schema. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_output: Option<bool>,
    /// How much of a tool is published. Default: `full`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Definition>,
    /// Conditions across parameters that every call must meet.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub rules: Vec<RuleConfig>,
    /// The levels of lints in this query. Default: those of `qtool.yaml`.
    #[serde(default)]
    pub lints: Lints,
    /// Tests of the tool, as in `queries/<name>.test.yaml`; `qtool test` runs them.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub tests: Vec<TestConfig>,
}

/// Most rows of a call where nobody says otherwise.
pub const DEFAULT_RESULT_LIMIT: u64 = 100;

impl Header {
    /// The limit that holds: the header's, else the project's, else [`DEFAULT_RESULT_LIMIT`].
    pub fn effective_limit(&self, defaults: &Defaults) -> ResultLimit {
        self.result_limit.or(defaults.result_limit).unwrap_or(ResultLimit::Rows(DEFAULT_RESULT_LIMIT))
    }
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

/// The tools of a toolset: those that are named, and those with one of the tags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolsetConfig {
    /// Tools by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// All tools with one of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl ToolsetConfig {
    /// Whether a tool of one of these names, with these tags, belongs to it.
    pub fn has<'n>(&self, names: impl IntoIterator<Item = &'n str>, tags: &[String]) -> bool {
        let is_named = names.into_iter().any(|name| self.tools.iter().any(|tool| tool == name));
        is_named || self.tags.iter().any(|tag| tags.contains(tag))
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
#[schemars(extend("minProperties" = 1, "x-expected" = "what the column is, such as its `description`"))]
pub struct ColumnConfig {
    /// What the values mean, with their unit.
    #[serde(default)]
    pub description: Option<String>,
    /// The type of the values, of a query in a database's own SQL: a SQL type name. Default: what the database says.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub ty: Option<String>,
    /// What its 64-bit integers are in JSON. Default: that of `qtool.yaml`, else `number`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bigint: Option<JsonNumber>,
    /// What its decimals are in JSON. Default: that of `qtool.yaml`, else `string`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<JsonNumber>,
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
    /// Where the next page begins.
    Cursor,
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
