//! `percentile_cont` that interpolates exactly, as PostgreSQL does.
//!
//! DataFusion cuts the share of the way between two values to six digits. Its functions collect the values here as well;
//! what is made of them is made here.

use arrow::array::{ArrayRef, AsArray, BooleanArray, Float64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, FieldRef, Float64Type, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, Documentation, EmitTo, GroupsAccumulator, Signature,
};
use std::sync::Arc;

/// The function, with exact percentiles.
pub(super) fn exact(function: Arc<AggregateUDF>) -> Arc<AggregateUDF> {
    if function.name() == "percentile_cont" && !function.inner().is::<ExactPercentile>() {
        Arc::new(AggregateUDF::from(ExactPercentile { inner: function }))
    } else {
        function
    }
}

/// `percentile_cont`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ExactPercentile {
    inner: Arc<AggregateUDF>,
}

impl AggregateUDFImpl for ExactPercentile {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if is_of_nothing(&args) {
            return self.inner.accumulator(args);
        }
        // What is wrong with the share, the function itself says.
        let (place, is_distinct) = (Place::of(&args), args.is_distinct);
        let inner = self.inner.accumulator(args)?;
        Ok(Box::new(Values { inner, place: place?, is_distinct }))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.inner.state_fields(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.inner.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let place = Place::of(&args);
        let inner = self.inner.create_groups_accumulator(args)?;
        Ok(Box::new(Groups { inner, place: place? }))
    }

    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        self.inner.simplify()
    }

    fn supports_within_group_clause(&self) -> bool {
        self.inner.supports_within_group_clause()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }
}

fn is_of_nothing(args: &AccumulatorArgs) -> bool {
    args.expr_fields.first().is_none_or(|field| field.data_type().is_null())
}

/// Which value of those in an order is asked for.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    /// The share of the values that come before it.
    share: f64,
    is_descending: bool,
    /// The type of the values, and of the result.
    ty: DataType,
}

impl Place {
    fn of(args: &AccumulatorArgs) -> Result<Place> {
        let (Some(share), Some(field)) = (args.exprs.get(1), args.expr_fields.first()) else {
            return plan_err!("a percentile is of values and of a share");
        };
        let nothing = RecordBatch::new_empty(Arc::new(Schema::empty()));
        let share = match share.evaluate(&nothing)? {
            ColumnarValue::Scalar(ScalarValue::Float64(Some(share))) => share,
            ColumnarValue::Scalar(ScalarValue::Float32(Some(share))) => f64::from(share),
            _ => return plan_err!("the share of a percentile is a number"),
        };
        let is_descending = args.order_bys.first().is_some_and(|sort| sort.options.descending);
        Ok(Place { share, is_descending, ty: field.data_type().clone() })
    }

    /// The value there, between two of them where none is there.
    fn value(&self, values: &ArrayRef) -> Result<Option<f64>> {
        let values = cast(values, &DataType::Float64)?;
        let mut values: Vec<f64> = values.as_primitive::<Float64Type>().iter().flatten().collect();
        for value in &mut values {
            // What is not a number is the largest, whatever its sign.
            if value.is_nan() {
                *value = f64::NAN;
            }
        }
        Ok(self.interpolated(&mut values))
    }

    fn interpolated(&self, values: &mut [f64]) -> Option<f64> {
        let last = values.len().checked_sub(1)?;
        let place = self.share * last as f64;
        let (before, behind) = (place.floor(), place.ceil());
        let mut at = |place: f64| {
            let at = (place as usize).min(last);
            let at = if self.is_descending { last - at } else { at };
            *values.select_nth_unstable_by(at, f64::total_cmp).1
        };
        let (low, high) = (at(before), at(behind));
        let fraction = place - before;
        if low == high || fraction == 0.0 {
            return Some(low);
        }
        let difference = high - low;
        Some(if difference.is_infinite() && low.is_finite() && high.is_finite() {
            low * (1.0 - fraction) + high * fraction
        } else {
            low + difference * fraction
        })
    }
}

/// The values of one group, or of a window.
#[derive(Debug)]
struct Values {
    inner: Box<dyn Accumulator>,
    place: Place,
    is_distinct: bool,
}

impl Accumulator for Values {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.update_batch(values)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let state = self.inner.state()?.into_iter().map(|state| state.to_array()).collect::<Result<Vec<_>>>()?;
        let [values] = state.as_slice() else { return plan_err!("a percentile is of one column") };
        let value = self.place.value(&values.as_list::<i32>().value(0))?;
        // To tell the values takes them away, but for those that are counted. A window goes on with them.
        if !self.is_distinct {
            self.inner.merge_batch(&state)?;
        }
        ScalarValue::Float64(value).cast_to(&self.place.ty)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.inner.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.inner.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.retract_batch(values)
    }

    fn supports_retract_batch(&self) -> bool {
        self.inner.supports_retract_batch()
    }
}

/// The values of all groups.
struct Groups {
    inner: Box<dyn GroupsAccumulator>,
    place: Place,
}

impl GroupsAccumulator for Groups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.inner.update_batch(values, group_indices, opt_filter, total_num_groups)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let state = self.inner.state(emit_to)?;
        let [groups] = state.as_slice() else { return plan_err!("a percentile is of one column") };
        let of_group = |values: Option<ArrayRef>| values.map_or(Ok(None), |values| self.place.value(&values));
        let values: Float64Array = groups.as_list::<i32>().iter().map(of_group).collect::<Result<_>>()?;
        Ok(cast(&values, &self.place.ty)?)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        self.inner.state(emit_to)
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.inner.merge_batch(values, group_indices, total_num_groups)
    }

    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        self.inner.convert_to_state(values, opt_filter)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(share: f64, is_descending: bool, mut values: Vec<f64>) -> Option<f64> {
        Place { share, is_descending, ty: DataType::Float64 }.interpolated(&mut values)
    }

    #[test]
    fn values_between_two_are_those_of_postgresql() {
        assert_eq!(at(0.7, false, vec![1e9, 0.0, 0.0, 0.0]), Some(99_999_999.999_999_64));
        assert_eq!(at(0.3, false, (0..60).map(f64::from).collect()), Some(17.7));
        assert_eq!(at(0.3, true, (0..60).rev().map(f64::from).collect()), Some(41.3));
        assert_eq!(at(0.5, false, vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(at(0.5, false, vec![f64::MAX, f64::MIN]), Some(0.0));
        assert_eq!(at(0.5, false, vec![f64::INFINITY, f64::INFINITY]), Some(f64::INFINITY));
        assert_eq!(at(0.5, false, Vec::new()), None);
    }
}
