//! What is said about one upstream server: how it is reached, and within which bounds it is used.

use super::question::PassedOn;
use super::secret::Secret;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Takes what a program writes to its standard error, line by line.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// How one upstream server is reached and bounded.
#[derive(Clone)]
pub struct Config {
    /// The name that this side calls the server by.
    pub name: String,
    /// Where it is.
    pub reach: Reach,
    /// How long is waited for it.
    pub timeouts: Timeouts,
    /// How many calls it gets at a time; zero is taken as one.
    pub concurrency: usize,
    /// How many calls may wait for their turn; more are refused as busy.
    pub most_waiting: usize,
    /// The most bytes of one message from it.
    pub most_bytes: usize,
    /// When a connection that was lost is made again.
    pub restart: Restart,
    /// What is listed besides tools.
    pub lists: Lists,
    /// Which of its questions are passed on to whoever calls. Where any are, it gets one call at a time.
    pub passed_on: PassedOn,
    /// Which era of the protocol it is taken to speak.
    pub era: Era,
    /// Takes the lines of its standard error.
    pub log: Option<Log>,
}

impl Config {
    /// A server with the usual bounds: 8 calls at a time, 512 waiting, 8 MiB a message.
    pub fn new(name: impl Into<String>, reach: Reach) -> Config {
        Config {
            name: name.into(),
            reach,
            timeouts: Timeouts::default(),
            concurrency: 8,
            most_waiting: 512,
            most_bytes: 8 << 20,
            restart: Restart::default(),
            lists: Lists::default(),
            passed_on: PassedOn::default(),
            era: Era::Either,
            log: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("name", &self.name)
            .field("reach", &self.reach)
            .field("timeouts", &self.timeouts)
            .field("concurrency", &self.concurrency)
            .field("most_waiting", &self.most_waiting)
            .field("most_bytes", &self.most_bytes)
            .field("restart", &self.restart)
            .field("lists", &self.lists)
            .field("passed_on", &self.passed_on)
            .field("era", &self.era)
            .finish_non_exhaustive()
    }
}

/// Where a server is.
#[derive(Debug, Clone)]
pub enum Reach {
    /// A program that is started, and spoken with over its standard input and output.
    Command(Command),
    /// A server that answers over streamable HTTP.
    Http(Address),
}

/// A program to be started. It gets no variables of this process but those that programs need to run at all.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// The program: a path, or a name to be looked up.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The variables that it gets in addition.
    pub environment: Vec<(OsString, Secret)>,
    /// The folder in which it runs; that of this process where none is given.
    pub folder: Option<PathBuf>,
}

/// An address, and what is sent with each request to it.
#[derive(Debug, Clone)]
pub struct Address {
    /// Where the server answers, such as `https://tools.example.com/mcp`.
    pub url: String,
    /// Headers of each request.
    pub headers: Vec<(String, Secret)>,
}

/// How long is waited.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For a start and the first exchange.
    pub connect: Duration,
    /// For a server to answer to the newest revision before the older ones are tried; a part of `connect`.
    pub probe: Duration,
    /// For all pages of all lists.
    pub list: Duration,
    /// For a call.
    pub call: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            connect: Duration::from_secs(30),
            probe: Duration::from_secs(10),
            list: Duration::from_secs(15),
            call: Duration::from_mins(1),
        }
    }
}

/// How long is waited after a server was lost or not reached. The first loss of a server costs no pause; each further
/// one that comes soon doubles it. Until a pause is over, calls fail at once.
#[derive(Debug, Clone, Copy)]
pub struct Restart {
    /// The first pause.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// A connection that held so long counts as sound: what went wrong before it is forgotten.
    pub steady: Duration,
}

impl Default for Restart {
    fn default() -> Restart {
        Restart { first: Duration::from_millis(250), longest: Duration::from_secs(30), steady: Duration::from_mins(1) }
    }
}

/// What is listed besides tools.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists {
    /// Whether prompts are.
    pub prompts: bool,
    /// Whether resources are.
    pub resources: bool,
}

/// Which era of the protocol a server is taken to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Era {
    /// It is asked: revision 2026-07-28 first, then those that begin with a handshake.
    #[default]
    Either,
    /// Revisions up to 2025-11-25, which begin with `initialize`.
    Handshake,
    /// Revision 2026-07-28, which has no handshake.
    Stateless,
}
