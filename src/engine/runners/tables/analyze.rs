//! One SELECT that an agent has written, over the tables of the set and nothing else.
//!
//! It is compiled as a query file is: the same parser, the same bounds on size and depth, the same types and messages. The
//! project that it is compiled in has nothing but the tables, each with the columns that the tool was compiled for. What
//! comes out is a plan, which is run as that of any tool is: at most so many rows, bytes, so much time and memory.

mod compiled;
mod cost;
mod project;
mod refused;

use super::{TablesRunner, rows_of_objects_as, unbuilt, with_values};
use crate::engine::error::CallError;
use crate::engine::executor::Executor;
use crate::engine::failure::engine_error;
use crate::engine::planned::{KeyedTables, PlanWith, Planned, plan_every_choice};
use crate::engine::runners::tables::Object;
use crate::engine::runners::{Order, RunOutput};
use crate::engine::stop;
use crate::tool::{DescribedTable, OutputColumn};
use crate::ty::Type;
use compiled::compile_guest;
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;
use datafusion::logical_expr::{LogicalPlan, TableSource};
use datafusion::prelude::ident;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

/// A SELECT that compiled.
pub(super) struct AnalyzedPlan {
    pub(super) plan: LogicalPlan,
    columns: Vec<OutputColumn>,
}

/// What stands for a table of the set.
type Shown<'a> = &'a dyn Fn(&DescribedTable) -> Result<Arc<dyn TableSource>, CallError>;

impl<E: Executor> TablesRunner<E> {
    /// The rows of the SELECT, or its plan where that is asked for.
    pub(super) async fn analyzed_rows(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let AnalyzedPlan { plan, columns } = self.analyzed_plan(order)?;
        if order.call.boolean("explain") == Some(true) {
            return self.explained(self.told_plan(order, plan)?);
        }
        cost::check(&self.core, &with_values(order, plan.clone())?).await?;
        self.page_of_rows(order, plan, Some(columns)).await
    }

    /// The plan of the SELECT.
    ///
    /// Errors: what is wrong with it, in words for who has written it.
    pub(super) fn analyzed_plan(&self, order: Order<'_>) -> Result<AnalyzedPlan, CallError> {
        self.plan_over(order, &|table| self.shown_table(table))
    }

    /// The plan as an agent is told of it. What a policy says of a table is nobody's affair who cannot see past it: then the
    /// plan is that over the columns that there are.
    fn told_plan(&self, order: Order<'_>, plan: LogicalPlan) -> Result<LogicalPlan, CallError> {
        if order.contract.policies.is_empty() {
            return Ok(plan);
        }
        let bare = |table: &DescribedTable| -> Result<Arc<dyn TableSource>, CallError> {
            Ok(Arc::new(LogicalTableSource::new(self.shown_table(table)?.schema())))
        };
        Ok(self.plan_over(order, &bare)?.plan)
    }

    /// Plans the SELECT over the tables of the set, each as `shown` gives it.
    fn plan_over(&self, order: Order<'_>, shown: Shown<'_>) -> Result<AnalyzedPlan, CallError> {
        let sql = order.call.text("sql").unwrap_or_default();
        let tool = compile_guest(&self.core, &self.set, &sql)?;
        let mut tables: HashMap<String, Arc<dyn TableSource>> = HashMap::new();
        for table in &self.set.described {
            tables.insert(table.name.clone(), shown(table)?);
        }
        let functions = &self.core.session().functions;
        let with = PlanWith { tables: &tables, functions, keyed: KeyedTables::Opened(&self.core.opened) };
        let planned = plan_every_choice(&tool, with).map_err(|why| CallError::internal(why.to_string()))?;
        match planned.into_iter().next() {
            Some(Planned::Once(plan)) => Ok(AnalyzedPlan { plan, columns: tool.contract.columns().to_vec() }),
            // It has no placeholders, so that no value is waited for.
            Some(Planned::PerCall(_)) | None => Err(CallError::internal("the SELECT has no plan of its own")),
        }
    }

    /// A table with the columns that the tool was compiled for: a view where it has others by now.
    fn shown_table(&self, table: &DescribedTable) -> Result<Arc<dyn TableSource>, CallError> {
        let scan = self.scan_of_table(table)?;
        let now: Vec<&String> = scan.schema().fields().iter().map(|field| field.name()).collect();
        if now.iter().map(|name| name.as_str()).eq(table.column_names())
            && let Some(source) = self.tables.get(&table.name)
        {
            return Ok(Arc::clone(source));
        }
        let shown = scan.project(table.column_names().map(ident)).and_then(|plan| plan.build()).map_err(unbuilt)?;
        Ok(provider_as_source(Arc::new(ViewTable::new(shown, None))))
    }

    /// The optimised plan, a row a step. It names tables and columns, and not where they lie.
    fn explained(&self, plan: LogicalPlan) -> Result<RunOutput, CallError> {
        let plan = stop::optimized(&plan, &self.core.session().ctx.state()).map_err(engine_error)?;
        let step = |line: &str| Object::from_iter([("plan".to_owned(), json!(line))]);
        let steps: Vec<Object> = plan.display_indent().to_string().lines().map(step).collect();
        let description = Some("A step of the plan; those below it give it their rows.".to_owned());
        let column = OutputColumn { nullable: false, description, ..OutputColumn::new("plan", Type::Text) };
        rows_of_objects_as(vec![column], &steps)
    }
}
