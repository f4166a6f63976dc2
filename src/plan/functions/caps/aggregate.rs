//! The wrapper of a function of many rows.

use super::bytes::{array_bytes, length, value_bytes};
use super::{MAX_DELIMITER, MAX_RESULT, MAX_VALUE, capped_aggregate, delimiter_too_large, too_large};
use crate::plan::functions::hand_on::hand_on_aggregate;
use crate::plan::stop;
use arrow::array::ArrayRef;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, ReversedUDAF};
use datafusion::physical_expr::expressions::Literal;
use std::sync::Arc;

/// What of an aggregate function is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AggregateCap {
    /// `string_agg`: what it holds, and what it returns.
    Text,
    /// `array_agg`: what it returns. The pool counts what it holds, except in a window, where the lists of all rows
    /// together grow with the square of the rows.
    List,
    /// Those that go through all values again for their result: in a window that is done for every row, and nobody looks
    /// meanwhile whether anybody waits.
    All,
    /// The same where only values that are there once count.
    Distinct,
}

impl AggregateCap {
    pub(super) fn of(function: &str) -> Option<AggregateCap> {
        match function {
            "string_agg" => Some(AggregateCap::Text),
            "array_agg" => Some(AggregateCap::List),
            "median"
            | "percentile_cont"
            | "approx_median"
            | "approx_distinct"
            | "approx_percentile_cont"
            | "approx_percentile_cont_with_weight"
            | "mode"
            | "nth_value" => Some(AggregateCap::All),
            "avg" | "bit_xor" | "stddev" | "stddev_pop" | "sum" | "var" | "var_pop" => Some(AggregateCap::Distinct),
            _ => None,
        }
    }

    fn function(self) -> &'static str {
        match self {
            AggregateCap::Text => "string_agg",
            AggregateCap::List => "array_agg",
            AggregateCap::All | AggregateCap::Distinct => "an aggregate function",
        }
    }

    fn accumulator(self, inner: Box<dyn Accumulator>, is_distinct: bool) -> Box<dyn Accumulator> {
        if self == AggregateCap::Distinct && !is_distinct {
            return inner;
        }
        Box::new(CappedAccumulator { inner, cap: self, returned: 0 })
    }

    fn check_delimiter(self, args: &AccumulatorArgs) -> Result<()> {
        let delimiter = match self {
            AggregateCap::Text => args.exprs.get(1).and_then(|expr| expr.downcast_ref::<Literal>()),
            _ => None,
        };
        let bytes = delimiter.and_then(|literal| literal.value().try_as_str().flatten()).map_or(0, length);
        if bytes > MAX_DELIMITER {
            return Err(delimiter_too_large(self.function()));
        }
        Ok(())
    }
}

/// The values of one group with a limit on them.
#[derive(Debug)]
struct CappedAccumulator {
    inner: Box<dyn Accumulator>,
    cap: AggregateCap,
    /// The bytes of all results so far: there is more than one only in a window.
    returned: u64,
}

impl CappedAccumulator {
    /// Refuses a batch before it is copied: views let a small batch stand for a lot of text.
    fn admit(&self, values: &[ArrayRef]) -> Result<()> {
        if self.cap == AggregateCap::Text {
            let added = values.iter().map(|array| array_bytes(array.as_ref())).fold(0, u64::saturating_add);
            if added > MAX_RESULT {
                return Err(too_large(self.cap.function(), MAX_RESULT));
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<()> {
        if self.cap == AggregateCap::Text && self.inner.size() as u64 > MAX_VALUE {
            return Err(too_large(self.cap.function(), MAX_VALUE));
        }
        Ok(())
    }
}

#[warn(clippy::missing_trait_methods)]
impl Accumulator for CappedAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        // The text and the delimiter; what comes after them is there for the order only.
        stop::check()?;
        self.admit(values.get(..2).unwrap_or(values))?;
        self.inner.update_batch(values)?;
        self.check_size()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        stop::check()?;
        let value = self.inner.evaluate()?;
        if matches!(self.cap, AggregateCap::All | AggregateCap::Distinct) {
            return Ok(value);
        }
        self.returned = self.returned.saturating_add(value_bytes(&value));
        if self.returned > MAX_RESULT {
            return Err(too_large(self.cap.function(), MAX_RESULT));
        }
        Ok(value)
    }

    fn size(&self) -> usize {
        self.inner.size().saturating_add(size_of::<Self>())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.inner.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.admit(states.get(..1).unwrap_or(states))?;
        self.inner.merge_batch(states)?;
        self.check_size()
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.inner.retract_batch(values)
    }

    fn supports_retract_batch(&self) -> bool {
        self.inner.supports_retract_batch()
    }
}

/// An aggregate function with a limit on its result.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct CappedAggregate {
    inner: Arc<AggregateUDF>,
    cap: AggregateCap,
}

impl CappedAggregate {
    pub(super) fn new(inner: Arc<AggregateUDF>, cap: AggregateCap) -> CappedAggregate {
        CappedAggregate { inner, cap }
    }
}

#[warn(clippy::missing_trait_methods)]
impl AggregateUDFImpl for CappedAggregate {
    // What a function simplifies itself to has no limit, and needs none: `percentile_cont` of 0 is the least value.
    hand_on_aggregate! {
        name aliases schema_name human_display window_function_schema_name display_name window_function_display_name
        signature return_type return_field is_nullable state_fields order_sensitivity simplify
        simplify_expr_op_literal coerce_types is_descending value_from_stats default_value
        supports_null_handling_clause supports_within_group_clause documentation
        set_monotonicity
    }

    fn accumulator(&self, acc_args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.cap.check_delimiter(&acc_args)?;
        let is_distinct = acc_args.is_distinct;
        Ok(self.cap.accumulator(self.inner.accumulator(acc_args)?, is_distinct))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        match self.cap {
            // One for all groups knows only what they hold together, and the limit is that of each.
            AggregateCap::Text => false,
            _ => self.inner.groups_accumulator_supported(args),
        }
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.cap.check_delimiter(&args)?;
        self.inner.create_groups_accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.cap.check_delimiter(&args)?;
        let is_distinct = args.is_distinct;
        Ok(self.cap.accumulator(self.inner.create_sliding_accumulator(args)?, is_distinct))
    }

    fn with_beneficial_ordering(
        self: Arc<Self>,
        beneficial_ordering: bool,
    ) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        let inner = AggregateUDF::clone(&self.inner).with_beneficial_ordering(beneficial_ordering)?;
        let capped = inner.map(|inner| CappedAggregate { inner: Arc::new(inner), cap: self.cap });
        Ok(capped.map(|capped| Arc::new(capped) as Arc<dyn AggregateUDFImpl>))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        match self.inner.reverse_udf() {
            ReversedUDAF::Reversed(reversed) => ReversedUDAF::Reversed(capped_aggregate(reversed)),
            other => other,
        }
    }
}
