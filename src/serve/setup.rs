//! What keeps a server from being set up.

use crate::in_words::in_words;

in_words! {
    /// Why a server cannot be set up as its project or environment says, in words for who starts it.
    pub struct SetupError;
}
