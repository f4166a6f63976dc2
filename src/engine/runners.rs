//! What runs a call, by the body of its tool: a [`Runner`], in one file for each body.
//!
//! A runner gets calls whose arguments fit the contract, and gives rows. Which tool it is, who may call it, how many rows
//! are returned and how they are written is no affair of its own.

mod change;
mod native;
mod output;
mod program;
mod python;
mod query;
mod records;
mod request;
mod rows;
mod simple_json;
mod statement;
mod tables;
mod upstream;
mod values;

use super::bind::{Arguments, BoundCall, Caller};
use super::changed::Changed;
use super::core::Core;
use super::error::CallError;
use super::executor::Local;
use super::hurry::Quick;
use super::native::NativeTool;
use super::result::Passed;
use super::unplanned::Unplanned;
use crate::project::{RecordToolKind, TableToolKind};
use crate::tool::{Body, Contract, OutputColumn, Tool};
use change::ChangeRunner;
use datafusion::arrow::array::RecordBatch;
use futures::future::BoxFuture;
use native::NativeRunner;
use program::ProgramRunner;
pub(super) use program::flaws as program_flaws;
pub use python::NotDescribed;
use python::PythonRunner;
pub(super) use python::describe_function;
pub(super) use query::QueryRunner;
pub(super) use records::RecordsRunner;
use request::RequestRunner;
pub use simple_json::ProgramDescribed;
pub(super) use simple_json::describe_program;
use statement::StatementRunner;
use std::sync::Arc;
use tables::TablesRunner;
use upstream::UpstreamRunner;

/// What runs the calls of a tool.
pub(super) enum Runner {
    /// A statement.
    Query(QueryRunner<Local>),
    /// A statement in a database's own SQL.
    Statement(Box<StatementRunner>),
    /// Statements in a database's own SQL that change data.
    Change(Box<ChangeRunner>),
    /// What is done with a set of tables.
    Tables(Box<TablesRunner<Local>>),
    /// What is done with records.
    Records(Box<RecordsRunner>),
    /// A program.
    Program(Box<ProgramRunner>),
    /// A request to a web service.
    Request(Box<RequestRunner>),
    /// A function in Python.
    Python(Box<PythonRunner>),
    /// A tool of another MCP server.
    Upstream(Box<UpstreamRunner>),
    /// A function in Rust, which gives a plan or rows.
    Native(Box<NativeRunner<Local>>),
}

/// What a runner is told of a call.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub contract: &'a Contract,
    /// The values of the parameters, and those that qtool adds.
    pub call: &'a BoundCall,
    /// What was sent.
    pub arguments: &'a Arguments,
    pub caller: &'a Caller,
}

/// What a runner gives.
#[derive(Default)]
pub(super) struct RunOutput {
    /// The rows, one more than the call's limit where there are more.
    pub batches: Vec<RecordBatch>,
    /// The columns, where the contract does not say.
    pub columns: Option<Vec<OutputColumn>>,
    /// How many rows there are in all, where there are more and the tool counts them.
    pub total: Option<u64>,
    /// Whether the rows have an order that a further page can go on in.
    pub has_pages: bool,
    /// How many rows the statement itself gives at most, where that is a number in its text.
    pub own_limit: Option<u64>,
    /// What was changed, by a tool that changes data.
    pub changed: Option<Changed>,
    /// What another server answered, which is no rows.
    pub passed: Option<Passed>,
}

