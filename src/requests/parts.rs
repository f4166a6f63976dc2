//! Values written as parts of a request, so that none of them can be more than the part that it stands for.

use http::HeaderValue;
use std::fmt;

/// Why a value cannot be a part of a request. Does not hold the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidPart {
    /// A segment of a path that would be nothing.
    EmptySegment,
    /// A segment of a path that is `.` or `..`: servers, and URLs themselves, take it for a step.
    DotSegment,
    /// A value of a header with a line break, a NUL or another control character.
    Control,
    /// A value of a header with a character outside of ASCII.
    NotAscii,
}

/// A value as one whole segment of a path: no character of it ends the segment or steps out of it.
///
/// Where a segment is made of several values, or of values and text, all of it is put together first: two of `.` are
/// `..`.
///
/// Errors: it is empty, `.` or `..`.
pub fn path_segment(text: &str) -> Result<String, InvalidPart> {
    match text {
        "" => Err(InvalidPart::EmptySegment),
        "." | ".." => Err(InvalidPart::DotSegment),
        _ => Ok(percent_encoded(text)),
    }
}

/// A name and its value as they stand in a query, or in a body of `application/x-www-form-urlencoded`.
pub fn query_pair(name: &str, value: &str) -> String {
    format!("{}={}", percent_encoded(name), percent_encoded(value))
}

/// A value of a header.
///
/// Errors: it has a control character, a line break among them, or one outside of ASCII.
pub fn header_value(text: &str) -> Result<HeaderValue, InvalidPart> {
    if !text.is_ascii() {
        return Err(InvalidPart::NotAscii);
    }
    HeaderValue::from_str(text).map_err(|_| InvalidPart::Control)
}

/// A value of a header that no other host may see, nor a log.
///
/// Errors: those of [`header_value`].
pub fn secret_header_value(text: &str) -> Result<HeaderValue, InvalidPart> {
    let mut value = header_value(text)?;
    value.set_sensitive(true);
    Ok(value)
}

/// All but the unreserved characters (RFC 3986, 2.3) by the bytes of UTF-8.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push(hex_digit(byte >> 4));
            encoded.push(hex_digit(byte & 15));
        }
    }
    encoded
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0').to_ascii_uppercase()
}

impl fmt::Display for InvalidPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InvalidPart::EmptySegment => "a part of the path is empty",
            InvalidPart::DotSegment => "a part of the path is `.` or `..`, which would lead elsewhere",
            InvalidPart::Control => "the value of a header has a line break or another control character",
            InvalidPart::NotAscii => "the value of a header has a character outside of ASCII",
        })
    }
}

impl std::error::Error for InvalidPart {}
