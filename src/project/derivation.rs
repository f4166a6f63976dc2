//! How derived fields of records are made: `derivations/*.yaml` of their folder, and `derived` of `qtool.yaml`.
//!
//! The files are those of Folio 0.1.8, which refuses one whose kind it does not know: what is qtool's own stands in `qtool.yaml`.

use super::model::ModelConfig;
use super::record_contract::RecordContract;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every file of `derivations` says, whatever its kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DerivationHead {
    /// How values are made.
    pub kind: DerivationKind,
    /// The fields that are made.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub targets: Vec<String>,
    /// The fields that they are made of.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// When they are made.
    #[serde(default)]
    pub materialization: Materialization,
}

/// When derived fields are made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Materialization {
    /// What makes them. Default: on_demand.
    #[serde(default)]
    pub trigger: Trigger,
    /// Whether a value stays that somebody has sent. Default: true.
    #[serde(default = "always")]
    pub respect_human_override: bool,
}

impl Default for Materialization {
    fn default() -> Materialization {
        Materialization { trigger: Trigger::OnDemand, respect_human_override: true }
    }
}

fn always() -> bool {
    true
}

/// What makes derived fields.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Somebody who asks for it.
    #[default]
    OnDemand,
}

/// How values are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DerivationKind {
    /// From a file of the folder, by the key of the record.
    Import,
    /// From another folder of records, by the key of the record.
    CrossSheet,
    /// By SQL.
    Sql,
    /// By a tool of the project that is a query.
    Tool,
    /// By a language model.
    Ai,
    /// By a program, or a function in Python.
    Python,
    /// By a request to a web service.
    Http,
}

impl DerivationKind {
    /// Every kind, in the order in which they are counted.
    pub const ALL: [DerivationKind; 7] = [
        DerivationKind::Ai,
        DerivationKind::Import,
        DerivationKind::Python,
        DerivationKind::Sql,
        DerivationKind::Http,
        DerivationKind::CrossSheet,
        DerivationKind::Tool,
    ];

    /// The word for it, in files and where the history says what a value comes from.
    pub fn as_str(self) -> &'static str {
        match self {
            DerivationKind::Import => "import",
            DerivationKind::CrossSheet => "cross_sheet",
            DerivationKind::Sql => "sql",
            DerivationKind::Tool => "tool",
            DerivationKind::Ai => "ai",
            DerivationKind::Python => "python",
            DerivationKind::Http => "http",
        }
    }
}

/// A file of the kind `import` or `cross_sheet`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookupFile {
    /// Which of both it is.
    pub kind: DerivationKind,
    /// The fields that are made.
    pub targets: Vec<String>,
    /// The fields that they are made of.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// When they are made.
    #[serde(default)]
    pub materialization: Materialization,
    /// Of an `import`, the file of the folder: CSV, JSON or lines of JSON.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub source: Option<String>,
    /// Of a `cross_sheet`, the other folder of records, relative to this one.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub source_sheet: Option<String>,
    /// What is the key of the record there.
    #[schemars(length(min = 1))]
    pub key_field: String,
    /// Where the value of the one field is that is made.
    #[serde(default)]
    pub value_field: Option<String>,
    /// Where the values are, by field.
    #[serde(default)]
    pub value_fields: Option<IndexMap<String, String>>,
}

/// How a derived field is made by qtool: by exactly one of `sql`, `tool` and `ai`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DerivedConfig {
    /// An expression, or a SELECT of one value, with fields of the record as placeholders: `upper(<< title >>)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub sql: Option<String>,
    /// A tool of this project whose one row has the value: a query that reads, a program, a function or a request of a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub tool: Option<String>,
    /// The field of the record that each parameter of the tool takes its value from. Default: the one that is called like it.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, String>,
    /// The column of the tool that has the value. Default: the one that it has, else the one that is called like the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub value: Option<String>,
    /// A language model whose answer is the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai: Option<ModelConfig>,
    /// Whether a value stays that somebody has sent. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub respect_human_override: Option<bool>,
}

/// How some fields of records are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derivation {
    /// The fields that are made.
    pub targets: Vec<String>,
    /// The fields that they are made of.
    pub inputs: Vec<String>,
    /// How.
    pub kind: DerivationKind,
    /// Whether a value stays that somebody has sent.
    pub respects_override: bool,
    /// The SHA-256 of what says so, in hexadecimal digits: where that is another one, values are made anew.
    pub digest: String,
    /// The file that says so, below `derivations`; `None` of what `qtool.yaml` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where the values are looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<Lookup>,
}

impl Derivation {
    /// Whether qtool makes them: values of other kinds are Folio's to make.
    pub fn is_made_here(&self) -> bool {
        self.lookup.is_some() || self.file.is_none()
    }
}

/// Where values are looked up by the key of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lookup {
    /// The file, or the other folder, relative to the folder of the records.
    pub source: String,
    /// What is the key of the record there.
    pub key_field: String,
    /// Where the value of the one field is that is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_field: Option<String>,
    /// Where the values are, by field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_fields: Option<IndexMap<String, String>>,
}

impl Lookup {
    /// Where the value of a field is.
    pub fn value_of<'a>(&'a self, target: &str) -> Option<&'a str> {
        self.value_field.as_deref().or_else(|| self.value_fields.as_ref()?.get(target).map(String::as_str))
    }
}

/// What a folder of records says of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordsTable {
    /// The contract.
    pub contract: RecordContract,
    /// How its derived fields are made, and those of `qtool.yaml`, in the order in which one needs another.
    pub derivations: Vec<Derivation>,
}
