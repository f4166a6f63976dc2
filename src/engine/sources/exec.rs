//! The operator that reads rows of a database.

use super::bind::{Bind, Form, Sent, sent};
use super::driver::{Driver, Reading, Rows};
use super::error::SourceError;
use super::facts::changed;
use super::identity::{Identity, Setting};
use super::learnt;
use super::remote_query::{RemoteQuery, Shape, Slot, SortKey, Sought};
use super::request::Asked;
use crate::engine::deadline::Deadline;
use crate::engine::open_table::DataVersion;
use arrow::compute::SortOptions;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, ScalarValue, Statistics, exec_err, internal_err};
use datafusion::config::ConfigOptions;
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::expressions::{Column, DynamicFilterPhysicalExpr};
use datafusion::physical_expr::{EquivalenceProperties, LexOrdering, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation, PushedDown,
};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, ReplaceChildrenOptions,
    apply_expression_roots,
};
use futures::{Stream, StreamExt, stream};
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

/// What the operator is called.
pub(in crate::engine) const SOURCE: &str = "SourceExec";

/// Whether an operator reads rows of a database one by one, however many there are: not their groups, nor the first of
/// them in an order.
pub(in crate::engine) fn reads_rows(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<SourceExec>().is_some_and(|exec| matches!(exec.query.shape, Shape::Rows(_)))
}

/// How an operator reads rows of a database; `None` where it does not.
pub(in crate::engine) fn reading(node: &Arc<dyn ExecutionPlan>) -> Option<Reading> {
    node.downcast_ref::<SourceExec>().map(|exec| exec.driver.reading(exec.query.most()))
}

/// The states of the data of the databases that a plan reads more than once.
pub(in crate::engine) fn states_of_shared(plan: &Arc<dyn ExecutionPlan>) -> Vec<DataVersion> {
    let mut scans: Vec<(Arc<str>, Arc<dyn Driver>)> = Vec::new();
    // Looking at a plan does not fail.
    let _ = plan.apply(|node| {
        if let Some(exec) = node.downcast_ref::<SourceExec>() {
            scans.push((Arc::clone(&exec.query.table.source), Arc::clone(&exec.driver)));
        }
        Ok(TreeNodeRecursion::Continue)
    });
    scans.sort_by(|a, b| a.0.cmp(&b.0));
    let mut shared: Vec<DataVersion> = Vec::new();
    for same in scans.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        shared.extend(same.first().map(|(_, driver)| driver.data_state()));
    }
    shared
}

/// Reads rows of a table in a database.
#[derive(Debug, Clone)]
pub(super) struct SourceExec {
    driver: Arc<dyn Driver>,
    query: Arc<Asked>,
    /// What conditions compare with, without columns: evaluated when the rows are wanted.
    values: Vec<Arc<dyn PhysicalExpr>>,
    /// Filters of operators above, which learn while they run: hints, which are asked for what they know then.
    learnt: Vec<Arc<dyn PhysicalExpr>>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl SourceExec {
    /// `schema` has all columns that the shape of the query gives.
    pub(super) fn new(
        driver: Arc<dyn Driver>,
        query: RemoteQuery,
        schema: &Schema,
        values: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<SourceExec> {
        // Whoever asks has seen to it; nothing is read of a column that is not what it was.
        if query.reads_lost() {
            return Err(changed(&query.table));
        }
        let schema = Arc::new(schema.project(&query.columns)?);
        let orders = ordering(&query, &schema).into_iter();
        let properties = PlanProperties::new(
            EquivalenceProperties::new_with_orderings(Arc::clone(&schema), orders),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        let (query, learnt, properties) = (Arc::new(Asked::new(query)), Vec::new(), Arc::new(properties));
        Ok(SourceExec { driver, query, values, learnt, schema, properties, metrics })
    }

    /// The same with another limit; `None` where it has a shape that takes none.
    fn fetching(&self, fetch: Option<usize>) -> Option<SourceExec> {
        let Shape::Rows(_) = self.query.shape else { return None };
        let query = RemoteQuery { shape: Shape::Rows(fetch), ..RemoteQuery::clone(&self.query) };
        Some(SourceExec { query: Arc::new(Asked::new(query)), ..self.clone() })
    }

    /// The text, with placeholders for all values: what is shown.
    fn shown_text(&self) -> String {
        // Nothing is left out of what is shown.
        self.query
            .statement(&|slot| Sent::Bind(Bind::Null(slot.form)))
            .map(|statement| statement.sql)
            .unwrap_or_default()
    }
}

/// The order that rows come in: the columns of the database's own order, as far as they are read.
fn ordering(query: &RemoteQuery, schema: &SchemaRef) -> Option<LexOrdering> {
    let Shape::Sorted { keys, .. } = &query.shape else { return None };
    let item = |key: &SortKey| {
        let at = query.columns.iter().position(|column| *column == key.column)?;
        let options = SortOptions { descending: key.is_descending, nulls_first: key.nulls_first };
        Some(PhysicalSortExpr { expr: Arc::new(Column::new(schema.field(at).name(), at)), options })
    };
    LexOrdering::new(keys.iter().map_while(item))
}

impl DisplayAs for SourceExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{SOURCE}: {} ({}), sent=[{}]",
            self.query.table.source,
            self.driver.kind().title(),
            self.shown_text()
        )?;
        // In the order of their placeholders; limits stand behind conditions.
        let mut values: Vec<String> = Vec::new();
        let mut shown = |conditions: &[Sought], fetch: Option<usize>| {
            conditions.iter().for_each(|sought| {
                sought.condition.slots(&mut |slot| {
                    values.push(self.values.get(slot.value).map(ToString::to_string).unwrap_or_default())
                });
            });
            values.extend(fetch.map(|fetch| fetch.to_string()));
        };
        self.query.joined.iter().for_each(|part| shown(&part.conditions, part.fetch));
        shown(&self.query.conditions, self.query.fetch());
        if !values.is_empty() {
            write!(f, ", values=[{}]", values.join(", "))?;
        }
        Ok(())
    }
}

