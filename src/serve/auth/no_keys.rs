//! Why there are no keys to check tokens with.

use crate::in_words::in_words;

in_words! {
    /// Why the keys of an issuer cannot be had, for the log.
    pub struct NoKeys;
}
