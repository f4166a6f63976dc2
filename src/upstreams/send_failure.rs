//! Why a message could not be sent.

use std::fmt;

/// Why a message could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SendFailure {
    /// Whether the server can have read it.
    pub(crate) reached: Reached,
    /// What is known of it.
    pub(crate) words: String,
}

/// Whether a server can have read a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// It cannot.
    Never,
    /// It cannot, for the server knows nothing of the session: which is no fault of the connection.
    Forgotten,
    /// It may.
    Perhaps,
}

impl fmt::Display for SendFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for SendFailure {}