impl ExecutionPlan for SourceExec {
    fn name(&self) -> &str {
        SOURCE
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        // A join that finds its filter here knows that it is of use to say what it has learnt.
        apply_expression_roots(self.values.iter().chain(&self.learnt), f)
    }

    fn replace_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        // What was learnt of other rows. The join above begins anew too, and with a filter of its own.
        Ok(if self.learnt.is_empty() {
            self
        } else {
            Arc::new(SourceExec { learnt: Vec::new(), ..self.as_ref().clone() })
        })
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = SourceStream {
            driver: Arc::clone(&self.driver),
            query: Arc::clone(&self.query),
            values: self.values.clone(),
            learnt: self.learnt.clone(),
            schema: Arc::clone(&self.schema),
            batch: context.session_config().batch_size(),
            deadline: context.session_config().get_extension::<Deadline>().map(|deadline| *deadline),
            session: context
                .session_config()
                .get_extension::<Identity>()
                .map(|identity| identity.of_source(&self.query.table.source))
                .unwrap_or_default(),
            rows: None,
            metrics: BaselineMetrics::new(&self.metrics, partition),
        };
        Ok(Box::pin(rows))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn partition_statistics(&self, _: Option<usize>) -> Result<Arc<Statistics>> {
        let statistics = Statistics::new_unknown(&self.schema).with_num_rows(Precision::Inexact(self.query.about()));
        statistics.with_fetch(self.query.fetch(), 0, 1).map(Arc::new)
    }

    fn handle_child_pushdown_result(
        &self,
        _: FilterPushdownPhase,
        result: ChildPushdownResult,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        let filters: Vec<Arc<dyn PhysicalExpr>> =
            result.parent_filters.into_iter().map(|pushed| pushed.filter).collect();
        // Whoever sends a filter goes on to apply it.
        let answer = FilterPushdownPropagation::with_parent_pushdown_result(vec![PushedDown::No; filters.len()]);
        let learnt: Vec<_> = filters.into_iter().filter(|filter| filter.is::<DynamicFilterPhysicalExpr>()).collect();
        if learnt.is_empty() || !learnt::can_learn(&self.query) {
            return Ok(answer);
        }
        let learnt = self.learnt.iter().cloned().chain(learnt).collect();
        Ok(answer.with_updated_node(Arc::new(SourceExec { learnt, ..self.clone() })))
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        Some(Arc::new(self.fetching(limit)?))
    }

