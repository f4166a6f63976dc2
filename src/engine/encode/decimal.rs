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
