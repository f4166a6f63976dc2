//! `AT TIME ZONE`: what clocks in a zone show at an instant, and the instant at which they show a local time.

use super::convert::converted;
use super::zone::Zone;
use crate::ty::coerce::TimeZoneName;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, new_null_array};
use datafusion::arrow::compute::{cast, concat};
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use std::sync::Arc;

/// PostgreSQL's name of the function that the words stand for: `timezone(zone, time)`.
pub const NAME: &str = "timezone";

/// The function; a text is an instant, and without an offset one of the zone of the options.
pub fn at_zone(options: &ConfigOptions) -> Result<ScalarUDF> {
    let signature = Signature::any(2, Volatility::Immutable);
    Ok(ScalarUDF::from(AtZone { zone: Zone::of(options)?, signature }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct AtZone {
    zone: Zone,
    signature: Signature,
}

impl ScalarUDFImpl for AtZone {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        use DataType::{Date32, Date64, LargeUtf8, Null, Timestamp, Utf8, Utf8View};
        let [zone, time] = args else { return plan_err!("{NAME} takes two arguments") };
        if !matches!(zone, Utf8 | LargeUtf8 | Utf8View | Null) {
            return plan_err!("the zone of {NAME} is a text, not {zone}");
        }
        match time {
            Timestamp(unit, Some(_)) => Ok(Timestamp(*unit, None)),
            Utf8 | LargeUtf8 | Utf8View => Ok(Timestamp(TimeUnit::Nanosecond, None)),
            Timestamp(_, None) | Date32 | Date64 | Null => {
                Ok(Timestamp(TimeUnit::Nanosecond, Some(TimeZoneName::default().as_str().into())))
            }
            other => plan_err!("{NAME} takes a point in time, not {other}"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [zone, time] = args.args.as_slice() else { return exec_err!("{NAME} takes two arguments") };
        let to = args.return_field.data_type();
        match (zone, time) {
            (ColumnarValue::Scalar(zone), ColumnarValue::Scalar(time)) => {
                let moved = self.moved(zone, &time.to_array()?, to)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&moved, 0)?))
            }
            (ColumnarValue::Scalar(zone), ColumnarValue::Array(times)) => {
                Ok(ColumnarValue::Array(self.moved(zone, times, to)?))
            }
            (ColumnarValue::Array(zones), time) => {
                let times = time.to_array(zones.len())?;
                let one = |at: usize| self.moved(&ScalarValue::try_from_array(zones, at)?, &times.slice(at, 1), to);
                let rows = (0..zones.len()).map(one).collect::<Result<Vec<_>>>()?;
                if rows.is_empty() {
                    return Ok(ColumnarValue::Array(new_null_array(to, 0)));
                }
                let rows: Vec<&dyn Array> = rows.iter().map(AsRef::as_ref).collect();
                Ok(ColumnarValue::Array(concat(&rows)?))
            }
        }
    }
}

impl AtZone {
    fn moved(&self, zone: &ScalarValue, times: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
        let zone = cast(&zone.to_array()?, &DataType::Utf8)?;
        let zone = zone.as_string::<i32>();
        if zone.is_null(0) || times.data_type().is_null() {
            return Ok(new_null_array(to, times.len()));
        }
        let zone = Zone::named(zone.value(0))?;
        let is_text = matches!(times.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        if is_text {
            let instant = DataType::Timestamp(TimeUnit::Nanosecond, Some(Arc::clone(self.zone.name())));
            return converted(&converted(times, &self.zone, &instant, false)?, &zone, to, false);
        }
        converted(times, &zone, to, false)
    }
}
