//! What the tables themselves hold, for those who ask what there is: how many rows, and some of them.

use super::Engine;
use super::encode::Rows;
use super::gate::{Counted, Whose};
use crate::tool::OutputColumn;
use crate::ty::Type;
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::physical_plan::collect;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// How long a table is looked at.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Engine {
    /// The number of rows of a table; `None` where it cannot be told in a reasonable time.
    pub async fn row_count(&self, table: &str) -> Option<u64> {
        let scan = self.scan(table)?.aggregate(Vec::<Expr>::new(), vec![count(lit(1_i64))]).ok()?.build().ok()?;
        let batches = self.look(scan).await?;
        let counted = batches.first()?.column(0).as_primitive_opt::<Int64Type>()?.value(0);
        u64::try_from(counted).ok()
    }

    /// What is to be said of the rows that were counted: how many of the data could not be read.
    pub fn note_of_table(&self, table: &str) -> Option<String> {
        self.core.opened(&[table.to_owned()]).find_map(|table| table.note())
    }

    /// The databases that cannot be reached now, by their names.
    pub fn unreachable_sources(&self) -> Vec<String> {
        let mut found: Vec<String> = self.core.opened.values().filter_map(|table| table.unreachable_source()).collect();
        let mut asked: Vec<&String> = self.tools.values().filter_map(|tool| tool.source.as_ref()).collect();
        asked.sort_unstable();
        asked.dedup();
        found.extend(asked.into_iter().filter(|source| !self.core.databases.is_reachable(source)).cloned());
        found.sort();
        found.dedup();
        found
    }

    /// The first rows of a table as objects.
    pub async fn sample(&self, table: &str, rows: u8) -> Option<Vec<Value>> {
        let scan = self.scan(table)?.limit(0, Some(usize::from(rows))).ok()?.build().ok()?;
        let field = |field: &Arc<datafusion::arrow::datatypes::Field>| {
            let ty = Type::from_arrow(field.data_type())?;
            Some(OutputColumn::new(field.name().clone(), ty))
        };
        let columns: Vec<OutputColumn> = scan.schema().fields().iter().map(field).collect::<Option<_>>()?;
        let batches = self.look(scan).await?;
        let rows = Rows::from_batches(&columns, &batches).ok()?;
        rows.structured().as_array().cloned()
    }

    fn scan(&self, table: &str) -> Option<LogicalPlanBuilder> {
        // Nobody asks in particular, so nobody sees it.
        if self.core.policied.contains(table) {
            return None;
        }
        let source = self.core.tables.get(table)?;
        LogicalPlanBuilder::scan(table, Arc::clone(source), None).ok()
    }

    async fn look(&self, plan: LogicalPlan) -> Option<Vec<RecordBatch>> {
        let whose = Whose::Tool(Arc::from(""));
        let counted = Counted { whose: whose.clone(), servers: Vec::new() };
        let turn = tokio::time::timeout(TIMEOUT, self.gate.enter(&counted)).await.ok()?.ok()?;
        let core = Arc::clone(&self.core);
        let read = async move {
            let state = core.session().ctx.state();
            let physical = state.create_physical_plan(&plan).await?;
            collect(physical, state.task_ctx()).await
        };
        let read: Result<Vec<RecordBatch>> =
            tokio::time::timeout(TIMEOUT, self.core.threads.run(read, whose, turn)).await.ok()?.ok()?;
        read.ok()
    }
}
