//! JSON pointers (RFC 6901): the way to a value within another.

use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// The way to a value within another, as text: `""` for all of it, `/rows/0/name` for one in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(String);

/// Why a text is no pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidPointer {
    /// It has text, and that does not begin with a slash.
    NoSlash,
    /// There is a `~` that no `0` or `1` follows: at this byte.
    Tilde(usize),
}

impl Pointer {
    /// Reads a pointer.
    ///
    /// Errors: the text has no slash in front, or a `~` that is not written as `~0`.
    pub fn parse(text: &str) -> Result<Pointer, InvalidPointer> {
        if !text.is_empty() && !text.starts_with('/') {
            return Err(InvalidPointer::NoSlash);
        }
        for (at, _) in text.match_indices('~') {
            if !matches!(text.as_bytes().get(at + 1), Some(b'0' | b'1')) {
                return Err(InvalidPointer::Tilde(at));
            }
        }
        Ok(Pointer(text.to_owned()))
    }

    /// The value at the end of the way, where there is one.
    pub fn get<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.pointer(&self.0)
    }

    /// The pointer as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Pointer {
    type Err = InvalidPointer;

    fn from_str(text: &str) -> Result<Pointer, InvalidPointer> {
        Pointer::parse(text)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for InvalidPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidPointer::NoSlash => f.write_str("a JSON pointer begins with `/`, or is empty"),
            InvalidPointer::Tilde(at) => {
                write!(f, "`~` at byte {at} of the JSON pointer: it is written as `~0`, and a slash in a name as `~1`")
            }
        }
    }
}

impl std::error::Error for InvalidPointer {}
