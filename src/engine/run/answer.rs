//! From rows to a result: how many of them, where the next page begins, and what is said of the rest.

use super::Run;
use super::failure::engine_error;
use crate::engine::bind::is_null;
use crate::engine::encode::{Rows, table_schema};
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::project::AutomaticParameter;
use crate::tool::{Output, OutputColumn, Parameter};
use crate::ty::coerce::Strictness;
use crate::ty::{ExactNumbers, Type};
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Field, Int64Type};
use datafusion::common::ScalarValue;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use futures::FutureExt;
use std::sync::Arc;

impl Run {
    /// The result of these rows.
    pub(super) async fn result(mut self, batches: &[RecordBatch]) -> Result<CallResult, CallError> {
        let own;
        let columns = match &self.checked.tool.contract.output {
            Output::Rows => {
                own = columns_of(&self.plan()?)?;
                &own
            }
            Output::Columns(columns) => columns,
        };
        let mut rows = Rows::from_batches(columns, batches).map_err(|error| CallError::internal(error.to_string()))?;
        let table_schema = match &self.checked.tool.contract.output {
            Output::Rows => table_schema(columns),
            Output::Columns(_) => Arc::clone(&self.prepared.table_schema),
        };
        let read = rows.len() as u64;
        let more = self.checked.call.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = self.checked.call.limit {
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let most = self.core.limits.max_bytes;
        let mut written = rows.write(self.checked.call.format, most);
        let cut = written.rows < rows.len();
        if cut && written.rows == 0 {
            // The next page would begin with the same row.
            let (row, names) = rows.shortened(self.checked.call.format, most).ok_or_else(too_large)?;
            written = row.write(self.checked.call.format, usize::MAX);
            self.notes.push(row_was_cut(&names, most));
            let behind = rows.len() - 1;
            rows = row;
            if behind > 0 {
                self.notes.push(format!("the result was cut after 1 row at {} KiB", most >> 10));
            }
        } else if cut {
            rows.truncate(written.rows);
            self.notes.push(format!("the result was cut after {} rows at {} KiB", written.rows, most >> 10));
        }
        let total = match (more, self.checked.tool.contract.count_total) {
            (false, _) => Some(self.checked.call.skip + read),
            (true, true) => Some(self.count().await?),
            (true, false) => None,
        };
        let truncated = more || (rows.len() as u64) < read;
        let next_cursor = truncated.then(|| self.next(rows.len())).flatten();
        if truncated {
            self.notes.extend(self.how_to_go_on(next_cursor.is_some(), cut));
        }
        self.notes.append(&mut written.notes);
        let (table, format, notes) = (written.text, self.checked.call.format, self.notes);
        Ok(CallResult { rows, table, table_schema, format, total, truncated, next_cursor, notes })
    }

    /// The cursor of the page behind this one.
    fn next(&self, rows: usize) -> Option<String> {
        let skip = self.checked.call.skip + rows as u64;
        self.has_pages.then(|| self.checked.cursor(&self.prepared, &self.core, skip)).flatten()
    }

    /// What an agent can do who did not get all rows.
    fn how_to_go_on(&self, has_cursor: bool, cut: bool) -> Option<String> {
        let mut ways = Vec::new();
        if has_cursor {
            ways.push("call again with the same arguments and `cursor`".to_owned());
        }
        let most = self.checked.tool.contract.result_limit.rows();
        if !cut
            && self.checked.tool.contract.expose.contains(&AutomaticParameter::Limit)
            && self.checked.call.limit < most
        {
            ways.extend(most.map(|most| format!("ask for more with `limit` (at most {most})")));
        }
        let strictness = if self.checked.tool.contract.strict { Strictness::Strict } else { Strictness::Lax };
        // A default that was sent restricts no more than one that was not: equal calls are told the same.
        let unsent = |parameter: &&Parameter| {
            let sent = self.checked.arguments.get(&parameter.name);
            let is_sent = sent.is_some_and(|sent| !is_null(parameter, sent, strictness));
            let value = self.checked.call.value(&parameter.name);
            (!is_sent || self.default_of(parameter).as_ref() == value)
                && !parameter.required
                && parameter.choices.is_empty()
        };
        let names: Vec<String> = self
            .checked
            .tool
            .contract
            .published()
            .filter(unsent)
            .map(|parameter| format!("`{}`", parameter.name))
            .collect();
        if !names.is_empty() {
            ways.push(format!("narrow with {}", names.join(", ")));
        }
        (!ways.is_empty()).then(|| format!("more rows exist: {}", ways.join(", or ")))
    }

    /// The default of a parameter at the moment of the call.
    fn default_of(&self, parameter: &Parameter) -> Option<ScalarValue> {
        let defaults = &self.prepared.plans(&self.core).ok()?.defaults;
        defaults.value(parameter, self.checked.call.now)?.ok()?
    }

    /// How many rows there are in all.
    async fn count(&self) -> Result<u64, CallError> {
        let plan = LogicalPlanBuilder::from(self.plan()?)
            .aggregate(Vec::<Expr>::new(), vec![count(lit(1_i64))])
            .and_then(LogicalPlanBuilder::build)
            .map_err(engine_error)?;
        let batches = self.steadily(|| self.execute(&plan).boxed()).await?;
        let value = batches
            .first()
            .and_then(|batch| batch.column(0).as_primitive_opt::<Int64Type>().map(|counts| counts.value(0)));
        value.map(|counted| counted as u64).ok_or_else(|| CallError::internal("the count has no value"))
    }
}

fn too_large() -> CallError {
    CallError::internal("the first row is larger than a result may be, and cannot be cut")
}

/// What is said of a row that is larger than a result may be.
fn row_was_cut(columns: &[String], most: usize) -> String {
    let names: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => format!("a row is larger than {} KiB", most >> 10),
        names => {
            format!("a row is larger than {} KiB: its longest values are cut, in {}", most >> 10, names.join(", "))
        }
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
