//! Systems that programs are not run on.

use super::ended::{Ended, Limit, NotRun};
use super::launch::Launch;
use std::fs::File;
use std::io;

/// Runs nothing.
///
/// Errors: always.
pub fn run(_launch: &Launch, _stop: &dyn Fn() -> bool) -> Result<Ended, NotRun> {
    Err(NotRun::Unsupported)
}

/// A program that stays; there is none here.
#[derive(Debug)]
pub enum Process {}

impl Process {
    /// Starts nothing.
    ///
    /// Errors: always.
    pub fn start(_launch: &Launch) -> Result<Process, NotRun> {
        Err(NotRun::Unsupported)
    }

    /// What it reads.
    ///
    /// Errors: none, for there is no such program.
    pub fn input(&mut self) -> io::Result<&mut File> {
        match *self {}
    }

    /// The next line that it writes.
    ///
    /// Errors: none, for there is no such program.
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        match *self {}
    }

    /// What it wrote to its standard error.
    pub fn errors(&self) -> Vec<u8> {
        match *self {}
    }

    /// Why it was not executed.
    pub fn failure(&self) -> Option<NotRun> {
        match *self {}
    }

    /// Whether it runs.
    pub fn is_alive(&self) -> bool {
        match *self {}
    }

    /// What it takes too much of.
    pub fn over_limit(&mut self) -> Option<Limit> {
        match *self {}
    }

    /// The memory that it holds.
    pub fn resident_memory(&self) -> Option<u64> {
        match *self {}
    }

    /// What kills it.
    pub fn killer(&self) -> Killer {
        match *self {}
    }

    /// What looks at it.
    pub fn watcher(&self) -> Watcher {
        match *self {}
    }

    /// Kills it.
    pub fn kill(&self) {
        match *self {}
    }
}

/// What kills a program; there is none here.
#[derive(Debug, Clone, Copy)]
pub enum Killer {}

impl Killer {
    /// Kills nothing.
    pub fn kill(&self) {
        match *self {}
    }
}

/// What looks at a program; there is none here.
#[derive(Debug)]
pub enum Watcher {}

impl Watcher {
    /// Sees nothing.
    pub fn look(&mut self) -> Option<Limit> {
        match *self {}
    }
}
