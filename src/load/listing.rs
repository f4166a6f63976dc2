//! The files below a folder of the project: each is read, or there is a reason that it is not.

use super::files::{Entry, Files, Folder};
use super::{io_reason, slashed};
use crate::diagnostic::{Diagnostics, codes};
use std::path::{Path, PathBuf};

/// Deep enough for any grouping.
const MAX_DEPTH: usize = 16;
/// What the names of files end in that are read, and of their like.
const ENDINGS: [&str; 4] = [".sql", ".yaml", ".yml", ".md"];

/// A file, or what stands in the place of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// Its path below the project's folder, with `/`.
    pub(super) shown: String,
    /// Its path below the listed folder, with `/`.
    pub(super) below: String,
    /// Where it is, below the project's folder.
    pub(super) path: PathBuf,
}

impl Found {
    /// The path below the listed folder without an ending; `None` where it does not end so.
    pub(super) fn stem(&self, ending: &str) -> Option<&str> {
        self.below.strip_suffix(ending).filter(|stem| !stem.is_empty() && !stem.ends_with('/'))
    }

    /// Whether it is hidden, as files of editors and systems are.
    pub(super) fn is_hidden(&self) -> bool {
        self.below.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
    }

    /// Its path below the project with another name at the end.
    pub(super) fn renamed(&self, below: &str) -> String {
        let folder = self.shown.strip_suffix(self.below.as_str()).unwrap_or_default();
        format!("{folder}{below}")
    }
}

/// All files below a folder, sorted by path, those that are hidden too. Hidden folders are left out; a folder that cannot
/// be read is reported, for nobody knows what is in it.
pub(super) fn list(files: &dyn Files, folder: &str, sink: &mut Diagnostics) -> Vec<Found> {
    let mut listing = Listing { files, root: Path::new(folder), found: Vec::new(), sink };
    listing.folder(Path::new(folder), &mut Vec::new());
    let mut found = listing.found;
    found.sort();
    found
}

struct Listing<'a> {
    files: &'a dyn Files,
    root: &'a Path,
    found: Vec<Found>,
    sink: &'a mut Diagnostics,
}

impl Listing<'_> {
    /// Lists a folder. `above` are the identities of those that lead to it.
    fn folder(&mut self, path: &Path, above: &mut Vec<PathBuf>) {
        let Folder { identity, entries } = match self.files.list(path) {
            Ok(Some(folder)) => folder,
            Ok(None) => return,
            Err(error) => return self.refuse(path, &io_reason(&error)),
        };
        if above.contains(&identity) {
            return self.refuse(path, "the folder leads back to one that it lies in");
        }
        if above.len() > MAX_DEPTH {
            return self.refuse(path, &format!("the folder lies more than {MAX_DEPTH} folders deep"));
        }
        above.push(identity);
        for Entry { name, is_folder } in entries {
            let path = path.join(&name);
            let name = name.to_string_lossy();
            match is_folder {
                true if name.starts_with('.') => {}
                true => {
                    // A folder in the place of a file keeps what it was to say from being read.
                    let name = name.to_lowercase();
                    if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
                        self.file(path.clone());
                    }
                    self.folder(&path, above);
                }
                false => self.file(path),
            }
        }
        above.pop();
    }

    fn file(&mut self, path: PathBuf) {
        let shown = slashed(&path);
        let below = slashed(path.strip_prefix(self.root).unwrap_or(&path));
        self.found.push(Found { shown, below, path });
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        self.sink.push(codes::unreadable_file(None, &slashed(path), why));
    }
}
