//! The filter of system calls: what Landlock does not cover, and what no program needs. Everything else is allowed,
//! but for calls that are newer than this list, which do not exist for the program.

mod assembly;
mod calls;
mod checked;
mod kept;

use assembly::Rule;
pub(super) use kept::Kept;

/// The number of the newest call that was looked at: `file_setattr`.
const NEWEST: u32 = 469;

/// Holds this thread, and what it becomes, to the filter. It also gives up what executing a file could grant.
///
/// Errors: the kernel has none, or refuses it.
pub(super) fn apply(kept: &Kept) -> Result<(), seccompiler::Error> {
    let mut rules: Vec<Rule> = Vec::new();
    rules.extend(calls::refused());
    rules.extend(checked::always());
    rules.extend(checked::network(kept.network));
    rules.extend(checked::uncovered(kept));
    seccompiler::apply_filter(&assembly::assembled(&rules, NEWEST))
}

#[cfg(test)]
mod tests {
    use super::{Kept, apply};
    use rustix::fs::{CWD, Mode, OFlags};
    use rustix::io::Errno;
    use rustix::process::{Signal, getpid, getppid, kill_process, test_kill_process};

    #[test]
    fn without_landlock_signals_and_cuts_are_refused() {
        let group = u32::try_from(getpid().as_raw_nonzero().get()).unwrap();
        let held = std::thread::spawn(move || {
            apply(&Kept { network: false, landlock: 0, group }).unwrap();
            assert_eq!(kill_process(getppid().unwrap(), Signal::URG), Err(Errno::PERM));
            assert_eq!(test_kill_process(getppid().unwrap()), Ok(()));
            assert_eq!(kill_process(getpid(), Signal::URG), Ok(()));
            let opened = |flags| rustix::fs::openat(CWD, "/dev/null", flags, Mode::empty()).map(drop);
            assert_eq!(opened(OFlags::RDONLY | OFlags::TRUNC), Err(Errno::PERM));
            assert_eq!(opened(OFlags::WRONLY | OFlags::TRUNC), Ok(()));
        });
        held.join().unwrap();
    }
}
