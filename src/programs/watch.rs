//! What a program takes of the machine with all that it has started, looked at from time to time.

use super::ended::Limit;
use super::launch::ProcessLimits;
use rustix::process::Pid;
use std::time::{Duration, Instant};

/// When it is first looked at.
const FIRST: Duration = Duration::from_millis(12);

/// How long until it is looked at again, and how long where it is near what it may.
const CALM: Duration = Duration::from_millis(100);
const NEAR: Duration = Duration::from_millis(15);

/// Threads, for each process that there may be.
#[cfg(target_os = "linux")]
const THREADS: u64 = 8;

/// Looks at a program.
#[derive(Debug)]
pub(super) struct Watch {
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    group: Pid,
    limits: ProcessLimits,
    next: Option<Instant>,
    #[cfg(target_os = "linux")]
    spent: super::spent::Spent,
}

impl Watch {
    /// Looks at the processes of a group, which is a session too. Where nothing is limited, it never looks.
    pub(super) fn new(group: Pid, limits: ProcessLimits) -> Watch {
        let is_limited = limits.cpu.is_some() || limits.memory.is_some() || limits.processes.is_some();
        Watch {
            group,
            limits,
            next: (is_limited && cfg!(target_os = "linux")).then(|| Instant::now() + FIRST),
            #[cfg(target_os = "linux")]
            spent: super::spent::Spent::new(),
        }
    }

    /// What there may be.
    pub(super) fn limits(&self) -> ProcessLimits {
        self.limits
    }

    /// When it is looked at next.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Looks where it is time to. Gives what there is too much of.
    pub(super) fn look(&mut self, now: Instant) -> Option<Limit> {
        if self.next.is_none_or(|next| next > now) {
            return None;
        }
        let (over, is_near) = self.over();
        self.next = Some(now + if is_near { NEAR } else { CALM });
        over
    }

    #[cfg(not(target_os = "linux"))]
    fn over(&mut self) -> (Option<Limit>, bool) {
        (None, false)
    }

    #[cfg(target_os = "linux")]
    fn over(&mut self) -> (Option<Limit>, bool) {
        let seen = self.seen();
        let limits = self.limits;
        let threads = seen.iter().map(|process| process.threads).sum::<u64>();
        let processes = limits.processes.map(|most| {
            let count = u64::try_from(seen.len()).unwrap_or(u64::MAX);
            (count.max(threads / THREADS), most)
        });
        let memory = limits.memory.map(|most| (super::memory::held(&seen, most), most));
        let cpu = limits.cpu.map(|most| (self.spent.until_now(&seen), most));
        let is_near = processes.is_some_and(|(taken, most)| taken > most / 2)
            || memory.is_some_and(|(taken, most)| taken > most / 2)
            || cpu.is_some_and(|(taken, most)| taken > most / 2);
        let over = if processes.is_some_and(|(taken, most)| taken > most) {
            Some(Limit::Processes)
        } else if memory.is_some_and(|(taken, most)| taken > most) {
            Some(Limit::Memory)
        } else if cpu.is_some_and(|(taken, most)| taken > most) {
            Some(Limit::Cpu)
        } else {
            None
        };
        (over, is_near)
    }

    /// Those that have ended and are children of this process now are waited for: nobody else does.
    #[cfg(target_os = "linux")]
    fn seen(&mut self) -> Vec<super::descendants::Seen> {
        let first = self.group.as_raw_nonzero().get();
        let us = rustix::process::getpid().as_raw_nonzero().get();
        let mut seen = super::descendants::session(first);
        seen.retain(|process| {
            let is_ours = process.is_dead && process.parent == us && process.id != first;
            if is_ours && let Some(id) = Pid::from_raw(process.id) {
                // Another look may have done so already.
                if let Ok(Some(_)) = rustix::process::waitpid(Some(id), rustix::process::WaitOptions::NOHANG) {
                    self.spent.add_waited(process);
                }
            }
            !is_ours
        });
        seen
    }
}
