//! Values of text files that a reader would change without a word: `1.9` as an integer, more digits than a decimal has
//! places for, an integer as the double next to it, zeros in front of a number, and what [`times`] knows of days and times.

use super::forms::{self, Form, Misfit};
use super::times::{self, Lost};
use crate::ty::Type;
use arrow::compute::kernels::cast_utils::{Parser, parse_decimal, parse_interval_month_day_nano};
use arrow::datatypes::{DataType, Decimal128Type, Field, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type};

/// Exponents beyond this are not computed with: no type has so many digits.
const LARGEST_EXPONENT: i32 = 1000;

/// The longest part of a value that is quoted.
const LONGEST: usize = 40;

/// As many digits as a double keeps of any number.
const KEPT: usize = 15;

/// The digits of the largest 64-bit integer without a sign, and the most that an exact number has.
const LARGEST_INTEGER: usize = 20;
const MOST_DIGITS: usize = 38;

/// Checks that a value is one of its field's type, and is read as what is written.
pub(in crate::engine::tables) fn check(text: &str, form: Form, field: &Field) -> Result<(), Misfit> {
    let ty = field.data_type();
    let is_value = match (ty, form) {
        (DataType::Decimal128(precision, scale), _) => return check_decimal(text, *precision, *scale, ty),
        (DataType::Float32 | DataType::Float64, _) => {
            check_double(text, field)?;
            true
        }
        (DataType::Date32 | DataType::Time64(_) | DataType::Timestamp(..), Form::Text) => {
            return times::check(text, ty).map_err(|lost| told_loss(&lost, ty));
        }
        // The reader takes it for as many of the type's own units, which its author has hardly counted.
        (DataType::Date32 | DataType::Time64(_) | DataType::Timestamp(..), Form::Number) => {
            return Err(number_for_time(ty));
        }
        (DataType::Int16, Form::Number) => return check_integer(text, ty, i16::MIN.into()..=i16::MAX.into()),
        (DataType::Int32, Form::Number) => return check_integer(text, ty, i32::MIN.into()..=i32::MAX.into()),
        (DataType::Int64, Form::Number) => return check_integer(text, ty, i64::MIN..=i64::MAX),
        (DataType::Int16, Form::Text) => Int16Type::parse(text).is_some(),
        (DataType::Int32, Form::Text) => Int32Type::parse(text).is_some(),
        (DataType::Int64, Form::Text) => Int64Type::parse(text).is_some(),
        (DataType::UInt64, Form::Text) => text.parse::<u64>().is_ok(),
        (DataType::Interval(_), Form::Text) => parse_interval_month_day_nano(text).is_ok(),
        (DataType::Utf8, _) => return forms::check(text, form, field),
        (DataType::Interval(_) | DataType::Binary, Form::Number) => false,
        (DataType::List(_) | DataType::Struct(_), _) => false,
        _ => true,
    };
    if !is_value {
        return Err(no_value(ty));
    }
    if form == Form::Text && ty.is_numeric() && !forms::is_declared(field) && has_more_signs(text) {
        return Err(Misfit::from(format!(
            "which type {0} does not keep as it is written; declare `text` to keep it, or `{0}` for the number alone",
            name(ty)
        )));
    }
    Ok(())
}

/// Checks that nothing stands around a number of CSV: its reader takes blanks for a part of the number.
pub(in crate::engine::tables) fn check_unpadded(text: &str, ty: &DataType) -> Result<(), Misfit> {
    if !ty.is_numeric() || text.trim() == text {
        return Ok(());
    }
    Err(Misfit::from(format!("with blanks around it, which is not a value of type {}", name(ty))))
}

/// Whether a number is written with what no number keeps: zeros or a plus sign in front, as codes and phone numbers have.
pub(in crate::engine::tables) fn has_more_signs(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    matches!(digits, [b'0', b'0'..=b'9', ..] | [b'+', ..])
}

/// That a number of JSON is no time, behind the number.
fn number_for_time(ty: &DataType) -> Misfit {
    let (what, how) = match ty {
        DataType::Date32 => ("a day", "DATE '1970-01-01' + …"),
        DataType::Time64(_) => ("a time of day", "CAST(to_timestamp_seconds(…) AT TIME ZONE 'UTC' AS time)"),
        _ => ("a time", "to_timestamp_seconds(…)"),
    };
    let shown = name(ty);
    Misfit::from(format!(
        "which is a number: type {shown} is read of texts; declare `bigint`, and make it {what} in queries, as in `{how}`"
    ))
}