    fn fetch(&self) -> Option<usize> {
        match self.query.shape {
            Shape::Rows(fetch) => fetch,
            _ => None,
        }
    }
}

/// Rows of a database. Nothing is asked before the first of them is wanted: values of a call are there while it runs.
struct SourceStream {
    driver: Arc<dyn Driver>,
    query: Arc<Asked>,
    values: Vec<Arc<dyn PhysicalExpr>>,
    learnt: Vec<Arc<dyn PhysicalExpr>>,
    schema: SchemaRef,
    batch: usize,
    deadline: Option<Deadline>,
    /// Who the rows are for.
    session: Vec<Setting>,
    rows: Option<Rows>,
    metrics: BaselineMetrics,
}

impl SourceStream {
    /// Evaluates the values and sends the query.
    fn begin(&self) -> Result<Rows> {
        let nothing = RecordBatch::try_new_with_options(
            Arc::new(Schema::empty()),
            Vec::new(),
            &RecordBatchOptions::new().with_row_count(Some(1)),
        )?;
        let mut values: Vec<Result<ScalarValue>> = self.values.iter().map(|value| evaluated(value, &nothing)).collect();
        let Some((more, known)) = learnt::conditions(&self.learnt, &self.query, values.len()) else {
            return Ok(stream::empty().boxed());
        };
        values.extend(known.into_iter().map(Ok));
        let query = match more.is_empty() {
            true => Arc::clone(&self.query),
            false => {
                let conditions = self.query.conditions.iter().cloned().chain(more).collect();
                Arc::new(Asked::new(RemoteQuery { conditions, ..RemoteQuery::clone(&self.query) }))
            }
        };
        let mut sents: HashMap<(usize, Form), Sent> = HashMap::new();
        let mut failed = None;
        for (_, Sought { condition, is_exact }) in query.sought() {
            condition.slots(&mut |slot| {
                let value = match values.get(slot.value) {
                    Some(Ok(value)) => sent(value, slot.form),
                    Some(Err(error)) if *is_exact => {
                        failed.get_or_insert_with(|| error.strip_backtrace());
                        Sent::LeftOut
                    }
                    // What fails is evaluated here, where it may not be needed at all.
                    _ => Sent::LeftOut,
                };
                sents.insert((slot.value, slot.form), value);
            });
        }
        if let Some(failed) = failed {
            return exec_err!("a value of a condition cannot be evaluated: {failed}");
        }
        let found = |slot: Slot| sents.get(&(slot.value, slot.form)).cloned().unwrap_or(Sent::LeftOut);
        let Ok(mut request) = query.request(&found, self.batch) else {
            // Without it there would be rows that nobody asked for.
            return internal_err!("a condition that is the database's cannot be sent");
        };
        if sents.values().any(|value| *value == Sent::LeftOut) {
            request.most = None;
        }
        request.deadline = self.deadline;
        request.session.clone_from(&self.session);
        Ok(Arc::clone(&self.driver).rows(request))
    }
}

impl SourceStream {
    /// The columns that are wanted of those that came, under their own names.
    fn wanted(&self, rows: &RecordBatch) -> Result<RecordBatch> {
        let columns = rows.columns().iter().take(self.schema.fields().len()).map(Arc::clone).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }
}

/// The value of an expression without columns.
fn evaluated(value: &Arc<dyn PhysicalExpr>, nothing: &RecordBatch) -> Result<ScalarValue> {
    match value.evaluate(nothing)? {
        ColumnarValue::Scalar(value) => Ok(value),
        ColumnarValue::Array(values) => ScalarValue::try_from_array(&values, 0),
    }
}

impl Stream for SourceStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.rows.is_none() {
            match self.begin() {
                Ok(rows) => self.rows = Some(rows),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        let Some(rows) = &mut self.rows else { return Poll::Ready(None) };
        let polled = rows.poll_next_unpin(context);
        if let Poll::Ready(Some(Err(SourceError::Changed { .. }))) = &polled {
            self.query.tables().iter().for_each(|table| table.is_stale.store(true, Ordering::Relaxed));
        }
        let told = |error: SourceError| DataFusionError::External(Box::new(error));
        let polled = polled.map(|next| next.map(|rows| rows.map_err(told).and_then(|rows| self.wanted(&rows))));
        self.metrics.record_poll(polled)
    }
}

impl RecordBatchStream for SourceStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
