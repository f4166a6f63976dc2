//! The files below a folder of the project: each is read, or there is a reason that it is not.

use super::{io_reason, slashed};
use crate::diagnostic::{Diagnostics, codes};
use std::fs::DirEntry;
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
    /// Where it is.
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

/// All files below `dir/folder`, sorted by path, those that are hidden too. Hidden folders are left out; a folder that
/// cannot be read is reported, for nobody knows what is in it.
pub(super) fn list(dir: &Path, folder: &str, sink: &mut Diagnostics) -> Vec<Found> {
    let mut listing = Listing { dir, root: dir.join(folder), found: Vec::new(), sink };
    let root = listing.root.clone();
    if std::fs::symlink_metadata(&root).is_ok() {
        listing.folder(&root, &mut Vec::new());
    }
    let mut found = listing.found;
    found.sort();
    found
}

struct Listing<'a> {
    dir: &'a Path,
    root: PathBuf,
    found: Vec<Found>,
    sink: &'a mut Diagnostics,
}

impl Listing<'_> {
    /// Lists a folder. `above` are those that lead to it, without links.
    fn folder(&mut self, path: &Path, above: &mut Vec<PathBuf>) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if above.contains(&real) {
            return self.refuse(path, "the folder leads back to one that it lies in");
        }
        if above.len() > MAX_DEPTH {
            return self.refuse(path, &format!("the folder lies more than {MAX_DEPTH} folders deep"));
        }
        let entries = match std::fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<DirEntry>>>) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(path, &io_reason(&error)),
        };
        above.push(real);
        for entry in entries {
            let (path, hidden) = (entry.path(), entry.file_name().to_string_lossy().starts_with('.'));
            match path.is_dir() {
                true if hidden => {}
                true => {
                    // A folder in the place of a file keeps what it was to say from being read.
                    let name = entry.file_name().to_string_lossy().to_lowercase();
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
        let shown = slashed(path.strip_prefix(self.dir).unwrap_or(&path));
        let below = slashed(path.strip_prefix(&self.root).unwrap_or(&path));
        self.found.push(Found { shown, below, path });
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        let shown = slashed(path.strip_prefix(self.dir).unwrap_or(path));
        self.sink.push(codes::unreadable_file(None, &shown, why));
    }
}
