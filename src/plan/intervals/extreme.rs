//! The shortest and the longest of many spans of time.

use super::length::nanoseconds;
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

/// The name of the function that takes the shortest.
pub const SMALLEST: &str = "interval_min";
/// The name of the function that takes the longest.
pub const LARGEST: &str = "interval_max";

const SPAN: DataType = DataType::Interval(IntervalUnit::MonthDayNano);

static FUNCTIONS: LazyLock<[Arc<AggregateUDF>; 2]> = LazyLock::new(|| {
    [(SMALLEST, Ordering::Less), (LARGEST, Ordering::Greater)].map(|(name, wanted)| {
        let signature = Signature::any(1, Volatility::Immutable);
        Arc::new(AggregateUDF::from(Extreme { name, wanted, signature }))
    })
});

/// `min` of spans.
pub(super) fn smallest() -> Arc<AggregateUDF> {
    let [smallest, _] = &*FUNCTIONS;
    Arc::clone(smallest)
}

/// `max` of spans.
pub(super) fn largest() -> Arc<AggregateUDF> {
    let [_, largest] = &*FUNCTIONS;
    Arc::clone(largest)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Extreme {
    name: &'static str,
    wanted: Ordering,
    signature: Signature,
}

impl AggregateUDFImpl for Extreme {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        Ok(args.first().cloned().unwrap_or(SPAN))
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let ty = args.return_field.data_type().clone();
        Ok(Box::new(Best { wanted: self.wanted, ty, best: None }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let ty = args.return_field.data_type().clone();
        Ok(Box::new(Sliding { wanted: self.wanted, ty, seen: VecDeque::new() }))
    }
}

/// By length; of spans of one length, one of them always before the other.
fn order(one: &IntervalMonthDayNano, other: &IntervalMonthDayNano) -> Ordering {
    nanoseconds(*one).cmp(&nanoseconds(*other)).then(one.cmp(other))
}

fn spans(values: &[ArrayRef]) -> Result<Vec<Option<IntervalMonthDayNano>>> {
    let [values] = values else { return exec_err!("one column of spans was expected") };
    let spans = cast(values, &SPAN)?;
    Ok(spans.as_primitive::<IntervalMonthDayNanoType>().iter().collect())
}

fn value(span: Option<IntervalMonthDayNano>, ty: &DataType) -> Result<ScalarValue> {
    ScalarValue::IntervalMonthDayNano(span).cast_to(ty)
}

/// The best of all that were seen.
#[derive(Debug)]
struct Best {
    wanted: Ordering,
    ty: DataType,
    best: Option<IntervalMonthDayNano>,
}

impl Accumulator for Best {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for span in spans(values)?.into_iter().flatten() {
            if self.best.is_none_or(|best| order(&span, &best) == self.wanted) {
                self.best = Some(span);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        value(self.best, &self.ty)
    }

    fn size(&self) -> usize {
        size_of::<Self>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }
}

/// The best of those in a frame, which lets go of values in the order in which they came.
#[derive(Debug)]
struct Sliding {
    wanted: Ordering,
    ty: DataType,
    seen: VecDeque<Option<IntervalMonthDayNano>>,
}

impl Accumulator for Sliding {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.seen.extend(spans(values)?);
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let left = values.first().map_or(0, |values| values.len()).min(self.seen.len());
        self.seen.drain(..left);
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let best = self
            .seen
            .iter()
            .flatten()
            .copied()
            .reduce(|best, span| if order(&span, &best) == self.wanted { span } else { best });
        value(best, &self.ty)
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.seen.capacity() * size_of::<Option<IntervalMonthDayNano>>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }
}
