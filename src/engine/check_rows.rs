//! Whether conditions hold of the rows of a result.

use super::Engine;
use super::encode::Rows;
use super::fixture::{Row, batch};
use super::stop;
use crate::catalog::{Column, Table};
use crate::plan::engine_words::{without_kind, without_place};
use crate::plan::group_keys::Keys;
use crate::plan::planner::Planner;
use crate::syntax::link::parse_text;
use arrow::array::{Array, AsArray};
use arrow::datatypes::DataType;
use chrono::{DateTime, Utc};
use datafusion::common::DataFusionError;
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::logical_expr::{LogicalPlan, TableSource};
use datafusion::physical_plan::collect;
use serde_json::Value;
use sqlparser::parser::ParserError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a condition selects from.
const RESULT: &str = "result";
/// How long evaluating one may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Why a condition does not say of each row whether it holds; shown to its author.
#[derive(Debug)]
pub enum ConditionError {
    /// It does not parse.
    Text(ParserError),
    /// It is none over these columns, or fails.
    Engine(DataFusionError),
    /// Its value is of another type.
    NoCondition(DataType),
    /// It is more than one.
    Several,
    /// It gives another number of values than there are rows.
    NotByRow,
    /// It takes too long.
    TooLong,
    /// The rows cannot be selected from.
    Rows,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConditionError::Text(error) => f.write_str(without_place(&error.to_string())),
            ConditionError::Engine(error) => f.write_str(without_kind(&error.strip_backtrace())),
            ConditionError::NoCondition(other) => write!(f, "it is no condition: its value is of the type {other}"),
            ConditionError::Several => f.write_str("it is more than one condition"),
            ConditionError::NotByRow => f.write_str("it does not speak of each row by itself"),
            ConditionError::TooLong => write!(f, "it takes longer than {} s", TIMEOUT.as_secs()),
            ConditionError::Rows => f.write_str("the result cannot be selected from"),
        }
    }
}

impl From<DataFusionError> for ConditionError {
    fn from(error: DataFusionError) -> ConditionError {
        ConditionError::Engine(error)
    }
}

impl Engine {
    /// For every row, whether a SQL condition over the columns of the result is true; `None` where it is NULL. The rows
    /// are as they are published, and can be selected from as `result`. `now` is what `now()` is.
    ///
    /// Errors: it is no boolean expression over these columns, or it fails.
    pub async fn holds(
        &self,
        rows: &Rows,
        condition: &str,
        now: Option<DateTime<Utc>>,
    ) -> Result<Vec<Option<bool>>, ConditionError> {
        let table = result_table(rows, &self.core.time_zone)?;
        let sources: Arc<dyn TableSource> = provider_as_source(Arc::new(table));
        let plan = self.condition(&sources, condition)?;
        let mut state = self.core.session().template_state.clone();
        state.execution_props_mut().query_execution_start_time = Some(now.unwrap_or_else(Utc::now));
        let run = async {
            let plan = stop::optimized(&plan, &state)?;
            let physical = state.query_planner().create_physical_plan(&plan, &state).await?;
            collect(physical, state.task_ctx()).await
        };
        let batches = tokio::time::timeout(TIMEOUT, run).await.map_err(|_| ConditionError::TooLong)??;
        let mut held = Vec::with_capacity(rows.len());
        for batch in &batches {
            let column = batch.columns().first().ok_or(ConditionError::NotByRow)?;
            match column.as_boolean_opt() {
                Some(values) => held.extend(values.iter()),
                None => held.extend(std::iter::repeat_n(None, column.len())),
            }
        }
        if held.len() == rows.len() { Ok(held) } else { Err(ConditionError::NotByRow) }
    }

    fn condition(&self, rows: &Arc<dyn TableSource>, condition: &str) -> Result<LogicalPlan, ConditionError> {
        // On lines of its own, so that a comment at its end takes nothing with it.
        let text = format!("SELECT (\n{condition}\n) AS holds FROM {RESULT}");
        let statement = parse_text(&text, &|_| None).map_err(ConditionError::Text)?;
        let source = |name: &str| (name == RESULT).then(|| Arc::clone(rows));
        let planner = Planner { tables: &source, functions: &self.core.session().functions, keys: Keys::NONE };
        let plan = planner.plan(vec![("condition", statement)], &[]).and_then(|plan| planner.analyze(plan))?;
        match plan.schema().fields().iter().map(|field| field.data_type()).collect::<Vec<_>>().as_slice() {
            [DataType::Boolean | DataType::Null] => Ok(plan),
            [other] => Err(ConditionError::NoCondition((*other).clone())),
            _ => Err(ConditionError::Several),
        }
    }
}

/// The rows as a table, each column of the type that is published.
fn result_table(rows: &Rows, time_zone: &crate::ty::coerce::TimeZoneName) -> Result<MemTable, ConditionError> {
    let column =
        |(name, ty): &(String, crate::ty::Type)| Column { name: name.clone(), arrow: ty.to_arrow(), nullable: true };
    let table = Table::of_columns(rows.columns.iter().map(column).collect());
    let names = || rows.columns.iter().map(|(name, _)| name.clone());
    let objects: Vec<Row> = rows.values().into_iter().map(|values: Vec<Value>| names().zip(values).collect()).collect();
    let batch = batch(&table, &objects, time_zone).map_err(|_| ConditionError::Rows)?;
    Ok(MemTable::try_new(batch.schema(), vec![vec![batch]])?)
}
