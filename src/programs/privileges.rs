//! What a launcher gives up before it becomes a program, and how much that program may take.

use super::launch::ProcessLimits;
use super::order::Order;
use rustix::io::{Errno, Result};
use rustix::process::{Resource, Rlimit};

/// How much a process may take of its own at once beyond the memory of all, which is looked at from time to time: a
/// program that takes more by and by is then ended with a better reason than that it got none.
const MEMORY_BESIDE: u64 = 256 << 20;

/// Threads and processes of the server's user, for each process that a program may have.
const TASKS: u64 = 64;

/// Those that there may be beside.
const TASKS_BESIDE: u64 = 4096;

/// How far programs step back behind the server they belong to.
const NICER: i32 = 10;

/// Leaves the session, the files and the standing of the server.
///
/// Errors: the server has gone, or the system refuses to let it go.
pub(super) fn apart(order: &Order) -> Result<()> {
    rustix::process::setsid()?;
    #[cfg(target_os = "linux")]
    {
        if order.is_tied {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        }
        // The first to go where memory is short; a kernel that has no such file goes by itself.
        let _ = write_adjustment();
    }
    // It may have gone before it was asked to tell.
    if rustix::process::getppid().is_none_or(|parent| parent.as_raw_nonzero().get() != order.parent) {
        return Err(Errno::SRCH);
    }
    // Calls of others, and whoever looks at what programs take, go first.
    let _ = rustix::process::nice(NICER);
    close_fds::set_fds_cloexec(3, &[]);
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    Ok(())
}

#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods)]
fn write_adjustment() -> std::io::Result<()> {
    std::fs::write("/proc/self/oom_score_adj", "800")
}

/// Sets how much each process may take.
///
/// Errors: the system refuses it.
pub(super) fn limited(limits: &ProcessLimits) -> Result<()> {
    limit(Resource::Core, 0, 0)?;
    #[cfg(target_os = "linux")]
    for none in [Resource::Nice, Resource::Rtprio, Resource::Msgqueue] {
        limit(none, 0, 0)?;
    }
    if let Some(cpu) = limits.cpu {
        let seconds = cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0);
        limit(Resource::Cpu, seconds, seconds + 1)?;
    }
    if let Some(size) = limits.file_size {
        limit(Resource::Fsize, size, size)?;
    }
    if let Some(processes) = limits.processes {
        let most = processes.saturating_mul(TASKS).saturating_add(TASKS_BESIDE);
        limit(Resource::Nproc, most, most)?;
    }
    if let Some(files) = limits.files {
        limit(Resource::Nofile, files, files)?;
    }
    if let Some(memory) = limits.memory {
        // Not the size of the address space: many runtimes keep much of it that they never use.
        let most = memory.saturating_add(memory / 2).saturating_add(MEMORY_BESIDE);
        limit(Resource::Data, most, most)?;
    }
    Ok(())
}

/// Nobody may raise what they were given themselves.
fn limit(resource: Resource, soft: u64, hard: u64) -> Result<()> {
    let most = rustix::process::getrlimit(resource).maximum;
    let hard = most.map_or(hard, |most| most.min(hard));
    rustix::process::setrlimit(resource, Rlimit { current: Some(soft.min(hard)), maximum: Some(hard) })
}

/// Gives up all capabilities, and those that executing a file could grant.
///
/// Errors: the system refuses it.
#[cfg(target_os = "linux")]
pub(super) fn given_up() -> Result<()> {
    use rustix::thread::{CapabilitySet, CapabilitySets};
    rustix::thread::set_no_new_privs(true)?;
    for bit in 0..u64::BITS {
        match rustix::thread::remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit)) {
            // The first that the kernel does not know.
            Err(Errno::INVAL) => break,
            // Without the capability to do so there is none to be had either.
            Err(Errno::PERM) | Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    let _ = rustix::thread::clear_ambient_capability_set();
    let none = CapabilitySet::empty();
    rustix::thread::set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
}
