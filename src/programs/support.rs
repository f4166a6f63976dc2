//! What this kernel offers to confine programs with.

use std::fmt;
use std::sync::OnceLock;

/// What the kernel offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// The version of Landlock, which is 0 where there is none.
    pub landlock: i32,
    /// Whether system calls can be filtered.
    pub seccomp: bool,
}

impl Support {
    /// Whether a program that may run in a sandbox only runs.
    pub fn is_enough(&self) -> bool {
        self.landlock > 0 && self.seccomp
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.landlock, self.seccomp) {
            (0, false) => f.write_str("no sandbox"),
            (0, true) => f.write_str("seccomp, no Landlock"),
            (abi, true) => write!(f, "Landlock {abi}, seccomp"),
            (abi, false) => write!(f, "Landlock {abi}, no seccomp"),
        }
    }
}

/// What this kernel offers. It is asked once.
pub fn sandbox() -> Support {
    static SUPPORT: OnceLock<Support> = OnceLock::new();
    *SUPPORT.get_or_init(asked)
}

/// Both hold for a thread: one that ends at once is confined, and tells what came of it.
#[cfg(target_os = "linux")]
fn asked() -> Support {
    let asking = std::thread::Builder::new().spawn(|| Support {
        landlock: super::landlocked::restricted(&super::landlocked::Allowed::default()).unwrap_or_default(),
        seccomp: super::filter::apply(&super::filter::Kept { network: false, landlock: 0, group: 0 }).is_ok(),
    });
    asking.ok().and_then(|thread| thread.join().ok()).unwrap_or(Support { landlock: 0, seccomp: false })
}

#[cfg(not(target_os = "linux"))]
fn asked() -> Support {
    Support { landlock: 0, seccomp: false }
}
