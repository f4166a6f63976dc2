//! Series of instants that go by the calendar of a zone.
//!
//! DataFusion's end without a word at a time of day that is skipped, or comes twice.

use super::zone::Zone;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, RecordBatch, TimestampNanosecondArray};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit, Schema, TimeUnit,
    TimestampNanosecondType,
};
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, ScalarValue, exec_err, resources_err};
use datafusion::datasource::MemTable;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::cmp::Ordering;
use std::sync::Arc;

/// Most instants of a series, or of the series of a batch. Days reach from one end of time to the other in 213,504.
const MOST: usize = 1 << 20;

/// A series in FROM; `None` where DataFusion's own will do: hours and less pass over no calendar.
pub fn series(function: &str, args: &[Expr], zone: &Zone) -> Result<Option<Arc<dyn TableProvider>>> {
    let includes_end = match function {
        "generate_series" => true,
        "range" => false,
        _ => return Ok(None),
    };
    let values: Vec<Option<&ScalarValue>> = args.iter().map(Expr::as_literal).collect();
    let [
        Some(ScalarValue::TimestampNanosecond(Some(start), Some(carried))),
        Some(ScalarValue::TimestampNanosecond(Some(end), _)),
        Some(ScalarValue::IntervalMonthDayNano(Some(step))),
    ] = values.as_slice()
    else {
        return Ok(None);
    };
    if zone.is_utc() || !goes_by_days(*step) {
        return Ok(None);
    }
    let instants = zone.series([*start, *end], *step, includes_end, MOST)?;
    let column = TimestampNanosecondArray::from(instants).with_timezone(Arc::clone(carried));
    let field = Field::new("value", column.data_type().clone(), false);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(column)])?;
    Ok(Some(Arc::new(MemTable::try_new(schema, vec![vec![batch]])?)))
}

/// Whether a step is by days or months, which are not always as long.
pub(super) fn goes_by_days(step: IntervalMonthDayNano) -> bool {
    step.months != 0 || step.days != 0
}

impl Zone {
    /// The instants from one to another, each a step behind the one before it.
    fn series(
        &self,
        [start, end]: [i64; 2],
        step: IntervalMonthDayNano,
        includes_end: bool,
        most: usize,
    ) -> Result<Vec<i64>> {
        let next = |at: i64| self.plus(at, step, false, TimeUnit::Nanosecond);
        let order = match next(start).map(|second| second.cmp(&start)) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => order,
            Some(Ordering::Equal) => return exec_err!("the step of a series must not be 0"),
            None => return exec_err!("Timestamp out of range"),
        };
        let mut instants = Vec::new();
        let mut current = Some(start);
        while let Some(at) = current.filter(|at| at.cmp(&end) != order && (includes_end || *at != end)) {
            if instants.len() >= most {
                return resources_err!("a series has more than {most} instants");
            }
            instants.push(at);
            // A step that does not get on would never end.
            current = next(at).filter(|later| later.cmp(&at) == order);
        }
        Ok(instants)
    }
}

/// `generate_series` and `range` as functions of a row.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Lists {
    name: String,
    zone: Zone,
    includes_end: bool,
    to: DataType,
    signature: Signature,
}

/// The list of a series, of the type that the call had.
pub(super) fn lists(call: ScalarFunction, zone: &Zone, to: DataType) -> Expr {
    let function = Lists {
        name: format!("{} in {}", call.name(), zone.name()),
        zone: zone.clone(),
        includes_end: call.name() == "generate_series",
        to,
        signature: Signature::any(3, Volatility::Immutable),
    };
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(ScalarUDF::from(function)), call.args))
}

impl ScalarUDFImpl for Lists {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.to.clone())
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(&self.name, self.to.clone(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [start, end, step] = args.args.as_slice() else { return exec_err!("{} takes three arguments", self.name) };
        let is_one = [start, end, step].iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_one { 1 } else { args.number_rows };
        let instant = DataType::Timestamp(TimeUnit::Nanosecond, Some(Arc::clone(self.zone.name())));
        let span = DataType::Interval(IntervalUnit::MonthDayNano);
        let (start, end) = (cast(&start.to_array(rows)?, &instant)?, cast(&end.to_array(rows)?, &instant)?);
        let lists = self.lists(&start, &end, &cast(&step.to_array(rows)?, &span)?)?;
        let lists = cast(&lists, &self.to)?;
        if is_one {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&lists, 0)?));
        }
        Ok(ColumnarValue::Array(lists))
    }
}

impl Lists {
    fn lists(&self, start: &ArrayRef, end: &ArrayRef, step: &ArrayRef) -> Result<ArrayRef> {
        let starts = start.as_primitive::<TimestampNanosecondType>().iter();
        let ends = end.as_primitive::<TimestampNanosecondType>().iter();
        let steps = step.as_primitive::<IntervalMonthDayNanoType>().iter();
        let (mut items, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for ((start, end), step) in starts.zip(ends).zip(steps) {
            let before = items.len();
            if let (Some(start), Some(end), Some(step)) = (start, end, step) {
                let left = MOST.saturating_sub(before);
                items.extend(self.zone.series([start, end], step, self.includes_end, left)?);
            }
            valid.push(start.is_some() && end.is_some() && step.is_some());
            lengths.push(items.len() - before);
        }
        let items = TimestampNanosecondArray::from(items).with_timezone(Arc::clone(self.zone.name()));
        let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
        let (offsets, nulls) = (OffsetBuffer::from_lengths(lengths), NullBuffer::from(valid));
        Ok(Arc::new(ListArray::try_new(field, offsets, Arc::new(items), Some(nulls))?))
    }
}
