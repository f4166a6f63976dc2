//! The length of a span of time as one number.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Decimal128Array};
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, FieldRef, IntervalDayTimeType, IntervalMonthDayNano, IntervalMonthDayNanoType,
    IntervalUnit, IntervalYearMonthType,
};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

/// The name of the function.
pub const LENGTH: &str = "interval_length";

static FUNCTION: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::from(Length { signature: Signature::any(1, Volatility::Immutable) })));

/// The length of a span, as an expression.
pub(super) fn length(span: Expr) -> Expr {
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&FUNCTION), vec![span]))
}

/// Nanoseconds: a month has 30 days, a day 24 hours.
pub(super) fn nanoseconds(span: IntervalMonthDayNano) -> i128 {
    const DAY: i128 = 86_400_000_000_000;
    (i128::from(span.months) * 30 + i128::from(span.days)) * DAY + i128::from(span.nanoseconds)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Length {
    signature: Signature,
}

impl ScalarUDFImpl for Length {
    fn name(&self) -> &str {
        LENGTH
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Decimal128(38, 0))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let [span] = args.arg_fields else { return plan_err!("{LENGTH} takes one argument") };
        Ok(Arc::new(Field::new(LENGTH, DataType::Decimal128(38, 0), span.is_nullable())))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [span] = args.args.as_slice() else { return exec_err!("{LENGTH} takes one argument") };
        match span {
            ColumnarValue::Scalar(value) => {
                let lengths = lengths(&value.to_array()?)?;
                Ok(ColumnarValue::Scalar(datafusion::common::ScalarValue::try_from_array(&lengths, 0)?))
            }
            ColumnarValue::Array(spans) => Ok(ColumnarValue::Array(lengths(spans)?)),
        }
    }
}

fn lengths(spans: &ArrayRef) -> Result<ArrayRef> {
    fn of<T: ArrowPrimitiveType>(spans: &ArrayRef, length: impl Fn(T::Native) -> i128) -> Decimal128Array {
        spans.as_primitive::<T>().iter().map(|span| span.map(&length)).collect()
    }
    let lengths = match spans.data_type() {
        DataType::Interval(IntervalUnit::MonthDayNano) => of::<IntervalMonthDayNanoType>(spans, nanoseconds),
        DataType::Interval(IntervalUnit::YearMonth) => {
            of::<IntervalYearMonthType>(spans, |months| nanoseconds(IntervalMonthDayNano::new(months, 0, 0)))
        }
        DataType::Interval(IntervalUnit::DayTime) => of::<IntervalDayTimeType>(spans, |span| {
            nanoseconds(IntervalMonthDayNano::new(0, span.days, i64::from(span.milliseconds) * 1_000_000))
        }),
        DataType::Null => Decimal128Array::new_null(spans.len()),
        other => return exec_err!("{LENGTH} of {other}"),
    };
    Ok(Arc::new(lengths.with_precision_and_scale(38, 0)?))
}
