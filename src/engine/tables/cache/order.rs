//! Whether rows come in ascending order of some columns.

use arrow::array::{Array, ArrayRef, BooleanArray};
use arrow::compute::kernels::cmp::{eq, gt};
use arrow::compute::{and, or};
use arrow::datatypes::{DataType, Schema};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;

/// Watches whether rows ascend, without a null, by columns: by the first, among equals by the second, and so on.
#[derive(Debug)]
pub(super) struct Ascending {
    columns: Vec<usize>,
    /// The last row seen.
    last: Option<Vec<ArrayRef>>,
    holds: bool,
}

impl Ascending {
    /// Rows of that schema by the columns at those places; `None` where they have no order that is known here.
    pub(super) fn by(columns: Vec<usize>, schema: &Schema) -> Option<Ascending> {
        let ordered = |at: &usize| {
            let ty = schema.fields().get(*at).map(|field| field.data_type());
            // 0.0 and -0.0 are equal to a filter, and not to a sort: behind such a column, nothing is certain.
            ty.is_some_and(|ty| is_ordered(ty) && (columns.len() == 1 || !ty.is_floating()))
        };
        let known = !columns.is_empty() && columns.iter().all(ordered);
        known.then_some(Ascending { columns, last: None, holds: true })
    }

    /// Whether all rows so far ascend.
    pub(super) fn holds(&self) -> bool {
        self.holds
    }

    /// The columns.
    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Looks at the next rows.
    pub(super) fn push(&mut self, batch: &RecordBatch) {
        if self.holds && batch.num_rows() > 0 {
            self.holds = self.follows(batch).unwrap_or(false);
        }
    }

    fn follows(&mut self, batch: &RecordBatch) -> Result<bool, ArrowError> {
        let columns: Vec<&ArrayRef> = self.columns.iter().filter_map(|at| batch.columns().get(*at)).collect();
        if columns.iter().any(|column| column.null_count() > 0) {
            return Ok(false);
        }
        let part = |from, rows| columns.iter().map(|column| column.slice(from, rows)).collect::<Vec<_>>();
        let end = batch.num_rows() - 1;
        if let Some(last) = self.last.replace(part(end, 1))
            && !ascend(&last, &part(0, 1))?
        {
            return Ok(false);
        }
        ascend(&part(0, end), &part(1, end))
    }
}

/// Whether no row of one side comes behind the same row of the other.
fn ascend(left: &[ArrayRef], right: &[ArrayRef]) -> Result<bool, ArrowError> {
    let mut behind: Option<BooleanArray> = None;
    // From the last column to the first: behind in this one, or equal in it and behind in those after it.
    for (left, right) in left.iter().zip(right).rev() {
        let here = gt(left, right)?;
        behind = Some(match behind {
            None => here,
            Some(later) => or(&here, &and(&eq(left, right)?, &later)?)?,
        });
    }
    Ok(behind.is_none_or(|behind| behind.true_count() == 0))
}

/// Whether values of the type have an order that Arrow's kernels and DataFusion's sort agree on.
pub(super) fn is_ordered(ty: &DataType) -> bool {
    ty.is_integer()
        || matches!(ty, DataType::Boolean | DataType::Float32 | DataType::Float64)
        || matches!(ty, DataType::Decimal128(..) | DataType::Decimal256(..))
        || matches!(ty, DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_))
        || matches!(ty, DataType::Timestamp(..))
        || matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}
