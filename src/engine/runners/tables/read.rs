//! Rows of one table, with the columns and in the order of the call.

use super::checked::{named_columns, named_table, no_such_column};
use super::{TablesRunner, unbuilt};
use crate::engine::bind::BoundCall;
use crate::engine::error::CallError;
use crate::engine::executor::Executor;
use crate::engine::runners::rows::in_order;
use crate::engine::runners::{Order, RunOutput};
use crate::tool::{DescribedColumn, DescribedTable};
use datafusion::logical_expr::{LogicalPlan, SortExpr};
use datafusion::prelude::ident;

/// What stands behind a column that is sorted from the largest down.
const DOWN: &str = " desc";

impl<E: Executor> TablesRunner<E> {
    /// The rows of a page.
    pub(super) async fn read_rows(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let (plan, has_pages) = self.read_plan(order)?;
        Ok(RunOutput { has_pages, ..self.page_of_rows(order, plan, None).await? })
    }

    /// The plan of all rows in their order, and whether pages of it fit together.
    pub(super) fn read_plan(&self, order: Order<'_>) -> Result<(LogicalPlan, bool), CallError> {
        let table = named_table(&self.set, order.call)?;
        let all: Vec<&str> = table.column_names().collect();
        let columns = named_columns(table, order.call, "columns", &all);
        let keys = sort_keys(table, order.call);
        let (columns, keys) = match (columns, keys) {
            (Ok(columns), Ok(keys)) => (columns, keys),
            (columns, keys) => {
                let errors = [columns.err(), keys.err()].into_iter().flatten().collect();
                return Err(CallError::all(errors).unwrap_or_else(|| CallError::internal("no error")));
            }
        };
        let scan = self.scan_of_table(table)?;
        let sorted = if keys.is_empty() { scan } else { scan.sort(keys).map_err(unbuilt)? };
        let plan = sorted.project(columns.into_iter().map(ident)).and_then(|plan| plan.build()).map_err(unbuilt)?;
        in_order(plan, order.contract, &self.core)
    }
}

/// What the rows are sorted by. Rows without a value come last in both directions.
///
/// Errors: a column of another table, with the nearest of this one.
fn sort_keys(table: &DescribedTable, call: &BoundCall) -> Result<Vec<SortExpr>, CallError> {
    let (mut keys, mut seen, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for written in call.texts("order_by").unwrap_or_default() {
        let (name, ascending) = match written.strip_suffix(DOWN) {
            // A column may be called so.
            Some(name) if table.column(&written).is_none() => (name.to_owned(), false),
            _ => (written, true),
        };
        if !table.column(&name).is_some_and(DescribedColumn::can_be_sorted) {
            let known: Vec<&str> = table.sortable_column_names().collect();
            errors.push(no_such_column(table, "order_by", &name, &known));
        } else if !seen.contains(&name) {
            keys.push(ident(name.clone()).sort(ascending, false));
            seen.push(name);
        }
    }
    CallError::all(errors).map_or(Ok(keys), Err)
}
