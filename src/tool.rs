//! A tool: what is published, executed, snapshotted and bundled. Plain data without spans or engine types.

mod called_program;
mod change;
mod clauses;
pub mod constraints;
mod contract;
mod family;
pub mod flat;
mod needs;
mod offered;
mod output_column;
mod parameter;
mod policy;
mod record_set;
mod rows;
mod table_set;
mod upstream;
pub mod uri_template;

use crate::catalog::DatabaseKind;
use crate::project::{ProgramConfig, PythonConfig, RecordToolKind, RequestConfig, SimpleJsonConfig};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub use called_program::{CalledProgram, ProgramArgument};
pub use change::{ANY_CHANGES, Change, ChangePreview, ChangeStep, ChangedRecords, Changes, Idempotency, TableWrite};
pub use clauses::Clauses;
pub use contract::{Annotations, Contract, Input, Output, PlaceholderUse, ToolRule};
pub(crate) use family::Families;
pub use needs::Needs;
pub use offered::{Offered, OfferedPrompt};
pub use output_column::OutputColumn;
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

/// A query that a tool selects from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolView {
    /// The name it is selected from by.
    pub name: String,
    /// Its SQL, with placeholders numbered as in the tool's own.
    pub statement: String,
}
