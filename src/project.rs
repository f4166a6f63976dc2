//! What the files of a project say: `qtool.yaml`, the header of a query file, and the two together.
//!
//! The structs here are the formats: the JSON Schemas that editors complete from are generated from them, and a file is
//! checked against that very schema before it is read.

mod allowed_values;
mod appearance;
pub mod argument;
mod audit;
mod auth;
mod bound;
mod changes;
mod column_source;
mod database_source;
mod derivation;
mod discovery;
mod eval;
mod execution;
mod files_source;
mod header;
mod http;
mod inclusion;
mod limits;
mod lints;
mod manifest;
mod model;
mod output;
mod package;
mod param;
mod policy;
mod program;
mod prompt;
mod python;
mod record_contract;
pub mod record_ddl;
mod records;
mod request;
mod resources;
pub(crate) mod schema_params;
mod script;
mod settings;
mod signature;
mod simple_json;
mod sources;
mod statements;
mod table_source;
mod table_tools;
mod test;
mod text_format;
mod upstream;
mod upstream_difference;
mod upstream_offers;
mod variables;
mod writable;

pub use allowed_values::{AllowedQueryConfig, AllowedValues, Refresh, UnreadValues};
pub use appearance::{AnnotationsConfig, Icon, IconTheme};
pub use audit::{AuditArguments, AuditConfig, AuditTarget};
pub(crate) use auth::is_scope;
pub use auth::{AuthConfig, AuthFlaw, AuthorizationServer, SigningAlgorithm, StaticToken, TokenHash};
pub use bound::BoundFrom;
pub use changes::{ExpectChanges, Isolation};
pub use column_source::{ColumnDeclaration, ColumnSource};
pub use database_source::{DatabaseSource, name_parts, written_name};
pub use derivation::{Derivation, DerivationHead, DerivationKind, DerivedConfig, Lookup, LookupFile, RecordsTable};
pub use discovery::DiscoveryConfig;
pub use eval::{EvalConfig, EvalFile, EvalFileConfig, ExpectedArgument};
pub use execution::{Execution, ProgramLimits};
pub use files_source::{CacheMode, Compression, FileFormat, FilesSource, NullValue, OnError};
pub use header::{
    AutomaticParameter, ColumnConfig, DEFAULT_RESULT_LIMIT, Header, Kind, OneOrMore, RuleConfig, TableFormat,
};
pub use http::{HttpConfig, Patience};
pub use inclusion::{Inclusion, TableNames, matches_pattern};
pub use limits::{ByteSize, Limits};
pub use lints::{LintLevel, Lints};
pub use manifest::{Manifest, Runs, RunsKind};
pub use model::{ModelConfig, ModelPrice};
pub use output::{OutputConfig, OutputForm};
pub use package::{BudgetConfig, PackageConfig};
pub use param::ParamConfig;
pub use policy::{ColumnPolicy, EnforcedBy, MaskConfig, PolicyConfig, PolicyParam};
pub use program::{ProgramConfig, ProgramsConfig, RunArgument, StdinForm, WhenTrue};
pub use prompt::{Audience, PromptArgumentConfig, PromptFile, PromptHeader, SkillArgument, SkillHeader, SkillOf};
pub use python::{PythonConfig, Returns};
pub use record_contract::{
    ContractKind, LogicalType, PhysicalType, Property, RecordContract, RecordSchema, is_actor_of,
};
pub use records::{DescribedTool, DescribedTools, RecordToolKind, RecordTools, RecordsConfig};
pub use request::{HttpRequest, RequestConfig, RequestMethod};
pub use resources::ResourcesConfig;
pub(crate) use script::description_of_script;
pub use settings::{Definition, ResultLimit, Timeout};
pub use signature::{RESULT, Signature};
pub use simple_json::SimpleJsonConfig;
pub use sources::{
    IdempotencyConfig, MysqlConfig, PostgresConfig, ServerAddress, SourceConfig, SqliteConfig, TlsConfig, TlsMode,
};
pub use statements::{
    AskedChange, AskedParameter, ForeignColumn, PreparedStatements, RefusedStatement, UnpreparedStatement,
};
pub use table_source::TableSource;
pub use table_tools::{TableToolKind, TableToolsConfig};
pub use test::{
    CountBounds, CountExpectation, ErrorAbout, ErrorExpectation, ExpectConfig, PrincipalConfig, TestConfig, TestFile,
};
pub use text_format::{TextFormat, flaw_of_regex};
pub use upstream::{
    KnownUpstreams, LockedTool, LockedUpstream, UpstreamAuth, UpstreamConfig, UpstreamParamConfig, UpstreamToolConfig,
};
pub use upstream_difference::{LockedChange, LockedDifference};
pub use upstream_offers::{LockedArgument, LockedPrompt, LockedResource, LockedTemplate};
pub use variables::{
    UnfilledText, VariableFlaw, Variables, filled_text, has_variables, needed_variables_of, speaks_of_secrets,
    variables_of,
};
pub use writable::{Writable, WritableParts, WriteOperation};

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
    /// What the folders of records say of them, by the name of their table.
    pub records: IndexMap<String, RecordsTable>,
    /// What is known of the other servers.
    pub upstreams: KnownUpstreams,
}

