//! Casts between instants and what clocks and calendars show, in the zone of the project.

use super::zone::{Zone, cast};
use crate::ty::clocks::Clocks;
use chrono::DateTime;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, GenericListArray, Int64Array, OffsetSizeTrait, StructArray};
use datafusion::arrow::compute::kernels::cast_utils::string_to_datetime;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_datafusion_err, exec_err, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

/// A cast that reads and shows local times in one zone.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Convert {
    name: String,
    zone: Zone,
    to: DataType,
    /// Whether what cannot be cast is null.
    safe: bool,
    signature: Signature,
}

impl Convert {
    pub(super) fn is_safe(&self) -> bool {
        self.safe
    }
}

/// The expression as a value of that type.
pub(super) fn convert(expr: Expr, zone: &Zone, to: &DataType, safe: bool) -> Expr {
    let function = Convert {
        name: format!("{} as {to} in {}", if safe { "try" } else { "cast" }, zone.name()),
        zone: zone.clone(),
        to: to.clone(),
        safe,
        signature: Signature::any(1, Volatility::Immutable),
    };
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(ScalarUDF::from(function)), vec![expr]))
}

impl ScalarUDFImpl for Convert {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.to.clone())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let [value] = args.arg_fields else { return plan_err!("{} takes one argument", self.name) };
        Ok(Arc::new(Field::new(&self.name, self.to.clone(), value.is_nullable() || self.safe)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.as_slice() {
            [ColumnarValue::Scalar(value)] => {
                let converted = converted(&value.to_array()?, &self.zone, &self.to, self.safe)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&converted, 0)?))
            }
            [ColumnarValue::Array(values)] => {
                Ok(ColumnarValue::Array(converted(values, &self.zone, &self.to, self.safe)?))
            }
            _ => exec_err!("{} takes one argument", self.name),
        }
    }
}

/// Whether a cast depends on where clocks are.
pub(super) fn crosses(from: &DataType, to: &DataType) -> bool {
    use DataType::{
        Date32, Date64, FixedSizeList, LargeList, LargeUtf8, List, Struct, Time32, Time64, Timestamp, Utf8, Utf8View,
    };
    match (from, to) {
        (
            Timestamp(_, Some(_)),
            Timestamp(_, None) | Date32 | Date64 | Time32(_) | Time64(_) | Utf8 | LargeUtf8 | Utf8View,
        )
        | (Timestamp(_, None) | Date32 | Date64 | Utf8 | LargeUtf8 | Utf8View, Timestamp(_, Some(_))) => true,
        (List(from), List(to)) | (LargeList(from), LargeList(to)) | (FixedSizeList(from, _), List(to)) => {
            crosses(from.data_type(), to.data_type())
        }
        (Struct(from), Struct(to)) if from.len() == to.len() => {
            from.iter().zip(to).any(|(from, to)| crosses(from.data_type(), to.data_type()))
        }
        (DataType::Dictionary(_, from), to) => crosses(from, to),
        _ => false,
    }
}

/// The values as another type.
pub(super) fn converted(values: &ArrayRef, zone: &Zone, to: &DataType, safe: bool) -> Result<ArrayRef> {
    use DataType::{
        Date32, Date64, Dictionary, FixedSizeList, LargeList, LargeUtf8, List, Struct, Time32, Time64, Timestamp, Utf8,
        Utf8View,
    };
    if !crosses(values.data_type(), to) {
        return cast(values, to, safe);
    }
    match (values.data_type(), to) {
        (Timestamp(_, Some(_)), Timestamp(_, None) | Date32 | Date64 | Time32(_) | Time64(_)) => {
            cast(&zone.local(values)?, to, safe)
        }
        (Timestamp(unit, Some(_)), _) => {
            cast(&cast(values, &Timestamp(*unit, Some(Arc::clone(zone.name()))), safe)?, to, safe)
        }
        (Timestamp(_, None), Timestamp(_, Some(carried))) => cast(&zone.instants(values, carried)?, to, safe),
        (Date32 | Date64, Timestamp(_, Some(carried))) => {
            let midnights = cast(values, &Timestamp(TimeUnit::Second, None), safe)?;
            cast(&zone.instants(&midnights, carried)?, to, safe)
        }
        (Utf8 | LargeUtf8 | Utf8View, Timestamp(unit, Some(_))) => read(values, zone, *unit, to, safe),
        (List(_), List(item)) => listed::<i32>(values, zone, item, safe),
        (LargeList(_), LargeList(item)) => listed::<i64>(values, zone, item, safe),
        (FixedSizeList(item, _), List(_)) => {
            let list = cast(values, &List(Arc::clone(item)), safe)?;
            converted(&list, zone, to, safe)
        }
        (Struct(_), Struct(fields)) => {
            let parts = values.as_struct();
            let columns = parts.columns().iter().zip(fields);
            let columns = columns.map(|(column, field)| converted(column, zone, field.data_type(), safe));
            let columns = columns.collect::<Result<Vec<_>>>()?;
            Ok(Arc::new(StructArray::try_new(fields.clone(), columns, parts.nulls().cloned())?))
        }
        (Dictionary(_, plain), _) => converted(&cast(values, plain, safe)?, zone, to, safe),
        (from, to) => exec_err!("no cast of {from} to {to}"),
    }
}

fn listed<O: OffsetSizeTrait>(lists: &ArrayRef, zone: &Zone, item: &FieldRef, safe: bool) -> Result<ArrayRef> {
    let lists = lists.as_list::<O>();
    let items = converted(lists.values(), zone, item.data_type(), safe)?;
    let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
    Ok(Arc::new(GenericListArray::<O>::try_new(Arc::clone(item), offsets, items, nulls)?))
}

/// Texts as instants: one without an offset is a local time.
fn read(texts: &ArrayRef, zone: &Zone, unit: TimeUnit, to: &DataType, safe: bool) -> Result<ArrayRef> {
    let texts = cast(texts, &DataType::Utf8, safe)?;
    let one = |text: Option<&str>| -> Result<Option<i64>> {
        let Some(text) = text else { return Ok(None) };
        match string_to_datetime(&zone.clocks, text) {
            Ok(at) => match count(&at, unit) {
                None if !safe => Err(exec_datafusion_err!("Timestamp {text} out of range")),
                count => Ok(count),
            },
            Err(_) if safe => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    let counts = texts.as_string::<i32>().iter().map(one).collect::<Result<Int64Array, DataFusionError>>()?;
    cast(&(Arc::new(counts) as ArrayRef), to, safe)
}

fn count(at: &DateTime<Clocks>, unit: TimeUnit) -> Option<i64> {
    match unit {
        TimeUnit::Second => Some(at.timestamp()),
        TimeUnit::Millisecond => Some(at.timestamp_millis()),
        TimeUnit::Microsecond => Some(at.timestamp_micros()),
        TimeUnit::Nanosecond => at.timestamp_nanos_opt(),
    }
}
