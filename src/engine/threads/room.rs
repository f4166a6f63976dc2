//! How many threads the process may still start.
//!
//! A thread that cannot be started is told too late: what had counted on it waits for ever. So what the system allows is
//! asked before, and what it still refuses is an error of the call alone.

use crate::engine::STACK_SIZE;

/// The threads that are left for all else: names are looked up, spans are sent, files are watched.
const SPARE_THREADS: usize = 4;

/// What lanes are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) struct Room {
    /// How many there may be.
    pub(super) lanes: usize,
    /// How many threads of each run queries.
    pub(super) workers: usize,
    /// How many of them are for queries that somebody waits for.
    pub(in crate::engine) turns: usize,
    /// How many of them are for queries that do not stop.
    pub(super) lost: usize,
    /// Whether all are made at once and kept: what is not taken now may be had by somebody else later.
    pub(super) is_tight: bool,
}

/// How many queries that do not stop may be left to themselves, for each core.
const MOST_LOST_A_CORE: usize = 32;
/// Lanes for tables that are read beside the calls.
const BESIDE: usize = 2;
/// So many lanes are made before they are wanted, where there is room for no more.
const AHEAD: usize = 16;

impl Room {
    /// For so many calls at once, or as many as there is room for.
    pub(super) fn of(concurrency: usize) -> Room {
        Room::within(threads().saturating_sub(SPARE_THREADS), concurrency, cores())
    }

    fn within(threads: usize, concurrency: usize, cores: usize) -> Room {
        let lost = MOST_LOST_A_CORE * cores;
        let wanted = concurrency + lost + BESIDE;
        // One of each reads and writes files.
        let lanes = |workers: usize| threads / (workers + 1);
        // Lanes with fewer threads are better than few lanes.
        let some = wanted.min(2 * cores);
        let workers = (1..=cores).rev().find(|workers| lanes(*workers) >= some).unwrap_or(1);
        let lanes = lanes(workers).min(wanted).max(1);
        if lanes == wanted {
            return Room { lanes, workers, turns: concurrency, lost, is_tight: false };
        }
        Room { lanes, workers, turns: concurrency, lost, is_tight: lanes <= AHEAD }.with(lanes)
    }

    /// The same with fewer lanes: a third of them is for queries that do not stop.
    pub(super) fn with(self, lanes: usize) -> Room {
        let turns = (lanes - lanes / 3).min(self.turns).max(1);
        Room { lanes, turns, lost: lanes.saturating_sub(turns).clamp(1, self.lost), ..self }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get())
}

