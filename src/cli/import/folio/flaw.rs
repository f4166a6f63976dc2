//! Why something of Folio cannot be carried over, or not be read or written.

use crate::in_words::in_words;

in_words! {
    /// Why something is not carried over, for a person.
    pub(crate) struct Flaw;
}
