//! What is published of a tool: what clients see, what is enforced, and what a review compares.

use super::{Changes, Clauses, OutputColumn, Parameter, ShownColumn, TablePolicy};
use crate::project::{AutomaticParameter, ByteSize, Definition, Icon, ResultLimit, TableFormat, Timeout};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What clients see of a tool, what is enforced, and what a review compares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contract {
    /// The name it is called by: `[a-z][a-z0-9_]*`.
    pub name: String,
    /// The name that the same tool is to be called by; absent where this is that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<String>,
    /// The name as clients show it.
    pub title: String,
    /// What it answers.
    pub description: Option<String>,
    /// Words to group tools by.
    pub tags: Vec<String>,
    /// The tool's own version.
    pub version: Option<String>,
    /// What a caller's token must be good for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// Data for clients.
    pub meta: Option<serde_json::Map<String, Value>>,
    /// Its pictures, as clients show them beside its title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// What an agent may send.
    pub input: Input,
    /// What it returns.
    pub output: Output,
    /// What `$1`, `$2`, … stand for, in rules and in a body that is SQL.
    pub placeholders: Vec<PlaceholderUse>,
    /// The conditions that every call must meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<ToolRule>,
    /// Which parameters do something only together with others.
    #[serde(default, skip_serializing_if = "Clauses::is_empty")]
    pub clauses: Clauses,
    /// The tables it reads, sorted.
    pub tables: Vec<String>,
    /// What callers see of those of them that have a policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<TablePolicy>,
    /// The columns that not every caller sees, or whose values are somebody's, as far as it shows them; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<ShownColumn>,
    /// What it changes; absent where it only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    /// Most rows of a call.
    pub result_limit: ResultLimit,
    /// Rows where the agent asks for none; at most the result limit.
    pub default_limit: Option<u64>,
    /// How rows are written where the agent does not say.
    pub table_format: TableFormat,
    /// Which automatic parameters the agent sees.
    pub expose: Vec<AutomaticParameter>,
    /// How long a call may take.
    pub timeout: Timeout,
    /// Bytes of rows in a result; absent for as many as the server allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
    /// Calls of it a second of one principal; absent for as many as the server allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_per_second: Option<u32>,
    /// How long a result is kept for equal calls of the same caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_ttl: Option<Timeout>,
    /// Whether all rows are counted where the result is cut.
    pub count_total: bool,
    /// Whether arguments are read exactly as published.
    pub strict: bool,
    /// Whether a person is asked for required arguments that are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
    /// Whether its published description has a line per parameter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub parameters_in_description: bool,
    /// Whether results are structured content as well as text.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub structured_output: bool,
    /// How much of it is published.
    #[serde(default, skip_serializing_if = "is_full")]
    pub definition: Definition,
    /// Its effects.
    pub annotations: Annotations,
}

/// What an agent may send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Parameters, in the order of first use.
    Parameters(Vec<Parameter>),
    /// An object of this JSON Schema, which is not ours.
    Schema(Value),
}

/// What a tool returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// Rows of these columns.
    Columns(Vec<OutputColumn>),
    /// Rows whose columns are known when they are there.
    Rows,
    /// What another server answers: texts, pictures and more, and data where it has some.
    Passed {
        /// The JSON Schema of the data, where the server says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        schema: Option<Value>,
    },
}

impl Contract {
    /// The parameters; none where the input is a schema.
    pub fn parameters(&self) -> &[Parameter] {
        match &self.input {
            Input::Parameters(parameters) => parameters,
            Input::Schema(_) => &[],
        }
    }

    /// The parameters, to be changed.
    pub fn parameters_mut(&mut self) -> &mut [Parameter] {
        match &mut self.input {
            Input::Parameters(parameters) => parameters,
            Input::Schema(_) => &mut [],
        }
    }

    /// Adds parameters that no agent sends; none where the input is a schema.
    pub fn add_parameters(&mut self, more: &[Parameter]) {
        if let Input::Parameters(parameters) = &mut self.input {
            parameters.extend_from_slice(more);
        }
    }

    /// The schema of the arguments, where they are no parameters.
    pub fn schema(&self) -> Option<&Value> {
        match &self.input {
            Input::Parameters(_) => None,
            Input::Schema(schema) => Some(schema),
        }
    }

    /// Whether an argument of that name is one that qtool adds.
    pub fn is_automatic(&self, name: &str) -> bool {
        self.expose.iter().any(|one| one.as_str() == name)
    }

    /// The columns that are known beforehand.
    pub fn columns(&self) -> &[OutputColumn] {
        match &self.output {
            Output::Columns(columns) => columns,
            Output::Rows | Output::Passed { .. } => &[],
        }
    }

    /// The parameters that an agent sees: all but those that are bound to the caller.
    pub fn published(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters().iter().filter(|parameter| parameter.from.is_none())
    }

    /// The parameters that choose SQL.
    pub fn choosing(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters().iter().filter(|parameter| !parameter.choices.is_empty())
    }

    /// The name it is called by, and that of the tool that it is an alias of.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.alias_of.as_deref())
    }

    /// The parameter of that name, or the field of a list of rows that is called `list.field`.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        let own = self.parameters().iter().find(|parameter| parameter.name == name);
        own.or_else(|| self.list_of(name).and_then(|(list, at)| list.fields.get(at)))
    }
}

/// A condition across parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRule {
    /// `SELECT (condition) AS holds`, with placeholders numbered as in the tool's own statement.
    pub statement: String,
    /// What is said where it does not hold.
    pub message: String,
}

/// What one `$n` of the statements stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceholderUse {
    /// The parameter's name.
    pub parameter: String,
    /// Whether it is the whole list behind `IN`.
    pub list: bool,
}

/// MCP's hints on a tool's effects, derived from the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotations {
    /// Changes nothing.
    pub read_only: bool,
    /// Deletes or overwrites.
    pub destructive: bool,
    /// A second equal call has no further effect.
    pub idempotent: bool,
    /// Reaches beyond the project's tables.
    pub open_world: bool,
}

fn is_full(definition: &Definition) -> bool {
    *definition == Definition::Full
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}