/// The value as messages quote it.
pub(in crate::engine::tables) fn quoted(text: &str) -> String {
    let text: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{text}`")
}

/// That a value is none of the type, behind the value.
pub(super) fn no_value(ty: &DataType) -> Misfit {
    Misfit::from(format!("which is not a value of type {}", name(ty)))
}

fn name(ty: &DataType) -> String {
    Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
}

/// What a reader would drop of a day or a time, and which type would keep it.
fn told_loss(lost: &Lost, ty: &DataType) -> Misfit {
    let shown = name(ty);
    let plain = match ty {
        DataType::Timestamp(_, Some(_)) => "timestamptz",
        _ => "timestamp",
    };
    Misfit::from(match lost {
        Lost::Value => return no_value(ty),
        Lost::Offset => format!(
            "which has an offset or a `Z`: type {shown} has no place for it; declare `timestamptz`, and cast it in queries"
        ),
        Lost::TimeOfDay => format!(
            "which has a time of day: type {shown} has no place for it; declare `timestamp`, and cast it in queries"
        ),
        Lost::LeapSecond => {
            format!("which is a leap second: type {shown} has none; write the second before it, or declare `text`")
        }
        Lost::Digits(written) => {
            let wider = match (ty, written) {
                (DataType::Timestamp(..), ..=3) => format!("{plain}(3)"),
                (DataType::Timestamp(..), 4..=6) => plain.to_owned(),
                (DataType::Timestamp(..), 7..=9) => format!("{plain}(9)"),
                _ => "text".to_owned(),
            };
            format!("which has more digits of a second than type {shown} keeps; declare `{wider}`")
        }
        Lost::Year => format!("which is not of the years 1677 to 2262 that type {shown} has; declare `{plain}`"),
    })
}

/// A number that is a whole one, and that the reader takes exactly: it reads whatever is not written as an integer as a
/// double, and cuts it.
fn integer(text: &str) -> Option<i64> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole);
    }
    let exact = Written::of(text).and_then(|written| written.times(0))?;
    let read = text.parse::<f64>().ok()?;
    // A double of that size is a whole number, and no larger than an i128.
    i64::try_from(exact).ok().filter(|_| read as i128 == exact)
}

fn check_integer(text: &str, ty: &DataType, range: std::ops::RangeInclusive<i64>) -> Result<(), Misfit> {
    match integer(text) {
        Some(whole) if range.contains(&whole) => Ok(()),
        Some(_) => Err(Misfit::from(format!("which is out of the range of type {}; declare `bigint`", name(ty)))),
        None if is_plain_integer(text) => {
            Err(Misfit::from(format!("which is out of the range of type {}{}", name(ty), wider(text, ""))))
        }
        None => Err(no_value(ty)),
    }
}

fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Which type holds an integer that is no `bigint`.
fn wider(text: &str, where_fractions: &str) -> String {
    match text.trim_start_matches('-').len() {
        digits @ ..=MOST_DIGITS => format!("; declare `decimal({},0)`{where_fractions}", digits.max(LARGEST_INTEGER)),
        _ => String::new(),
    }
}

/// A double that was inferred holds integers exactly, which they may be keys of; one that is declared, the next one.
fn check_double(text: &str, field: &Field) -> Result<(), Misfit> {
    let ty = field.data_type();
    let read = match ty {
        DataType::Float32 => Float32Type::parse(text).map(f64::from),
        _ => Float64Type::parse(text),
    };
    let Some(read) = read else { return Err(no_value(ty)) };
    if read.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(Misfit::from(format!("which is out of the range of type {}", name(ty))));
    }
    if read == 0.0 && !is_written_as_zero(text) {
        return Err(Misfit::from(format!("which is out of the range of type {}: it would be zero", name(ty))));
    }
    let may_be_exact = text.len() <= KEPT || forms::is_declared(field) || *ty == DataType::Float32;
    if may_be_exact || !is_plain_integer(text) || text.parse::<i128>().is_ok_and(|exact| read as i128 == exact) {
        return Ok(());
    }
    let decimal = wider(text, ", with more places where there are fractions");
    let or = if decimal.is_empty() { "; declare `double`" } else { ", or `double`" };
    Err(Misfit::from(format!("which type {} does not hold exactly{decimal}{or} to have it rounded", name(ty))))
}

/// Whether no digit in front of an exponent is another than zero.
fn is_written_as_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

fn check_decimal(text: &str, precision: u8, scale: i8, ty: &DataType) -> Result<(), Misfit> {
    if is_plain_decimal(text, precision, scale) {
        return Ok(());
    }
    let too_many = || Err(Misfit::from(format!("which has more digits than type {} has places for", name(ty))));
    let Some(written) = Written::of(text.trim()) else { return Err(no_value(ty)) };
    let Some(exact) = written.times(i32::from(scale)) else { return too_many() };
    let fits = 10_u128.checked_pow(precision.into()).is_some_and(|limit| exact.unsigned_abs() < limit);
    match parse_decimal::<Decimal128Type>(text, precision, scale) {
        Ok(read) if read != exact => too_many(),
        _ if !fits => too_many(),
        _ => Ok(()),
    }
}

/// Whether a number is written in digits and a point alone, with no more of them than the type has places for.
fn is_plain_decimal(text: &str, precision: u8, scale: i8) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_short = |part: &str, most: i16| {
        let length = i16::try_from(part.len()).unwrap_or(i16::MAX);
        (1..=most).contains(&length) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let has_fraction = digits.len() > whole.len();
    scale >= 0
        && is_short(whole, i16::from(precision) - i16::from(scale))
        && (!has_fraction || is_short(fraction, i16::from(scale)))
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

    fn rounded(field: &Field) -> Field {
        forms::declared(field)
    }

    fn is_kept(text: &str, form: Form, ty: &DataType) -> bool {
        check(text, form, &Field::new("a", ty.clone(), true)).is_ok()
    }

    #[test]
    fn an_integer_is_a_whole_number() {
        for whole in ["0", "-7", "1.0", "1e3", "1.50e1", "-0.0", "9223372036854775807", "1e17"] {
            assert!(is_kept(whole, Form::Number, &DataType::Int64), "{whole}");
        }
        for other in ["1.9", "-0.5", "1e-1", "9007199254740993.0", "1e30", "1.00000000000000000001"] {
            assert!(!is_kept(other, Form::Number, &DataType::Int64), "{other}");
        }
        assert!(!is_kept("1.9", Form::Text, &DataType::Int64));
        assert!(is_kept("-7", Form::Text, &DataType::Int64));
        assert!(is_kept("32767", Form::Number, &DataType::Int16) && !is_kept("32768", Form::Number, &DataType::Int16));
    }

    #[test]
    fn an_integer_that_is_too_large_is_told_with_a_type_that_holds_it() {
        let why =
            |text: &str, ty: DataType| check(text, Form::Number, &Field::new("a", ty, true)).unwrap_err().to_string();
        let told = why("9223372036854775808", DataType::Int64);
        assert_eq!(told, "which is out of the range of type bigint; declare `decimal(20,0)`");
        assert_eq!(why("70000", DataType::Int16), "which is out of the range of type smallint; declare `bigint`");
        let told = why("-18446744073709551615", DataType::Float64);
        let expected = "which type double does not hold exactly; declare `decimal(20,0)`, with more places where there \
                        are fractions, or `double` to have it rounded";
        assert_eq!(told, expected);
        let told = why(&"123".repeat(20), DataType::Float64);
        assert_eq!(told, "which type double does not hold exactly; declare `double` to have it rounded");
    }

    #[test]
    fn a_double_that_is_declared_is_rounded() {
        let field = Field::new("a", DataType::Float64, true);
        for exact in ["9007199254740992", "9223372036854775808", "0.1", "1.00000000000000000001", "1e300", "-5", "NaN"]
        {
            assert_eq!(check(exact, Form::Text, &field), Ok(()), "{exact}");
        }
        assert!(check("9007199254740993", Form::Text, &field).is_err());
        assert_eq!(check("9007199254740993", Form::Text, &rounded(&field)), Ok(()));
        assert!(check("1e400", Form::Number, &rounded(&field)).is_err());
        assert!(!is_kept("1e39", Form::Number, &DataType::Float32) && is_kept("0.1", Form::Text, &DataType::Float32));
    }

    #[test]
    fn a_decimal_has_no_more_digits_than_its_scale() {
        let ty = DataType::Decimal128(10, 2);
        for exact in ["1.25", "-1.2500", "+7", "1e3", "125e-2", "0.0e5", "000.10", "1.", ".5", " 1"] {
            assert!(is_kept(exact, Form::Text, &ty), "{exact}");
        }
        let many = "1".repeat(300);
        let more = format!("1{}", "0".repeat(299));
        assert!(!is_kept("123456789", Form::Text, &ty) && is_kept("12345678.90", Form::Text, &ty));
        for other in ["1.255", "0.001", "1e-3", "1.2550e0", "e5", "1e99999", "", many.as_str(), more.as_str()] {
            assert!(!is_kept(other, Form::Text, &ty), "{other}");
        }
    }

    #[test]
    fn a_local_time_has_no_offset() {
        for ty in [DataType::Date32, DataType::Timestamp(TimeUnit::Microsecond, None)] {
            for local in ["2024-01-01", "2024-01-01T00:00:00.0", "2024-01-01 00:00:00"] {
                assert!(is_kept(local, Form::Text, &ty), "{local}");
            }
            for instant in ["2024-01-01T00:00:00+02:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00-0300"] {
                assert!(!is_kept(instant, Form::Text, &ty), "{instant}");
            }
        }
        let instants = DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into()));
        assert!(is_kept("2024-01-01T00:00:00+02:00", Form::Text, &instants));
    }

    #[test]
    fn what_is_lost_of_a_time_is_told_with_a_type_that_keeps_it() {
        let why =
            |text: &str, ty: DataType| check(text, Form::Text, &Field::new("a", ty, true)).unwrap_err().to_string();
        let instants = |unit| DataType::Timestamp(unit, Some("+00:00".into()));
        assert!(why("2024-01-05T10:30:00", DataType::Date32).ends_with("declare `timestamp`, and cast it in queries"));
        let told = why("2024-01-05T10:30:00.25Z", instants(TimeUnit::Second));
        assert_eq!(told, "which has more digits of a second than type timestamptz(0) keeps; declare `timestamptz(3)`");
        let told = why("10:30:00.1234567", DataType::Time64(TimeUnit::Microsecond));
        assert_eq!(told, "which has more digits of a second than type time keeps; declare `text`");
        let told = why("2024-01-05T10:30:00.1234567", DataType::Timestamp(TimeUnit::Microsecond, None));
        assert!(told.ends_with("declare `timestamp(9)`"), "{told}");
    }
}
