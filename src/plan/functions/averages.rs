//! `avg` of whole numbers of 64 bits, added up in 128 bits.
//!
//! DataFusion makes floating-point numbers of them first, and adds those up: the average of 9223372036854775807,
//! -9223372036854775807 and 2 was 0.

use super::caps;
use super::sums::{DistinctTotal, STATE, Whole, added, only};
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Float64Array, UInt64Array};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Int64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue, internal_err, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, ReversedUDAF, Signature, Volatility,
};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::mem::size_of_val;
use std::sync::{Arc, LazyLock};

static FUNCTION: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    caps::capped_aggregate(Arc::new(AggregateUDF::from(WholeAverage { signature })))
});

/// The function, for what [`is_whole`].
pub(in crate::plan) fn of_whole() -> Arc<AggregateUDF> {
    Arc::clone(&FUNCTION)
}

/// Whether the function takes values of a type.
pub(in crate::plan) fn is_whole(ty: &DataType) -> bool {
    matches!(ty, DataType::Int64 | DataType::UInt64)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct WholeAverage {
    signature: Signature,
}

/// What is made for the type of the values.
macro_rules! by_type {
    ($args:expr, $whole:ident => $made:expr) => {
        match $args.expr_fields.first().map(|field| field.data_type()) {
            Some(DataType::Int64) => {
                type $whole = Int64Type;
                Ok(Box::new($made))
            }
            Some(DataType::UInt64) => {
                type $whole = UInt64Type;
                Ok(Box::new($made))
            }
            other => internal_err!("no average of whole numbers is of {other:?}"),
        }
    };
}

impl AggregateUDFImpl for WholeAverage {
    fn name(&self) -> &str {
        "avg"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [ty] if is_whole(ty) => Ok(DataType::Float64),
            _ => plan_err!("an average of whole numbers is of one, and not of {types:?}"),
        }
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return by_type!(args, T => DistinctMean::<T>::default());
        }
        by_type!(args, T => Mean::<T>::default())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |name: &str, ty: DataType| Arc::new(Field::new(format_state_name(args.name, name), ty, true));
        if args.is_distinct {
            let Some(of) = args.input_fields.first() else { return internal_err!("an average is of something") };
            let items = DataType::List(Arc::new(Field::new_list_field(of.data_type().clone(), true)));
            return Ok(vec![field("avg distinct", items)]);
        }
        Ok(vec![field("count", DataType::UInt64), field("sum", STATE)])
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        by_type!(args, T => Means::<T>::default())
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }
}

/// The average; none of no values.
fn mean(sum: i128, values: u64) -> Option<f64> {
    (values > 0).then(|| sum as f64 / values as f64)
}

/// The counts and sums that a state has.
fn of_state(states: &[ArrayRef]) -> Result<(&UInt64Array, &Decimal128Array)> {
    match states {
        [counts, sums] => Ok((counts.as_primitive::<UInt64Type>(), sums.as_primitive::<Decimal128Type>())),
        _ => internal_err!("an average is handed on as a count and a sum"),
    }
}

/// The average of one group, or of a window.
#[derive(Debug)]
struct Mean<T> {
    sum: i128,
    values: u64,
    of: PhantomData<T>,
}

impl<T> Default for Mean<T> {
    fn default() -> Mean<T> {
        Mean { sum: 0, values: 0, of: PhantomData }
    }
}

impl<T: Whole> Accumulator for Mean<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (values, sum) = added(only(values)?.as_primitive::<T>());
        self.values += values as u64;
        self.sum = self.sum.wrapping_add(sum);
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(mean(self.sum, self.values)))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let sum = ScalarValue::new_primitive::<Decimal128Type>(Some(self.sum), &STATE)?;
        Ok(vec![ScalarValue::UInt64(Some(self.values)), sum])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let (counts, sums) = of_state(states)?;
        self.values += counts.iter().flatten().sum::<u64>();
        self.sum = self.sum.wrapping_add(added(sums).1);
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (values, sum) = added(only(values)?.as_primitive::<T>());
        self.values = self.values.saturating_sub(values as u64);
        self.sum = self.sum.wrapping_sub(sum);
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }
}

/// The average of the values that are different.
#[derive(Debug)]
struct DistinctMean<T: Whole>(DistinctTotal<T>);

