//! What is wrong with the content of a file.

use crate::in_words::in_words;

in_words! {
    /// What is wrong with the content of a file, as a sentence that does not name the file.
    pub(in crate::engine::tables) struct Flaw;
}
