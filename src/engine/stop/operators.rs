//! Operators that look at each batch whether anybody waits.

use crate::plan::stop;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Operators that hand on what comes, or wait where it comes from: to look above them would be to look twice.
const HAND_ON: [&str; 13] = [
    "CoalesceBatchesExec",
    "CoalescePartitionsExec",
    "CooperativeExec",
    "DataSourceExec",
    "EmptyExec",
    "FilterExec",
    "GlobalLimitExec",
    "LazyMemoryExec",
    "LocalLimitExec",
    "PlaceholderRowExec",
    "ProjectionExec",
    "RepartitionExec",
    "UnionExec",
];

/// The plan, with a look above every operator but those that hand on what comes.
pub(in crate::engine) fn watch_operators(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let watched = plan.transform_up(|node| {
        Ok(if HAND_ON.contains(&node.name()) {
            Transformed::no(node)
        } else {
            Transformed::yes(Arc::new(WatchedExec { input: node }) as Arc<dyn ExecutionPlan>)
        })
    })?;
    Ok(watched.data)
}

/// The rows of an operator, as long as somebody waits.
#[derive(Debug)]
struct WatchedExec {
    input: Arc<dyn ExecutionPlan>,
}

impl DisplayAs for WatchedExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("WatchedExec")
    }
}

impl ExecutionPlan for WatchedExec {
    fn name(&self) -> &str {
        "WatchedExec"
    }

    // What looks for an operator finds the one below.
    fn downcast_delegate(&self) -> Option<&dyn ExecutionPlan> {
        Some(self.input.as_ref())
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(WatchedExec { input })),
            _ => internal_err!("it watches one operator"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        Ok(Box::pin(WatchedStream { input: self.input.execute(partition, context)? }))
    }
}

struct WatchedStream {
    input: SendableRecordBatchStream,
}

impl Stream for WatchedStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match stop::check() {
            Ok(()) => self.input.poll_next_unpin(context),
            Err(stopped) => Poll::Ready(Some(Err(stopped))),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.input.size_hint()
    }
}

impl RecordBatchStream for WatchedStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}
