//! A tool: what is published, executed, snapshotted and bundled. Plain data without spans or engine types.

mod called_program;
mod change;
mod clauses;
pub mod constraints;
mod family;
pub mod flat;
mod needs;
mod offered;
mod parameter;
mod policy;
mod record_set;
mod rows;
mod table_set;
mod upstream;
pub mod uri_template;

use crate::catalog::DatabaseKind;
use crate::project::{
    AutomaticParameter, ByteSize, Definition, Icon, ProgramConfig, PythonConfig, RecordToolKind, RequestConfig,
    ResultLimit, SimpleJsonConfig, TableFormat, Timeout,
};
use crate::ty::{ExactNumbers, Type};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub use called_program::{CalledProgram, ProgramArgument};
pub use change::{ANY_CHANGES, Change, ChangePreview, ChangeStep, ChangedRecords, Changes, Idempotency, TableWrite};
pub use clauses::Clauses;
pub(crate) use family::Families;
pub use needs::Needs;
pub use offered::{Offered, OfferedPrompt};
pub use parameter::{Constraints, Parameter, ToolAllowedQuery, ToolChoice};
pub use policy::{ShownColumn, TablePolicy};
pub use record_set::{DerivedQuery, RecordComparison, RecordDerivation, RecordFilter, RecordSet, RecordStore};
pub use table_set::{DescribedColumn, DescribedTable, TableSet};
pub use upstream::{UpstreamArgument, UpstreamCall};

/// What is published under a name, and what runs when it is called.
///
/// A new kind of tool is a new [`Body`] and what runs it. All that shows, compares, limits or records tools knows the
/// [`Contract`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// What clients see, and what a review compares.
    pub contract: Contract,
    /// What runs.
    pub body: Body,
}

/// What runs when a tool is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A statement over the project's tables.
    Query(Query),
    /// A statement in a database's own SQL.
    Statement(Statement),
    /// Statements in a database's own SQL that change data.
    Change(Box<Change>),
    /// What is done with a set of tables, without a statement of an author.
    Tables(TableSet),
    /// What is done with records.
    Records(Box<RecordSet>),
    /// A program.
    Program(Box<ProgramConfig>),
    /// A request to a web service.
    Request(Box<RequestConfig>),
    /// A function in Python.
    Python(Box<PythonConfig>),
    /// A program in Fractalic's convention.
    SimpleJson(Box<SimpleJsonConfig>),
    /// A tool of another MCP server.
    Upstream(Box<UpstreamCall>),
    /// A function in Rust, which the server that embeds qtool brings with it.
    Native,
}

/// A statement over the project's tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The queries it selects from, each after those it selects from itself.
    pub views: Vec<ToolView>,
    /// The SQL, with `$1`, `$2`, … for the placeholders.
    pub statement: String,
    /// The programs whose rows it selects from, one a use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<CalledProgram>,
}

/// A statement in a database's own SQL: it is sent to the database, and runs there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The database: a name of `sources`.
    pub source: String,
    /// What kind of database it is.
    pub database: DatabaseKind,
    /// The SQL, as its author has written it, with `$1`, `$2`, … for the placeholders and marker calls for the optional
    /// clauses.
    pub statement: String,
    /// Where its rows end by themselves.
    pub end: StatementEnd,
    /// The types that values of parameters are sent as, in the words of the database; it finds those of the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sent_as: BTreeMap<String, String>,
    /// The columns of the result whose types are those that the database says of them, and nobody else: where it says
    /// another one, they are not what they were.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub as_told: BTreeSet<String>,
}

/// Where the rows of a statement end by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementEnd {
    /// Nowhere: the limit of a call can be written behind it.
    Open,
    /// At so many, which its text says.
    After(u64),
    /// At a number that is no part of its text, or nothing can be written behind it.
    Closed,
}

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

impl Tool {
    /// What clients see of each.
    pub fn contracts(tools: &[Tool]) -> Vec<Contract> {
        tools.iter().map(|tool| tool.contract.clone()).collect()
    }

    /// The statement and its views, of a tool that is a query.
    fn query(&self) -> Option<&Query> {
        let Body::Query(query) = &self.body else { return None };
        Some(query)
    }

    /// The statement in a database's own SQL, of a tool that only reads by one.
    fn own_sql(&self) -> Option<&Statement> {
        let Body::Statement(statement) = &self.body else { return None };
        Some(statement)
    }

    /// What it changes, of a tool that changes data.
    pub fn change(&self) -> Option<&Change> {
        let Body::Change(change) = &self.body else { return None };
        Some(change)
    }

    /// What it does with which tables, of a tool that is made of tables.
    pub fn table_set(&self) -> Option<&TableSet> {
        let Body::Tables(set) = &self.body else { return None };
        Some(set)
    }

    /// What it does with records, of a tool over some.
    pub fn record_set(&self) -> Option<&RecordSet> {
        let Body::Records(set) = &self.body else { return None };
        Some(set)
    }

