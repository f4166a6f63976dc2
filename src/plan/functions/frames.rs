//! Aggregates of floating-point numbers over frames that slide.
//!
//! DataFusion subtracts a row that leaves a frame: of what `1e20`, an infinity or NaN has swallowed nothing comes back,
//! so that all rows behind it were wrong. Here nothing is subtracted: a frame is summed up from parts ([`queue`]).
//! Integers and decimals are exact, and stay as they are.

mod moments;
mod queue;
mod single;
#[cfg(test)]
mod tests;
mod total;

use super::hand_on::hand_on_aggregate;
use arrow::array::{ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, ReversedUDAF};
use moments::{Moments, Statistic};
use queue::{Part, Queue};
use single::{Single, SingleOfGroups};
use std::fmt::Debug;
use std::sync::Arc;
use total::{Asked, Total};

/// The function, with frames that nothing is subtracted from.
pub(super) fn summed_up(function: Arc<AggregateUDF>) -> Arc<AggregateUDF> {
    let is_own = function.inner().is::<SummedUp>();
    match Kind::of(function.name()) {
        Some(kind) if !is_own => Arc::new(AggregateUDF::from(SummedUp { inner: function, kind })),
        _ => function,
    }
}

/// What is asked of the rows of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Total(Asked),
    Moments(Statistic),
}

impl Kind {
    fn of(function: &str) -> Option<Kind> {
        match function {
            "sum" => Some(Kind::Total(Asked::Sum)),
            "avg" => Some(Kind::Total(Asked::Average)),
            other => Statistic::of(other).map(Kind::Moments),
        }
    }

    /// What is made of the mean of the squares, where the function is one of which a single value has a result.
    fn of_population(self) -> Option<single::Asked> {
        match self {
            Kind::Moments(Statistic::PopulationVariance) => Some(|variance| variance),
            Kind::Moments(Statistic::PopulationDeviation) => Some(f64::sqrt),
            _ => None,
        }
    }

    fn accumulator(self, gives: &DataType) -> Box<dyn Accumulator> {
        match self {
            Kind::Total(asked) => Box::new(Frame::<Total, _>::new(gives, move |total: Total| total.get(asked))),
            Kind::Moments(asked) => {
                Box::new(Frame::<Moments, _>::new(gives, move |moments: Moments| asked.get(moments)))
            }
        }
    }
}

/// The rows of a frame, and what is asked of them.
struct Frame<P, A> {
    rows: Queue<P>,
    asked: A,
    gives: DataType,
}

impl<P: Part, A: Fn(P) -> Option<f64>> Frame<P, A> {
    fn new(gives: &DataType, asked: A) -> Frame<P, A> {
        Frame { rows: Queue::default(), asked, gives: gives.clone() }
    }
}

impl<P: Part, A> Debug for Frame<P, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame").field("rows", &self.rows).finish_non_exhaustive()
    }
}

#[warn(clippy::missing_trait_methods)]
impl<P: Part, A: Fn(P) -> Option<f64> + Send + Sync + 'static> Accumulator for Frame<P, A> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let columns: Vec<ArrayRef> =
            values.iter().map(|values| cast(values, &DataType::Float64)).collect::<Result<_, _>>()?;
        match columns.as_slice() {
            [one] => one.as_primitive::<Float64Type>().iter().for_each(|one| self.rows.push(P::of(one, one))),
            [one, other, ..] => {
                let pairs = one.as_primitive::<Float64Type>().iter().zip(other.as_primitive::<Float64Type>());
                pairs.for_each(|(one, other)| self.rows.push(P::of(one, other)));
            }
            [] => return internal_err!("an aggregate of no column"),
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let found = ScalarValue::Float64((self.asked)(self.rows.sum()));
        if self.gives == DataType::Float64 { Ok(found) } else { found.cast_to(&self.gives) }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.rows.size()
    }

    // A frame is evaluated where its rows are, and never handed on.
    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        internal_err!("a frame has no state")
    }

    fn merge_batch(&mut self, _: &[ArrayRef]) -> Result<()> {
        internal_err!("a frame has no state")
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.rows.pop(values.first().map_or(0, |values| values.len()));
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }
}

/// Such a function: its own in all but frames that slide.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SummedUp {
    inner: Arc<AggregateUDF>,
    kind: Kind,
}

// A wrapper has to hand on every method: the lint finds one that a new version adds.
#[warn(clippy::missing_trait_methods)]
impl AggregateUDFImpl for SummedUp {
    hand_on_aggregate! {
        name aliases schema_name human_display window_function_schema_name display_name window_function_display_name
        signature return_type return_field is_nullable state_fields groups_accumulator_supported
        order_sensitivity simplify simplify_expr_op_literal coerce_types is_descending
        value_from_stats default_value supports_null_handling_clause supports_within_group_clause documentation
        set_monotonicity
    }

    fn accumulator(&self, acc_args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let is_population = self.kind.of_population().is_some() && !acc_args.is_distinct;
        let inner = self.inner.accumulator(acc_args)?;
        Ok(if is_population { Box::new(Single(inner)) } else { inner })
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let asked = self.kind.of_population().filter(|_| !args.is_distinct);
        let inner = self.inner.create_groups_accumulator(args)?;
        Ok(match asked {
            Some(asked) => Box::new(SingleOfGroups { inner, asked }),
            None => inner,
        })
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        // Those of values that are different keep them all, or are refused.
        if args.is_distinct || !args.return_field.data_type().is_floating() {
            return self.inner.create_sliding_accumulator(args);
        }
        Ok(self.kind.accumulator(args.return_field.data_type()))
    }

    fn with_beneficial_ordering(
        self: Arc<Self>,
        beneficial_ordering: bool,
    ) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        let inner = AggregateUDF::clone(&self.inner).with_beneficial_ordering(beneficial_ordering)?;
        let summed_up = inner.map(|inner| SummedUp { inner: Arc::new(inner), kind: self.kind });
        Ok(summed_up.map(|summed_up| Arc::new(summed_up) as Arc<dyn AggregateUDFImpl>))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        match self.inner.reverse_udf() {
            ReversedUDAF::Reversed(reversed) => ReversedUDAF::Reversed(summed_up(reversed)),
            other => other,
        }
    }
}
