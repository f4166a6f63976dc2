//! Which format the days or times of a column are written in.

use super::super::rewrite::TimeFormat;

/// How days are written, beside `2024-03-31`, which every reader knows.
const DAYS: [&str; 18] = [
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%b %d %Y",
    "%b %d, %Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%A, %B %d, %Y",
    "%a %b %d %Y",
    "%Y%m%d",
];

/// What stands behind them in times.
const CLOCKS: [&str; 8] =
    [" %H:%M", " %H:%M:%S", " %H:%M:%S%.f", "T%H:%M:%S", "T%H:%M", " %I:%M %p", " %I:%M:%S %p", " %H:%M:%S %z"];

/// How a column is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// As days, in that format.
    Days(String),
    /// As times.
    Times(String),
    /// As days or times, in either of two formats.
    Unclear(String, String),
}

/// The format of all the values of a column; `None` where there is none. Digits alone are a number, unless the column's
/// name speaks of days.
pub(super) fn format_of(column: &str, values: &[&str]) -> Option<Written> {
    let first = values.first()?;
    if !first.bytes().any(|byte| byte.is_ascii_digit()) || first.len() > 40 {
        return None;
    }
    let days = DAYS.iter().map(|day| (*day).to_owned());
    let days: Vec<String> = days.filter(|day| day != "%Y%m%d" || (names_days(column) && first.len() == 8)).collect();
    if let Some(written) = only(&days, values, TimeFormat::of_days) {
        return Some(written.map_or_else(|(a, b)| Written::Unclear(a, b), Written::Days));
    }
    let clocks = |day: &str| CLOCKS.map(|clock| format!("{day}{clock}"));
    let iso = ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %I:%M %p", "%Y-%m-%d %H:%M:%S %z"].map(str::to_owned);
    let times: Vec<String> = days.iter().flat_map(|day| clocks(day)).chain(iso).collect();
    let written = only(&times, values, TimeFormat::of_times)?;
    Some(written.map_or_else(|(a, b)| Written::Unclear(a, b), Written::Times))
}

/// Whether a column is called as one of days would be.
pub(super) fn names_days(column: &str) -> bool {
    let name = column.to_lowercase();
    ["date", "day", "datum", "fecha"].iter().any(|word| name.contains(word))
}

/// The only format that all values are written in; two where there are more.
fn only<E>(
    formats: &[String],
    values: &[&str],
    made: fn(&str) -> Result<TimeFormat, E>,
) -> Option<Result<String, (String, String)>> {
    let fits =
        |text: &&String| made(text).is_ok_and(|format| values.iter().all(|value| format.rewritten(value).is_ok()));
    let mut fitting = formats.iter().filter(fits);
    let first = fitting.next()?;
    // A fraction of a second that no value has says nothing more.
    let mut others = fitting.filter(|other| other.strip_suffix("%.f") != Some(first.as_str()));
    Some(match others.next() {
        None => Ok(first.clone()),
        Some(second) => Err((first.clone(), second.clone())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_that_of_all_values() {
        let days = |text: &str| Some(Written::Days(text.to_owned()));
        assert_eq!(format_of("a", &["31.12.2024", "1.2.2025"]), days("%d.%m.%Y"));
        assert_eq!(format_of("a", &["12/31/2024", "01/02/2025"]), days("%m/%d/%Y"));
        assert_eq!(format_of("a", &["Jan 1 2000", "Dec 31 2001"]), days("%b %d %Y"));
        assert_eq!(format_of("a", &["31/12/24"]), days("%d/%m/%y"));
        let unclear = Some(Written::Unclear("%d/%m/%Y".to_owned(), "%m/%d/%Y".to_owned()));
        assert_eq!(format_of("a", &["01/02/2024", "03/04/2024"]), unclear);
        let times = |text: &str| Some(Written::Times(text.to_owned()));
        assert_eq!(format_of("a", &["31.12.2024 7:30"]), times("%d.%m.%Y %H:%M"));
        assert_eq!(format_of("a", &["12/31/2024 7:30 PM"]), times("%m/%d/%Y %I:%M %p"));
        assert_eq!(format_of("a", &["2015/01/02 01:00:00"]), times("%Y/%m/%d %H:%M:%S"));
        assert_eq!(format_of("a", &["2015/01/02 01:00:00", "2015/01/02 01:00:00.5"]), times("%Y/%m/%d %H:%M:%S%.f"));
        assert_eq!(format_of("a", &["20241231"]), None);
        assert_eq!(format_of("day", &["20241231"]), days("%Y%m%d"));
        assert_eq!(format_of("a", &["31.12.2024", "x"]), None);
    }
}
