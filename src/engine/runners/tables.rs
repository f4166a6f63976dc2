//! Runs what is done with a set of tables: one file for each kind of tool.
//!
//! Rows are asked for by plans that are built here, never by SQL that is put together. Only `analyze` reads SQL, that of the
//! agent, and plans it with these tables alone.

mod analyze;
mod checked;
mod found;
mod profile;
mod read;
mod schema;
mod search;

use super::rows::{batches_of_columns, columns_of};
use super::{Order, RunOutput};
use crate::engine::allowed_values::TableSources;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::executor::{Executor, Local, Selection, SelectionPlan, total_rows};
use crate::engine::planned::slot_types;
use crate::engine::policies::shown_tables;
use crate::engine::unplanned::Unplanned;
use crate::project::TableToolKind;
use crate::tool::{Contract, OutputColumn, TableSet};
use datafusion::arrow::array::RecordBatch;
use datafusion::logical_expr::LogicalPlan;
use profile::Profiles;
use serde_json::{Map, Value};
use std::sync::Arc;

/// What runs a tool that is made of tables.
pub(in crate::engine) struct TablesRunner<E> {
    set: TableSet,
    core: Arc<Core>,
    /// The tables as callers see them.
    tables: TableSources,
    executor: E,
    /// How tables looked, for further calls.
    profiles: Profiles,
}

/// A row that is written as it is computed.
type Object = Map<String, Value>;

impl TablesRunner<Local> {
    /// Over the tables of this process.
    ///
    /// Errors: the policy of one of them does not plan.
    pub(super) fn new(contract: &Contract, set: &TableSet, core: &Arc<Core>) -> Result<TablesRunner<Local>, Unplanned> {
        let tables =
            shown_tables((contract, &slot_types(contract)), &core.tables, &core.session().functions)?.into_owned();
        Ok(TablesRunner {
            set: set.clone(),
            core: Arc::clone(core),
            tables,
            executor: Local::new(core),
            profiles: Profiles::default(),
        })
    }
}

impl<E: Executor> TablesRunner<E> {
    /// The rows of a call.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        match self.set.does {
            TableToolKind::Schema => rows_of_objects(order, &schema::rows_of_schema(&self.set, order.call)),
            TableToolKind::Profile => rows_of_objects(order, &self.profile_rows(order).await?),
            TableToolKind::Read => self.read_rows(order).await,
            TableToolKind::SearchSummary => rows_of_objects(order, &self.summary_rows(order).await?),
            TableToolKind::SearchContent => self.content_rows(order).await,
            TableToolKind::Analyze => self.analyzed_rows(order).await,
        }
    }

    /// The plan of a call, for the author of the tool; that of the first table, where several are asked.
    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let plan = match self.set.does {
            TableToolKind::Schema => {
                return Ok("no table is read: the schemas are those of the compiled tool\n".to_owned());
            }
            TableToolKind::Profile => self.profile_plan(order)?,
            TableToolKind::Read => self.read_plan(order)?.0,
            TableToolKind::SearchSummary => self.summary_plan(order)?,
            TableToolKind::SearchContent => self.content_plan(order)?.plan,
            TableToolKind::Analyze => self.analyzed_plan(order)?.plan,
        };
        self.explained_plan(order, plan).await
    }

    /// A plan as it runs, for the author of the tool.
    pub(super) async fn explained_plan(&self, order: Order<'_>, plan: LogicalPlan) -> Result<String, CallError> {
        let plan = with_values(order, plan)?;
        self.executor.explain(&Selection::of(order.contract, order.call, SelectionPlan::Own(plan))).await
    }

    /// The rows of a page of a plan, whose columns are those of the plan where `columns` does not say.
    pub(super) async fn page_of_rows(
        &self,
        order: Order<'_>,
        plan: LogicalPlan,
        columns: Option<Vec<OutputColumn>>,
    ) -> Result<RunOutput, CallError> {
        let columns = match columns {
            Some(columns) => columns,
            None => columns_of(&plan)?,
        };
        let selection = Selection::of(order.contract, order.call, SelectionPlan::Own(with_values(order, plan)?));
        let batches = self.executor.rows(&selection).await?;
        let total = total_rows(&self.executor, &selection, &batches).await?;
        Ok(RunOutput { batches, columns: Some(columns), total, ..RunOutput::default() })
    }

    /// All rows of a plan that bounds them itself.
    async fn all_rows(&self, order: Order<'_>, plan: LogicalPlan) -> Result<Vec<RecordBatch>, CallError> {
        self.executor.rows(&Selection::whole(order.contract, order.call, with_values(order, plan)?)).await
    }
}

/// The plan with what the policies of its tables ask for.
fn with_values(order: Order<'_>, plan: LogicalPlan) -> Result<LogicalPlan, CallError> {
    if order.contract.policies.is_empty() {
        return Ok(plan);
    }
    order.call.apply(order.contract, &plan).map_err(unbuilt)
}

/// Rows that were computed here, all of them.
fn rows_of_objects(order: Order<'_>, objects: &[Object]) -> Result<RunOutput, CallError> {
    let batches = batches_of_columns(order.contract.columns(), objects)?;
    Ok(RunOutput { batches, ..RunOutput::default() })
}

/// The same with columns that the contract does not know.
fn rows_of_objects_as(columns: Vec<OutputColumn>, objects: &[Object]) -> Result<RunOutput, CallError> {
    let batches = batches_of_columns(&columns, objects)?;
    Ok(RunOutput { batches, columns: Some(columns), ..RunOutput::default() })
}

/// The error of a plan that was built here: it is ours.
pub(super) fn unbuilt(error: datafusion::error::DataFusionError) -> CallError {
    crate::engine::failure::internal_error(&error)
}
