//! Operators that look at each batch whether anybody waits: at what the others hand on, and at what they take in, since
//! some of them take all that there is before they hand on anything.

use crate::engine::sources::SOURCE;
use crate::plan::functions::{Constants, counting_constants};
use crate::plan::stop;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::Literal;
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Operators that hand on what comes, or wait where it comes from: to look above them would be to look twice.
const HAND_ON: [&str; 14] = [
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
    SOURCE,
    "UnionExec",
];

/// The plan, with a look above every operator but those that hand on what comes, and above what each of the former takes
/// in.
pub(in crate::engine) fn watch_operators(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let watched = plan.transform_up(|node| {
        if HAND_ON.contains(&node.name()) && !makes_constants(&node) {
            return Ok(Transformed::no(node));
        }
        Ok(Transformed::yes(watched(watch_inputs(node)?)))
    })?;
    Ok(watched.data)
}

/// Whether an operator calls functions of nothing but constants. The optimizer would have put what they give in their place, if that
/// was small: so they are counted with each batch.
fn makes_constants(node: &Arc<dyn ExecutionPlan>) -> bool {
    let mut found = false;
    // Looking at a plan does not fail.
    let _ = node.apply_expressions(&mut |expr| {
        expr.apply(|expr| {
            let is_constant = |arg: &Arc<dyn PhysicalExpr>| arg.is::<Literal>();
            found |= expr
                .downcast_ref::<ScalarFunctionExpr>()
                .is_some_and(|call| !call.args().is_empty() && call.args().iter().all(is_constant));
            Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        })
    });
    found
}

/// The operator, with a look above each of its inputs that has none.
fn watch_inputs(node: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let inputs = node.children();
    if !inputs.iter().any(|input| HAND_ON.contains(&input.name())) {
        return Ok(node);
    }
    let watch = |input: &Arc<dyn ExecutionPlan>| match HAND_ON.contains(&input.name()) {
        true => watched(Arc::clone(input)),
        false => Arc::clone(input),
    };
    let inputs = inputs.into_iter().map(watch).collect();
    // Nothing else changes of them: what an operator has told those below of the rows that it wants stays as it is.
    node.replace_children(inputs, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Keep))
}

fn watched(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    Arc::new(WatchedExec { input })
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
            (Some(input), true) => Ok(watched(input)),
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
            Ok(()) => counting_constants(Constants::Batch, || self.input.poll_next_unpin(context)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::Int64Array;
    use datafusion::functions_aggregate::expr_fn::count;
    use datafusion::logical_expr::{col, lit};
    use datafusion::prelude::{DataFrame, SessionContext};

    fn rows() -> DataFrame {
        let values = Arc::new(Int64Array::from(vec![3, 1, 2]));
        SessionContext::new().read_batch(RecordBatch::try_from_iter([("n", values as _)]).unwrap()).unwrap()
    }

    /// The operators of a plan from its root to a leaf, with what looks at them.
    async fn watched_of(rows: DataFrame) -> String {
        let (mut names, mut next) = (Vec::new(), Some(rows.create_physical_plan().await.unwrap()));
        next = next.map(|plan| watch_operators(plan).unwrap());
        while let Some(node) = next {
            names.push(node.name().to_owned());
            next = node.children().first().map(|child| Arc::clone(child));
        }
        names.join(" ")
    }

    #[tokio::test]
    async fn what_takes_all_before_it_hands_on_looks_at_what_it_takes() {
        let sorted = watched_of(rows().sort(vec![col("n").sort(true, true)]).unwrap()).await;
        assert!(sorted.contains("WatchedExec SortExec WatchedExec "), "{sorted}");
        let grouped = watched_of(rows().aggregate(vec![col("n")], vec![count(lit(1))]).unwrap()).await;
        assert!(grouped.contains("WatchedExec AggregateExec WatchedExec "), "{grouped}");
        for plan in [sorted, grouped] {
            assert!(!plan.contains("WatchedExec WatchedExec"), "nobody looks twice: {plan}");
        }
    }
}
