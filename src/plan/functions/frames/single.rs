//! The population variance of one infinity, or of NaN, is not a number, as in PostgreSQL.
//!
//! DataFusion says 0 of any single value; of two infinities it is not a number there as well.

use arrow::array::{ArrayRef, AsArray, BooleanArray, Float64Array};
use arrow::datatypes::{Float64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};
use std::fmt;
use std::sync::Arc;

/// What is asked of the squares of the distances from the mean, of one value or more.
pub(super) type Asked = fn(f64) -> f64;

/// DataFusion's, for values of one group.
pub(super) struct Single(pub(super) Box<dyn Accumulator>);

impl fmt::Debug for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Single").finish()
    }
}

#[warn(clippy::missing_trait_methods)]
impl Accumulator for Single {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(values)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        // The number of values, and their mean.
        match self.0.state()?.as_slice() {
            [ScalarValue::UInt64(Some(1)), ScalarValue::Float64(Some(mean)), ..] if !mean.is_finite() => {
                Ok(ScalarValue::Float64(Some(f64::NAN)))
            }
            _ => self.0.evaluate(),
        }
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.0.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.retract_batch(values)
    }

    fn supports_retract_batch(&self) -> bool {
        self.0.supports_retract_batch()
    }
}

/// DataFusion's, for values of many groups.
pub(super) struct SingleOfGroups {
    pub(super) inner: Box<dyn GroupsAccumulator>,
    pub(super) asked: Asked,
}

#[warn(clippy::missing_trait_methods)]
impl GroupsAccumulator for SingleOfGroups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        count: usize,
    ) -> Result<()> {
        self.inner.update_batch(values, groups, filter, count)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let state = self.inner.state(emit_to)?;
        let [counts, means, squares] = state.as_slice() else { return internal_err!("a variance has three states") };
        let counts = counts.as_primitive::<UInt64Type>().values();
        let means = means.as_primitive::<Float64Type>().values();
        let squares = squares.as_primitive::<Float64Type>().values();
        let of_group = |((count, mean), squares): ((&u64, &f64), &f64)| match count {
            0 => None,
            1 if mean.is_finite() => Some(0.0),
            1 => Some(f64::NAN),
            count => Some((self.asked)(squares / *count as f64)),
        };
        let found: Float64Array = counts.iter().zip(means).zip(squares).map(of_group).collect();
        Ok(Arc::new(found))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        self.inner.state(emit_to)
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], count: usize) -> Result<()> {
        self.inner.merge_batch(values, groups, count)
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        self.inner.convert_to_state(values, filter)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }
}
