//! `sum` of exact numbers that does not fit is an error, as what other arithmetic of them gives. Here are the integers, and
//! in `wide_sums.rs` the decimals.
//!
//! DataFusion adds up in 64 bits and begins again at the other end. Here 128 bits are added up, which no number of rows
//! exceeds, and only what is asked for is narrowed: so a sum that fits is one in whatever order the rows come, also where
//! that of some of them does not.

use super::wide_sums::{self, Widened};
use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Decimal128Array, PrimitiveArray};
use arrow::buffer::NullBuffer;
use arrow::compute::prep_null_mask_filter;
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Int64Type, UInt64Type};
use arrow::error::ArrowError;
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{HashMap, Result, ScalarValue, internal_err};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, EmitTo, Expr, GroupsAccumulator, Operator,
    ReversedUDAF, SetMonotonicity, Signature, StatisticsArgs,
};
use datafusion::physical_expr::NullState;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::mem::size_of_val;
use std::sync::Arc;

/// What a sum that is not complete is handed on as. Its digits are not counted: it is 128 bits.
pub(super) const STATE: DataType = DataType::Decimal128(38, 0);

/// The function, with sums of integers that are errors where they do not fit.
pub(super) fn checked(function: Arc<AggregateUDF>) -> Arc<AggregateUDF> {
    if function.name() == "sum" && !function.inner().is::<CheckedSum>() {
        Arc::new(AggregateUDF::from(CheckedSum { inner: function }))
    } else {
        function
    }
}

/// What is made for an integer of a sum, or that of DataFusion for what is none.
macro_rules! by_type {
    ($ty:expr, $whole:ident => $made:expr, $other:expr) => {
        match $ty {
            DataType::Int64 => {
                type $whole = Int64Type;
                Ok(Box::new($made))
            }
            DataType::UInt64 => {
                type $whole = UInt64Type;
                Ok(Box::new($made))
            }
            _ => $other,
        }
    };
}

/// `sum`, whatever it is of.
#[derive(Debug, PartialEq, Eq, Hash)]
struct CheckedSum {
    inner: Arc<AggregateUDF>,
}

impl AggregateUDFImpl for CheckedSum {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let of = args.return_field.data_type();
        if let Some(wide) = wide_sums::wide(of) {
            return Ok(Box::new(Widened::new(args, wide, |args| self.inner.accumulator(args))?));
        }
        if args.is_distinct {
            return by_type!(of, T => DistinctTotal::<T>::default(), self.inner.accumulator(args));
        }
        by_type!(of, T => Total::<T>::default(), self.inner.accumulator(args))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if let Some(wide) = wide_sums::wide(args.return_type()) {
            let return_field = wide_sums::field(&args.return_field, &wide);
            return self.inner.state_fields(StateFieldsArgs { return_field, ..args });
        }
        if args.is_distinct || !matches!(args.return_field.data_type(), DataType::Int64 | DataType::UInt64) {
            return self.inner.state_fields(args);
        }
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "sum"), STATE, true))])
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.inner.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let of = args.return_field.data_type();
        if let Some(wide) = wide_sums::wide(of) {
            return Ok(Box::new(Widened::new(args, wide, |args| self.inner.create_groups_accumulator(args))?));
        }
        by_type!(of, T => Totals::<T>::default(), self.inner.create_groups_accumulator(args))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let of = args.return_field.data_type();
        if let Some(wide) = wide_sums::wide(of) {
            return Ok(Box::new(Widened::new(args, wide, |args| self.inner.create_sliding_accumulator(args))?));
        }
        if args.is_distinct {
            return by_type!(of, T => DistinctTotal::<T>::default(), self.inner.create_sliding_accumulator(args));
        }
        by_type!(of, T => Total::<T>::default(), self.inner.create_sliding_accumulator(args))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.inner.order_sensitivity()
    }

    fn simplify_expr_op_literal(
        &self,
        agg_function: &AggregateFunction,
        arg: &Expr,
        op: Operator,
        lit: &Expr,
        arg_is_left: bool,
    ) -> Result<Option<Expr>> {
        // `sum(x + 1)` becomes `sum(x) + 1 * count(x)`, with the count in the type of the number: a decimal such as 0.05
        // has no room for it, and of doubles it is another sum.
        if !matches!(lit, Expr::Literal(value, _) if value.data_type().is_integer()) {
            return Ok(None);
        }
        self.inner.simplify_expr_op_literal(agg_function, arg, op, lit, arg_is_left)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }

    // What statistics have of exact numbers was added up without a look at whether it fits.
    fn value_from_stats(&self, args: &StatisticsArgs) -> Option<ScalarValue> {
        let is_exact = args.return_type.is_integer() || args.return_type.is_decimal();
        if is_exact { None } else { self.inner.value_from_stats(args) }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.inner.inner().set_monotonicity(data_type)
    }
}

