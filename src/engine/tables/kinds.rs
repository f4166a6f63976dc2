//! What lies in the place of a file and is none: a pipe or a device, which may never come to an end, and a link to
//! nowhere.

use super::selection::{Selection, is_hidden};
use super::whole::Damaged;
use object_store::Result;
use object_store::path::Path as Location;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;

/// How deep folders are looked through, and at how many entries. Links can make them endless; what is not looked at here is
/// left out by the listing all the same.
const DEEPEST: usize = 16;
const MOST_ENTRIES: usize = 1 << 16;

/// Checks that a path is one of a file or a folder, links followed. What is not there is refused where it is opened, with a
/// better reason.
pub(super) fn check(location: &Location, path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => check_kind(location, metadata.file_type()),
        Err(_) => Ok(()),
    }
}

fn check_kind(location: &Location, kind: FileType) -> Result<()> {
    if kind.is_file() || kind.is_dir() {
        Ok(())
    } else {
        Err(Damaged::error(location, "it is a pipe or a device, and no file"))
    }
}

/// Checks that whatever has the name of a selected file below a folder is one. A listing leaves out all else in silence.
pub(super) fn check_folder(selection: &Selection, folder: &Path, location: &Location) -> Result<()> {
    Walk { selection, entries: 0 }.folder(folder, location.as_ref(), 0)
}

struct Walk<'a> {
    selection: &'a Selection,
    entries: usize,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, location: &str, depth: usize) -> Result<()> {
        // What cannot be listed is told by the listing.
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Ok(());
            }
            let name = entry.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else { continue };
            if kind.is_file() || is_hidden(name) {
                continue;
            }
            let below = if location.is_empty() { name.to_owned() } else { format!("{location}/{name}") };
            let Ok(place) = Location::parse(&below) else { continue };
            match fs::metadata(entry.path()) {
                Ok(metadata) if metadata.is_dir() && depth < DEEPEST => {
                    self.folder(&entry.path(), &below, depth + 1)?;
                }
                Ok(metadata) if self.selection.takes(&place) => check_kind(&place, metadata.file_type())?,
                Err(error) if is_missing(&error) && kind.is_symlink() && self.selection.takes(&place) => {
                    return Err(Damaged::error(&place, "it is a link to nowhere"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
