//! Starts a launcher.

use super::ended::NotRun;
use super::guard::{self, Guarded};
use super::launch::{Launch, Sandbox};
use super::order::{LAUNCHER, MARK, OnePath, Order};
use super::scratch::Scratch;
use super::support::sandbox;
use super::{children, guard::guarded};
use rustix::process::Pid;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A program that was started. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Started {
    /// Its group, which is the number of its first process too.
    pub(super) group: Pid,
    /// What its reports begin with.
    pub(super) nonce: String,
    /// What it reads, where it was to read something.
    pub(super) input: Option<OwnedFd>,
    /// What it writes.
    pub(super) output: Option<OwnedFd>,
    /// Where it writes its errors, behind the reports.
    pub(super) errors: Option<OwnedFd>,
    is_ended: bool,
    /// Whether its processes cannot leave its group.
    is_held: bool,
    // In this order: it is known to the guard until it has ended, and its folder is removed behind that.
    _guarded: Option<Guarded>,
    scratch: Scratch,
}

/// For how long a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tied {
    /// No longer than the thread that starts it.
    Thread,
    /// Until it is ended, or the server.
    Server,
}

/// Starts the launcher of a program.
///
/// Errors: it cannot be started, or is given more than the system takes.
pub(super) fn start(launch: &Launch, tied: Tied) -> Result<Started, NotRun> {
    guard::ready()?;
    let scratch = Scratch::new()?;
    let order = order(launch, &scratch, tied)?;
    let text = serde_json::to_string(&order).map_err(io::Error::other)?;
    let mut command = Command::new(children::executable()?);
    command.arg(LAUNCHER).arg(text).arg(&launch.program).args(&launch.arguments).env_clear();
    for (name, value) in environment(launch, &scratch)? {
        command.env(name, value);
    }
    let input = if launch.input.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let group = group.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
    let mut started = Started {
        group,
        nonce: order.nonce,
        input: child.stdin.take().map(OwnedFd::from),
        output: child.stdout.take().map(OwnedFd::from),
        errors: child.stderr.take().map(OwnedFd::from),
        is_ended: false,
        is_held: launch.confinement.sandbox != Sandbox::Off && sandbox().seccomp,
        _guarded: None,
        scratch,
    };
    started._guarded = Some(guarded(group)?);
    Ok(started)
}

impl Started {
    /// Ends all of its processes, and gives how the first ended.
    ///
    /// Errors: it was waited for by somebody else, which nobody may.
    pub(super) fn end(&mut self) -> io::Result<rustix::process::WaitStatus> {
        self.is_ended = true;
        let status = children::end(self.group);
        if !self.is_held {
            children::end_with_variable("TMPDIR", self.scratch.path());
        }
        status
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if !self.is_ended {
            // There is nobody to tell.
            let _ = self.end();
        }
    }
}

fn order(launch: &Launch, scratch: &Scratch, tied: Tied) -> io::Result<Order> {
    let confinement = &launch.confinement;
    Ok(Order {
        nonce: nonce()?,
        parent: rustix::process::getpid().as_raw_nonzero().get(),
        is_tied: tied == Tied::Thread,
        folder: OnePath(launch.folder.clone()),
        scratch: OnePath(scratch.path().to_owned()),
        sandbox: confinement.sandbox,
        reads: OnePath::each(&confinement.reads),
        writes: OnePath::each(&confinement.writes),
        network: confinement.network,
        limits: confinement.limits,
    })
}

/// Nobody can guess it who does not read the arguments of the launcher, and those are gone when the program runs.
fn nonce() -> io::Result<String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    use std::hash::{BuildHasher, RandomState};
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Its keys come from the system, and each has others.
    let [one, two] = [RandomState::new().hash_one(count), RandomState::new().hash_one(count)];
    Ok(format!("{one:016x}{two:016x}"))
}

/// The variables of the program, by names that mean nothing to the launcher.
fn environment(launch: &Launch, scratch: &Scratch) -> io::Result<Vec<(OsString, OsString)>> {
    let mut variables = Vec::new();
    let own = ["TMPDIR", "HOME"].map(|name| (OsString::from(name), scratch.path().as_os_str().to_owned()));
    for (name, value) in own.iter().chain(&launch.environment) {
        let bytes = name.as_bytes();
        if bytes.is_empty() || bytes.contains(&b'=') || bytes.contains(&0) || value.as_bytes().contains(&0) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        variables.push((marked(name), value.clone()));
    }
    Ok(variables)
}

fn marked(name: &OsStr) -> OsString {
    let mut marked = vec![MARK];
    marked.extend(name.as_bytes());
    OsString::from_vec(marked)
}