/// An integer that others are added to.
pub(super) trait Whole:
    ArrowPrimitiveType<Native: Into<i128> + TryFrom<i128> + Hash + Eq> + Debug + Send + Sync
{
}

impl Whole for Int64Type {}
impl Whole for UInt64Type {}

/// A sum as it is asked for.
fn narrow<T: Whole>(sum: i128) -> Result<T::Native> {
    T::Native::try_from(sum)
        .map_err(|_| ArrowError::ArithmeticOverflow(format!("a sum does not fit into {}: {sum}", T::DATA_TYPE)).into())
}

fn scalar_of_sum<T: Whole>(sum: Option<i128>) -> Result<ScalarValue> {
    ScalarValue::new_primitive::<T>(sum.map(narrow::<T>).transpose()?, &T::DATA_TYPE)
}

pub(super) fn only(arrays: &[ArrayRef]) -> Result<&ArrayRef> {
    let [array] = arrays else { return internal_err!("a sum is of one column, and not of {}", arrays.len()) };
    Ok(array)
}

/// The values of an array that are none, and their sum.
pub(super) fn added<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &PrimitiveArray<T>) -> (usize, i128) {
    let sum = if array.null_count() == 0 {
        array.values().iter().map(|value| (*value).into()).sum()
    } else {
        array.iter().flatten().map(Into::into).sum()
    };
    (array.len() - array.null_count(), sum)
}

/// The sum of one group, or of a window.
#[derive(Debug)]
struct Total<T> {
    sum: i128,
    /// How many values there are. Of none there is no sum.
    values: usize,
    of: PhantomData<T>,
}

impl<T> Default for Total<T> {
    fn default() -> Total<T> {
        Total { sum: 0, values: 0, of: PhantomData }
    }
}

impl<T> Total<T> {
    fn get(&self) -> Option<i128> {
        (self.values > 0).then_some(self.sum)
    }

    fn add(&mut self, (values, sum): (usize, i128)) {
        self.values += values;
        self.sum = self.sum.wrapping_add(sum);
    }
}

impl<T: Whole> Accumulator for Total<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(added(only(values)?.as_primitive::<T>()));
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        scalar_of_sum::<T>(self.get())
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::new_primitive::<Decimal128Type>(self.get(), &STATE)?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.add(added(only(states)?.as_primitive::<Decimal128Type>()));
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (values, sum) = added(only(values)?.as_primitive::<T>());
        self.values = self.values.saturating_sub(values);
        self.sum = self.sum.wrapping_sub(sum);
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }
}

/// The sum of the values that are different.
#[derive(Debug)]
pub(super) struct DistinctTotal<T: Whole> {
    pub(super) sum: i128,
    /// How often each value is there.
    pub(super) times: HashMap<T::Native, usize>,
}

impl<T: Whole> Default for DistinctTotal<T> {
    fn default() -> DistinctTotal<T> {
        DistinctTotal { sum: 0, times: HashMap::default() }
    }
}

impl<T: Whole> DistinctTotal<T> {
    fn add(&mut self, array: &PrimitiveArray<T>) {
        for value in array.iter().flatten() {
            let times = self.times.entry(value).or_insert(0);
            if *times == 0 {
                self.sum = self.sum.wrapping_add(value.into());
            }
            *times += 1;
        }
    }
}