in_words! {
    /// Why the values of a query of allowed values cannot be had, in words for its author.
    pub struct NoValues;
}

/// The values that queries of allowed values gave, by query file and parameter; or why not.
pub type ReadValues = HashMap<(FileId, String), Result<Vec<Value>, NoValues>>;

/// One file that becomes a tool: under `queries/`, or under `tools/`.
#[derive(Debug, Clone)]
pub struct QueryFile {
    /// The `.sql` file, or the manifest.
    pub file: FileId,
    /// The `.yaml` file of the same name beside it, if there is one.
    pub sidecar: Option<FileId>,
    /// Whether a file that is not read seems to hold settings of it, or nobody knows what its program takes: then it becomes no tool.
    pub is_refused: bool,
    /// What is written in it.
    pub form: QueryForm,
    /// The path below `queries/` or `tools/` without its ending, with `/`: the name where the header gives none.
    pub stem: String,
    /// What it takes from other query files.
    pub relatives: Relatives,
}

impl QueryFile {
    /// A query that stands for itself: it has no file beside it, and takes nothing from others.
    pub fn alone(file: FileId, stem: impl Into<String>) -> QueryFile {
        QueryFile {
            file,
            sidecar: None,
            is_refused: false,
            form: QueryForm::Sql,
            stem: stem.into(),
            relatives: Relatives::default(),
        }
    }
}

/// What is written in a file that becomes a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum QueryForm {
    /// A header and a statement: a `.sql` file under `queries/`.
    #[default]
    Sql,
    /// A manifest of what runs in the place of a statement: a `.yaml` file under `tools/`.
    Manifest,
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
    /// Tables with a contract, which tools write too, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub records: IndexMap<String, RecordsConfig>,
    /// What holds for all tools that are programs.
    #[serde(default, skip_serializing_if = "ProgramsConfig::is_default")]
    pub programs: ProgramsConfig,
    /// Other MCP servers whose tools are tools of the project, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub upstreams: IndexMap<String, UpstreamConfig>,
    /// Which rows and columns of tables callers see, by table: whatever reads the table, and however.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(extend("x-keep" = "say who sees what: without `policies` every caller sees all rows and columns"))]
    pub policies: IndexMap<String, PolicyConfig>,
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
    /// The names of the tools of other servers, as they are locked.
    pub fn upstream_tool_names(&self) -> impl Iterator<Item = String> {
        self.file.upstreams.iter().flat_map(|(name, config)| {
            let locked = self.upstreams.locked.get(name);
            let taken = locked.into_iter().flat_map(|locked| &locked.tools).filter(|tool| config.takes(&tool.name));
            taken.map(|tool| config.name_here(&tool.name)).collect::<Vec<_>>()
        })
    }

    /// Where a table is declared: its name, or, where it has no line of its own, what includes it.
    pub fn table_span(&self, table: &str) -> Span {
        if self.file.records.contains_key(table) {
            return self.document.value_span(&["records", table, "path"]);
        }
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

    /// Whether no tool is made of what it says itself.
    pub fn makes_no_tools(&self) -> bool {
        self.table_tools.is_empty() && self.records.is_empty() && self.upstreams.is_empty()
    }

    /// The names of the tools that are made of tables and of records.
    pub fn made_tool_names(&self) -> impl Iterator<Item = String> {
        let of_sets = self
            .table_tools
            .iter()
            .flat_map(|(prefix, set)| set.kinds().into_iter().map(|kind| kind.tool_name(prefix)));
        let of_records = self.records.iter().flat_map(|(name, config)| config.tool_names(name));
        of_sets.chain(of_records)
    }

    /// Whether callers see something else of a table than it has.
    pub fn is_policied(&self, table: &str) -> bool {
        self.policies.get(table).is_some_and(PolicyConfig::rewrites)
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
