//! The type of a column of a sheet, and its values.

use super::super::super::whole::exact;
use super::super::super::whole::forms::Form;
use super::super::workbook::Value;
use crate::in_words::in_words;
use crate::ty::Type;
use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray, Time64MicrosecondArray,
    TimestampMicrosecondArray, new_null_array,
};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Date32Type, Field};
use arrow::error::ArrowError;
use chrono::{NaiveDateTime, NaiveTime, Timelike};
use std::sync::Arc;

/// Up to here, every whole number has a double of its own.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;
/// As many digits as Excel keeps, and shows, of a number.
const KEPT: usize = 15;

/// What is wrong with a cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// What it holds.
    pub(super) what: String,
    /// Why that is no value, behind where it is; empty where that goes without saying.
    pub(super) why: String,
}

in_words! {
    /// What is wrong with the cells of a column together: the rest of a sentence that begins with the column.
    pub(super) struct Mixed;
}

/// Checks that a cell may be a value of its column, by itself.
///
/// Errors: it is an error, or a duration, or none of the type that is declared.
pub(super) fn check(value: &Value, declared: Option<(&Type, &Field)>) -> Result<(), Problem> {
    let problem = |why: &str| Err(Problem { what: value.phrase(), why: why.to_owned() });
    match (value, declared) {
        (Value::Broken(_), _) => problem(""),
        (Value::Duration(_), None) => problem(", for which there is no type: declare `text` to have it as it is shown"),
        (_, None) => Ok(()),
        (value, Some((ty, field))) => {
            let text = as_text(value, ty);
            let is_boolean = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
            match field.data_type() {
                DataType::Boolean if is_boolean => Ok(()),
                DataType::Boolean => problem(", which is not a value of type boolean"),
                _ => exact::check(&text, Form::Text, field).or_else(|why| problem(&format!(", {why}"))),
            }
        }
    }
}

/// The value as a text that is read as one of the type.
fn as_text(value: &Value, ty: &Type) -> String {
    match (value, ty) {
        // What a formula gives has more digits than Excel shows: 0.1 + 0.2 is 0.30000000000000004.
        (Value::Number(number), Type::Decimal(..)) => rounded(*number).to_string(),
        _ => value.shown(),
    }
}

/// The number with the digits that Excel keeps.
fn rounded(number: f64) -> f64 {
    format!("{number:.*e}", KEPT - 1).parse().unwrap_or(number)
}

/// What a value is, where no type is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Boolean,
    Time,
    Clock,
}

fn kind(value: &Value) -> Kind {
    match value {
        Value::Number(_) => Kind::Number,
        Value::Boolean(_) => Kind::Boolean,
        Value::Day(_) | Value::At(_) => Kind::Time,
        Value::Clock(_) => Kind::Clock,
        Value::Text(_) | Value::Duration(_) | Value::Broken(_) => Kind::Text,
    }
}

/// The cells of a column, of so many rows.
pub(super) struct Typed<'a> {
    pub(super) cells: &'a [(usize, Value)],
    pub(super) rows: usize,
}

