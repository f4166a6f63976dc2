//! How the values of a CSV file stand beside each other.

use super::super::TableError;
use super::super::quoting::Sign;

/// What stands between values, and around those that hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::tables) struct Dialect {
    /// Between values.
    pub(in crate::engine::tables) delimiter: u8,
    /// Around them; `None` where nothing is a quote.
    pub(in crate::engine::tables) quote: Option<u8>,
}

impl Dialect {
    /// Errors: a quote that is no single byte, or the delimiter.
    pub(super) fn of(delimiter: u8, quote: Option<&str>) -> Result<Dialect, TableError> {
        let quote = match quote.unwrap_or("\"").as_bytes() {
            [] => None,
            [byte] if byte.is_ascii_punctuation() && *byte != delimiter => Some(*byte),
            _ => {
                let message = "a quote is one ASCII sign, not the delimiter; the empty text is for none";
                return Err(TableError::option("quote", message));
            }
        };
        Ok(Dialect { delimiter, quote })
    }

    /// What a sign is.
    pub(super) fn sign(self, sign: char) -> Sign {
        match sign {
            '\n' | '\r' => Sign::LineEnd,
            _ if self.quote.is_some_and(|quote| sign == char::from(quote)) => Sign::Quote,
            _ if sign == char::from(self.delimiter) => Sign::Delimiter,
            _ => Sign::Other,
        }
    }
}
