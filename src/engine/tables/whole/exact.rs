//! Values of text files that a reader would change without a word: `1.9` as an integer, more digits than a decimal has
//! places for, an offset where there is none in the type.

use super::super::offsets::has_offset;
use crate::ty::Type;
use arrow::compute::kernels::cast_utils::parse_decimal;
use arrow::datatypes::{DataType, Decimal128Type};

/// Exponents beyond this are not computed with: no type has so many digits.
const LARGEST_EXPONENT: i32 = 1000;

/// The longest part of a value that is quoted.
const LONGEST: usize = 40;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As a text, between quotes in JSON.
    Text,
    /// As a number of JSON.
    Number,
}

/// Whether there may be texts that a reader of the type changes.
pub(super) fn may_change(ty: &DataType, form: Form) -> bool {
    match ty {
        DataType::Decimal128(..) | DataType::Date32 | DataType::Timestamp(_, None) => true,
        DataType::Int16 | DataType::Int32 | DataType::Int64 | DataType::Time64(_) | DataType::Timestamp(_, Some(_)) => {
            form == Form::Number
        }
        _ => false,
    }
}

/// Checks that a value is read as what is written; one that cannot be read at all is left to the reader.
///
/// Errors: the rest of a sentence that begins with the value.
pub(super) fn check(text: &str, form: Form, ty: &DataType) -> Result<(), String> {
    let is_exact = match (ty, form) {
        (DataType::Decimal128(precision, scale), _) => return check_decimal(text, *precision, *scale, ty),
        (DataType::Date32 | DataType::Timestamp(_, None), Form::Text) => {
            // Years with a sign are those of days alone.
            if text.starts_with(['+', '-']) || !has_offset(text) {
                return Ok(());
            }
            return Err(format!(
                "which has an offset or a `Z`: type {} has no place for it; declare `timestamptz`, and cast \
                 it in queries",
                name(ty)
            ));
        }
        (_, Form::Number) => is_integer(text),
        (_, Form::Text) => true,
    };
    if is_exact { Ok(()) } else { Err(format!("which is not a value of type {}", name(ty))) }
}

/// The value as messages quote it.
pub(super) fn quoted(text: &str) -> String {
    let text: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{text}`")
}

fn name(ty: &DataType) -> String {
    Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
}

/// Whether a number is a whole one that the reader takes exactly: it reads whatever is not written as an integer as a
/// double, and cuts it.
fn is_integer(text: &str) -> bool {
    if text.parse::<i64>().is_ok() {
        return true;
    }
    let exact = Written::of(text).and_then(|written| written.times(0));
    let read = text.parse::<f64>().ok();
    match (exact, read) {
        // A double of that size is a whole number, and no larger than an i128.
        (Some(exact), Some(read)) => i64::try_from(exact).is_ok() && read as i128 == exact,
        _ => false,
    }
}

fn check_decimal(text: &str, precision: u8, scale: i8, ty: &DataType) -> Result<(), String> {
    let too_many = || Err(format!("which has more digits than type {} has places for", name(ty)));
    let Some(written) = Written::of(text.trim()) else {
        return Err(format!("which is not a value of type {}", name(ty)));
    };
    let Some(exact) = written.times(i32::from(scale)) else { return too_many() };
    match parse_decimal::<Decimal128Type>(text, precision, scale) {
        Ok(read) if read != exact => too_many(),
        _ => Ok(()),
    }
}

/// A number as it is written: an integer without zeros at its end, times a power of ten.
struct Written {
    /// `None` where there are more digits than any type has.
    value: Option<i128>,
    exponent: i32,
}

impl Written {
    /// Reads a number; `None` where it is none.
    fn of(text: &str) -> Option<Written> {
        let (negative, unsigned) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || exponent.abs() > LARGEST_EXPONENT {
            return None;
        }
        let significant = digits.trim_end_matches('0');
        let dropped = i32::try_from(digits.len() - significant.len()).ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        let value = match significant.trim_start_matches('0') {
            "" => Some(0),
            significant => significant.parse::<i128>().ok().map(|value| if negative { -value } else { value }),
        };
        Some(Written { value, exponent: exponent.checked_add(dropped)?.checked_sub(places)? })
    }

    /// The number times a power of ten, if that is an integer.
    fn times(&self, scale: i32) -> Option<i128> {
        let value = self.value?;
        if value == 0 {
            return Some(0);
        }
        let power = u32::try_from(self.exponent.checked_add(scale)?).ok()?;
        10_i128.checked_pow(power)?.checked_mul(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::TimeUnit;

    fn is_kept(text: &str, form: Form, ty: &DataType) -> bool {
        check(text, form, ty).is_ok()
    }

    #[test]
    fn an_integer_is_a_whole_number() {
        for whole in ["0", "-7", "1.0", "1e3", "1.50e1", "-0.0", "9223372036854775807", "1e17"] {
            assert!(is_kept(whole, Form::Number, &DataType::Int64), "{whole}");
        }
        for other in ["1.9", "-0.5", "1e-1", "9007199254740993.0", "1e30", "1.00000000000000000001"] {
            assert!(!is_kept(other, Form::Number, &DataType::Int64), "{other}");
        }
        // The reader of texts refuses what is no integer.
        assert!(is_kept("1.9", Form::Text, &DataType::Int64));
    }

    #[test]
    fn a_decimal_has_no_more_digits_than_its_scale() {
        let ty = DataType::Decimal128(10, 2);
        for exact in ["1.25", "-1.2500", "+7", "1e3", "125e-2", "0.0e5", "000.10", "1.", ".5", " 1"] {
            assert!(is_kept(exact, Form::Text, &ty), "{exact}");
        }
        let many = "1".repeat(300);
        let more = format!("1{}", "0".repeat(299));
        for other in ["1.255", "0.001", "1e-3", "1.2550e0", "e5", "1e99999", "", many.as_str(), more.as_str()] {
            assert!(!is_kept(other, Form::Text, &ty), "{other}");
        }
    }

    #[test]
    fn a_local_time_has_no_offset() {
        for ty in [DataType::Date32, DataType::Timestamp(TimeUnit::Microsecond, None)] {
            for local in ["2024-01-01", "2024-01-01T10:00:00.5", "2024-01-01 10:00:00", "+1234567-12-31", ""] {
                assert!(is_kept(local, Form::Text, &ty), "{local}");
            }
            for instant in ["2024-01-01T00:00:00+02:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00-0300"] {
                assert!(!is_kept(instant, Form::Text, &ty), "{instant}");
            }
        }
        let instants = DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into()));
        assert!(is_kept("2024-01-01T00:00:00+02:00", Form::Text, &instants));
    }
}