impl<T: Whole> Accumulator for DistinctTotal<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(only(values)?.as_primitive::<T>());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        scalar_of_sum::<T>((!self.times.is_empty()).then_some(self.sum))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.times.capacity() * size_of::<(T::Native, usize)>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = PrimitiveArray::<T>::from_iter_values(self.times.keys().copied());
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(values)).build_list_scalar()])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for values in only(states)?.as_list::<i32>().iter().flatten() {
            self.add(values.as_primitive::<T>());
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for value in only(values)?.as_primitive::<T>().iter().flatten() {
            let Some(times) = self.times.get_mut(&value) else { continue };
            *times -= 1;
            if *times == 0 {
                self.times.remove(&value);
                self.sum = self.sum.wrapping_sub(value.into());
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }
}

/// The sums of all groups.
struct Totals<T> {
    sums: Vec<i128>,
    /// Which groups have a value.
    seen: NullState,
    of: PhantomData<T>,
}

impl<T> Default for Totals<T> {
    fn default() -> Totals<T> {
        Totals { sums: Vec::new(), seen: NullState::new(), of: PhantomData }
    }
}

impl<T> Totals<T> {
    fn add<A: ArrowPrimitiveType<Native: Into<i128>> + Send>(
        &mut self,
        values: &PrimitiveArray<A>,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        count: usize,
    ) {
        self.sums.resize(count, 0);
        let sums = &mut self.sums;
        self.seen.accumulate(groups, values, filter, count, |group, value| {
            if let Some(sum) = sums.get_mut(group) {
                *sum = sum.wrapping_add(value.into());
            }
        });
    }
}

impl<T: Whole> GroupsAccumulator for Totals<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.add(only(values)?.as_primitive::<T>(), group_indices, opt_filter, total_num_groups);
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        // Both are taken, also where a sum does not fit.
        let (sums, nulls) = (emit_to.take_needed(&mut self.sums), self.seen.build(emit_to));
        let sums: Vec<T::Native> = sums.into_iter().map(narrow::<T>).collect::<Result<_>>()?;
        Ok(Arc::new(PrimitiveArray::<T>::try_new(sums.into(), nulls)?))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let sums = emit_to.take_needed(&mut self.sums);
        let nulls = self.seen.build(emit_to);
        Ok(vec![Arc::new(Decimal128Array::try_new(sums.into(), nulls)?.with_data_type(STATE))])
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.add(only(values)?.as_primitive::<Decimal128Type>(), group_indices, None, total_num_groups);
        Ok(())
    }

    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let values = only(values)?.as_primitive::<T>();
        let kept = opt_filter.map(|filter| NullBuffer::new(prep_null_mask_filter(filter).values().clone()));
        let nulls = NullBuffer::union(values.nulls(), kept.as_ref());
        let sums: Vec<i128> = values.values().iter().map(|value| (*value).into()).collect();
        Ok(vec![Arc::new(Decimal128Array::try_new(sums.into(), nulls)?.with_data_type(STATE))])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<i128>() + self.seen.size()
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
    fn what_fits_is_a_sum_though_a_part_of_it_does_not() {
        let mut total = Total::<Int64Type>::default();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(None));
        total.update_batch(&integers(vec![Some(i64::MAX), None, Some(1)])).unwrap();
        assert!(total.evaluate().unwrap_err().to_string().contains("9223372036854775808"));
        let state = total.state().unwrap().remove(0).to_array().unwrap();
        let mut merged = Total::<Int64Type>::default();
        merged.merge_batch(&[state]).unwrap();
        merged.update_batch(&integers(vec![Some(-1)])).unwrap();
        assert_eq!(merged.evaluate().unwrap(), ScalarValue::Int64(Some(i64::MAX)));
        merged.retract_batch(&integers(vec![Some(i64::MAX)])).unwrap();
        assert_eq!(merged.evaluate().unwrap(), ScalarValue::Int64(Some(0)));
    }

    #[test]
    fn values_that_are_different_are_added_once() {
        let mut total = DistinctTotal::<Int64Type>::default();
        total.update_batch(&integers(vec![Some(i64::MAX), Some(i64::MAX), None, Some(-2), Some(5)])).unwrap();
        assert!(total.evaluate().is_err());
        total.retract_batch(&integers(vec![Some(5), Some(i64::MAX), None])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(Some(i64::MAX - 2)));
        let state = total.state().unwrap().remove(0).to_array().unwrap();
        let mut merged = DistinctTotal::<Int64Type>::default();
        merged.update_batch(&integers(vec![Some(-2)])).unwrap();
        merged.merge_batch(&[state]).unwrap();
        assert_eq!(merged.evaluate().unwrap(), ScalarValue::Int64(Some(i64::MAX - 2)));
    }

    #[test]
    fn groups_have_sums_of_their_own() {
        let values = integers(vec![Some(i64::MAX), Some(1), None, Some(7)]);
        let filter = BooleanArray::from(vec![Some(true), Some(true), Some(true), None]);
        let mut totals = Totals::<Int64Type>::default();
        totals.update_batch(&values, &[0, 1, 2, 0], Some(&filter), 3).unwrap();
        let state = totals.convert_to_state(&values, Some(&filter)).unwrap();
        totals.merge_batch(&state, &[1, 1, 2, 2], 3).unwrap();
        let partial = totals.state(EmitTo::First(1)).unwrap();
        assert_eq!(partial[0].data_type(), &STATE);
        assert!(totals.evaluate(EmitTo::First(1)).is_err());
        let rest = totals.evaluate(EmitTo::All).unwrap();
        assert_eq!(rest.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), [None]);
    }
}
