//! The zone that local times are read in, with its kernels over arrays.

use crate::ty::clocks::{Clocks, per_second};
use crate::ty::coerce::TimeZoneName;
use chrono::{DateTime, Days, Months};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::{
    ArrowTimestampType, DataType, IntervalMonthDayNano, IntervalMonthDayNanoType, TimeUnit, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A time zone by its name.
#[derive(Debug, Clone)]
pub struct Zone {
    name: Arc<str>,
    pub(super) clocks: Clocks,
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl From<&TimeZoneName> for Zone {
    fn from(zone: &TimeZoneName) -> Zone {
        Zone { name: zone.as_str().into(), clocks: zone.clocks() }
    }
}

impl Zone {
    /// The zone of that name.
    pub(super) fn named(name: &str) -> Result<Zone> {
        Ok(Zone { name: name.into(), clocks: Clocks(name.parse()?) })
    }

    /// The zone of the project.
    pub fn of(options: &ConfigOptions) -> Result<Zone> {
        Zone::named(options.execution.time_zone.as_deref().unwrap_or(TimeZoneName::default().as_str()))
    }

    /// Its name.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Whether clocks there show UTC, whatever it is called.
    pub fn is_utc(&self) -> bool {
        is_utc(&self.name)
    }

    /// What clocks show at instants.
    pub(super) fn local(&self, instants: &ArrayRef) -> Result<ArrayRef> {
        each(instants, None, |at, unit| self.clocks.local_count(at, unit))
    }

    /// The instants at which clocks show that; `carried` is the zone of their type.
    pub(super) fn instants(&self, local: &ArrayRef, carried: &Arc<str>) -> Result<ArrayRef> {
        each(local, Some(carried), |at, unit| self.clocks.instant_count(at, unit))
    }

    /// The instants with which the hours, minutes or seconds begin that clocks show, by the offsets of the instants.
    pub(super) fn truncated(&self, instants: &ArrayRef, seconds: i64) -> Result<ArrayRef> {
        let carried = match instants.data_type() {
            DataType::Timestamp(_, carried) => carried.clone(),
            _ => None,
        };
        each(instants, carried.as_ref(), |at, unit| {
            let local = self.clocks.local_count(at, unit)?;
            at.checked_sub(local.rem_euclid(seconds * per_second(unit)))
        })
    }

    /// The instants so much later, day by day as calendars count.
    pub(super) fn later(&self, instants: &ArrayRef, spans: &ArrayRef, back: bool) -> Result<ArrayRef> {
        match instants.data_type() {
            DataType::Timestamp(TimeUnit::Second, _) => self.add::<TimestampSecondType>(instants, spans, back),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                self.add::<TimestampMillisecondType>(instants, spans, back)
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                self.add::<TimestampMicrosecondType>(instants, spans, back)
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => self.add::<TimestampNanosecondType>(instants, spans, back),
            other => exec_err!("{other} is no instant"),
        }
    }

    fn add<T: ArrowTimestampType>(&self, instants: &ArrayRef, spans: &ArrayRef, back: bool) -> Result<ArrayRef> {
        let (times, spans) = (instants.as_primitive::<T>(), spans.as_primitive::<IntervalMonthDayNanoType>());
        let out_of_range = || exec_datafusion_err!("Timestamp out of range");
        let sum = |(at, span): (Option<i64>, Option<IntervalMonthDayNano>)| match (at, span) {
            (Some(at), Some(span)) => self.plus(at, span, back, T::UNIT).map(Some).ok_or_else(out_of_range),
            _ => Ok(None),
        };
        let sums = times.iter().zip(spans.iter()).map(sum).collect::<Result<PrimitiveArray<T>>>()?;
        Ok(Arc::new(sums.with_data_type(instants.data_type().clone())))
    }

    /// First the months, then the days, then what is less than a day; each step from a time that there is.
    pub(super) fn plus(&self, at: i64, span: IntervalMonthDayNano, back: bool, unit: TimeUnit) -> Option<i64> {
        let mut at = at;
        if span.months != 0 {
            at = self.moved(at, unit, |day| {
                let months = Months::new(span.months.unsigned_abs());
                if (span.months > 0) == back { day.checked_sub_months(months) } else { day.checked_add_months(months) }
            })?;
        }
        if span.days != 0 {
            at = self.moved(at, unit, |day| {
                let days = Days::new(span.days.unsigned_abs().into());
                if (span.days > 0) == back { day.checked_sub_days(days) } else { day.checked_add_days(days) }
            })?;
        }
        let nanos = if back { span.nanoseconds.checked_neg()? } else { span.nanoseconds };
        at.checked_add(nanos.div_euclid(1_000_000_000 / per_second(unit)))
    }

    /// The instant with the same time of day on another day.
    fn moved(
        &self,
        at: i64,
        unit: TimeUnit,
        step: impl Fn(chrono::NaiveDate) -> Option<chrono::NaiveDate>,
    ) -> Option<i64> {
        let day_length = per_second(unit) * 86_400;
        let local = self.clocks.local_count(at, unit)?;
        let day = DateTime::from_timestamp(local.div_euclid(day_length) * 86_400, 0)?.date_naive();
        let day_number = step(day)?.and_time(Default::default()).and_utc().timestamp() / 86_400;
        let moved = day_number.checked_mul(day_length)?.checked_add(local.rem_euclid(day_length))?;
        self.clocks.instant_count(moved, unit)
    }
}

/// Whether a zone's name is one of UTC's.
pub(super) fn is_utc(name: &str) -> bool {
    matches!(name, "UTC" | "+00:00" | "-00:00" | "+00" | "+0000" | "Z" | "Etc/UTC")
}

/// Casts as the engine does: what cannot be cast is an error, or null where that is wished for.
pub(super) fn cast(array: &ArrayRef, to: &DataType, safe: bool) -> Result<ArrayRef> {
    Ok(cast_with_options(array, to, &CastOptions { safe, ..Default::default() })?)
}

/// Counts of a type of timestamps, one by one.
fn each(times: &ArrayRef, carried: Option<&Arc<str>>, one: impl Fn(i64, TimeUnit) -> Option<i64>) -> Result<ArrayRef> {
    fn of<T: ArrowTimestampType>(
        times: &ArrayRef,
        carried: Option<&Arc<str>>,
        one: impl Fn(i64, TimeUnit) -> Option<i64>,
    ) -> Result<ArrayRef> {
        let out_of_range = |at: i64| exec_datafusion_err!("Timestamp {at} out of range");
        let moved = times.as_primitive::<T>().try_unary::<_, T, datafusion::common::DataFusionError>(|at| {
            one(at, T::UNIT).ok_or_else(|| out_of_range(at))
        })?;
        Ok(Arc::new(moved.with_timezone_opt(carried.cloned())))
    }
    match times.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => of::<TimestampSecondType>(times, carried, one),
        DataType::Timestamp(TimeUnit::Millisecond, _) => of::<TimestampMillisecondType>(times, carried, one),
        DataType::Timestamp(TimeUnit::Microsecond, _) => of::<TimestampMicrosecondType>(times, carried, one),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => of::<TimestampNanosecondType>(times, carried, one),
        other => exec_err!("{other} is no timestamp"),
    }
}
