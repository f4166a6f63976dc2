//! Runs a function in Rust, and the plan that it answers with or that is made of its rows.

use super::rows::{batches_of_objects, columns_of, in_order, plan_of_batches};
use super::{Order, RunOutput};
use crate::engine::bind::schema::own_arguments;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::engine::executor::{Executor, Local, Selection, SelectionPlan, total_rows};
use crate::engine::native::{Answer, NativeContext, NativeTool};
use crate::tool::Output;
use datafusion::logical_expr::LogicalPlan;
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
            Output::Columns(_) | Output::Passed { .. } => None,
        };
        let selection = Selection::of(order.contract, order.call, SelectionPlan::Own(plan));
        let batches = self.executor.rows(&selection).await?;
        let total = total_rows(&self.executor, &selection, &batches).await?;
        Ok(RunOutput { batches, columns: columns.transpose()?, total, has_pages, ..RunOutput::default() })
    }

    pub(super) async fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let (plan, _) = self.plan(order).await?;
        self.executor.explain(&Selection::of(order.contract, order.call, SelectionPlan::Own(plan))).await
    }

    /// Runs the function; the plan of its rows, and whether it has pages.
    async fn plan(&self, order: Order<'_>) -> Result<(LogicalPlan, bool), CallError> {
        let context = NativeContext::new(Arc::clone(&self.core), order.caller.clone());
        let plan = match self.native.answer(own_arguments(order.contract, order.arguments), context).await? {
            Answer::Plan(plan) => *plan,
            Answer::Batches(batches) => plan_of_batches(batches)?,
            Answer::Objects(objects) => plan_of_batches(batches_of_objects(&objects)?)?,
        };
        in_order(plan, order.contract, &self.core)
    }
}
