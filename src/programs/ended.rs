//! How a program ended, or why it did not start.

use std::fmt;
use std::io;

/// A program that has ended. None of its processes is left.
#[derive(Debug)]
pub struct Ended {
    /// In which way.
    pub how: How,
    /// What it wrote to its standard output, up to the most that was allowed.
    pub output: Vec<u8>,
    /// What it wrote to its standard error, up to the most that is kept.
    pub errors: Vec<u8>,
    /// Whether it wrote more to its standard error.
    pub errors_cut: bool,
}

/// In which way a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which was not sent from here.
    Signalled(i32),
    /// It was ended when its time was over.
    TimedOut,
    /// It was ended because it wrote more than was allowed.
    OutputTooLarge,
    /// It was ended because it took more than it may.
    Limit(Limit),
    /// It was ended because the caller asked for it.
    Stopped,
}

/// What a program took too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Time of processors.
    Cpu,
    /// Memory.
    Memory,
    /// Processes.
    Processes,
    /// The size of a file.
    FileSize,
}

/// Why a program did not start.
#[derive(Debug)]
pub enum NotRun {
    /// It may run in a sandbox only, and there is none.
    NoSandbox(NoSandbox),
    /// There is no such file.
    NotFound,
    /// The file cannot be executed: it is a folder, has no such permission, or is no program.
    NotExecutable,
    /// What its first line names, or the loader that it needs, is not there or may not be executed.
    NoInterpreter(String),
    /// Arguments and environment are together more than the system takes.
    TooLong,
    /// Programs are not run on this system.
    Unsupported,
    /// The system did not start it for another reason.
    Other(io::Error),
}

/// Why there is no sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSandbox {
    /// The system has none that is known here.
    System,
    /// The kernel has no Landlock, or it is switched off.
    Landlock,
    /// The kernel has no filter of system calls for this processor.
    Seccomp,
    /// The kernel has refused it.
    Refused,
}

impl fmt::Display for NoSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoSandbox::System => "this system has no sandbox that is supported",
            NoSandbox::Landlock => "the kernel has no Landlock, or it is switched off",
            NoSandbox::Seccomp => "the kernel has no filter of system calls",
            NoSandbox::Refused => "the kernel has refused the sandbox",
        })
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRun::NoSandbox(why) => write!(f, "no sandbox: {why}"),
            NotRun::NotFound => f.write_str("no such program"),
            NotRun::NotExecutable => f.write_str("the file cannot be executed"),
            NotRun::NoInterpreter(name) => write!(f, "its interpreter `{name}` is not there or may not be executed"),
            NotRun::TooLong => f.write_str("arguments and environment are too long"),
            NotRun::Unsupported => f.write_str("programs are not run on this system"),
            NotRun::Other(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NotRun {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NotRun::Other(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for NotRun {
    fn from(error: io::Error) -> NotRun {
        match error.kind() {
            io::ErrorKind::ArgumentListTooLong => NotRun::TooLong,
            _ => NotRun::Other(error),
        }
    }
}