    /// The same, to complete it.
    pub fn record_set_mut(&mut self) -> Option<&mut RecordSet> {
        let Body::Records(set) = &mut self.body else { return None };
        Some(set)
    }

    /// The tools that make fields when it is called, of one that makes fields of records.
    pub fn makers(&self) -> impl Iterator<Item = &Tool> {
        let set = self.record_set().filter(|set| set.acts == RecordToolKind::Materialize);
        let all = set.into_iter().flat_map(|set| &set.derivations);
        all.filter_map(|one| one.query.as_deref().map(|query| &query.tool))
    }

    /// What it runs, of a tool that is a program.
    pub fn program(&self) -> Option<&ProgramConfig> {
        let Body::Program(program) = &self.body else { return None };
        Some(program)
    }

    /// What it asks, of a tool that is a request.
    pub fn request(&self) -> Option<&RequestConfig> {
        let Body::Request(request) = &self.body else { return None };
        Some(request)
    }

    /// What it calls, of a tool that is a function in Python.
    pub fn python(&self) -> Option<&PythonConfig> {
        let Body::Python(python) = &self.body else { return None };
        Some(python)
    }

    /// What it runs, of a tool that is a program in Fractalic's convention.
    pub fn simple_json(&self) -> Option<&SimpleJsonConfig> {
        let Body::SimpleJson(program) = &self.body else { return None };
        Some(program)
    }

    /// What it calls, of a tool of another server.
    pub fn upstream(&self) -> Option<&UpstreamCall> {
        let Body::Upstream(upstream) = &self.body else { return None };
        Some(upstream)
    }

    /// Whether it is none of the project's own data: a program, a request, a function or a tool of another server, whose effects its
    /// author declares.
    pub fn is_foreign(&self) -> bool {
        matches!(
            self.body,
            Body::Program(_) | Body::Request(_) | Body::Python(_) | Body::SimpleJson(_) | Body::Upstream(_)
        )
    }

    /// The programs whose rows it selects from, of a tool that is a query.
    pub fn programs(&self) -> &[CalledProgram] {
        self.query().map(|query| query.programs.as_slice()).unwrap_or_default()
    }

    /// Whether a call may change something: data of the project, or whatever a program does.
    pub fn may_change_data(&self) -> bool {
        let runs_others = self.is_foreign() || !self.programs().is_empty();
        self.contract.changes.is_some() || runs_others && !self.contract.annotations.read_only
    }

    /// Whether it runs a statement that an author has written.
    pub fn has_statement(&self) -> bool {
        matches!(self.body, Body::Query(_) | Body::Statement(_) | Body::Change(_))
    }

    /// The database that it sends its statement to; `None` of all that runs here.
    pub fn source(&self) -> Option<&str> {
        match &self.body {
            Body::Statement(statement) => Some(&statement.source),
            Body::Change(change) => Some(&change.source),
            Body::Records(set) if !set.reads() => set.store.as_ref().map(|store| store.source.as_str()),
            Body::Query(_)
            | Body::Tables(_)
            | Body::Records(_)
            | Body::Program(_)
            | Body::Request(_)
            | Body::Python(_)
            | Body::SimpleJson(_)
            | Body::Upstream(_)
            | Body::Native => None,
        }
    }

    /// Its statement, with `$n`; empty where it is no SQL.
    pub fn statement(&self) -> &str {
        match &self.body {
            Body::Query(query) => &query.statement,
            Body::Statement(statement) => &statement.statement,
            Body::Change(change) => &change.statement,
            Body::Tables(_)
            | Body::Records(_)
            | Body::Program(_)
            | Body::Request(_)
            | Body::Python(_)
            | Body::SimpleJson(_)
            | Body::Upstream(_)
            | Body::Native => "",
        }
    }

    /// The queries that it selects from; none where it is no query.
    pub fn views(&self) -> &[ToolView] {
        self.query().map(|query| query.views.as_slice()).unwrap_or_default()
    }

    /// Its statements, each with the name it is selected from by: those of the queries it selects from, then its own.
    /// None where it is no SQL.
    pub fn statements(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let own = match &self.body {
            Body::Query(_) | Body::Statement(_) | Body::Change(_) => {
                Some((self.contract.name.as_str(), self.statement()))
            }
            Body::Tables(_)
            | Body::Records(_)
            | Body::Program(_)
            | Body::Request(_)
            | Body::Python(_)
            | Body::SimpleJson(_)
            | Body::Upstream(_)
            | Body::Native => None,
        };
        self.views().iter().map(|view| (view.name.as_str(), view.statement.as_str())).chain(own)
    }
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

/// A query that a tool selects from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolView {
    /// The name it is selected from by.
    pub name: String,
    /// Its SQL, with placeholders numbered as in the tool's own.
    pub statement: String,
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

/// A column of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputColumn {
    /// The name, unique in the tool.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Whether values may be null.
    pub nullable: bool,
    /// What the values mean.
    pub description: Option<String>,
    /// What exact numbers are in JSON.
    #[serde(flatten)]
    pub numbers: ExactNumbers,
    /// The JSON Schema of its values, of a document that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
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