impl Typed<'_> {
    /// The values of a column of that type. All cells are values of it.
    pub(super) fn declared(&self, ty: &Type) -> Result<ArrayRef, ArrowError> {
        let texts = self.all(|value| Some(as_text(value, ty)));
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let wanted = ty.to_arrow();
        // What is only known by the zone of the project, or has parts, is made of the texts as it is of those of others.
        let stays = matches!(ty, Type::Timestamptz(_)) || wanted.is_nested() || wanted == DataType::Utf8;
        if stays {
            return Ok(texts);
        }
        cast_with_options(&texts, &wanted, &CastOptions { safe: false, ..CastOptions::default() })
    }

    /// The values of a column of the type that all its cells have: that of a table that is open already, if they can be of
    /// it. `place` says where a row's cell is.
    ///
    /// Errors: they are of several kinds, or of another than that of the table.
    pub(super) fn inferred(
        &self,
        opened: Option<&DataType>,
        place: &dyn Fn(usize) -> String,
    ) -> Result<Result<ArrayRef, ArrowError>, Mixed> {
        let Some(kind) = self.only_kind(place)? else {
            return Ok(Ok(new_null_array(opened.unwrap_or(&DataType::Utf8), self.rows)));
        };
        let own = self.of_kind(kind);
        Ok(match (own.data_type(), opened) {
            (own_type, Some(opened)) if own_type != opened => match (own_type, opened) {
                (DataType::Int64, DataType::Float64) | (DataType::Date32, DataType::Timestamp(..)) => {
                    cast_with_options(&own, opened, &CastOptions { safe: false, ..CastOptions::default() })
                }
                _ => return Err(self.changed(opened, place)),
            },
            _ => Ok(own),
        })
    }

    /// That a cell does not have the type of the table.
    fn changed(&self, opened: &DataType, place: &dyn Fn(usize) -> String) -> Mixed {
        let is_other = |value: &Value| match (value, opened) {
            (Value::Number(number), DataType::Int64) => !is_whole(*number),
            (Value::Day(_), DataType::Date32) => false,
            _ => true,
        };
        let other = self.cells.iter().find(|(_, value)| is_other(value)).or(self.cells.first());
        let other = other.map(|(row, value)| format!("{} in `{}`", value.phrase(), place(*row)));
        let ty = Type::from_arrow(opened).map_or_else(|| opened.to_string(), |ty| ty.to_string());
        let other = other.unwrap_or_else(|| "other cells".to_owned());
        format!("{other}, and was of type {ty} when the table was opened").into()
    }

    /// The values, which are all of that kind.
    fn of_kind(&self, kind: Kind) -> ArrayRef {
        let numbers = || self.cells.iter().filter_map(|(_, value)| number(value));
        let has_times = || self.cells.iter().any(|(_, value)| matches!(value, Value::At(_)));
        match kind {
            Kind::Text => Arc::new(StringArray::from(self.all(|value| Some(value.shown())))),
            Kind::Boolean => Arc::new(BooleanArray::from(self.all(boolean))),
            Kind::Number if numbers().all(is_whole) => {
                // All are whole, and small enough.
                Arc::new(Int64Array::from(self.all(|value| number(value).map(|number| number as i64))))
            }
            Kind::Number => Arc::new(Float64Array::from(self.all(number))),
            Kind::Time if has_times() => {
                let micros = |value: &Value| time(value).map(|at| at.and_utc().timestamp_micros());
                Arc::new(TimestampMicrosecondArray::from(self.all(micros)))
            }
            Kind::Time => {
                let days = |value: &Value| time(value).map(|at| Date32Type::from_naive_date(at.date()));
                Arc::new(Date32Array::from(self.all(days)))
            }
            Kind::Clock => Arc::new(Time64MicrosecondArray::from(self.all(micros_of_day))),
        }
    }

    /// A value for every row.
    fn all<T>(&self, read: impl Fn(&Value) -> Option<T>) -> Vec<Option<T>> {
        let mut all: Vec<Option<T>> = Vec::with_capacity(self.rows);
        for (row, value) in self.cells {
            all.resize_with(*row, || None);
            all.push(read(value));
        }
        all.resize_with(self.rows, || None);
        all
    }

    /// What all cells are; `None` where there are none.
    fn only_kind(&self, place: &dyn Fn(usize) -> String) -> Result<Option<Kind>, Mixed> {
        let kinds = [Kind::Number, Kind::Text, Kind::Boolean, Kind::Time, Kind::Clock];
        let of = |wanted: Kind| self.cells.iter().filter(move |(_, value)| kind(value) == wanted);
        let most = kinds.into_iter().rev().max_by_key(|kind| of(*kind).count()).filter(|kind| of(*kind).count() > 0);
        let Some(most) = most else { return Ok(None) };
        let Some((row, odd)) = self.cells.iter().find(|(_, value)| kind(value) != most) else { return Ok(Some(most)) };
        let Some((other_row, usual)) = of(most).next() else { return Ok(Some(most)) };
        let odd_place = format!("{} in `{}`", odd.phrase(), place(*row));
        let usual_place = format!("{} in `{}`", usual.phrase(), place(*other_row));
        let how = match odd {
            Value::Text(_) => format!("declare the column `text`, or name {} in `null_value`", odd.phrase()),
            _ => "declare the column `text`".to_owned(),
        };
        Err(format!("{odd_place} and {usual_place}: {how}").into())
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= LARGEST_WHOLE
}

fn number(value: &Value) -> Option<f64> {
    if let Value::Number(number) = value { Some(*number) } else { None }
}

fn boolean(value: &Value) -> Option<bool> {
    if let Value::Boolean(value) = value { Some(*value) } else { None }
}

fn time(value: &Value) -> Option<NaiveDateTime> {
    match value {
        Value::Day(day) => Some(day.and_time(NaiveTime::MIN)),
        Value::At(at) => Some(*at),
        _ => None,
    }
}

