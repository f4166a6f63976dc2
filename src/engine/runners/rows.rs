//! Plans and rows of tools that run no statement of an author.

use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::failure::engine_error;
use crate::engine::sources::relying_on_keys;
use crate::plan::total_order::{self, Known};
use crate::project::AutomaticParameter;
use crate::tool::{Contract, OutputColumn};
use crate::ty::Type;
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::infer_json_schema_from_iterator;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The plan in a total order where the tool offers pages; whether it has them.
pub(super) fn in_order(plan: LogicalPlan, contract: &Contract, core: &Core) -> Result<(LogicalPlan, bool), CallError> {
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

/// A plan that gives rows which are there.
pub(super) fn plan_of_batches(batches: Vec<RecordBatch>) -> Result<LogicalPlan, CallError> {
    let Some(first) = batches.first() else {
        return Ok(LogicalPlanBuilder::empty(false).build()?);
    };
    let table = MemTable::try_new(first.schema(), vec![batches])?;
    Ok(LogicalPlanBuilder::scan("rows", provider_as_source(Arc::new(table)), None)?.build()?)
}

/// Rows that are written as objects; the types of their columns are those of the values.
pub(super) fn batches_of_objects(objects: &[Map<String, Value>]) -> Result<Vec<RecordBatch>, CallError> {
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
pub(super) fn columns_of(plan: &LogicalPlan) -> Result<Vec<OutputColumn>, CallError> {
    let column = |field: &Arc<Field>| match Type::from_arrow(field.data_type()) {
        Some(ty) => Ok(OutputColumn::new(field.name().clone(), ty)),
        None => Err(CallError::internal(format!("column {} has type {}", field.name(), field.data_type()))),
    };
    plan.schema().fields().iter().map(column).collect()
}

/// Rows that are written as objects, with columns that are known.
///
/// Errors: a value is not of its column's type.
pub(super) fn batches_of_columns(
    columns: &[OutputColumn],
    objects: &[Map<String, Value>],
) -> Result<Vec<RecordBatch>, CallError> {
    let internal = |error: arrow::error::ArrowError| CallError::internal_of_engine(error.to_string());
    let field = |column: &OutputColumn| Field::new(&column.name, column.ty.to_arrow(), true);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let mut decoder = ReaderBuilder::new(Arc::new(schema)).build_decoder().map_err(internal)?;
    decoder.serialize(objects).map_err(internal)?;
    Ok(decoder.flush().map_err(internal)?.into_iter().collect())
}
