//! From rows to a result: how many of them, where the next page begins, and what is said of the rest.

use super::Run;
use super::failure::engine_error;
use crate::engine::cursor::Position;
use crate::engine::encode::{Rows, table_schema};
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::project::AutomaticParameter;
use crate::tool::{OutputColumn, Parameter};
use crate::ty::{ExactNumbers, Type};
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Field, Int64Type};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use std::sync::Arc;

impl Run {
    /// The result of these rows.
    pub(super) async fn result(mut self, batches: &[RecordBatch]) -> Result<CallResult, CallError> {
        let own;
        let columns = match &self.tool.native_input {
            Some(_) => {
                own = columns_of(&self.plan()?)?;
                &own
            }
            None => &self.tool.columns,
        };
        let mut rows = Rows::from_batches(columns, batches).map_err(|error| CallError::internal(error.to_string()))?;
        let table_schema = match &self.tool.native_input {
            Some(_) => table_schema(columns),
            None => Arc::clone(&self.prepared.table_schema),
        };
        let read = rows.len() as u64;
        let more = self.call.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = self.call.limit {
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let most = self.source.limits.max_bytes;
        let mut written = rows.write(self.call.format, most);
        let fitting = written.rows;
        let cut = fitting < rows.len();
        if cut {
            rows.truncate(fitting);
            self.notes.push(format!("the result was cut after {fitting} rows at {} KiB", most >> 10));
        }
        let total = match (more, self.tool.count_total) {
            (false, _) => Some(self.call.skip + read),
            (true, true) => Some(self.count().await?),
            (true, false) => None,
        };
        let truncated = more || cut;
        let next_cursor = (truncated && fitting > 0).then(|| self.next(fitting)).flatten();
        if truncated {
            self.notes.extend(self.how_to_go_on(next_cursor.is_some(), cut));
        }
        self.notes.append(&mut written.notes);
        let (table, format, notes) = (written.text, self.call.format, self.notes);
        Ok(CallResult { rows, table, table_schema, format, total, truncated, next_cursor, notes })
    }

    /// The cursor of the page behind this one.
    fn next(&self, rows: usize) -> Option<String> {
        let is_exposed = self.tool.expose.contains(&AutomaticParameter::Cursor);
        let position = Position { skip: self.call.skip + rows as u64, now: self.call.now };
        is_exposed.then(|| self.source.key.write(&self.prepared.contract, &self.arguments, &self.caller, position))
    }

    /// What an agent can do who did not get all rows.
    fn how_to_go_on(&self, has_cursor: bool, cut: bool) -> Option<String> {
        let mut ways = Vec::new();
        if has_cursor {
            ways.push("call again with the same arguments and `cursor`".to_owned());
        }
        let most = self.tool.result_limit.rows();
        if !cut && self.tool.expose.contains(&AutomaticParameter::Limit) && self.call.limit < most {
            ways.extend(most.map(|most| format!("ask for more with `limit` (at most {most})")));
        }
        let unsent = |parameter: &&Parameter| {
            let sent = self.arguments.get(&parameter.name).is_some_and(|value| !value.is_null());
            !sent && !parameter.required && parameter.choices.is_empty()
        };
        let names: Vec<String> =
            self.tool.published().filter(unsent).map(|parameter| format!("`{}`", parameter.name)).collect();
        if !names.is_empty() {
            ways.push(format!("narrow with {}", names.join(", ")));
        }
        (!ways.is_empty()).then(|| format!("more rows exist: {}", ways.join(", or ")))
    }

    /// How many rows there are in all.
    async fn count(&self) -> Result<u64, CallError> {
        let plan = LogicalPlanBuilder::from(self.plan()?)
            .aggregate(Vec::<Expr>::new(), vec![count(lit(1_i64))])
            .and_then(LogicalPlanBuilder::build)
            .map_err(engine_error)?;
        let batches = self.execute(&plan).await?;
        let value = batches
            .first()
            .and_then(|batch| batch.column(0).as_primitive_opt::<Int64Type>().map(|counts| counts.value(0)));
        value.map(|counted| counted as u64).ok_or_else(|| CallError::internal("the count has no value"))
    }
}

/// The columns of a plan, for a tool that does not say which it has.
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
