//! The programs whose rows a query selects from: they are called before the query runs, all at once, and their rows are tables of
//! this call alone.

use super::bind::{Arguments, BoundCall};
use super::core::Core;
use super::error::CallError;
use super::failure::internal_error;
use super::prepared::Prepared;
use super::runners::{Order, Runner};
use super::unplanned::Unplanned;
use crate::tool::{CalledProgram, OutputColumn, ProgramArgument, Tool};
use crate::ty::coerce::{Coercion, Strictness};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::Transformed;
use datafusion::datasource::{MemTable, empty::EmptyTable, provider_as_source};
use datafusion::logical_expr::{LogicalPlan, TableSource};
use futures::future::try_join_all;
use moka::sync::Cache;
use std::collections::HashMap;
use std::sync::Arc;

/// The most memory that kept rows of one use take.
const KEPT: u64 = 32 << 20;

/// The programs of a query.
pub(super) struct CalledPrograms {
    core: Arc<Core>,
    all: Vec<Called>,
}

/// One use of a program.
struct Called {
    table: String,
    schema: SchemaRef,
    prepared: Arc<Prepared>,
    arguments: Vec<(String, Argument)>,
    /// The rows of earlier calls, where its author says how long they hold.
    kept: Option<Cache<String, Arc<Vec<RecordBatch>>>>,
}

enum Argument {
    Parameter(String),
    Value(ScalarValue),
}

impl CalledPrograms {
    /// Those of a tool; `None` where it has none.
    ///
    /// Errors: a value that is written in the query is none that the program takes.
    pub(super) fn of(tool: &Tool, core: &Arc<Core>) -> Result<Option<CalledPrograms>, Unplanned> {
        if tool.programs().is_empty() {
            return Ok(None);
        }
        let all = tool.programs().iter().map(|called| Called::new(called, core)).collect::<Result<_, _>>()?;
        Ok(Some(CalledPrograms { core: Arc::clone(core), all }))
    }

    /// The tables that their rows are, without rows: what a query is planned against.
    pub(super) fn sources(&self) -> impl Iterator<Item = (String, Arc<dyn TableSource>)> {
        self.all.iter().map(|called| {
            let empty = EmptyTable::new(Arc::clone(&called.schema));
            (called.table.clone(), provider_as_source(Arc::new(empty)))
        })
    }

    /// A plan over the rows that the programs give in a call.
    ///
    /// Errors: those of the programs.
    pub(super) async fn plan_with_rows(&self, plan: LogicalPlan, order: Order<'_>) -> Result<LogicalPlan, CallError> {
        let called = self.all.iter().map(|called| called.rows(order, &self.core));
        let tables: HashMap<&str, Arc<dyn TableSource>> = try_join_all(called).await?.into_iter().collect();
        let over_rows = |node: LogicalPlan| match node {
            LogicalPlan::TableScan(mut scan) => match tables.get(scan.table_name.table()) {
                Some(source) => {
                    scan.source = Arc::clone(source);
                    Ok(Transformed::yes(LogicalPlan::TableScan(scan)))
                }
                None => Ok(Transformed::no(LogicalPlan::TableScan(scan))),
            },
            node => Ok(Transformed::no(node)),
        };
        let plan = plan.transform_down_with_subqueries(over_rows).map_err(|error| internal_error(&error))?;
        Ok(plan.data)
    }
}

