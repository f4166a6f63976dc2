//! What is wrong with the content of a file.

use crate::in_words::in_words;

in_words! {
    /// What is wrong with the content of a file, as a sentence that does not name the file.
    pub(in crate::engine::tables) struct Flaw;
}

/// The first byte of the mark that some editors put before a text in UTF-8. None of JSON outside of a text.
pub(super) const MARK: u8 = 0xEF;

/// What is said of JSON that begins with such a mark, which its reader does not take.
pub(in crate::engine::tables) const MARKED: &str = "it begins with a byte order mark; write it as UTF-8 without one";