impl<T: Whole> Default for DistinctMean<T> {
    fn default() -> DistinctMean<T> {
        DistinctMean(DistinctTotal::default())
    }
}

impl<T: Whole> Accumulator for DistinctMean<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(values)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(mean(self.0.sum, self.0.times.len() as u64)))
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
        true
    }
}

/// The averages of all groups.
struct Means<T> {
    sums: Vec<i128>,
    values: Vec<u64>,
    of: PhantomData<T>,
}

impl<T> Default for Means<T> {
    fn default() -> Means<T> {
        Means { sums: Vec::new(), values: Vec::new(), of: PhantomData }
    }
}

impl<T> Means<T> {
    fn resize(&mut self, groups: usize) {
        self.sums.resize(groups, 0);
        self.values.resize(groups, 0);
    }

    fn add(&mut self, group: usize, values: u64, sum: i128) {
        if let (Some(before), Some(count)) = (self.sums.get_mut(group), self.values.get_mut(group)) {
            *before = before.wrapping_add(sum);
            *count += values;
        }
    }
}

impl<T: Whole> GroupsAccumulator for Means<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.resize(total_num_groups);
        let values = only(values)?.as_primitive::<T>();
        for (row, (group, value)) in group_indices.iter().zip(values).enumerate() {
            let is_kept = opt_filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
            if let (Some(value), true) = (value, is_kept) {
                self.add(*group, 1, value.into());
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sums, values) = (emit_to.take_needed(&mut self.sums), emit_to.take_needed(&mut self.values));
        let means = sums.into_iter().zip(values).map(|(sum, values)| mean(sum, values));
        Ok(Arc::new(means.collect::<Float64Array>()))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sums, values) = (emit_to.take_needed(&mut self.sums), emit_to.take_needed(&mut self.values));
        let sums = Decimal128Array::from(sums).with_data_type(STATE);
        Ok(vec![Arc::new(UInt64Array::from(values)), Arc::new(sums)])
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.resize(total_num_groups);
        let (counts, sums) = of_state(values)?;
        for ((group, count), sum) in group_indices.iter().zip(counts).zip(sums) {
            self.add(*group, count.unwrap_or_default(), sum.unwrap_or_default());
        }
        Ok(())
    }

    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let values = only(values)?.as_primitive::<T>();
        let each = |(row, value): (usize, Option<T::Native>)| {
            let is_kept = opt_filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
            value.filter(|_| is_kept).map(Into::<i128>::into)
        };
        let kept: Vec<Option<i128>> = values.iter().enumerate().map(each).collect();
        let counts: UInt64Array = kept.iter().map(|value| Some(u64::from(value.is_some()))).collect();
        let sums: Decimal128Array = kept.into_iter().map(|value| Some(value.unwrap_or_default())).collect();
        Ok(vec![Arc::new(counts), Arc::new(sums.with_data_type(STATE))])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<i128>() + self.values.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::Int64Array;

    fn integers(of: Vec<Option<i64>>) -> Vec<ArrayRef> {
        vec![Arc::new(Int64Array::from(of))]
    }

    #[test]
    fn large_numbers_leave_the_small_ones_what_they_are() {
        let values = integers(vec![Some(i64::MAX), Some(-i64::MAX), None, Some(2)]);
        let mut one = Mean::<Int64Type>::default();
        assert_eq!(one.evaluate().unwrap(), ScalarValue::Float64(None));
        one.update_batch(&values).unwrap();
        assert_eq!(one.evaluate().unwrap(), ScalarValue::Float64(Some(2.0 / 3.0)));
        let mut distinct = DistinctMean::<Int64Type>::default();
        distinct.update_batch(&integers(vec![Some(2), Some(2), Some(5), None])).unwrap();
        assert_eq!(distinct.evaluate().unwrap(), ScalarValue::Float64(Some(3.5)));
        let mut groups = Means::<Int64Type>::default();
        groups.update_batch(&values, &[0, 0, 1, 0], None, 2).unwrap();
        let means = groups.evaluate(EmitTo::All).unwrap();
        assert_eq!(means.as_ref(), &Float64Array::from(vec![Some(2.0 / 3.0), None]) as &dyn Array);
    }
}
