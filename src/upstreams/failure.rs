//! Why an upstream server gave no answer.

use std::fmt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The server is not there, did not start, or went away; with what is known of it.
    Unreachable(String),
    /// It went away, or answered with no message, when it may have had the call already.
    Lost(String),
    /// The time for it was over.
    TimedOut,
    /// Whoever asked no longer wants it.
    Cancelled,
    /// It said something that the protocol does not know; with what that was.
    Protocol(String),
    /// It answered with an error of its own.
    Rpc {
        /// The code of JSON-RPC.
        code: i32,
        /// Its words, shortened.
        message: String,
    },
    /// Its answer is larger than is taken.
    TooLarge,
    /// Too many calls wait for it already.
    Busy,
    /// The connection that was meant is over, and another one was made: nothing was sent over it.
    Anew,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreachable(words) => write!(f, "the server cannot be reached: {words}"),
            Failure::Lost(words) => write!(f, "no answer came to what was sent: {words}"),
            Failure::TimedOut => f.write_str("the server did not answer in time"),
            Failure::Cancelled => f.write_str("the call was cancelled"),
            Failure::Protocol(words) => write!(f, "the server does not keep to the protocol: {words}"),
            Failure::Rpc { code, message } => write!(f, "the server answered with error {code}: {message}"),
            Failure::TooLarge => f.write_str("the answer of the server is too large"),
            Failure::Anew => f.write_str("the server was connected anew"),
            Failure::Busy => f.write_str("the server has too many calls to answer already"),
        }
    }
}

impl std::error::Error for Failure {}
