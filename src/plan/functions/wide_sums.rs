//! `sum` of decimals with so many digits that the sum may have more than 38: it is an error then.
//!
//! DataFusion adds up in 128 bits and begins again at the other end. Here 256 bits are added up, by its own accumulators
//! for decimals of that width, and only what is asked for is narrowed. A decimal of up to 27 digits needs none of it: its
//! sum has ten more, for more rows than there can be.

use arrow::array::{ArrayRef, BooleanArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef};
use arrow::error::ArrowError;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};
use std::fmt::Debug;
use std::sync::Arc;

/// The type in which a sum of that type is added up, where that is another one.
pub(super) fn wide(sum: &DataType) -> Option<DataType> {
    match sum {
        DataType::Decimal128(DECIMAL128_MAX_PRECISION, scale) => {
            Some(DataType::Decimal256(DECIMAL256_MAX_PRECISION, *scale))
        }
        _ => None,
    }
}

/// A field for what is added up, in place of the one for the sum.
pub(super) fn field(sum: &FieldRef, wide: &DataType) -> FieldRef {
    Arc::new(Field::new(sum.name(), wide.clone(), true))
}

/// An accumulator of DataFusion for the wider type, as one for the narrower.
#[derive(Debug)]
pub(super) struct Widened<A> {
    inner: A,
    wide: DataType,
    sum: DataType,
}

impl<A> Widened<A> {
    /// What `made` makes for the wider type.
    pub(super) fn new(
        args: AccumulatorArgs,
        wide: DataType,
        made: impl FnOnce(AccumulatorArgs) -> Result<A>,
    ) -> Result<Widened<A>> {
        let sum = args.return_field.data_type().clone();
        let return_field = field(&args.return_field, &wide);
        Ok(Widened { inner: made(AccumulatorArgs { return_field, ..args })?, wide, sum })
    }

    fn widened(&self, values: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        Ok(values.iter().map(|values| cast(values, &self.wide)).collect::<Result<_, _>>()?)
    }

    fn narrow(&self, sums: &ArrayRef) -> Result<ArrayRef> {
        let too_long = |_| ArrowError::ArithmeticOverflow(format!("a sum does not fit into {}", self.sum));
        Ok(cast(sums, &self.sum).map_err(too_long)?)
    }
}

fn cast(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(array, to, &CastOptions { safe: false, ..CastOptions::default() })
}

impl Accumulator for Widened<Box<dyn Accumulator>> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.update_batch(&self.widened(values)?)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let sum = self.inner.evaluate()?.to_array()?;
        ScalarValue::try_from_array(&self.narrow(&sum)?, 0)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.inner.size()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.inner.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.inner.merge_batch(states)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.retract_batch(&self.widened(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        self.inner.supports_retract_batch()
    }
}

impl GroupsAccumulator for Widened<Box<dyn GroupsAccumulator>> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.inner.update_batch(&self.widened(values)?, group_indices, opt_filter, total_num_groups)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let sums = self.inner.evaluate(emit_to)?;
        self.narrow(&sums)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        self.inner.state(emit_to)
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.inner.merge_batch(values, group_indices, total_num_groups)
    }

    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        self.inner.convert_to_state(&self.widened(values)?, opt_filter)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.inner.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{AsArray, Decimal128Array};
    use arrow::datatypes::{Decimal128Type, Schema};
    use datafusion::functions_aggregate::sum::sum_udaf;
    use datafusion::logical_expr::function::StateFieldsArgs;

    const SUM: DataType = DataType::Decimal128(38, 0);

    /// Numbers of which two have no sum of 38 digits.
    fn large(signs: &[i128]) -> Vec<ArrayRef> {
        let values: Vec<i128> =
            signs.iter().map(|sign| sign * 60_000_000_000_000_000_000_000_000_000_000_000_000).collect();
        vec![Arc::new(Decimal128Array::from(values).with_data_type(SUM))]
    }

    fn with_args<T>(made: impl FnOnce(AccumulatorArgs) -> T) -> T {
        let of: FieldRef = Arc::new(Field::new("x", SUM, true));
        made(AccumulatorArgs {
            return_field: Arc::clone(&of),
            schema: &Schema::empty(),
            ignore_nulls: false,
            order_bys: &[],
            is_reversed: false,
            name: "sum",
            is_distinct: false,
            exprs: &[],
            expr_fields: &[of],
        })
    }

    #[test]
    fn what_fits_is_a_sum_though_a_part_of_it_does_not() {
        let checked = super::super::sums::checked(sum_udaf());
        let mut total = with_args(|args| checked.accumulator(args)).unwrap();
        total.update_batch(&large(&[1, 1])).unwrap();
        assert!(total.evaluate().unwrap_err().to_string().contains("does not fit"));
        let state = total.state().unwrap().remove(0).to_array().unwrap();
        let of: FieldRef = Arc::new(Field::new("x", SUM, true));
        let args = StateFieldsArgs {
            name: "sum",
            input_fields: std::slice::from_ref(&of),
            return_field: Arc::clone(&of),
            ordering_fields: &[],
            is_distinct: false,
        };
        assert_eq!(checked.state_fields(args).unwrap()[0].data_type(), state.data_type());
        let mut merged = with_args(|args| checked.accumulator(args)).unwrap();
        merged.merge_batch(&[state]).unwrap();
        merged.update_batch(&large(&[-1])).unwrap();
        assert_eq!(merged.evaluate().unwrap().to_array().unwrap().as_ref(), large(&[1])[0].as_ref());
    }

    #[test]
    fn groups_have_sums_of_their_own() {
        let checked = super::super::sums::checked(sum_udaf());
        let mut totals = with_args(|args| checked.create_groups_accumulator(args)).unwrap();
        totals.update_batch(&large(&[1, 1, 1]), &[0, 1, 1], None, 2).unwrap();
        let first = totals.evaluate(EmitTo::First(1)).unwrap();
        assert_eq!(first.as_primitive::<Decimal128Type>(), large(&[1])[0].as_primitive::<Decimal128Type>());
        assert!(totals.evaluate(EmitTo::All).is_err());
    }
}
