//! Days and times that are written by a format of strftime, such as `%d.%m.%Y`.

use super::super::TableError;
use super::super::whole::forms::Misfit;
use chrono::format::{Fixed, Item, Numeric, StrftimeItems};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use std::borrow::Cow;

/// How days or times are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine::tables) struct TimeFormat {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A day.
    Day,
    /// A local day, at midnight.
    Midnight,
    /// A local time.
    Local,
    /// A time with its offset.
    Offset,
    /// Seconds since 1970.
    Epoch,
}

impl TimeFormat {
    /// The format of columns that are `date`.
    ///
    /// Errors: it is none, or says anything but a whole day.
    pub(in crate::engine::tables) fn of_days(text: &str) -> Result<TimeFormat, TableError> {
        let option = "date_format";
        if items(option, text)?.iter().any(tells_time) {
            let message = format!("`{text}` says a time of day too: declare `timestamp`, with `timestamp_format`");
            return Err(TableError::option(option, message));
        }
        TimeFormat { text: text.to_owned(), kind: Kind::Day }.tried(option)
    }

    /// The format of columns that are `timestamp` or `timestamptz`.
    ///
    /// Errors: it is none, or does not say a whole time.
    pub(in crate::engine::tables) fn of_times(text: &str) -> Result<TimeFormat, TableError> {
        let option = "timestamp_format";
        let items = items(option, text)?;
        let has = |is: fn(&Item) -> bool| items.iter().any(is);
        let kind = if has(|item| matches!(item, Item::Numeric(Numeric::Timestamp, _))) {
            Kind::Epoch
        } else if has(is_offset) {
            Kind::Offset
        } else if has(tells_time) {
            Kind::Local
        } else {
            Kind::Midnight
        };
        TimeFormat { text: text.to_owned(), kind }.tried(option)
    }

    /// Errors: a time that was written by it cannot be read again.
    fn tried(self, option: &str) -> Result<TimeFormat, TableError> {
        let sample = DateTime::from_timestamp(1_709_999_999, 0).unwrap_or_default().fixed_offset();
        let written = sample.format(&self.text).to_string();
        match self.rewritten(&written) {
            Ok(_) => Ok(self),
            Err(_) => {
                let what = if self.kind == Kind::Day { "day" } else { "time" };
                let message = format!("`{}` does not say a whole {what}, as `{}` does", self.text, example(self.kind));
                Err(TableError::option(option, message))
            }
        }
    }

    /// The day or time as the readers have it.
    ///
    /// Errors: it is not written so.
    pub(in crate::engine::tables) fn rewritten<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, Misfit> {
        let read = self.read(text).map(Cow::Owned);
        read.ok_or_else(|| Misfit::from(format!("which is not written as `{}`", self.text)))
    }

    fn read(&self, text: &str) -> Option<String> {
        let format = self.text.as_str();
        let day = || NaiveDate::parse_from_str(text, format).ok();
        let time = || NaiveDateTime::parse_from_str(text, format).ok();
        let read = match self.kind {
            Kind::Day => day()?.format("%Y-%m-%d").to_string(),
            Kind::Midnight => day()?.format("%Y-%m-%dT00:00:00").to_string(),
            Kind::Local => time()?.format("%Y-%m-%dT%H:%M:%S%.f").to_string(),
            Kind::Offset => DateTime::parse_from_str(text, format).ok()?.to_rfc3339(),
            Kind::Epoch => time()?.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string(),
        };
        // `%Y` takes the 24 of `31.12.24` for a year of the Romans.
        let is_cut = read.starts_with("00") && !text.contains(read.get(..4)?);
        (!is_cut).then_some(read)
    }
}

fn example(kind: Kind) -> &'static str {
    if kind == Kind::Day { "%d.%m.%Y" } else { "%d.%m.%Y %H:%M:%S" }
}

fn items<'a>(option: &str, text: &'a str) -> Result<Vec<Item<'a>>, TableError> {
    let items: Vec<Item> = StrftimeItems::new(text).collect();
    // The name of a zone is skipped by its reader.
    if items.iter().any(|item| matches!(item, Item::Error | Item::Fixed(Fixed::TimezoneName))) {
        let message = format!("`{text}` is no format of days and times: `%d.%m.%Y %H:%M:%S` is one");
        return Err(TableError::option(option, message));
    }
    Ok(items)
}

fn is_offset(item: &Item) -> bool {
    matches!(
        item,
        Item::Fixed(
            Fixed::TimezoneOffset
                | Fixed::TimezoneOffsetColon
                | Fixed::TimezoneOffsetDoubleColon
                | Fixed::TimezoneOffsetTripleColon
                | Fixed::TimezoneOffsetColonZ
                | Fixed::TimezoneOffsetZ
                | Fixed::RFC2822
                | Fixed::RFC3339
                | Fixed::Internal(_)
        )
    )
}

fn tells_time(item: &Item) -> bool {
    let is_clock = matches!(
        item,
        Item::Numeric(
            Numeric::Hour
                | Numeric::Hour12
                | Numeric::Minute
                | Numeric::Second
                | Numeric::Nanosecond
                | Numeric::Timestamp,
            _
        ) | Item::Fixed(
            Fixed::LowerAmPm
                | Fixed::UpperAmPm
                | Fixed::Nanosecond
                | Fixed::Nanosecond3
                | Fixed::Nanosecond6
                | Fixed::Nanosecond9
        )
    );
    is_clock || is_offset(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_by_their_format() {
        let german = TimeFormat::of_days("%d.%m.%Y").unwrap();
        assert_eq!(german.rewritten("31.12.2024").unwrap(), "2024-12-31");
        for other in ["2024-12-31", "31.13.2024", "31.12.2024 10:00", "31.12.24x"] {
            assert!(german.rewritten(other).is_err(), "{other}");
        }
        let named = TimeFormat::of_days("%b %d %Y").unwrap();
        assert_eq!(named.rewritten("Jan 1 2000").unwrap(), "2000-01-01");
        for refused in ["%d.%m.", "%d.%m.%Y %H:%M", "%Q", "day", "%Y-%m-%d %Z"] {
            assert!(TimeFormat::of_days(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn times_are_read_by_their_format() {
        let read =
            |format: &str, text: &str| TimeFormat::of_times(format).unwrap().rewritten(text).unwrap().into_owned();
        assert_eq!(read("%d/%m/%Y %H:%M", "31/12/2024 7:05"), "2024-12-31T07:05:00");
        assert_eq!(read("%m/%d/%Y %I:%M:%S %p", "12/31/2024 07:05:09 PM"), "2024-12-31T19:05:09");
        assert_eq!(read("%d.%m.%Y", "31.12.2024"), "2024-12-31T00:00:00");
        assert_eq!(read("%Y%m%dT%H%M%S%z", "20241231T070509+0200"), "2024-12-31T07:05:09+02:00");
        assert_eq!(read("%s", "0"), "1970-01-01T00:00:00Z");
        for refused in ["%H:%M", "%d.%m.%Y %I:%M", "%c %Z"] {
            assert!(TimeFormat::of_times(refused).is_err(), "{refused}");
        }
    }
}
