//! The function that stands around a span that is added to a day: one of hours or less is an error, and not dropped.

use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::{DataType, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalUnit};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

/// What the message of the error says.
pub(crate) const PART_OF_A_DAY: &str = "an interval with a part below a day is added to a date, which would drop it";

static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(WholeDays { signature }))
});

/// The span, which is an error where it has a part below a day.
pub(super) fn whole_days(span: Expr) -> Transformed<Expr> {
    match &span {
        Expr::ScalarFunction(call) if is_whole_days(&call.func) => Transformed::no(span),
        _ => Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&FUNCTION), vec![span]))),
    }
}

/// Whether a function is this one.
pub(in crate::plan) fn is_whole_days(function: &ScalarUDF) -> bool {
    function.inner().is::<WholeDays>()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct WholeDays {
    signature: Signature,
}

impl ScalarUDFImpl for WholeDays {
    fn name(&self) -> &str {
        "qtool_whole_days"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [span @ DataType::Interval(_)] => Ok(span.clone()),
            _ => plan_err!("a span of time is added to a day, and not {types:?}"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [span] = args.args.as_slice() else { return plan_err!("one span of time is added to a day") };
        // A literal is an array of one.
        let spans = span.to_array(1)?;
        if has_part_of_a_day(spans.as_ref()) {
            return exec_err!("{PART_OF_A_DAY}: add it to a timestamp, as in `CAST(day AS timestamp) + << span >>`");
        }
        Ok(span.clone())
    }
}

/// Nanoseconds. The engine makes such of the integers that are added to a day as days.
const DAY: i64 = 86_400_000_000_000;

fn has_part_of_a_day(spans: &dyn Array) -> bool {
    match spans.data_type() {
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            spans.as_primitive::<IntervalMonthDayNanoType>().iter().flatten().any(|span| span.nanoseconds % DAY != 0)
        }
        DataType::Interval(IntervalUnit::DayTime) => spans
            .as_primitive::<IntervalDayTimeType>()
            .iter()
            .flatten()
            .any(|span| i64::from(span.milliseconds) % (DAY / 1_000_000) != 0),
        _ => false,
    }
}
