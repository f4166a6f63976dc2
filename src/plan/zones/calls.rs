//! Calls of DataFusion's functions that go by a zone, as calls that go by the project's.

use super::calendar::{Does, by_calendar};
use super::convert::convert;
use super::series::{goes_by_days, lists};
use super::{Place, Zone, cast};
use datafusion::arrow::datatypes::{DataType, Field, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ScalarUDF, lit};
use std::sync::Arc;

/// What `chrono` reads an offset, or an instant as such, with.
const OFFSETS: [&str; 7] = ["%z", "%:z", "%::z", "%#z", "%Z", "%+", "%s"];

impl Place<'_> {
    pub(super) fn call(&self, call: ScalarFunction) -> Transformed<Expr> {
        let name = call.name().to_owned();
        match name.as_str() {
            "date_trunc" | "date_bin" => self.by_calendar(call),
            "date_part" | "to_char" | "array_to_string" => self.carried(call, false),
            "generate_series" | "range" => self.series(call),
            "to_local_time" | "to_date" | "arrow_cast" => self.cast(call, false),
            "arrow_try_cast" => self.cast(call, true),
            "to_unixtime" | "from_unixtime" => self.counted(call),
            name if name.starts_with("to_timestamp") => self.read(call),
            _ => Transformed::no(Expr::ScalarFunction(call)),
        }
    }

    fn given(&self, call: &ScalarFunction) -> DataType {
        self.ty(&Expr::ScalarFunction(call.clone()))
    }

    fn by_calendar(&self, mut call: ScalarFunction) -> Transformed<Expr> {
        if !call.args.get(1).is_some_and(|instant| self.is_foreign(&self.ty(instant))) {
            return Transformed::no(Expr::ScalarFunction(call));
        }
        if call.name() == "date_trunc" {
            return Transformed::yes(by_calendar(Does::Truncates(call.func), self.zone, call.args));
        }
        if call.args.len() == 2 {
            // The midnight with which 1970 began there.
            let origin = self.zone.clocks.instant_count(0, TimeUnit::Nanosecond);
            call.args.push(lit(ScalarValue::TimestampNanosecond(origin, Some(Arc::clone(self.zone.name())))));
        }
        Transformed::yes(by_calendar(Does::Bins(call.func), self.zone, call.args))
    }

    /// A function that is a cast of its first argument.
    fn cast(&self, call: ScalarFunction, safe: bool) -> Transformed<Expr> {
        let to = self.given(&call);
        match call.args.first() {
            Some(value) if self.depends(value, &to) => Transformed::yes(convert(value.clone(), self.zone, &to, safe)),
            _ => Transformed::no(Expr::ScalarFunction(call)),
        }
    }

    /// Seconds since 1970 beside local times.
    fn counted(&self, call: ScalarFunction) -> Transformed<Expr> {
        let [arg] = call.args.as_slice() else { return Transformed::no(Expr::ScalarFunction(call)) };
        if self.zone.is_utc() {
            return Transformed::no(Expr::ScalarFunction(call));
        }
        let again = |func: Arc<ScalarUDF>, args: Vec<Expr>| Expr::ScalarFunction(ScalarFunction::new_udf(func, args));
        if call.name() == "from_unixtime" {
            let (args, to) = (vec![arg.clone(), lit("+00:00")], self.given(&call));
            return Transformed::yes(convert(again(call.func, args), self.zone, &to, false));
        }
        if !is_text(&self.ty(arg)) {
            return Transformed::no(Expr::ScalarFunction(call));
        }
        let instant = DataType::Timestamp(TimeUnit::Second, Some(Arc::clone(self.zone.name())));
        let args = vec![convert(arg.clone(), self.zone, &instant, false)];
        Transformed::yes(again(call.func, args))
    }

    /// `to_timestamp` and its likes.
    fn read(&self, call: ScalarFunction) -> Transformed<Expr> {
        let to = self.given(&call);
        let (Some(value), DataType::Timestamp(_, Some(_))) = (call.args.first(), &to) else {
            // One that has been seen already.
            return Transformed::no(Expr::ScalarFunction(call));
        };
        let from = self.ty(value);
        let read = match call.args.get(1..) {
            Some([]) if is_text(&from) || self.depends(value, &to) => {
                Some(convert(value.clone(), self.zone, &to, false))
            }
            // The engine takes whole seconds for a local time.
            Some([]) if from.is_integer() && call.name() == "to_timestamp" && !self.zone.is_utc() => {
                let zone = Some(Arc::clone(self.zone.name()));
                let seconds = cast(value.clone(), DataType::Int64);
                Some(cast(cast(seconds, DataType::Timestamp(TimeUnit::Second, zone)), to))
            }
            Some(formats) if !formats.is_empty() && is_text(&from) => self.formatted(&call, formats, &to),
            _ => None,
        };
        match read {
            Some(read) => Transformed::yes(read),
            None => Transformed::no(Expr::ScalarFunction(call)),
        }
    }

    /// Texts that are read with formats. DataFusion gives columns of them another type than it says, and finds nothing
    /// where clocks are changed; so they are read as local times, and these become instants. `None` where it cannot be
    /// told whether what is read has an offset.
    fn formatted(&self, call: &ScalarFunction, formats: &[Expr], to: &DataType) -> Option<Expr> {
        let has_offset = |format: &Expr| {
            let format = format.as_literal()?.try_as_str()??;
            Some(OFFSETS.iter().any(|part| format.contains(part)))
        };
        let has_offset = formats.iter().map(has_offset).collect::<Option<Vec<bool>>>()?;
        let zone = match (has_offset.contains(&true), has_offset.contains(&false)) {
            (false, _) => self.zone.clone(),
            (true, false) => Zone::from(&Default::default()),
            (true, true) => return None,
        };
        let local = call.func.inner().with_updated_config(&ConfigOptions::default())?;
        let local = Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(local), call.args.clone()));
        Some(convert(local, &zone, to, false))
    }

    fn series(&self, call: ScalarFunction) -> Transformed<Expr> {
        let step = match call.args.get(2).and_then(Expr::as_literal) {
            Some(ScalarValue::IntervalMonthDayNano(step)) => *step,
            _ => None,
        };
        let is_instant = call.args.first().is_some_and(|start| self.is_foreign(&self.ty(start)));
        if !is_instant || call.args.len() != 3 || step.is_some_and(|step| !goes_by_days(step)) {
            return self.carried(call, true);
        }
        let to = self.given(&call);
        Transformed::yes(lists(call, self.zone, to))
    }

    /// The call with instants that carry the zone of the project. The zone of their results is put back.
    fn carried(&self, call: ScalarFunction, gives_instants: bool) -> Transformed<Expr> {
        let before = self.given(&call);
        let args: Vec<Expr> = call.args.iter().map(|arg| self.carrying(arg.clone())).collect();
        if args == call.args {
            return Transformed::no(Expr::ScalarFunction(call));
        }
        let expr = Expr::ScalarFunction(ScalarFunction::new_udf(call.func, args));
        Transformed::yes(if gives_instants { cast(expr, before) } else { expr })
    }

    /// The expression, an instant with the zone of the project.
    pub(super) fn carrying(&self, expr: Expr) -> Expr {
        let zone = Some(Arc::clone(self.zone.name()));
        match self.ty(&expr) {
            ty @ DataType::Timestamp(unit, _) if self.is_foreign(&ty) => {
                let to = DataType::Timestamp(unit, zone);
                if ty == to { expr } else { cast(expr, to) }
            }
            DataType::List(item) if self.is_foreign(item.data_type()) => {
                let DataType::Timestamp(unit, _) = *item.data_type() else { return expr };
                let to = DataType::Timestamp(unit, zone);
                if *item.data_type() == to {
                    return expr;
                }
                cast(expr, DataType::List(Arc::new(Field::clone(&item).with_data_type(to))))
            }
            _ => expr,
        }
    }
}

fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}
