//! The guard: a process beside the server that ends the programs of the server when the server itself is ended and
//! cannot. It knows them by what the server writes to it, and that the server has gone by the end of that.

use super::order::{BARE_GUARD, GUARD};
use super::{children, scratch};
use rustix::process::Pid;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The guard of this server, with the groups that live.
struct Guard {
    process: Option<(Child, ChildStdin)>,
    groups: BTreeSet<i32>,
}

static GUARDED: Mutex<Guard> = Mutex::new(Guard { process: None, groups: BTreeSet::new() });

/// The group of a program, which the guard knows until this is dropped.
#[derive(Debug)]
pub(super) struct Guarded(i32);

/// Starts the guard where it does not run.
///
/// Errors: it cannot be started.
pub(super) fn ready() -> io::Result<()> {
    let mut guard = GUARDED.lock().unwrap_or_else(PoisonError::into_inner);
    guard.ready()
}

/// Has the guard know of a group.
///
/// Errors: the guard has gone and cannot be started again.
pub(super) fn guarded(group: Pid) -> io::Result<Guarded> {
    let group = group.as_raw_nonzero().get();
    let mut guard = GUARDED.lock().unwrap_or_else(PoisonError::into_inner);
    guard.groups.insert(group);
    // One that is started anew is told all.
    if guard.write(&format!("+{group}\n")).is_err() {
        guard.ready()?;
    }
    Ok(Guarded(group))
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let mut guard = GUARDED.lock().unwrap_or_else(PoisonError::into_inner);
        guard.groups.remove(&self.0);
        // One that has gone is started anew with the next program.
        let _ = guard.write(&format!("-{}\n", self.0));
    }
}

impl Guard {
    fn ready(&mut self) -> io::Result<()> {
        if let Some((process, _)) = &mut self.process
            && process.try_wait()?.is_none()
        {
            return Ok(());
        }
        self.process = None;
        // Whoever a program leaves behind comes to the server, which ends them: otherwise they would go to a process
        // that may never look.
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let mut command = Command::new(children::executable()?);
        command.arg(GUARD).arg(scratch::home()?).env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let input = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        self.process = Some((process, input));
        let known: String = self.groups.iter().map(|group| format!("+{group}\n")).collect();
        self.write(&known)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let (_, input) = self.process.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(text.as_bytes())
    }
}

/// Becomes a guard that holds nothing of its server: it executes itself once more, which closes what it has inherited.
pub(super) fn bare() {
    let _ = rustix::process::setsid();
    close_fds::set_fds_cloexec(3, &[]);
    if let Ok(executable) = children::executable() {
        // It returns where it fails, and the process ends: the server starts another.
        let _ = Command::new(executable).arg(BARE_GUARD).args(std::env::args_os().skip(2)).exec();
    }
}

/// Guards until the server has gone.
pub(super) fn keep() {
    let mut groups = BTreeSet::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Ok(number) = line.parse::<i32>() else { continue };
        match number {
            1.. => groups.insert(number),
            _ => groups.remove(&-number),
        };
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        children::kill(group);
    }
    if let Some(home) = std::env::args_os().nth(2) {
        scratch::remove_home(&PathBuf::from(home));
    }
}
