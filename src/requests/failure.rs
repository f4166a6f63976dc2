//! Why there is no answer, in words of our own: those of others may hold addresses, queries and values.

use super::address::PrivateAddress;
use bytes::Bytes;
use std::fmt;
use std::time::Duration;

/// Why there is no answer. What it displays, also for debugging, has no query, header or body.
#[derive(Clone, PartialEq, Eq)]
pub enum Failure {
    /// The host leads to an address that is not public.
    Refused(PrivateAddress),
    /// It took longer than it may.
    TimedOut,
    /// The body has more bytes than it may.
    TooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// The headers have more bytes than they may, or there are more of them than can be read.
    HeadTooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// A redirect leads where the request may not go.
    RedirectedElsewhere {
        /// The scheme, the host, and the port where it is not the scheme's own.
        origin: String,
    },
    /// There are more redirects than are followed.
    TooManyRedirects {
        /// The most redirects.
        limit: usize,
    },
    /// The server answers with a status that is not one of success, and no redirect.
    Status {
        /// The status.
        status: u16,
        /// How long it asks to wait; mostly with 429 and 503.
        retry_after: Option<Duration>,
        /// The beginning of what it says, up to 16 KiB. It may be missing where it came broken or late.
        body: Bytes,
    },
    /// There is no secure connection: why, in words that go after "no secure connection: ".
    Tls(&'static str),
    /// Nobody could be connected to.
    Connect,
    /// The name leads nowhere.
    Dns,
    /// The exchange went wrong once there was a connection.
    Broken(Fault),
    /// The body is not text, or of a character set that is not read.
    NotText,
}

/// What was wrong with an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The request could not be put together.
    Request,
    /// What came back is no HTTP.
    NotHttp,
    /// The connection ended before the answer did.
    Cut,
    /// The body is compressed, though that was not asked for.
    Compressed,
    /// The redirect does not say where to.
    Location,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(address) => address.fmt(f),
            Failure::TimedOut => f.write_str("the server did not answer in time"),
            Failure::TooLarge { limit } => write!(f, "the answer has more than {limit} bytes"),
            Failure::HeadTooLarge { limit } => {
                write!(f, "the headers of the answer are too many, or have more than {limit} bytes")
            }
            Failure::RedirectedElsewhere { origin } => {
                write!(f, "the server redirects to `{origin}`, where the request may not go")
            }
            Failure::TooManyRedirects { limit } => write!(f, "the server redirects more than {limit} times"),
            Failure::Status { status, .. } => write!(f, "the server answers with status {status}"),
            Failure::Tls(why) => write!(f, "no secure connection: {why}"),
            Failure::Connect => f.write_str("the server cannot be reached"),
            Failure::Dns => f.write_str("nobody knows the name of the server"),
            Failure::Broken(fault) => fault.fmt(f),
            Failure::NotText => f.write_str("the answer is not text in UTF-8"),
        }
    }
}

/// As it is displayed: a body may hold anything.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({self})")
    }
}

impl std::error::Error for Failure {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Request => "the request could not be put together",
            Fault::NotHttp => "what the server answers is no HTTP",
            Fault::Cut => "the connection ended before the answer did",
            Fault::Compressed => "the server answers in a compression that it was not asked for",
            Fault::Location => "the server redirects without a place that can be read",
        })
    }
}