/// How many threads with a stack of [`STACK_SIZE`] the process may start beside those that it has.
#[cfg(target_os = "linux")]
fn threads() -> usize {
    [linux::of_user(), linux::of_groups(), linux::of_address_space(STACK_SIZE)]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(usize::MAX)
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
fn threads() -> usize {
    usize::MAX
}

/// How many bytes of its address space the process may still take; nothing where it may take all.
#[cfg(target_os = "linux")]
pub(in crate::engine) fn address_space() -> Option<u64> {
    linux::left()
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
pub(in crate::engine) fn address_space() -> Option<u64> {
    None
}

/// How many threads the runtime that serves may have: as many as there are cores, or a quarter of what there is room
/// for.
pub(super) fn serving() -> usize {
    cores().min(threads() / 4).max(1)
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Resource, getrlimit, getuid};
    use std::path::{Path, PathBuf};

    /// How much of the address space stacks may take: the rest is for rows.
    const SHARE_OF_STACKS: u64 = 2;

    fn read(path: impl AsRef<Path>) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    fn number(path: impl AsRef<Path>) -> Option<usize> {
        read(path)?.trim().parse().ok()
    }

    /// Who may have so many threads has room enough, and to count those of all processes takes a while.
    const PLENTY: usize = 1 << 14;

    /// What `ulimit -u` leaves. It counts the threads of all the processes of a user, and holds for all but root.
    pub(super) fn of_user() -> Option<usize> {
        let most = usize::try_from(getrlimit(Resource::Nproc).current?).ok()?;
        let user = getuid();
        if user.is_root() || most > PLENTY {
            return None;
        }
        Some(most.saturating_sub(threads_of(user.as_raw())))
    }

    /// The threads of a user's processes, as far as they can be seen.
    fn threads_of(user: u32) -> usize {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        let folders = processes.filter(|entry| entry.file_name().to_str().is_some_and(is_process));
        folders.filter_map(|entry| threads_of_process(&read(entry.path().join("status"))?, user)).sum()
    }

    /// The threads of a process, by its `status`; none where it is somebody else's.
    pub(super) fn threads_of_process(status: &str, user: u32) -> Option<usize> {
        let value = |key: &str| status.lines().find_map(|line| line.strip_prefix(key));
        // Real, effective, saved and of the file system: the limit counts the first.
        let owner: u32 = value("Uid:")?.split_whitespace().next()?.parse().ok()?;
        (owner == user).then(|| value("Threads:")?.trim().parse().ok())?
    }

    /// What the control groups leave that the process is in, which containers set (`pids.max`).
    pub(super) fn of_groups() -> Option<usize> {
        let groups = read("/proc/self/cgroup")?;
        groups.lines().filter_map(|line| of_group(&folder(line)?)).min()
    }

    /// The folder of a group, by a line of `/proc/self/cgroup`.
    pub(super) fn folder(line: &str) -> Option<PathBuf> {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            _ if controllers.split(',').any(|one| one == "pids") => "/sys/fs/cgroup/pids",
            _ => return None,
        };
        Some(Path::new(root).join(path.trim_start_matches('/')))
    }

    /// What a group and those around it leave.
    fn of_group(folder: &Path) -> Option<usize> {
        let left = |folder: &Path| {
            let most = number(folder.join("pids.max"))?;
            Some(most.saturating_sub(number(folder.join("pids.current"))?))
        };
        folder.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup")).filter_map(left).min()
    }

    /// What `ulimit -v` leaves of the address space, in bytes.
    pub(super) fn left() -> Option<u64> {
        let most = getrlimit(Resource::As).current?;
        let status = read("/proc/self/status")?;
        let taken = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
        let kib: u64 = taken.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(most.saturating_sub(kib.saturating_mul(1024)))
    }

    /// How many stacks find room in what `ulimit -v` leaves.
    pub(super) fn of_address_space(stack: usize) -> Option<usize> {
        usize::try_from(left()? / SHARE_OF_STACKS / stack as u64).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_lanes_as_there_is_room_for() {
        let within = |threads| {
            let Room { lanes, workers, turns, lost, .. } = Room::within(threads, 16, 4);
            (lanes, workers, turns, lost)
        };
        assert_eq!(within(usize::MAX), (146, 4, 16, 128));
        assert_eq!(within(730), (146, 4, 16, 128));
        assert_eq!(within(100), (20, 4, 14, 6));
        assert_eq!(within(39), (9, 3, 6, 3));
        assert_eq!(within(16), (8, 1, 6, 2));
        assert_eq!(within(8), (4, 1, 3, 1));
        assert_eq!(within(4), (2, 1, 2, 1));
        assert_eq!(within(2), (1, 1, 1, 1));
        assert!(Room::within(39, 16, 4).is_tight && !Room::within(100, 16, 4).is_tight);
        // That there is not even one is told when it is wanted.
        assert_eq!(within(0), (1, 1, 1, 1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_system_tells_is_read() {
        let status = "Name:\tqtool\nUid:\t1000\t0\t0\t0\nThreads:\t12\n";
        assert_eq!(linux::threads_of_process(status, 1000), Some(12));
        assert_eq!(linux::threads_of_process(status, 0), None);
        assert_eq!(linux::threads_of_process("Name:\tqtool\n", 0), None);
        let folder = |line| linux::folder(line).map(|folder| folder.to_string_lossy().into_owned());
        assert_eq!(folder("0::/user.slice/a:b"), Some("/sys/fs/cgroup/user.slice/a:b".to_owned()));
        assert_eq!(folder("5:cpu,pids:/docker/1"), Some("/sys/fs/cgroup/pids/docker/1".to_owned()));
        assert_eq!(folder("4:memory:/docker/1"), None);
        assert!(threads() > 0);
    }
}