fn micros_of_day(value: &Value) -> Option<i64> {
    let Value::Clock(clock) = value else { return None };
    let seconds = i64::from(clock.num_seconds_from_midnight());
    Some(seconds * 1_000_000 + i64::from(clock.nanosecond() / 1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tables::whole::forms::declared_as;
    use arrow::datatypes::TimeUnit;
    use chrono::NaiveDate;

    fn inferred(values: &[Value]) -> Result<ArrayRef, String> {
        let cells: Vec<(usize, Value)> = values.iter().cloned().enumerate().collect();
        let typed = Typed { cells: &cells, rows: cells.len() + 1 };
        let array = typed.inferred(None, &|row| format!("A{}", row + 2)).map_err(|why| why.to_string())?;
        Ok(array.unwrap())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn cells_say_the_type_of_their_column() {
        let day = NaiveDate::from_ymd_opt(2024, 3, 31).unwrap();
        let at = Value::At(day.and_hms_opt(10, 0, 0).unwrap());
        let clock = Value::Clock(NaiveTime::from_hms_opt(6, 30, 0).unwrap());
        let ty = |values: &[Value]| inferred(values).unwrap().data_type().to_string();
        assert_eq!(ty(&[Value::Number(1.0), Value::Number(-3.0)]), "Int64");
        assert_eq!(ty(&[Value::Number(1.0), Value::Number(0.5)]), "Float64");
        assert_eq!(ty(&[Value::Number(1e300)]), "Float64");
        assert_eq!(ty(&[text("007")]), "Utf8");
        assert_eq!(ty(&[]), "Utf8");
        assert_eq!(ty(&[Value::Day(day)]), "Date32");
        let times = DataType::Timestamp(TimeUnit::Microsecond, None);
        assert_eq!(*inferred(&[Value::Day(day), at]).unwrap().data_type(), times);
        assert_eq!(inferred(&[clock]).unwrap().null_count(), 1);
    }

    #[test]
    fn a_column_of_two_kinds_names_a_cell_of_each() {
        let why = inferred(&[Value::Number(4.0), Value::Number(5.0), text("n/a")]).unwrap_err();
        let how = "declare the column `text`, or name the text `n/a` in `null_value`";
        assert_eq!(why, format!("the text `n/a` in `A4` and the number 4 in `A2`: {how}"));
        let why = inferred(&[text("x"), text("y"), Value::Boolean(true)]).unwrap_err();
        assert_eq!(why, "the truth value true in `A4` and the text `x` in `A2`: declare the column `text`");
    }

    #[test]
    fn a_table_that_is_open_keeps_its_types() {
        let again = |value: Value, opened: DataType| {
            let cells = [(0, value)];
            let typed = Typed { cells: &cells, rows: 1 };
            let array = typed.inferred(Some(&opened), &|_| "A2".to_owned()).map_err(|why| why.to_string())?;
            assert_eq!(*array.unwrap().data_type(), opened);
            Ok::<(), String>(())
        };
        assert_eq!(again(Value::Number(1.0), DataType::Float64), Ok(()));
        let why = again(Value::Number(1.5), DataType::Int64).unwrap_err();
        assert_eq!(why, "the number 1.5 in `A2`, and was of type bigint when the table was opened");
        assert!(again(text("x"), DataType::Int64).is_err());
        assert!(again(Value::Number(1.0), DataType::Utf8).is_err());
    }

    #[test]
    fn declared_types_are_kept_exactly() {
        let check = |value: Value, ty: Type| {
            let field = declared_as(&Field::new("a", ty.to_arrow(), true), &ty);
            check(&value, Some((&ty, &field))).map_err(|Problem { what, why }| format!("{what}{why}"))
        };
        assert_eq!(check(text("12"), Type::Bigint), Ok(()));
        assert_eq!(check(Value::Number(0.1 + 0.2), Type::Decimal(10, 2)), Ok(()));
        let why = check(Value::Number(1.5), Type::Bigint).unwrap_err();
        assert_eq!(why, "the number 1.5, which is not a value of type bigint");
        assert!(check(text("yes"), Type::Boolean).is_err());
        let cells = [(1, Value::Number(0.1 + 0.2))];
        let array = Typed { cells: &cells, rows: 3 }.declared(&Type::Decimal(10, 2)).unwrap();
        assert_eq!((array.len(), array.null_count()), (3, 2));
    }
}