impl Runner {
    /// That of a tool that was compiled.
    pub(super) fn of(tool: &Tool, core: &Arc<Core>) -> Result<Runner, Unplanned> {
        let has_policy = |table: &String| tool.contract.policies.iter().any(|policy| policy.table == *table);
        let is_bare = |table: &&String| core.policied.contains(*table) && !has_policy(table);
        let reads = tool.table_set().is_none_or(|set| set.does != TableToolKind::Schema)
            && tool.record_set().is_none_or(|set| set.acts != RecordToolKind::GetContract);
        if let Some(table) = tool.contract.tables.iter().find(is_bare).filter(|_| reads) {
            return Err(Unplanned::PastPolicy(table.clone()));
        }
        match &tool.body {
            Body::Query(_) => Ok(Runner::Query(QueryRunner::plan(tool, core)?)),
            Body::Statement(statement) => {
                Ok(Runner::Statement(Box::new(StatementRunner::new(&tool.contract, statement, core)?)))
            }
            Body::Change(change) => Ok(Runner::Change(Box::new(ChangeRunner::new(&tool.contract, change, core)?))),
            Body::Tables(set) => Ok(Runner::Tables(Box::new(TablesRunner::new(&tool.contract, set, core)?))),
            Body::Records(set) => Ok(Runner::Records(Box::new(RecordsRunner::new(&tool.contract, set, core)?))),
            Body::Program(program) => Ok(Runner::Program(Box::new(ProgramRunner::new(program, core)))),
            Body::SimpleJson(program) => Ok(Runner::Program(Box::new(ProgramRunner::of_simple_json(program, core)))),
            Body::Request(request) => Ok(Runner::Request(Box::new(RequestRunner::new(request, core)))),
            Body::Python(python) => Ok(Runner::Python(Box::new(PythonRunner::new(python, core)))),
            Body::Upstream(call) => {
                let runner = UpstreamRunner::new(&tool.contract, call, core).map_err(Unplanned::Schema)?;
                Ok(Runner::Upstream(Box::new(runner)))
            }
            Body::Native => Err(Unplanned::NotHere),
        }
    }

    /// That of a tool that was added.
    pub(super) fn native(tool: NativeTool, core: &Arc<Core>) -> Runner {
        Runner::Native(Box::new(NativeRunner::new(tool, core)))
    }

    /// What is done with records, where it is that.
    pub(super) fn of_records(&self) -> Option<&RecordsRunner> {
        match self {
            Runner::Records(records) => Some(records),
            _ => None,
        }
    }

    /// Runs a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        match self {
            Runner::Query(query) => query.run(order).await,
            Runner::Statement(statement) => statement.run(order).await,
            Runner::Change(change) => change.run(order).await,
            Runner::Tables(tables) => tables.run(order).await,
            Runner::Records(records) => records.run(order).await,
            Runner::Program(program) => program.run(order).await,
            Runner::Request(request) => request.run(order).await,
            Runner::Python(python) => python.run(order).await,
            // What it waits for is large, and would be a part of every call.
            Runner::Upstream(upstream) => Box::pin(upstream.run(order)).await,
            Runner::Native(native) => native.run(order).await,
        }
    }

    /// The same for what a runner itself runs: a call in a call.
    pub(super) fn run_boxed<'a>(&'a self, order: Order<'a>) -> BoxFuture<'a, Result<RunOutput, CallError>> {
        Box::pin(self.run(order))
    }

    /// The same on the thread of whoever asks, where that is known to take little time; `None` where it is not.
    pub(super) async fn run_at_once(&self, order: Order<'_>) -> Option<Result<RunOutput, CallError>> {
        match self {
            Runner::Query(query) => query.run_at_once(order).await,
            Runner::Statement(statement) => statement.run_at_once(order).await,
            // Its own thread runs it.
            Runner::Program(program) => Some(program.run(order).await),
            Runner::Request(request) => Some(request.run(order).await),
            Runner::Python(python) => Some(python.run(order).await),
            Runner::Upstream(upstream) => Some(Box::pin(upstream.run(order)).await),
            Runner::Change(_) | Runner::Tables(_) | Runner::Records(_) | Runner::Native(_) => None,
        }
    }

    /// Whether calls take so little time that it is worth trying to run the next at once; `None` where it is not.
    pub(super) fn quick(&self) -> Option<Quick> {
        match self {
            Runner::Query(query) => query.quick(),
            Runner::Statement(statement) => statement.quick(),
            Runner::Program(_) | Runner::Request(_) | Runner::Python(_) | Runner::Upstream(_) => Some(Quick::Awaited),
            Runner::Change(_) | Runner::Tables(_) | Runner::Records(_) | Runner::Native(_) => None,
        }
    }

    /// The physical plan of a call, for the author of the tool.
    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        match self {
            Runner::Query(query) => query.explain(order).await,
            Runner::Statement(statement) => Ok(statement.explain(order)),
            Runner::Change(change) => Ok(change.explain(order)),
            Runner::Tables(tables) => tables.explain(order).await,
            Runner::Records(records) => records.explain(order).await,
            Runner::Program(program) => program.explain(order),
            Runner::Request(request) => request.explain(order),
            Runner::Python(python) => python.explain(order),
            Runner::Upstream(upstream) => upstream.explain(order),
            Runner::Native(native) => native.explain(order).await,
        }
    }
}
