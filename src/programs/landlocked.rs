//! Files and folders as Landlock holds a program to them, with its signals and connections.

use super::readable::{DEVICES, FACTS, LISTED, SYSTEM, VERSIONED};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::path::{Path, PathBuf};

/// The newest version whose rights were looked at. An older kernel holds to those that it knows.
const NEWEST: ABI = ABI::V10;

/// What a program may.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// What may be read and executed.
    pub(super) executed: Vec<PathBuf>,
    /// What may be read.
    pub(super) reads: Vec<PathBuf>,
    /// What may be changed.
    pub(super) writes: Vec<PathBuf>,
    /// Whether the internet protocols may be used.
    pub(super) network: bool,
}

/// Holds this thread, and what it becomes, to what is allowed. Gives the version of Landlock, which is 0 where there is
/// none.
///
/// Errors: the kernel refuses it.
pub(super) fn restricted(allowed: &Allowed) -> Result<i32, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    if !allowed.network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let status = with_paths(rules.create()?, allowed)?.restrict_self()?;
    Ok(match status.landlock {
        LandlockStatus::Available { effective_abi, kernel_abi } => kernel_abi.unwrap_or(effective_abi as i32),
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
    })
}

fn with_paths(mut rules: RulesetCreated, allowed: &Allowed) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let change = changes();
    for path in SYSTEM {
        rules = with_path(rules, Path::new(path), read | AccessFs::Execute)?;
    }
    for path in &allowed.executed {
        rules = with_path(rules, path, read | AccessFs::Execute)?;
    }
    for path in FACTS {
        rules = with_path(rules, Path::new(path), read)?;
    }
    for path in LISTED {
        rules = with_path(rules, Path::new(path), AccessFs::ReadDir.into())?;
    }
    for path in versioned() {
        rules = with_path(rules, &path, read)?;
    }
    for path in &allowed.reads {
        rules = with_path(rules, path, read)?;
    }
    for path in DEVICES {
        rules = with_path(rules, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    for path in &allowed.writes {
        rules = with_path(rules, path, change)?;
    }
    Ok(rules)
}

/// Everything but to execute, to make devices and sockets, and to ask devices.
fn changes() -> BitFlags<AccessFs> {
    AccessFs::ReadFile
        | AccessFs::ReadDir
        | AccessFs::WriteFile
        | AccessFs::RemoveDir
        | AccessFs::RemoveFile
        | AccessFs::MakeDir
        | AccessFs::MakeReg
        | AccessFs::MakeFifo
        | AccessFs::MakeSym
        | AccessFs::Refer
        | AccessFs::Truncate
}

fn with_path(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    let is_folder = path.metadata().is_ok_and(|facts| facts.is_dir());
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(place, access))
}

#[allow(clippy::disallowed_methods)]
fn versioned() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir("/etc") else { return found };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if VERSIONED.iter().any(|start| name.starts_with(start)) {
            found.push(entry.path());
        }
    }
    found
}
