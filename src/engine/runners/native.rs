//! Runs a function in Rust, and the plan that it answers with or that is made of its rows.

use super::{Order, RunOutput};
use crate::engine::bind::schema::own_arguments;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::executor::{Executor, Local, Selection, SelectionPlan, total_rows};
use crate::engine::failure::engine_error;
use crate::engine::native::{Answer, NativeContext, NativeTool};
use crate::engine::sources::relying_on_keys;
use crate::plan::total_order::{self, Known};
use crate::project::AutomaticParameter;
use crate::tool::{Contract, Output, OutputColumn};
use crate::ty::{ExactNumbers, Type};
use datafusion::arrow::datatypes::Field;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::infer_json_schema_from_iterator;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What runs a function in Rust.
pub(in crate::engine) struct NativeRunner<E> {
    native: NativeTool,
    core: Arc<Core>,
    executor: E,
}

impl NativeRunner<Local> {
    /// Over the tables of this process.
    pub(super) fn new(native: NativeTool, core: &Arc<Core>) -> NativeRunner<Local> {
        NativeRunner { native, core: Arc::clone(core), executor: Local::new(core) }
    }
}

impl<E: Executor> NativeRunner<E> {
    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let (plan, has_pages) = self.plan(order).await?;
        let columns = match order.contract.output {
            Output::Rows => Some(columns_of(&plan)),
            Output::Columns(_) => None,
        };
        let selection = Selection::of(order.contract, order.call, SelectionPlan::Own(plan));
        let batches = self.executor.rows(&selection).await?;
        let total = total_rows(&self.executor, &selection, &batches).await?;
        Ok(RunOutput { batches, columns: columns.transpose()?, total, has_pages, own_limit: None })
    }

    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let (plan, _) = self.plan(order).await?;
        self.executor.explain(&Selection::of(order.contract, order.call, SelectionPlan::Own(plan))).await
    }

    /// Runs the function; the plan of its rows, and whether it has pages.
    async fn plan(&self, order: Order<'_>) -> Result<(LogicalPlan, bool), CallError> {
        let context = NativeContext::new(Arc::clone(&self.core), order.caller.clone());
        let plan = match self.native.answer(own_arguments(order.arguments), context).await? {
            Answer::Plan(plan) => *plan,
            Answer::Batches(batches) => plan_of_batches(batches)?,
            Answer::Objects(objects) => plan_of_batches(batches_of_objects(&objects)?)?,
        };
        in_order(plan, order.contract, &self.core)
    }
}

/// The plan in a total order where the tool offers pages; whether it has them.
fn in_order(plan: LogicalPlan, contract: &Contract, core: &Core) -> Result<(LogicalPlan, bool), CallError> {
    if !contract.expose.contains(&AutomaticParameter::Cursor) {
        return Ok((plan, false));
    }
    let key = |table: &str| core.primary_key(table).to_vec();
    let known = Known { keys: &key, volatile: &|_| None };
    let ordered = total_order::apply(plan.clone(), known).map_err(engine_error)?;
    match ordered {
        Ok(ordered) => Ok((relying_on_keys(ordered, &|_| true).map_err(engine_error)?, true)),
        Err(_) => Ok((plan, false)),
    }
}

fn plan_of_batches(batches: Vec<RecordBatch>) -> Result<LogicalPlan, CallError> {
    let Some(first) = batches.first() else {
        return Ok(LogicalPlanBuilder::empty(false).build()?);
    };
    let table = MemTable::try_new(first.schema(), vec![batches])?;
    Ok(LogicalPlanBuilder::scan("rows", provider_as_source(Arc::new(table)), None)?.build()?)
}

fn batches_of_objects(objects: &[Map<String, Value>]) -> Result<Vec<RecordBatch>, CallError> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let internal = |error: arrow::error::ArrowError| CallError::internal_of_engine(error.to_string());
    let values = objects.iter().map(|object| Ok(Value::Object(object.clone())));
    let schema = infer_json_schema_from_iterator(values).map_err(internal)?;
    let mut decoder = ReaderBuilder::new(Arc::new(schema)).build_decoder().map_err(internal)?;
    decoder.serialize(objects).map_err(internal)?;
    Ok(decoder.flush().map_err(internal)?.into_iter().collect())
}

/// The columns of a plan, of a tool that does not say which it has.
fn columns_of(plan: &LogicalPlan) -> Result<Vec<OutputColumn>, CallError> {
    let column = |field: &Arc<Field>| match Type::from_arrow(field.data_type()) {
        Some(ty) => Ok(OutputColumn {
            name: field.name().clone(),
            ty,
            nullable: true,
            description: None,
            numbers: ExactNumbers::default(),
        }),
        None => Err(CallError::internal(format!("column {} has type {}", field.name(), field.data_type()))),
    };
    plan.schema().fields().iter().map(column).collect()
}