impl Called {
    fn new(called: &CalledProgram, core: &Arc<Core>) -> Result<Called, Unplanned> {
        let contract = &called.tool.contract;
        let coercion = Coercion { strictness: Strictness::Strict, time_zone: core.time_zone.clone() };
        let argument = |(name, argument): (&String, &ProgramArgument)| {
            let argument = match argument {
                ProgramArgument::Parameter(name) => Argument::Parameter(name.clone()),
                ProgramArgument::Value(value) => {
                    let ty = contract.parameter(name).map(|parameter| &parameter.ty);
                    let value = ty.and_then(|ty| ty.coerce(value, &coercion).ok());
                    Argument::Value(value.ok_or_else(|| Unplanned::DefaultWithoutValue(name.clone()))?)
                }
            };
            Ok((name.clone(), argument))
        };
        let weigh = |_: &String, rows: &Arc<Vec<RecordBatch>>| {
            let bytes: usize = rows.iter().map(RecordBatch::get_array_memory_size).sum();
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        let kept = |lasts| Cache::builder().max_capacity(KEPT).weigher(weigh).time_to_live(lasts).build();
        Ok(Called {
            table: called.table.clone(),
            schema: schema_of(contract.columns()),
            prepared: Arc::new(Prepared::new((*called.tool).clone())),
            arguments: called.arguments.iter().map(argument).collect::<Result<_, Unplanned>>()?,
            kept: contract.cache_ttl.map(|lasts| kept(lasts.0)),
        })
    }

    /// The rows of a call, as a table.
    async fn rows(&self, order: Order<'_>, core: &Arc<Core>) -> Result<(&str, Arc<dyn TableSource>), CallError> {
        let batches = match self.values(order) {
            Some(values) => self.batches(values, order, core).await?,
            None => Arc::default(),
        };
        // As the program is compiled, whatever of its columns happens to be without a null.
        let batches =
            batches.iter().map(|batch| RecordBatch::try_new(Arc::clone(&self.schema), batch.columns().to_vec()));
        let batches = batches.collect::<Result<Vec<_>, _>>();
        let batches = batches.map_err(|error| CallError::internal(format!("`{}`: {error}", self.table)))?;
        let table =
            MemTable::try_new(Arc::clone(&self.schema), vec![batches]).map_err(|error| internal_error(&error))?;
        Ok((&self.table, provider_as_source(Arc::new(table))))
    }

    /// The values of the arguments; `None` where one that must be there has none: then it stands in a clause that is left out.
    fn values(&self, order: Order<'_>) -> Option<HashMap<String, Option<ScalarValue>>> {
        let tool = self.prepared.tool();
        let mut values = HashMap::new();
        for (name, argument) in &self.arguments {
            let value = match argument {
                Argument::Parameter(here) => order.call.value(here).filter(|value| !value.is_null()).cloned(),
                Argument::Value(value) => Some(value.clone()),
            };
            if value.is_none() && tool.contract.parameter(name).is_some_and(|parameter| parameter.required) {
                return None;
            }
            values.insert(name.clone(), value);
        }
        Some(values)
    }

    async fn batches(
        &self,
        values: HashMap<String, Option<ScalarValue>>,
        order: Order<'_>,
        core: &Arc<Core>,
    ) -> Result<Arc<Vec<RecordBatch>>, CallError> {
        let key = self.kept.as_ref().map(|_| key_of(&values));
        if let Some(kept) = self.kept.as_ref().zip(key.as_ref()).and_then(|(kept, key)| kept.get(key)) {
            return Ok(kept);
        }
        let (tool, call, none) = (self.prepared.tool(), BoundCall::within(order.call, values), Arguments::new());
        let runner: &Runner = &self.prepared.plans(core)?.runner;
        let own = Order { contract: &tool.contract, call: &call, arguments: &none, caller: order.caller };
        let batches = Arc::new(runner.run_boxed(own).await?.batches);
        if let Some((kept, key)) = self.kept.as_ref().zip(key) {
            kept.insert(key, Arc::clone(&batches));
        }
        Ok(batches)
    }
}

/// What tells the values of a call from others.
fn key_of(values: &HashMap<String, Option<ScalarValue>>) -> String {
    let mut all: Vec<String> = values.iter().map(|(name, value)| format!("{name:?}={value:?}")).collect();
    all.sort();
    all.join("\n")
}

fn schema_of(columns: &[OutputColumn]) -> SchemaRef {
    let field = |column: &OutputColumn| Field::new(&column.name, column.ty.to_arrow(), column.nullable);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}
