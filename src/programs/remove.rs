//! Removes a folder that a program could write in, whatever it has left there: folders that nobody may read, or that
//! lie deeper within each other than any path is long.

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags};
use rustix::io::{Errno, Result};
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// Removes a folder with what lies in it. No link is followed.
///
/// Errors: something in it belongs to another user, or the system refuses it.
pub(super) fn remove_folder(path: &Path) -> Result<()> {
    let folder = opened(&CWD, path)?;
    let mut moved = Moved { folder: &folder, count: 0 };
    // What lies deeper is moved up to the top, folder by folder, so that nothing ever lies deeper than two.
    while emptied(&folder, &mut moved)? {}
    rustix::fs::unlinkat(CWD, path, AtFlags::REMOVEDIR)
}

/// Where folders are moved to.
struct Moved<'a> {
    folder: &'a OwnedFd,
    count: u64,
}

/// Removes what lies in the top folder, and says whether there was a folder among it: more may have come from there.
fn emptied(top: &OwnedFd, moved: &mut Moved<'_>) -> Result<bool> {
    let mut had_folder = false;
    for name in names(top)? {
        if removed(top, &name)? {
            continue;
        }
        had_folder = true;
        let within = opened(top, name.as_c_str())?;
        for inner in names(&within)? {
            if !removed(&within, &inner)? {
                move_up(&within, &inner, moved)?;
            }
        }
        rustix::fs::unlinkat(top, name.as_c_str(), AtFlags::REMOVEDIR)?;
    }
    Ok(had_folder)
}

/// Removes a file or an empty folder; false where it is a folder that is not empty.
fn removed(folder: &OwnedFd, name: &CStr) -> Result<bool> {
    match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error),
    }
    match rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(error) => Err(error),
    }
}

fn move_up(folder: &OwnedFd, name: &CStr, moved: &mut Moved<'_>) -> Result<()> {
    // A folder that may not be changed cannot be moved: what it lies in is written in it.
    drop(opened(folder, name)?);
    loop {
        moved.count += 1;
        let new = format!(".moved-{}", moved.count);
        match rustix::fs::renameat(folder, name, moved.folder, new.as_str()) {
            // Something of that name is there.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
            done => return done,
        }
    }
}

/// Opens a folder, and makes it one that its owner may do everything in.
fn opened<P: rustix::path::Arg + Copy>(folder: &impl AsFd, name: P) -> Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::openat(folder, name, OFlags::RDONLY | flags, Mode::empty()) {
        Ok(opened) => {
            let _ = rustix::fs::fchmod(&opened, Mode::RWXU);
            Ok(opened)
        }
        Err(Errno::ACCESS) => {
            rustix::fs::chmodat(folder, name, Mode::RWXU, no_link())?;
            rustix::fs::openat(folder, name, OFlags::RDONLY | flags, Mode::empty())
        }
        Err(error) => Err(error),
    }
}

/// Linux has had no such flag for long. What is removed has no program any more that could put a link there.
fn no_link() -> AtFlags {
    if cfg!(target_os = "linux") { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW }
}

fn names(folder: &OwnedFd) -> Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
