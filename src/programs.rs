//! Programs that are run as processes: confined as far as the kernel offers it, and ended with all that they have
//! started when their time, their output or what they take becomes too much. A program is started through this
//! executable, which starts itself as a launcher, confines itself, and becomes the program. Nothing here knows what a
//! program is run for.

#[cfg(not(unix))]
mod absent;
mod ended;
mod launch;
pub mod launcher;
pub mod python;
mod support;

#[cfg(unix)]
mod children;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(unix)]
mod examined;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(unix)]
mod guard;
#[cfg(target_os = "linux")]
mod landlocked;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod order;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod privileges;
#[cfg(unix)]
mod process;
#[cfg(target_os = "linux")]
mod readable;
#[cfg(unix)]
mod remove;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod scratch;
#[cfg(target_os = "linux")]
mod spent;
#[cfg(unix)]
mod start;
#[cfg(unix)]
mod watch;

#[cfg(not(unix))]
pub use absent::{Killer, Process, Watcher, run};
/// A group of processes that is ended where this process is and cannot do it, for as long as this is there.
#[cfg(unix)]
#[derive(Debug)]
pub struct GuardedGroup(#[expect(dead_code, reason = "it counts while it is there")] guard::Guarded);

/// The same, where nothing is guarded.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct GuardedGroup;

/// Has a group of processes that is led by one of that number ended where this process is ended and cannot do it; `None` where that
/// cannot be had: this executable does not begin with [`launcher::run_if_asked`], or the system has no groups.
pub fn guarded_group(leader: u32) -> Option<GuardedGroup> {
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_raw(i32::try_from(leader).ok()?).filter(|_| launcher::is_asked())?;
        guard::ready().ok()?;
        guard::guarded(group).ok().map(GuardedGroup)
    }
    #[cfg(not(unix))]
    {
        let _ = leader;
        None
    }
}

pub use ended::{Ended, How, Limit, NoSandbox, NotRun};
pub use launch::{Confinement, Launch, Most, ProcessLimits, Sandbox};
#[cfg(unix)]
pub use process::{Killer, Process, Watcher};
#[cfg(unix)]
pub use run::run;
pub use support::{Support, sandbox};
