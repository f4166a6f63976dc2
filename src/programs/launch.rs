//! What is to be run, and within what.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A program that is to be run once.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The file of the program, as an absolute path. It is not searched for.
    pub program: PathBuf,
    /// What it is given behind its own name, each as it is: no shell reads it.
    pub arguments: Vec<OsString>,
    /// Its whole environment. `TMPDIR` and `HOME` are added where they are not given.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder that it starts in, as an absolute path. That it may read there is not said with it.
    pub folder: PathBuf,
    /// What it reads from its standard input; nothing where it is `None`.
    pub input: Option<Vec<u8>>,
    /// What it may do.
    pub confinement: Confinement,
    /// How much of it is waited for and kept.
    pub most: Most,
}

/// How much of a program is waited for and kept.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// How long it may run, from its start.
    pub time: Duration,
    /// How many bytes it may write to its standard output; more ends it.
    pub output: usize,
    /// How many bytes of its standard error are kept; more is read and dropped.
    pub errors: usize,
}

/// What a program may do.
#[derive(Debug, Clone)]
pub struct Confinement {
    /// Whether it is held by the kernel.
    pub sandbox: Sandbox,
    /// Files and folders that it may read and execute, beside those that programs need to run. One that does not exist
    /// is left out.
    pub reads: Vec<PathBuf>,
    /// Files and folders that it may read and change. It may not execute what lies in them. One that does not exist is
    /// left out.
    pub writes: Vec<PathBuf>,
    /// Whether it may use the internet protocols.
    pub network: bool,
    /// What it may take of the machine.
    pub limits: ProcessLimits,
}

/// Whether a program is held by the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    /// It is, or it does not run.
    Required,
    /// It is as far as the kernel can.
    WhereThereIsOne,
    /// It is not.
    Off,
}

/// What a program may take of the machine with all that it starts. `None` is as much as the server itself may.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Time of processors.
    pub cpu: Option<Duration>,
    /// Memory, in bytes.
    pub memory: Option<u64>,
    /// Open files, of each process.
    pub files: Option<u64>,
    /// Processes at one time, with those that have ended and are not waited for. Eight threads count as one where that
    /// is more.
    pub processes: Option<u64>,
    /// The size of a file, in bytes.
    pub file_size: Option<u64>,
}
