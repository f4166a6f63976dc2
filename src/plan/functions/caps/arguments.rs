//! Readers of arguments, whether they are literals or columns.

use arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, LargeStringArray, PrimitiveArray, StringArray, StringViewArray,
};
use arrow::compute::cast;
use arrow::datatypes::{ArrowPrimitiveType, DataType, Int64Type, TimeUnit, UInt64Type};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

/// The nanoseconds of a day.
pub(super) const DAY: i128 = 86_400_000_000_000;

/// An argument that is text.
#[derive(Clone, Copy)]
pub(super) enum Texts<'a> {
    Literal(Option<&'a str>),
    Small(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// The function itself refuses it.
    NotText,
}

impl<'a> Texts<'a> {
    pub(super) fn of(value: &'a ColumnarValue) -> Texts<'a> {
        match value {
            ColumnarValue::Scalar(literal) => Texts::Literal(literal.try_as_str().flatten()),
            ColumnarValue::Array(array) => match array.data_type() {
                DataType::Utf8 => Texts::Small(array.as_string::<i32>()),
                DataType::LargeUtf8 => Texts::Large(array.as_string::<i64>()),
                DataType::Utf8View => Texts::View(array.as_string_view()),
                _ => Texts::NotText,
            },
        }
    }

    pub(super) fn at(&self, row: usize) -> Option<&'a str> {
        match *self {
            Texts::Literal(text) => text,
            Texts::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::View(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::NotText => None,
        }
    }
}

/// An argument that is a number or an interval.
pub(super) struct Numbers<T: ArrowPrimitiveType> {
    values: PrimitiveArray<T>,
    literal: bool,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    pub(super) fn of(argument: &ColumnarValue, values: PrimitiveArray<T>) -> Numbers<T> {
        Numbers { values, literal: matches!(argument, ColumnarValue::Scalar(_)) }
    }

    pub(super) fn at(&self, row: usize) -> Option<T::Native> {
        let row = if self.literal { 0 } else { row };
        self.values.is_valid(row).then(|| self.values.value(row))
    }
}

/// An argument of any type of integer.
pub(super) fn integers(argument: &ColumnarValue) -> Result<Numbers<Int64Type>> {
    let array = argument.to_array(1)?;
    let values: Int64Array = match array.as_primitive_opt::<UInt64Type>() {
        // A cast would make NULL of what is too large.
        Some(unsigned) => unsigned.unary(|number| i64::try_from(number).unwrap_or(i64::MAX)),
        None => cast(&array, &DataType::Int64)?.as_primitive::<Int64Type>().clone(),
    };
    Ok(Numbers::of(argument, values))
}

/// An argument that is a date or a timestamp.
pub(super) struct Moments {
    numbers: Numbers<Int64Type>,
    /// The nanoseconds of one unit.
    unit: i128,
}

impl Moments {
    pub(super) fn of(argument: &ColumnarValue) -> Result<Moments> {
        let array = argument.to_array(1)?;
        let (array, unit) = match array.data_type() {
            DataType::Timestamp(TimeUnit::Second, _) => (array, 1_000_000_000),
            DataType::Timestamp(TimeUnit::Millisecond, _) => (array, 1_000_000),
            DataType::Timestamp(TimeUnit::Microsecond, _) => (array, 1_000),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => (array, 1),
            _ => (cast(&array, &DataType::Date32)?, DAY),
        };
        let values = cast(&array, &DataType::Int64)?.as_primitive::<Int64Type>().clone();
        Ok(Moments { numbers: Numbers::of(argument, values), unit })
    }

    /// Nanoseconds since 1970.
    pub(super) fn at(&self, row: usize) -> Option<i128> {
        self.numbers.at(row).map(|number| i128::from(number) * self.unit)
    }
}

/// An argument that is a list.
pub(super) struct Lists {
    values: ArrayRef,
    pub(super) literal: bool,
}

impl Lists {
    pub(super) fn of(argument: &ColumnarValue) -> Result<Lists> {
        Ok(Lists { values: argument.to_array(1)?, literal: matches!(argument, ColumnarValue::Scalar(_)) })
    }

    /// `None` if it is no list.
    pub(super) fn element_type(&self) -> Option<&DataType> {
        match self.values.data_type() {
            DataType::List(field) | DataType::LargeList(field) => Some(field.data_type()),
            _ => None,
        }
    }

    pub(super) fn at(&self, row: usize) -> Option<ArrayRef> {
        let row = if self.literal { 0 } else { row };
        match self.values.data_type() {
            DataType::List(_) => self.values.is_valid(row).then(|| self.values.as_list::<i32>().value(row)),
            DataType::LargeList(_) => self.values.is_valid(row).then(|| self.values.as_list::<i64>().value(row)),
            // The function itself refuses it.
            _ => None,
        }
    }
}

/// A count as the functions read it: NULL makes NULL, and a negative one nothing.
pub(super) fn not_negative(count: Option<i64>) -> u64 {
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0)
}
