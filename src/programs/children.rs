//! The processes of a program: how the launcher is found, and how all of them are ended.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How often it is looked whether a process is left that was killed, and how long between.
const LOOKS: u32 = 2000;
const BETWEEN: Duration = Duration::from_millis(1);

/// How often those are looked for that have left a group.
#[cfg(target_os = "linux")]
const ROUNDS: u32 = 20;

/// After so many looks, it is asked what those are that are left.
const PATIENT: u32 = 3;

/// This executable, as it was started: another may lie in its place by now.
///
/// Errors: the system does not tell.
pub(super) fn executable() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok(PathBuf::from("/proc/self/exe")),
        false => std::env::current_exe(),
    }
}

/// Whether the first process of a group has ended. It stays, and its number with it, until it is waited for.
///
/// Errors: it is no child of this process.
pub(super) fn has_ended(first: Pid) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match rustix::process::waitid(WaitId::Pid(first), options) {
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(status) => return Ok(status.is_some()),
        }
    }
}

/// Kills all processes of a group, the first of which may not have become its first yet.
pub(super) fn kill(group: Pid) {
    // They may have ended.
    let _ = rustix::process::kill_process(group, Signal::KILL);
    let _ = rustix::process::kill_process_group(group, Signal::KILL);
}

/// Kills all processes of a group until none is left, and gives how the first ended.
///
/// Errors: it is no child of this process.
pub(super) fn end(group: Pid) -> io::Result<WaitStatus> {
    let mut first = None;
    for look in 0..LOOKS {
        // Once the first is waited for, its number is that of the group only.
        match first {
            None => kill(group),
            Some(_) => drop(rustix::process::kill_process_group(group, Signal::KILL)),
        }
        reap(group, &mut first)?;
        if let Some(status) = first
            && (is_empty(group) || look >= PATIENT && are_dead(group))
        {
            // Those that have ended since.
            reap(group, &mut first)?;
            return Ok(status);
        }
        std::thread::sleep(BETWEEN);
    }
    // Whoever is left waits for a device. It is killed as soon as it does not.
    first.ok_or_else(|| io::ErrorKind::TimedOut.into())
}

/// Kills the processes that have left the group of a program which was not held, as far as they still have a variable
/// of it.
pub(super) fn end_with_variable(name: &str, value: &std::path::Path) {
    #[cfg(target_os = "linux")]
    for _ in 0..ROUNDS {
        let left = super::descendants::with_variable(&format!("{name}={}", value.display()));
        for id in left.iter().filter_map(|id| Pid::from_raw(*id)) {
            // It may have ended, or be no child of this process.
            let _ = rustix::process::kill_process(id, Signal::KILL);
            let _ = rustix::process::waitpid(Some(id), WaitOptions::empty());
        }
        if left.is_empty() {
            return;
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (name, value);
}

/// Waits for those of a group that have ended and are children of this process.
fn reap(group: Pid, first: &mut Option<WaitStatus>) -> io::Result<()> {
    if first.is_none() {
        match rustix::process::waitpid(Some(group), WaitOptions::NOHANG) {
            Ok(Some((_, status))) => *first = Some(status),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if first.is_some() {
        while let Ok(Some(_)) = rustix::process::waitpgid(group, WaitOptions::NOHANG) {}
    }
    Ok(())
}

fn is_empty(group: Pid) -> bool {
    rustix::process::test_kill_process_group(group) == Err(Errno::SRCH)
}

/// Whether those that are left have ended and are only not waited for, by whoever they are children of.
#[cfg(target_os = "linux")]
fn are_dead(group: Pid) -> bool {
    super::descendants::are_dead(group.as_raw_nonzero().get())
}

#[cfg(not(target_os = "linux"))]
fn are_dead(_group: Pid) -> bool {
    false
}
