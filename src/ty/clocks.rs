//! The clocks of a time zone: from instants to what they show, and back.
//!
//! Where clocks are changed, some times of day come twice and others not at all. What such a time means is decided as
//! PostgreSQL does: of two instants the later one, and a time that is skipped is read with the offset before the change.

use arrow::array::timezone::{Tz, TzOffset};
use arrow::datatypes::TimeUnit;
use chrono::{DateTime, FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use std::fmt;

/// A time zone in which every local time is one instant.
#[derive(Debug, Clone, Copy)]
pub struct Clocks(pub Tz);

/// An offset of such a zone.
#[derive(Clone, Copy)]
pub struct ClockOffset {
    zone: Tz,
    offset: FixedOffset,
}

impl Clocks {
    /// The offset at a local time.
    fn offset(&self, local: &NaiveDateTime) -> FixedOffset {
        match self.0.offset_from_local_datetime(local) {
            MappedLocalTime::Single(offset) => offset.fix(),
            MappedLocalTime::Ambiguous(one, other) => later(one, other),
            MappedLocalTime::None => {
                let before = local.checked_sub_signed(TimeDelta::days(1)).unwrap_or(*local);
                self.0.offset_from_utc_datetime(&before).fix()
            }
        }
    }

    /// The instant of a local time.
    pub fn instant(&self, local: &NaiveDateTime) -> Option<DateTime<Utc>> {
        local.checked_sub_offset(self.offset(local)).map(|at| at.and_utc())
    }

    /// What the clocks show at an instant, both counted in a unit since 1970.
    pub fn local_count(&self, instant: i64, unit: TimeUnit) -> Option<i64> {
        let at = moment(instant, unit)?;
        let offset = self.0.offset_from_utc_datetime(&at).fix();
        instant.checked_add(i64::from(offset.local_minus_utc()) * per_second(unit))
    }

    /// The instant at which the clocks show that, both counted in a unit since 1970.
    pub fn instant_count(&self, local: i64, unit: TimeUnit) -> Option<i64> {
        let offset = self.offset(&moment(local, unit)?);
        local.checked_sub(i64::from(offset.local_minus_utc()) * per_second(unit))
    }
}

/// Of two offsets of a time of day that comes twice, the one that gives the later instant.
fn later(one: TzOffset, other: TzOffset) -> FixedOffset {
    let (one, other) = (one.fix(), other.fix());
    if one.local_minus_utc() < other.local_minus_utc() { one } else { other }
}

fn moment(count: i64, unit: TimeUnit) -> Option<NaiveDateTime> {
    DateTime::from_timestamp(count.div_euclid(per_second(unit)), 0).map(|at| at.naive_utc())
}

/// How many of a unit are in a second.
pub fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

impl TimeZone for Clocks {
    type Offset = ClockOffset;

    fn from_offset(offset: &ClockOffset) -> Clocks {
        Clocks(offset.zone)
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> MappedLocalTime<ClockOffset> {
        self.offset_from_local_datetime(&local.and_time(Default::default()))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> MappedLocalTime<ClockOffset> {
        MappedLocalTime::Single(ClockOffset { zone: self.0, offset: self.offset(local) })
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> ClockOffset {
        self.offset_from_utc_datetime(&utc.and_time(Default::default()))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> ClockOffset {
        ClockOffset { zone: self.0, offset: self.0.offset_from_utc_datetime(utc).fix() }
    }
}

impl Offset for ClockOffset {
    fn fix(&self) -> FixedOffset {
        self.offset
    }
}

impl fmt::Debug for ClockOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.offset, f)
    }
}

impl fmt::Display for ClockOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.offset, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(zone: &str, local: &str) -> String {
        let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M").unwrap();
        Clocks(zone.parse().unwrap()).instant(&local).unwrap().format("%Y-%m-%d %H:%M").to_string()
    }

    #[test]
    fn a_time_that_comes_twice_is_the_later_one() {
        assert_eq!(instant("America/New_York", "2024-11-03 01:30"), "2024-11-03 06:30");
        assert_eq!(instant("America/Havana", "2024-11-03 00:30"), "2024-11-03 05:30");
        assert_eq!(instant("Australia/Lord_Howe", "2024-04-07 01:45"), "2024-04-06 15:15");
    }

    #[test]
    fn a_time_that_is_skipped_has_the_offset_before_the_change() {
        assert_eq!(instant("America/New_York", "2024-03-10 02:30"), "2024-03-10 07:30");
        assert_eq!(instant("America/Sao_Paulo", "2018-11-04 00:00"), "2018-11-04 03:00");
        assert_eq!(instant("Pacific/Apia", "2011-12-30 12:00"), "2011-12-30 22:00");
    }

    #[test]
    fn counts_go_there_and_back() {
        let zone = Clocks("Asia/Kathmandu".parse().unwrap());
        for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
            let local = zone.local_count(-per_second(unit) - 1, unit).unwrap();
            assert_eq!(zone.instant_count(local, unit), Some(-per_second(unit) - 1));
        }
    }
}
