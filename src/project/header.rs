//! The header of a query file: what its author says of the tool beside the statement.

use super::{
    AnnotationsConfig, ByteSize, Defaults, Definition, ExpectChanges, Icon, Isolation, Lints, ParamConfig, ResultLimit,
    TestConfig, Timeout,
};
use crate::ty::JsonNumber;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// The database whose own SQL the statement is written in, or the records that it changes: a name of `sources` or of `records`.
    /// Default: none, and the statement is over the project's tables.
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
    /// Whether a person is asked for required arguments that are missing, where the client of whoever calls can ask. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<bool>,
    /// Append a line per parameter to the published description, for clients that show no schema. Default: that of
    /// `qtool.yaml`.
    #[serde(default)]
    pub parameters_in_description: Option<bool>,
    /// How long a result is kept and given again to equal calls of the same caller, e.g. `60s`. A changed local file is
    /// seen all the same. Default: not at all.
    #[serde(default)]
    pub cache_ttl: Option<Timeout>,
    /// The most rows that a call may change, of a statement that changes data: where it would change more, it changes none.
    /// Default: 1 where a condition names the whole key, and the rows that are written out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000))]
    pub max_changes: Option<u64>,
    /// How many rows a call must change, else it changes none: `exactly 1` or `at least 1`. Default: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_changes: Option<ExpectChanges>,
    /// Whether a person sees what a call of a statement that changes data would change, and must agree to it. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// What the transaction of a statement that changes data sees of others. Default: `serializable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
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
    /// Whether what would be changed is told, and nothing is changed; of a tool that changes data.
    DryRun,
    /// What tells a call from another: with the same key, nothing is changed twice; of a tool that changes data.
    IdempotencyKey,
}

impl AutomaticParameter {
    /// Every one.
    pub const ALL: [AutomaticParameter; 5] = [
        AutomaticParameter::Limit,
        AutomaticParameter::TableFormat,
        AutomaticParameter::Cursor,
        AutomaticParameter::DryRun,
        AutomaticParameter::IdempotencyKey,
    ];

    /// The name that an agent sends it under.
    pub fn as_str(self) -> &'static str {
        match self {
            AutomaticParameter::Limit => "limit",
            AutomaticParameter::TableFormat => "table_format",
            AutomaticParameter::Cursor => "cursor",
            AutomaticParameter::DryRun => "dry_run",
            AutomaticParameter::IdempotencyKey => "idempotency_key",
        }
    }

    /// Whether it is one of tools that change data alone.
    pub fn is_of_changes(self) -> bool {
        matches!(self, AutomaticParameter::DryRun | AutomaticParameter::IdempotencyKey)
    }
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
