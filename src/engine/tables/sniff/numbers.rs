//! Which texts are numbers to every reader.

/// What stands between groups of digits beside a comma, a point and `'`.
pub(super) const BLANKS: [char; 4] = [' ', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Whether a sign is a blank that may stand between groups of digits.
pub(super) fn is_blank(sign: char) -> bool {
    BLANKS.contains(&sign)
}

/// Whether a text is a whole number.
pub(super) fn is_integer(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a number as every reader takes it.
pub(super) fn is_number(value: &str) -> bool {
    let is_written =
        value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E'));
    let is_named = ["nan", "inf", "-inf", "infinity"].iter().any(|name| value.eq_ignore_ascii_case(name));
    (is_written || is_named) && value.parse::<f64>().is_ok()
}
