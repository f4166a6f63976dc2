//! `mode(x)`: the value that is there most often, as in DuckDB; of several the least, so that two calls agree.

use crate::plan::stop;
use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

/// The function.
pub(super) fn mode_function() -> Arc<AggregateUDF> {
    Arc::new(AggregateUDF::from(Mode { signature: Signature::user_defined(Volatility::Immutable) }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Mode {
    signature: Signature,
}

impl AggregateUDFImpl for Mode {
    fn name(&self) -> &str {
        "mode"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, args: &[DataType]) -> Result<Vec<DataType>> {
        match args {
            [ty] if !ty.is_nested() => Ok(vec![ty.clone()]),
            [ty] => plan_err!("mode takes single values, and no {ty}"),
            _ => plan_err!("mode takes one argument, not {}", args.len()),
        }
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        match args {
            [ty] => Ok(ty.clone()),
            _ => plan_err!("mode takes one argument, not {}", args.len()),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let of = |name: &str, ty: DataType| {
            let item = Arc::new(Field::new_list_field(ty, true));
            Arc::new(Field::new(format!("{}[{name}]", args.name), DataType::List(item), true)) as FieldRef
        };
        Ok(vec![of("values", args.return_field.data_type().clone()), of("counts", DataType::Int64)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let ty = args.return_field.data_type().clone();
        Ok(Box::new(Counts { ty, is_distinct: args.is_distinct, counts: HashMap::new(), bytes: 0 }))
    }
}

/// How often each value is there.
#[derive(Debug)]
struct Counts {
    ty: DataType,
    is_distinct: bool,
    counts: HashMap<ScalarValue, i64>,
    /// What the values take beside their places in the map.
    bytes: usize,
}

impl Counts {
    fn add(&mut self, value: ScalarValue, times: i64) {
        if let Some(count) = self.counts.get_mut(&value) {
            *count = if self.is_distinct { 1 } else { count.saturating_add(times) };
            return;
        }
        self.bytes += value.size().saturating_sub(size_of::<ScalarValue>());
        self.counts.insert(value, if self.is_distinct { 1 } else { times });
    }
}

/// The more frequent value, of two that are there as often the lesser one.
fn by_count(one: &(&ScalarValue, &i64), other: &(&ScalarValue, &i64)) -> Ordering {
    let by_value = || other.0.partial_cmp(one.0).unwrap_or(Ordering::Equal);
    one.1.cmp(other.1).then_with(by_value)
}

impl Accumulator for Counts {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [values] = values else { return exec_err!("mode takes one column") };
        stop::check()?;
        for row in (0..values.len()).filter(|row| values.is_valid(*row)) {
            self.add(ScalarValue::try_from_array(values, row)?.compacted(), 1);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.counts.iter().max_by(by_count) {
            Some((value, _)) => Ok(value.clone()),
            None => ScalarValue::try_from(&self.ty),
        }
    }

    fn size(&self) -> usize {
        let place = size_of::<(ScalarValue, i64)>() + size_of::<u64>();
        size_of_val(self) + self.counts.capacity() * place + self.bytes
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (values, counts): (Vec<ScalarValue>, Vec<ScalarValue>) =
            self.counts.iter().map(|(value, count)| (value.clone(), ScalarValue::from(*count))).unzip();
        Ok(vec![
            ScalarValue::List(ScalarValue::new_list_nullable(&values, &self.ty)),
            ScalarValue::List(ScalarValue::new_list_nullable(&counts, &DataType::Int64)),
        ])
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [values] = values else { return exec_err!("mode takes one column") };
        for row in (0..values.len()).filter(|row| values.is_valid(*row)) {
            let value = ScalarValue::try_from_array(values, row)?;
            let Some(count) = self.counts.get_mut(&value) else { continue };
            *count -= 1;
            if *count <= 0 {
                self.counts.remove(&value);
                self.bytes = self.bytes.saturating_sub(value.size().saturating_sub(size_of::<ScalarValue>()));
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        !self.is_distinct
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [values, counts] = states else { return exec_err!("mode has values and counts") };
        for (values, counts) in values.as_list::<i32>().iter().zip(counts.as_list::<i32>().iter()) {
            let (Some(values), Some(counts)) = (values, counts) else { continue };
            let counts: &Int64Array = counts.as_primitive::<Int64Type>();
            for (row, times) in counts.values().iter().enumerate() {
                self.add(ScalarValue::try_from_array(&values, row)?.compacted(), *times);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[Option<i64>]) -> Counts {
        let mut counts = Counts { ty: DataType::Int64, is_distinct: false, counts: HashMap::new(), bytes: 0 };
        counts.update_batch(&[Arc::new(Int64Array::from(values.to_vec()))]).unwrap();
        counts
    }

    #[test]
    fn the_most_frequent_value_and_of_several_the_least() {
        let mode = |values: &[Option<i64>]| counts(values).evaluate().unwrap();
        assert_eq!(mode(&[Some(2), Some(1), Some(1), Some(2), Some(3)]), ScalarValue::from(1_i64));
        assert_eq!(mode(&[Some(3), None, None, Some(3), Some(1)]), ScalarValue::from(3_i64));
        assert_eq!(mode(&[None]), ScalarValue::Int64(None));
    }

    #[test]
    fn counts_of_parts_are_added_up() {
        let mut all = counts(&[Some(1), Some(1), Some(2)]);
        let state = counts(&[Some(2), Some(2), None]).state().unwrap();
        let state: Vec<ArrayRef> = state.iter().map(|state| state.to_array().unwrap()).collect();
        all.merge_batch(&state).unwrap();
        assert_eq!(all.evaluate().unwrap(), ScalarValue::from(2_i64));
    }
}
