//! What is wrong with the content of a file.

use std::fmt;

/// What is wrong with the content of a file, as a sentence that does not name the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine::tables) struct Flaw {
    words: String,
    /// The option that asks for something else than there is.
    option: Option<&'static str>,
}

impl Flaw {
    /// The same as what an option asks for wrongly.
    pub(in crate::engine::tables) fn of_option(self, option: &'static str) -> Flaw {
        Flaw { option: Some(option), ..self }
    }

    /// The option that asks for something else than there is.
    pub(in crate::engine::tables) fn option(&self) -> Option<&'static str> {
        self.option
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Flaw {}

impl<T: Into<String>> From<T> for Flaw {
    fn from(words: T) -> Flaw {
        Flaw { words: words.into(), option: None }
    }
}

/// The first byte of the mark that some editors put before a text in UTF-8. None of JSON outside of a text.
pub(super) const MARK: u8 = 0xEF;

/// What is said of JSON that begins with such a mark, which its reader does not take.
pub(in crate::engine::tables) const MARKED: &str = "it begins with a byte order mark; write it as UTF-8 without one";
