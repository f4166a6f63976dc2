//! `date_diff(unit, start, end)`: how many times a unit begins between two points in time.
//!
//! Between the 31st of January and the 1st of February lies one month, and between 10:59 and 11:00 one hour, as in DuckDB
//! and SQL Server. Weeks are the exception, as in DuckDB: whole weeks of seven days between the two days. Days and what is
//! longer are those that clocks show in the zone of the project; hours and what is shorter pass between instants.

use super::zone::Zone;
use chrono::{DateTime, Datelike};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, PrimitiveArray};
use datafusion::arrow::datatypes::{
    ArrowTimestampType, DataType, Date32Type, Field, FieldRef, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

/// The name of the function.
const DATE_DIFF: &str = "date_diff";

const NANOS_A_SECOND: i128 = 1_000_000_000;
const NANOS_A_DAY: i128 = 86_400 * NANOS_A_SECOND;

/// The function, by the zone of the options.
pub fn date_diff(options: &ConfigOptions) -> Result<ScalarUDF> {
    let signature = Signature::user_defined(Volatility::Immutable);
    Ok(ScalarUDF::from(DateDiff { zone: Zone::of(options)?, signature }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct DateDiff {
    zone: Zone,
    signature: Signature,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Of so many nanoseconds, shorter than a day.
    Short(i128),
    Day,
    Week,
    /// Of so many months.
    Months(i64),
}

impl Unit {
    fn named(name: &str) -> Result<Unit> {
        Ok(match name.to_lowercase().as_str() {
            "microsecond" | "microseconds" => Unit::Short(1_000),
            "millisecond" | "milliseconds" => Unit::Short(1_000_000),
            "second" | "seconds" => Unit::Short(NANOS_A_SECOND),
            "minute" | "minutes" => Unit::Short(60 * NANOS_A_SECOND),
            "hour" | "hours" => Unit::Short(3_600 * NANOS_A_SECOND),
            "day" | "days" => Unit::Day,
            "week" | "weeks" => Unit::Week,
            "month" | "months" => Unit::Months(1),
            "quarter" | "quarters" => Unit::Months(3),
            "year" | "years" => Unit::Months(12),
            other => return plan_err!("date_diff counts no unit `{other}`"),
        })
    }
}

/// A point in time: what clocks show, and by how much that is ahead of UTC, in nanoseconds.
#[derive(Debug, Clone, Copy)]
struct Moment {
    local: i128,
    ahead: i128,
}

impl ScalarUDFImpl for DateDiff {
    fn name(&self) -> &str {
        DATE_DIFF
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, args: &[DataType]) -> Result<Vec<DataType>> {
        use DataType::{Date32, Date64, LargeUtf8, Null, Timestamp, Utf8, Utf8View};
        let [unit, times @ ..] = args else { return plan_err!("{DATE_DIFF} takes a unit and two points in time") };
        let [_, _] = times else { return plan_err!("{DATE_DIFF} takes a unit and two points in time") };
        if !matches!(unit, Utf8 | LargeUtf8 | Utf8View | Null) {
            return plan_err!("the unit of {DATE_DIFF} is a text, not {unit}");
        }
        let carried = times.iter().find_map(|ty| match ty {
            Timestamp(_, Some(zone)) => Some(Arc::clone(zone)),
            _ => None,
        });
        let time = |ty: &DataType| match (ty, &carried) {
            (Timestamp(..), None) | (Timestamp(_, Some(_)), Some(_)) => Ok(ty.clone()),
            // A day or a local time beside an instant is one of the zone of the project.
            (Timestamp(unit, None), Some(zone)) => Ok(Timestamp(*unit, Some(Arc::clone(zone)))),
            (Date32 | Date64 | Null, Some(zone)) => Ok(Timestamp(TimeUnit::Microsecond, Some(Arc::clone(zone)))),
            (Date32 | Date64 | Null, None) => Ok(Date32),
            (other, _) => plan_err!("{DATE_DIFF} takes points in time, not {other}"),
        };
        std::iter::once(Ok(Utf8)).chain(times.iter().map(time)).collect()
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        if let Some(Some(unit)) = args.scalar_arguments.first()
            && let Some(Some(unit)) = unit.try_as_str()
        {
            Unit::named(unit)?;
        }
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(DATE_DIFF, DataType::Int64, nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_literal { 1 } else { args.number_rows };
        let arrays = args.args.iter().map(|arg| arg.to_array(rows)).collect::<Result<Vec<ArrayRef>>>()?;
        let [units, starts, ends] = arrays.as_slice() else { return exec_err!("{DATE_DIFF} takes three arguments") };
        let (starts, ends) = (self.moments(starts)?, self.moments(ends)?);
        let units = units.as_string::<i32>();
        let mut last: Option<(&str, Unit)> = None;
        let mut differences: Vec<Option<i64>> = Vec::with_capacity(rows);
        for ((unit, start), end) in units.iter().zip(starts).zip(ends) {
            let (Some(name), Some(start), Some(end)) = (unit, start, end) else {
                differences.push(None);
                continue;
            };
            let unit = match last {
                Some((known, unit)) if known == name => unit,
                _ => Unit::named(name)?,
            };
            last = Some((name, unit));
            differences.push(Some(difference(unit, start, end)?));
        }
        let differences: ArrayRef = Arc::new(Int64Array::from(differences));
        Ok(if is_literal {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&differences, 0)?)
        } else {
            ColumnarValue::Array(differences)
        })
    }
}

impl DateDiff {
    fn moments(&self, times: &ArrayRef) -> Result<Vec<Option<Moment>>> {
        match times.data_type() {
            DataType::Date32 => {
                let day = |day: Option<i32>| day.map(|day| Moment { local: i128::from(day) * NANOS_A_DAY, ahead: 0 });
                Ok(times.as_primitive::<Date32Type>().iter().map(day).collect())
            }
            DataType::Timestamp(TimeUnit::Second, _) => self.points(times.as_primitive::<TimestampSecondType>()),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                self.points(times.as_primitive::<TimestampMillisecondType>())
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                self.points(times.as_primitive::<TimestampMicrosecondType>())
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                self.points(times.as_primitive::<TimestampNanosecondType>())
            }
            other => exec_err!("{other} is no point in time"),
        }
    }

    fn points<T: ArrowTimestampType>(&self, times: &PrimitiveArray<T>) -> Result<Vec<Option<Moment>>> {
        let nanos = match T::UNIT {
            TimeUnit::Second => NANOS_A_SECOND,
            TimeUnit::Millisecond => 1_000_000,
            TimeUnit::Microsecond => 1_000,
            TimeUnit::Nanosecond => 1,
        };
        let is_instant = matches!(times.data_type(), DataType::Timestamp(_, Some(_)));
        let point = |at: Option<i64>| {
            let Some(at) = at else { return Ok(None) };
            let local = if is_instant { self.zone.clocks.local_count(at, T::UNIT) } else { Some(at) };
            let Some(local) = local else { return exec_err!("Timestamp {at} out of range") };
            let (local, at) = (i128::from(local) * nanos, i128::from(at) * nanos);
            Ok(Some(Moment { local, ahead: local - at }))
        };
        times.iter().map(point).collect()
    }
}

fn difference(unit: Unit, start: Moment, end: Moment) -> Result<i64> {
    let day = |moment: Moment| moment.local.div_euclid(NANOS_A_DAY);
    let count = match unit {
        // The unit begins by the clocks, and passes between instants.
        Unit::Short(nanos) => {
            let began = |moment: Moment| moment.local - moment.local.rem_euclid(nanos) - moment.ahead;
            (began(end) - began(start)).div_euclid(nanos)
        }
        Unit::Day => day(end) - day(start),
        Unit::Week => (day(end) - day(start)) / 7,
        Unit::Months(months) => i128::from(month(day(end))?.div_euclid(months) - month(day(start))?.div_euclid(months)),
    };
    match i64::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => exec_err!("a difference of points in time is out of range"),
    }
}

/// The month that a day since 1970 is in, counted from the year 0.
fn month(day: i128) -> Result<i64> {
    let date = i64::try_from(day * 86_400).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    match date {
        Some(date) => Ok(i64::from(date.year()) * 12 + i64::from(date.month0())),
        None => exec_err!("a point in time is out of range"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(text: &str) -> Moment {
        let time = chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").unwrap().and_utc();
        Moment { local: i128::from(time.timestamp_nanos_opt().unwrap()), ahead: 0 }
    }

    /// Each was answered by DuckDB.
    #[test]
    fn units_that_begin_are_counted() {
        for (unit, start, end, count) in [
            ("second", "1969-12-31 23:59:59.5", "1970-01-01 00:00:00.5", 1),
            ("hour", "1969-12-31 23:59:59.5", "1970-01-01 00:00:00.5", 1),
            ("hour", "1969-12-28 23:00:00", "1969-12-29 01:00:00", 2),
            ("day", "1900-01-01 00:00:00", "1899-12-31 00:00:00", -1),
            ("week", "1969-12-20 00:00:00", "1970-01-02 00:00:00", 1),
            ("week", "2024-01-07 00:00:00", "2024-01-08 00:00:00", 0),
            ("week", "2024-01-08 00:00:00", "2024-01-01 00:00:00", -1),
            ("month", "2024-01-31 00:00:00", "2024-02-01 00:00:00", 1),
            ("month", "2024-01-01 00:00:00", "2024-01-31 00:00:00", 0),
            ("quarter", "2024-12-31 00:00:00", "2025-01-01 00:00:00", 1),
            ("quarter", "2024-01-31 00:00:00", "2024-02-01 00:00:00", 0),
            ("year", "1900-01-01 00:00:00", "1899-12-31 00:00:00", -1),
            ("microsecond", "1969-12-31 23:59:59.5", "1970-01-01 00:00:00.5", 1_000_000),
        ] {
            let unit_counted = Unit::named(unit).unwrap();
            assert_eq!(difference(unit_counted, local(start), local(end)).unwrap(), count, "{unit} {start} {end}");
        }
        assert!(Unit::named("fortnight").is_err());
    }

    #[test]
    fn an_hour_that_is_skipped_does_not_pass() {
        let hour = 3_600 * NANOS_A_SECOND;
        let before = Moment { local: hour, ahead: hour };
        let behind = Moment { local: 3 * hour, ahead: 2 * hour };
        assert_eq!(difference(Unit::named("hour").unwrap(), before, behind).unwrap(), 1);
        assert_eq!(difference(Unit::Day, before, behind).unwrap(), 0);
    }
}
