//! Exact numbers as text with every digit.

use arrow::datatypes::format_decimal_str;

/// Appends an unscaled number with `scale` digits behind the point; a negative scale appends zeros.
pub(super) fn push(unscaled: i128, scale: i8, out: &mut String) {
    let mut buffer = itoa::Buffer::new();
    let digits = match u64::try_from(unscaled.unsigned_abs()) {
        Ok(magnitude) => buffer.format(magnitude),
        Err(_) => buffer.format(unscaled.unsigned_abs()),
    };
    if unscaled < 0 {
        out.push('-');
    }
    let zeros = |count: usize| std::iter::repeat_n('0', count);
    let behind = usize::from(scale.unsigned_abs());
    if scale <= 0 {
        out.push_str(digits);
        // Zero does not need them.
        out.extend(zeros(if unscaled == 0 { 0 } else { behind }));
        return;
    }
    match digits.len().checked_sub(behind).and_then(|whole| digits.split_at_checked(whole)) {
        Some((whole, rest)) => {
            out.push_str(if whole.is_empty() { "0" } else { whole });
            out.push('.');
            out.push_str(rest);
        }
        None => {
            out.push_str("0.");
            out.extend(zeros(behind - digits.len()));
            out.push_str(digits);
        }
    }
}

/// The text of an unscaled number of any size.
pub(super) fn of_digits(unscaled: &str, scale: i8) -> String {
    // A negative scale appends zeros, which zero does not need.
    let scale = if unscaled == "0" { scale.max(0) } else { scale };
    // Arrow cuts digits beyond the precision it is given; a sum may have more than its type says.
    format_decimal_str(unscaled, usize::MAX, scale)
}

/// The number of JSON that is nearest to a decimal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Nearest {
    /// A whole number, exactly.
    Integer(i64),
    /// Any other.
    Double(f64),
}

impl From<Nearest> for serde_json::Value {
    fn from(number: Nearest) -> Self {
        match number {
            Nearest::Integer(number) => number.into(),
            Nearest::Double(number) => number.into(),
        }
    }
}

/// The nearest number to an unscaled one, and whether it has more digits than every double keeps.
pub(super) fn nearest(unscaled: i128, scale: i8) -> (Nearest, bool) {
    let (unscaled, scale) = without_zeros(unscaled, scale);
    let whole = |scale: u32| i64::try_from(unscaled.checked_mul(10_i128.checked_pow(scale)?)?).ok();
    let behind = scale.unsigned_abs();
    if scale <= 0
        && let Some(number) = whole(behind.into())
    {
        return (Nearest::Integer(number), false);
    }
    let is_long = unscaled.unsigned_abs() >= LONG;
    // Both are exact, and a division of the two gives the double that is nearest.
    if !is_long
        && scale > 0
        && let Some(power) = POWERS.get(usize::from(behind))
    {
        return (Nearest::Double(unscaled as f64 / power), is_long);
    }
    let mut digits = String::new();
    push(unscaled, scale, &mut digits);
    (Nearest::Double(parsed(&digits)), is_long)
}

/// The same for an unscaled number of any size.
pub(super) fn nearest_of_digits(unscaled: &str, scale: i8) -> (Nearest, bool) {
    match unscaled.parse() {
        Ok(number) => nearest(number, scale),
        Err(_) => (Nearest::Double(parsed(&of_digits(unscaled, scale))), true),
    }
}

/// The same number with as few digits behind the point as it needs.
fn without_zeros(unscaled: i128, mut scale: i8) -> (i128, i8) {
    if unscaled == 0 {
        return (0, 0);
    }
    // Nearly all numbers are short, and divided in a tenth of the time.
    if let Ok(mut short) = i64::try_from(unscaled) {
        while scale > 0 && short % 10 == 0 {
            (short, scale) = (short / 10, scale - 1);
        }
        return (short.into(), scale);
    }
    let mut long = unscaled;
    while scale > 0 && long % 10 == 0 {
        (long, scale) = (long / 10, scale - 1);
    }
    (long, scale)
}

/// The smallest number with more digits than every double keeps (`DBL_DIG` of C, 15).
const LONG: u128 = 1_000_000_000_000_000;

/// The powers of ten that doubles hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Digits as a double; there is one for all of them.
fn parsed(digits: &str) -> f64 {
    digits.parse().unwrap_or_default()
}
