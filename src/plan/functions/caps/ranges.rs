//! How many values there are from one end of a range to the other.

use super::arguments::{DAY, Moments, Numbers, integers};
use super::batch::Batch;
use arrow::array::AsArray;
use arrow::datatypes::{DataType, IntervalMonthDayNano, IntervalMonthDayNanoType};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

/// The bytes of an element of a range.
const RANGE_ELEMENT: u64 = 8;

// Whether the upper bound belongs to the range makes a difference of one element, which does not matter here.
pub(super) fn range(batch: &Batch, args: &[ColumnarValue]) -> Result<()> {
    let types: Vec<DataType> = args.iter().map(ColumnarValue::data_type).collect();
    if types.iter().any(DataType::is_null) {
        return Ok(());
    }
    match (types.first(), args) {
        (Some(DataType::Date32 | DataType::Date64), [start, stop, step]) => {
            range_of_moments(batch, [start, stop, step], pace_of_dates)
        }
        (Some(DataType::Timestamp(..)), [start, stop, step]) => {
            range_of_moments(batch, [start, stop, step], pace_of_instants)
        }
        (_, [stop]) => range_of_integers(batch, None, stop, None),
        (_, [start, stop]) => range_of_integers(batch, Some(start), stop, None),
        (_, [start, stop, step]) => range_of_integers(batch, Some(start), stop, Some(step)),
        _ => Ok(()),
    }
}

fn range_of_integers(
    batch: &Batch,
    start: Option<&ColumnarValue>,
    stop: &ColumnarValue,
    step: Option<&ColumnarValue>,
) -> Result<()> {
    let (start, stop, step) = (start.map(integers).transpose()?, integers(stop)?, step.map(integers).transpose()?);
    batch.measure(|row| {
        let start = start.as_ref().map_or(Some(0), |start| start.at(row));
        let step = step.as_ref().map_or(Some(1), |step| step.at(row));
        let (Some(start), Some(stop), Some(step)) = (start, stop.at(row), step) else { return 0 };
        steps(i128::from(stop) - i128::from(start), i128::from(step)).saturating_mul(RANGE_ELEMENT)
    })
}

fn range_of_moments(
    batch: &Batch,
    [start, stop, step]: [&ColumnarValue; 3],
    pace: fn(IntervalMonthDayNano) -> Pace,
) -> Result<()> {
    let step_array = step.to_array(1)?;
    // The function itself refuses a step of another type.
    let Some(values) = step_array.as_primitive_opt::<IntervalMonthDayNanoType>() else { return Ok(()) };
    let (start, stop, step) = (Moments::of(start)?, Moments::of(stop)?, Numbers::of(step, values.clone()));
    batch.measure(|row| {
        let (Some(start), Some(stop), Some(step)) = (start.at(row), stop.at(row), step.at(row)) else { return 0 };
        let count = match pace(step) {
            Pace::Refused => 0,
            Pace::Endless => u64::MAX,
            Pace::Nanoseconds(step) => steps(stop - start, step),
        };
        count.saturating_mul(RANGE_ELEMENT)
    })
}

/// How many values there are on the way, both ends included.
fn steps(distance: i128, step: i128) -> u64 {
    // The function itself refuses a step of zero; a step in the other direction makes an empty range.
    if step == 0 || distance.signum() == -step.signum() {
        return 0;
    }
    u64::try_from(distance / step).unwrap_or(u64::MAX).saturating_add(1)
}

/// A day on which the clocks go forward.
const SHORT_DAY: i128 = DAY / 24 * 23;

/// A day on which the clocks go back.
const LONG_DAY: i128 = DAY / 24 * 25;

/// How fast a series of dates or instants gets on.
enum Pace {
    /// The function itself refuses the step.
    Refused,
    /// It may come back to where it was (a month less 28 days), or run away from its end.
    Endless,
    /// At least so far in one step; negative if backwards.
    Nanoseconds(i128),
}

fn pace_of_dates(step: IntervalMonthDayNano) -> Pace {
    if step.months == 0 && step.days == 0 {
        return Pace::Refused;
    }
    // A date takes only the whole days of the third part.
    let whole_days = i128::from(step.nanoseconds) / DAY * DAY;
    // This is how the function decides at which end it is done, whatever the sum of the parts.
    let backwards = step.months < 0 || step.days < 0;
    match slowest(step.months, step.days, whole_days) {
        Some(nanoseconds) if (nanoseconds < 0) == backwards => Pace::Nanoseconds(nanoseconds),
        _ => Pace::Endless,
    }
}

fn pace_of_instants(step: IntervalMonthDayNano) -> Pace {
    if step.months == 0 && step.days == 0 && step.nanoseconds == 0 {
        return Pace::Refused;
    }
    slowest(step.months, step.days, i128::from(step.nanoseconds)).map_or(Pace::Endless, Pace::Nanoseconds)
}

/// The least that a step can move, if it always moves in the same direction.
fn slowest(months: i32, days: i32, nanoseconds: i128) -> Option<i128> {
    let spread = |parts: i32, short: i128, long: i128| {
        let (one, other) = (i128::from(parts) * short, i128::from(parts) * long);
        (one.min(other), one.max(other))
    };
    let months = spread(months, 28 * SHORT_DAY, 31 * LONG_DAY);
    let days = spread(days, SHORT_DAY, LONG_DAY);
    let least = months.0 + days.0 + nanoseconds;
    let most = months.1 + days.1 + nanoseconds;
    if least > 0 {
        Some(least)
    } else if most < 0 {
        Some(most)
    } else {
        None
    }
}
