//! Points in time that are read of texts, as DuckDB reads them: `strptime(text, format)`, which fails at a text that is
//! none, and `try_strptime`, which is NULL there.
//!
//! `to_timestamp` of DataFusion takes the day alone where the format has hours without minutes. Here a text fits the whole
//! format, and what the format leaves out is that of midnight of the first of January 1900, as in DuckDB.

use crate::plan::stop;
use arrow::array::{ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use chrono::format::{Fixed, Item, ParseResult, Parsed, StrftimeItems, parse};
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

/// What is said of a text that the format does not fit.
pub(crate) const NO_TIME_IN_FORMAT: &str = "a text is no point in time in the format that it is read in";
/// What is said of a format that no text is read in.
pub(crate) const NO_READING_FORMAT: &str = "a format that texts are read in";

/// What is done at a text that the format does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Otherwise {
    /// It is an error.
    Fail,
    /// It is NULL.
    Null,
}

/// The functions.
pub(super) fn reading_functions() -> impl Iterator<Item = ScalarUDF> {
    [Otherwise::Fail, Otherwise::Null].into_iter().map(|otherwise| {
        let signature = Signature::exact(vec![DataType::Utf8, DataType::Utf8], Volatility::Immutable);
        ScalarUDF::from(Reader { otherwise, signature })
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reader {
    otherwise: Otherwise,
    signature: Signature,
}

impl ScalarUDFImpl for Reader {
    fn name(&self) -> &str {
        match self.otherwise {
            Otherwise::Fail => "strptime",
            Otherwise::Null => "try_strptime",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Timestamp(TimeUnit::Microsecond, None))
    }

    /// A format that is written in the query is looked at when it is planned.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        if let Some(Some(ScalarValue::Utf8(Some(format)))) = args.scalar_arguments.get(1)
            && let Err(DataFusionError::Execution(why)) = items_of(format)
        {
            return plan_err!("{why}");
        }
        Ok(Arc::new(Field::new(self.name(), DataType::Timestamp(TimeUnit::Microsecond, None), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [texts, formats] = args.args.as_slice() else {
            return exec_err!("{} takes a text and a format", self.name());
        };
        let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_literal { 1 } else { args.number_rows };
        let times = self.times(&texts.to_array(rows)?, formats, rows)?;
        Ok(if is_literal {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&times, 0)?)
        } else {
            ColumnarValue::Array(times)
        })
    }
}

impl Reader {
    fn times(&self, texts: &ArrayRef, formats: &ColumnarValue, rows: usize) -> Result<ArrayRef> {
        let texts = texts.as_string::<i32>();
        let mut times = Vec::with_capacity(rows);
        match formats {
            ColumnarValue::Scalar(format) => {
                let items = format.try_as_str().flatten().map(items_of).transpose()?;
                for text in texts {
                    times.push(self.time(text, items.as_deref())?);
                }
            }
            ColumnarValue::Array(formats) => {
                for (text, format) in texts.iter().zip(formats.as_string::<i32>()) {
                    let items = format.map(items_of).transpose()?;
                    times.push(self.time(text, items.as_deref())?);
                }
            }
        }
        Ok(Arc::new(TimestampMicrosecondArray::from(times)))
    }

    fn time(&self, text: Option<&str>, items: Option<&[Item<'_>]>) -> Result<Option<i64>> {
        let (Some(text), Some(items)) = (text, items) else { return Ok(None) };
        stop::check()?;
        match (time_of(text, items), self.otherwise) {
            (Some(time), _) => Ok(Some(time)),
            (None, Otherwise::Null) => Ok(None),
            (None, Otherwise::Fail) => exec_err!("{NO_TIME_IN_FORMAT}"),
        }
    }
}

/// The parts of a format. Of `%f` and `%g`, DuckDB reads microseconds and milliseconds, behind a point fewer digits too.
fn items_of(format: &str) -> Result<Vec<Item<'static>>> {
    // `%%f` is a sign and a letter.
    let parts = format.split("%%").map(|part| {
        let part = part.replace(".%f", "%.f").replace(".%g", "%.f");
        part.replace("%f", "%6f").replace("%g", "%3f")
    });
    let Ok(items) = StrftimeItems::new(&parts.collect::<Vec<_>>().join("%%")).parse_to_owned() else {
        return exec_err!("{NO_READING_FORMAT}: it has a part that is none of strftime");
    };
    if items.iter().any(has_zone) {
        return exec_err!("{NO_READING_FORMAT}: strptime reads no zone, cast the text to timestamptz");
    }
    Ok(items)
}

fn has_zone(item: &Item<'_>) -> bool {
    matches!(
        item,
        Item::Fixed(
            Fixed::TimezoneName
                | Fixed::TimezoneOffset
                | Fixed::TimezoneOffsetColon
                | Fixed::TimezoneOffsetDoubleColon
                | Fixed::TimezoneOffsetTripleColon
                | Fixed::TimezoneOffsetColonZ
                | Fixed::TimezoneOffsetZ
                | Fixed::RFC2822
                | Fixed::RFC3339
        )
    )
}

/// The microseconds of a point in time; `None` where the text is none, or has an offset, which would be passed over.
fn time_of(text: &str, items: &[Item<'_>]) -> Option<i64> {
    let mut parsed = Parsed::new();
    parse(&mut parsed, text.trim(), items.iter()).ok()?;
    complete(&mut parsed).ok()?;
    let time = parsed.to_naive_datetime_with_offset(0).ok()?;
    parsed.offset().is_none().then(|| time.and_utc().timestamp_micros())
}

/// Puts in what the format leaves out.
fn complete(parsed: &mut Parsed) -> ParseResult<()> {
    if parsed.timestamp().is_some() {
        return Ok(());
    }
    let years = [parsed.year(), parsed.year_mod_100(), parsed.isoyear(), parsed.isoyear_mod_100()];
    if years.iter().all(Option::is_none) {
        parsed.set_year(1900)?;
    }
    let of_weeks = [parsed.ordinal(), parsed.week_from_sun(), parsed.week_from_mon(), parsed.isoweek()];
    if of_weeks.iter().all(Option::is_none) {
        if parsed.month().is_none() {
            parsed.set_month(1)?;
        }
        if parsed.day().is_none() {
            parsed.set_day(1)?;
        }
    }
    match (parsed.hour_div_12(), parsed.hour_mod_12()) {
        (_, None) => parsed.set_hour(0)?,
        (None, Some(_)) => parsed.set_ampm(false)?,
        (Some(_), Some(_)) => {}
    }
    if parsed.minute().is_none() {
        parsed.set_minute(0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: &str) -> Option<String> {
        let time = time_of(text, &items_of(format).ok()?)?;
        Some(chrono::DateTime::from_timestamp_micros(time)?.naive_utc().to_string())
    }

    #[test]
    fn texts_are_read_as_in_duckdb() {
        for (text, format, time) in [
            ("2024-01-05", "%Y-%m-%d", "2024-01-05 00:00:00"),
            ("10", "%H", "1900-01-01 10:00:00"),
            ("2024-01-05 10", "%Y-%m-%d %H", "2024-01-05 10:00:00"),
            ("1/2/24", "%d/%m/%y", "2024-02-01 00:00:00"),
            ("1/2/70", "%d/%m/%y", "1970-02-01 00:00:00"),
            ("Jan 5, 2024", "%b %d, %Y", "2024-01-05 00:00:00"),
            (" 2024-1-5 ", "%Y-%m-%d", "2024-01-05 00:00:00"),
            ("20240105", "%Y%m%d", "2024-01-05 00:00:00"),
            ("2024-02-01 10:00:00.123", "%Y-%m-%d %H:%M:%S.%f", "2024-02-01 10:00:00.123"),
            ("2024-02-01 10:00:00.123", "%Y-%m-%d %H:%M:%S.%g", "2024-02-01 10:00:00.123"),
            ("01/05/2024 02:30 PM", "%m/%d/%Y %I:%M %p", "2024-01-05 14:30:00"),
            ("01/05/2024 02:30", "%m/%d/%Y %I:%M", "2024-01-05 02:30:00"),
        ] {
            assert_eq!(read(text, format).as_deref(), Some(time), "{text}");
        }
        for (text, format) in [
            ("2024-02-30", "%Y-%m-%d"),
            ("2024-02-01 x", "%Y-%m-%d"),
            ("2024-02", "%Y-%m-%d"),
            ("", "%Y"),
            ("2024-01-05T10:00:00+02:00", "%Y-%m-%dT%H:%M:%S%z"),
            ("2024 +02:00", "%Y %#z"),
            ("2024", "%Q"),
        ] {
            assert_eq!(read(text, format), None, "{text}");
        }
    }
}
