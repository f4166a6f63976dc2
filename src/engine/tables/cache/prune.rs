//! Which batches a filter can find rows in, by the smallest and largest values of its columns.

use super::bounds::Limits;
use super::snapshot::Snapshot;
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use arrow::compute::and;
use arrow::datatypes::Schema;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ColumnarValue, Operator};
use datafusion::physical_expr::expressions::{BinaryExpr, Column};
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_expr::{PhysicalExpr, split_conjunction};
use datafusion::physical_expr_common::datum::apply_cmp;
use datafusion::physical_expr_common::physical_expr::is_volatile;
use std::ops::Range;
use std::sync::Arc;

/// A comparison of a column with something that is the same for all rows.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    column: usize,
    operator: Operator,
    /// Has no columns. Its value may be another one in every call.
    value: Arc<dyn PhysicalExpr>,
}

/// The comparisons among filters that batches can be left out by.
pub(super) fn comparisons(filters: &[Arc<dyn PhysicalExpr>]) -> Vec<Comparison> {
    filters.iter().flat_map(split_conjunction).filter_map(comparison).collect()
}

fn comparison(filter: &Arc<dyn PhysicalExpr>) -> Option<Comparison> {
    let filter = filter.downcast_ref::<BinaryExpr>()?;
    let (column, operator, value) = match (filter.left().downcast_ref::<Column>(), filter.right()) {
        (Some(column), value) => (column, *filter.op(), value),
        (None, right) => (right.downcast_ref::<Column>()?, filter.op().swap()?, filter.left()),
    };
    let compares = matches!(operator, Operator::Eq | Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq);
    let same_for_all = collect_columns(value).is_empty() && !is_volatile(value);
    (compares && same_for_all).then(|| Comparison { column: column.index(), operator, value: Arc::clone(value) })
}

/// The batches of a range that may hold rows for which all comparisons are true, as the values are at this moment.
pub(super) fn remaining(snapshot: &Snapshot, comparisons: &[Comparison], range: Range<usize>) -> Vec<usize> {
    let mut batches: Vec<usize> = range.collect();
    for comparison in comparisons {
        // What cannot be evaluated fails in the filter above, and there with its message.
        if let Ok(Some(mask)) = comparison.mask(snapshot, &batches) {
            batches.retain(|batch| mask.may_match(*batch));
        }
    }
    batches
}

/// What a comparison says of every batch from the first one on.
struct Mask<'a> {
    snapshot: &'a Snapshot,
    column: usize,
    first: usize,
    matches: BooleanArray,
}

impl Mask<'_> {
    fn may_match(&self, batch: usize) -> bool {
        let at = batch.saturating_sub(self.first);
        if at < self.matches.len() && self.matches.is_valid(at) {
            return self.matches.value(at);
        }
        // Without limits because they are not known; or because all is null, and null never compares.
        !self.snapshot.bounds(self.column).is_some_and(|bounds| bounds.is_empty(batch))
    }
}

impl Comparison {
    /// `None` where nothing can be told.
    fn mask<'a>(&self, snapshot: &'a Snapshot, batches: &[usize]) -> Result<Option<Mask<'a>>> {
        let Some(limits) = snapshot.bounds(self.column).and_then(|bounds| bounds.limits()) else { return Ok(None) };
        let (Some(first), Some(last)) = (batches.first().copied(), batches.last()) else { return Ok(None) };
        let value = evaluate(&self.value)?;
        if value.is_null() || value.data_type() != *limits.smallest.data_type() {
            return Ok(None);
        }
        let length = last.saturating_sub(first) + 1;
        let matches = self.matches(limits, first..first + length, &ColumnarValue::Scalar(value))?;
        Ok(matches.map(|matches| Mask { snapshot, column: self.column, first, matches }))
    }

    /// Whether some value between the limits compares so.
    fn matches(&self, limits: &Limits, range: Range<usize>, value: &ColumnarValue) -> Result<Option<BooleanArray>> {
        let side = |limits: &ArrayRef, operator| {
            let limits = limits.slice(range.start, range.len());
            // The comparison that the filter itself makes, which knows that -0.0 equals 0.0.
            let compared = apply_cmp(operator, &ColumnarValue::Array(limits), value)?.into_array(range.len())?;
            Ok::<_, datafusion::common::DataFusionError>(compared.as_boolean_opt().cloned())
        };
        match self.operator {
            Operator::Lt | Operator::LtEq => side(&limits.smallest, self.operator),
            Operator::Gt | Operator::GtEq => side(&limits.largest, self.operator),
            Operator::Eq => {
                let above = side(&limits.smallest, Operator::LtEq)?;
                let below = side(&limits.largest, Operator::GtEq)?;
                Ok(above.zip(below).map(|(above, below)| and(&above, &below)).transpose()?)
            }
            _ => Ok(None),
        }
    }
}

/// The value of an expression without columns.
fn evaluate(value: &Arc<dyn PhysicalExpr>) -> Result<ScalarValue> {
    // One row, so that an expression that answers with an array has a value in it.
    let row = RecordBatchOptions::new().with_row_count(Some(1));
    let row = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &row)?;
    match value.evaluate(&row)? {
        ColumnarValue::Scalar(value) => Ok(value),
        ColumnarValue::Array(values) => ScalarValue::try_from_array(&values, 0),
    }
}
