//! What functions of instants do by the calendar of a zone: the beginnings of days, and the same time on another day.

use super::convert::converted;
use super::zone::{Zone, cast};
use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, IntervalUnit};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

/// A function of instants that goes by the calendar of a zone.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ByCalendar {
    name: String,
    zone: Zone,
    does: Does,
    signature: Signature,
}

/// What it does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Does {
    /// `date_trunc(unit, instant)`, with the function that does it without a zone.
    Truncates(Arc<ScalarUDF>),
    /// `date_bin(stride, instant, origin)`, with the function that does it without a zone.
    Bins(Arc<ScalarUDF>),
    /// `instant + interval`.
    Adds,
    /// `instant - interval`.
    Subtracts,
}

impl Does {
    fn name(&self) -> &str {
        match self {
            Does::Truncates(function) | Does::Bins(function) => function.name(),
            Does::Adds => "plus",
            Does::Subtracts => "minus",
        }
    }

    /// The argument that is an instant.
    fn subject(&self) -> usize {
        match self {
            Does::Truncates(_) | Does::Bins(_) => 1,
            Does::Adds | Does::Subtracts => 0,
        }
    }
}

/// The call of such a function.
pub(super) fn by_calendar(does: Does, zone: &Zone, args: Vec<Expr>) -> Expr {
    let function = ByCalendar {
        name: format!("{} in {}", does.name(), zone.name()),
        zone: zone.clone(),
        does,
        signature: Signature::any(args.len(), Volatility::Immutable),
    };
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(ScalarUDF::from(function)), args))
}

impl ScalarUDFImpl for ByCalendar {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, args: &[DataType]) -> Result<DataType> {
        match args.get(self.does.subject()) {
            Some(instant) => Ok(instant.clone()),
            None => plan_err!("{} takes an instant", self.name),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable()) || self.bins();
        Ok(Arc::new(Field::new(&self.name, self.return_type(&types)?, nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match &self.does {
            Does::Truncates(function) => self.truncated(function, args),
            Does::Bins(function) => self.binned(function, args),
            Does::Adds => self.shifted(&args, false),
            Does::Subtracts => self.shifted(&args, true),
        }
    }
}

impl ByCalendar {
    /// Whether it is `date_bin`, which is null for days out of reach.
    pub(super) fn bins(&self) -> bool {
        matches!(self.does, Does::Bins(_))
    }

    fn truncated(&self, function: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(ColumnarValue::Scalar(unit)) = args.args.first() else {
            return function.invoke_with_args(args);
        };
        let unit = unit.try_as_str().flatten().unwrap_or_default().to_lowercase();
        // An hour that comes twice is told apart by its offset, and a local time would not say which it is.
        let seconds = match unit.as_str() {
            "hour" => 3_600,
            "minute" => 60,
            "second" => 1,
            unit => return self.through(function, args, ["day", "week", "month", "quarter", "year"].contains(&unit)),
        };
        match args.args.get(1) {
            Some(instant) => mapped(instant, |instants| self.zone.truncated(instants, seconds)),
            None => exec_err!("{} takes an instant", self.name),
        }
    }

    fn binned(&self, function: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let has_months = match args.args.first() {
            Some(ColumnarValue::Scalar(ScalarValue::IntervalMonthDayNano(Some(stride)))) => stride.months != 0,
            _ => false,
        };
        self.through(function, args, has_months)
    }

    /// Lets the function work on what clocks show, or on instants that carry the zone.
    fn through(&self, function: &ScalarUDF, mut args: ScalarFunctionArgs, local: bool) -> Result<ColumnarValue> {
        let subject = self.does.subject();
        let mut fields = args.arg_fields.clone();
        for (at, arg) in args.args.iter_mut().enumerate() {
            let DataType::Timestamp(unit, Some(_)) = arg.data_type() else { continue };
            let ty = DataType::Timestamp(unit, (!local).then(|| Arc::clone(self.zone.name())));
            *arg = mapped(arg, |values| converted(values, &self.zone, &ty, false))?;
            if let Some(field) = fields.get_mut(at) {
                *field = Arc::new(field.as_ref().clone().with_data_type(ty));
            }
        }
        let result = args.return_field.data_type().clone();
        let given = fields.get(subject).map_or(DataType::Null, |field| field.data_type().clone());
        args.return_field = Arc::new(args.return_field.as_ref().clone().with_data_type(given));
        args.arg_fields = fields;
        let value = function.invoke_with_args(args)?;
        mapped(&value, |values| converted(values, &self.zone, &result, false))
    }

    fn shifted(&self, args: &ScalarFunctionArgs, back: bool) -> Result<ColumnarValue> {
        let [instant, span] = args.args.as_slice() else { return exec_err!("{} takes two arguments", self.name) };
        let rows = args.number_rows;
        let is_one = matches!((instant, span), (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)));
        let (instants, spans) = (instant.to_array(rows)?, span.to_array(rows)?);
        let spans = cast(&spans, &DataType::Interval(IntervalUnit::MonthDayNano), false)?;
        let sums = self.zone.later(&instants, &spans, back)?;
        if is_one && !sums.is_empty() {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&sums, 0)?));
        }
        Ok(ColumnarValue::Array(sums))
    }
}

fn mapped(value: &ColumnarValue, change: impl Fn(&ArrayRef) -> Result<ArrayRef>) -> Result<ColumnarValue> {
    Ok(match value {
        ColumnarValue::Array(values) => ColumnarValue::Array(change(values)?),
        ColumnarValue::Scalar(value) => {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&change(&value.to_array()?)?, 0)?)
        }
    })
}
