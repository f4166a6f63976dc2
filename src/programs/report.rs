//! How far the launcher came, as it tells the server in front of what the program writes to its standard error.

use super::ended::{NoSandbox, NotRun};
use serde::{Deserialize, Serialize};
use std::io;

/// A report has at most so many bytes with the name of an interpreter, which is cut.
pub(super) const MOST: usize = 4096;

/// How much of the name of an interpreter is reported.
const NAME: usize = 256;

/// How far the launcher came.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Report {
    /// It is confined, and becomes the program.
    Ready,
    /// There is no sandbox.
    NoSandbox(Why),
    /// There is no such file.
    NotFound,
    /// The file cannot be executed.
    NotExecutable,
    /// Its interpreter cannot.
    NoInterpreter(String),
    /// Something else, by the number of the error.
    Failed(i32),
}

/// Why there is no sandbox.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Why {
    /// The system has none.
    System,
    /// No Landlock.
    Landlock,
    /// No filter.
    Seccomp,
    /// Refused.
    Refused,
}

impl Report {
    /// The line that is written.
    pub(super) fn line(&self, nonce: &str) -> String {
        let shortened = match self {
            Report::NoInterpreter(name) => Some(Report::NoInterpreter(name.chars().take(NAME).collect())),
            _ => None,
        };
        let text = serde_json::to_string(shortened.as_ref().unwrap_or(self)).unwrap_or_default();
        format!("{nonce}{text}\n")
    }

    fn why(self) -> Option<NotRun> {
        Some(match self {
            Report::Ready => return None,
            Report::NoSandbox(why) => NotRun::NoSandbox(match why {
                Why::System => NoSandbox::System,
                Why::Landlock => NoSandbox::Landlock,
                Why::Seccomp => NoSandbox::Seccomp,
                Why::Refused => NoSandbox::Refused,
            }),
            Report::NotFound => NotRun::NotFound,
            Report::NotExecutable => NotRun::NotExecutable,
            Report::NoInterpreter(name) => NotRun::NoInterpreter(name),
            Report::Failed(code) => NotRun::from(io::Error::from_raw_os_error(code)),
        })
    }
}

/// What the reports say.
#[derive(Debug)]
pub(super) enum Told {
    /// Nothing yet: the launcher has not come so far.
    Nothing,
    /// It has become the program.
    Ready,
    /// It has not.
    NotRun(NotRun),
}

/// Takes the reports off what was written to the standard error.
pub(super) fn take_reports(nonce: &str, errors: &mut Vec<u8>) -> Told {
    let mut told = Told::Nothing;
    while let Some(rest) = errors.strip_prefix(nonce.as_bytes()) {
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { break };
        let Some(Ok(report)) = rest.get(..end).map(serde_json::from_slice::<Report>) else { break };
        told = report.why().map_or(Told::Ready, Told::NotRun);
        errors.drain(..nonce.len() + end + 1);
    }
    told
}
