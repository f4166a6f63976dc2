//! What the files of a local table look like, so that a change shows without reading them.
//!
//! A file that is written within one tick of the file system's clock can change without a trace: a stamp that was taken
//! so soon after a change is not settled, and what is read under it is good for one call only. Git knows the problem as
//! "racy git". What is written through a memory map may show as late as the operating system writes it back.

use super::super::selection::Selection;
use object_store::path::Path as Location;
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How many files may belong to a table that has a stamp.
const MOST_FILES: usize = 64;
/// How many entries of folders are looked at to find them.
const MOST_ENTRIES: usize = 1024;
/// How many times more where the files are read anyway.
const MANY: usize = 64;
/// How deep they may lie. Links can make folders endless.
const DEEPEST: usize = 16;
/// How long ago the last change must be. File systems' clocks tick every few milliseconds.
const SETTLED_AFTER: Duration = Duration::from_millis(100);

/// Where the files of a local table are.
#[derive(Debug, Clone)]
pub(crate) struct LocalFiles {
    start: PathBuf,
    /// Which files below the folder; `None` for a table of one file.
    selection: Option<Selection>,
    /// What no file may lie out of, links followed. The paths are canonical.
    roots: Arc<[PathBuf]>,
    settled_after: Duration,
    /// The length of a file that is part of the executable, and never changes.
    embedded: Option<u64>,
}

/// What the files of a table look like. Equal stamps mean the same files with the same content.
#[derive(Debug, Clone)]
pub(crate) struct Stamp {
    files: Vec<FileStamp>,
    settled: bool,
    /// When the last of them changed; nanoseconds since 1970.
    last: Option<i128>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FileStamp {
    /// The path below the table's folder: folders name columns.
    name: PathBuf,
    /// The path with links followed.
    real: PathBuf,
    length: u64,
    /// Nanoseconds since 1970.
    modified: i128,
    /// When anything of the file changed, its modification time and its name too; nanoseconds since 1970.
    changed: i128,
    inode: u64,
    device: u64,
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Stamp) -> bool {
        self.files == other.files
    }
}

impl Stamp {
    /// Whether the last change is so long ago that another one would show.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Whether no file has changed for so long.
    pub(crate) fn is_quiet_for(&self, time: Duration) -> bool {
        let oldest = since_epoch(SystemTime::now()) - i128::try_from(time.as_nanos()).unwrap_or(i128::MAX);
        self.last.is_none_or(|last| last <= oldest)
    }

    /// Whether a file was written anew between this stamp and a later one: it changed and did not grow, or was empty. One
    /// that grows may be a log.
    pub(crate) fn is_rewritten_in(&self, later: &Stamp) -> bool {
        self.files.iter().any(|file| {
            let is_same = |other: &&FileStamp| other.name == file.name && other.inode == file.inode;
            let later = later.files.iter().find(is_same);
            later.is_some_and(|later| later != file && (later.length <= file.length || file.length == 0))
        })
    }

    /// All bytes of the files.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.length).sum()
    }
}

impl LocalFiles {
    /// The one file at a path. A link there is followed whenever the stamp is taken.
    pub(in crate::engine::tables) fn one(path: PathBuf, roots: Arc<[PathBuf]>) -> LocalFiles {
        LocalFiles { start: path, selection: None, roots, settled_after: SETTLED_AFTER, embedded: None }
    }

    /// The selected files below a folder.
    pub(in crate::engine::tables) fn folder(path: PathBuf, selection: Selection, roots: Arc<[PathBuf]>) -> LocalFiles {
        LocalFiles { start: path, selection: Some(selection), roots, settled_after: SETTLED_AFTER, embedded: None }
    }

    /// A file that is part of the executable.
    pub(in crate::engine::tables) fn embedded(length: u64) -> LocalFiles {
        LocalFiles {
            start: PathBuf::new(),
            selection: None,
            roots: Arc::new([]),
            settled_after: SETTLED_AFTER,
            embedded: Some(length),
        }
    }

    #[cfg(test)]
    pub(super) fn settled_after(self, age: Duration) -> LocalFiles {
        LocalFiles { settled_after: age, ..self }
    }

    /// Whether the table is one file.
    pub(crate) fn is_single(&self) -> bool {
        self.selection.is_none()
    }

    /// What the files look like now; `None` where that cannot be told: one is missing or lies outside of the roots,
    /// there are too many.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.stamp_of(MOST_FILES, MOST_ENTRIES)
    }

    /// The same of more files: what is worth it only where they are read anyway.
    pub(crate) fn stamp_of_many(&self) -> Option<Stamp> {
        self.stamp_of(MOST_FILES * MANY, MOST_ENTRIES * MANY)
    }

    fn stamp_of(&self, most_files: usize, most_entries: usize) -> Option<Stamp> {
        if let Some(length) = self.embedded {
            let (name, real, inode, device) = (PathBuf::new(), PathBuf::new(), 0, 0);
            let file = FileStamp { name, real, length, modified: 0, changed: 0, inode, device };
            return Some(Stamp { files: vec![file], settled: true, last: None });
        }
        // Before the files are looked at: what changes meanwhile is not settled.
        let now = since_epoch(SystemTime::now());
        let mut files = Vec::new();
        match &self.selection {
            None => files.push(self.file(PathBuf::new(), self.start.canonicalize().ok()?)?),
            Some(selection) => {
                let real = self.start.canonicalize().ok()?;
                let mut walk = Walk { selection, local: self, files: &mut files, entries: 0, most_files, most_entries };
                walk.folder(&real, "", 0)?;
                files.sort_by(|a, b| a.name.cmp(&b.name));
            }
        }
        let last = files.iter().map(|file| file.changed.max(file.modified)).max();
        let oldest = now - i128::try_from(self.settled_after.as_nanos()).unwrap_or(i128::MAX);
        Some(Stamp { files, settled: last.is_none_or(|last| last <= oldest), last })
    }

    /// A file at a canonical path.
    fn file(&self, name: PathBuf, real: PathBuf) -> Option<FileStamp> {
        if !self.roots.iter().any(|root| real.starts_with(root)) {
            return None;
        }
        let metadata = fs::metadata(&real).ok().filter(Metadata::is_file)?;
        let (modified, changed, inode, device) = identity(&metadata)?;
        Some(FileStamp { name, real, length: metadata.len(), modified, changed, inode, device })
    }
}

/// What an open file looks like. Equal ones mean the same content, where the first was settled.
#[derive(Debug, Clone)]
pub(crate) struct OpenStamp {
    length: u64,
    /// Modification time, change time, inode and device.
    identity: (i128, i128, u64, u64),
    settled: bool,
}

impl PartialEq for OpenStamp {
    fn eq(&self, other: &OpenStamp) -> bool {
        (self.length, self.identity) == (other.length, other.identity)
    }
}

impl OpenStamp {
    /// What a file looks like now; `None` where that cannot be told.
    pub(crate) fn of(file: &File) -> Option<OpenStamp> {
        let now = since_epoch(SystemTime::now());
        let metadata = file.metadata().ok()?;
        let identity = identity(&metadata)?;
        let settled_after = i128::try_from(SETTLED_AFTER.as_nanos()).unwrap_or(i128::MAX);
        let settled = identity.0.max(identity.1) <= now - settled_after;
        Some(OpenStamp { length: metadata.len(), identity, settled })
    }

    /// Whether the last change is so long ago that another one would show.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled
    }

    /// A name for what it looks like; another one for what may still change without a trace.
    pub(crate) fn name(&self) -> String {
        let (modified, changed, inode, device) = self.identity;
        let settled = if self.settled { "" } else { "-new" };
        format!("{:x}-{modified:x}-{changed:x}-{inode:x}-{device:x}{settled}", self.length)
    }

    /// The length of the file.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

/// A search for the files of a table.
struct Walk<'a> {
    selection: &'a Selection,
    local: &'a LocalFiles,
    files: &'a mut Vec<FileStamp>,
    entries: usize,
    most_files: usize,
    most_entries: usize,
}

impl Walk<'_> {
    /// Looks through a folder at a canonical path; `below` is its path below the table's folder.
    fn folder(&mut self, real: &Path, below: &str, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        for entry in fs::read_dir(real).ok()? {
            let entry = entry.ok()?;
            self.entries += 1;
            if self.entries > self.most_entries {
                return None;
            }
            let name = entry.file_name();
            let name = name.to_str()?;
            let below = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            let kind = entry.file_type().ok()?;
            if is_hidden(name) {
                continue;
            }
            if kind.is_dir() {
                self.folder(&real.join(name), &below, depth + 1)?;
            } else if kind.is_symlink() {
                self.link(&real.join(name), &below, depth)?;
            } else if self.takes(&below)? {
                self.take(below, real.join(name))?;
            }
        }
        Some(())
    }

    fn link(&mut self, path: &Path, below: &str, depth: usize) -> Option<()> {
        // A link to nowhere belongs to no table.
        let Ok(real) = path.canonicalize() else { return Some(()) };
        if real.is_dir() {
            self.folder(&real, below, depth + 1)
        } else if self.takes(below)? {
            self.take(below.to_owned(), real)
        } else {
            Some(())
        }
    }

    fn takes(&self, below: &str) -> Option<bool> {
        let start = self.selection.start.as_ref();
        let path = if start.is_empty() { below.to_owned() } else { format!("{start}/{below}") };
        Some(self.selection.takes(&Location::parse(path).ok()?))
    }

    fn take(&mut self, below: String, real: PathBuf) -> Option<()> {
        if self.files.len() >= self.most_files {
            return None;
        }
        self.files.push(self.local.file(PathBuf::from(below), real)?);
        Some(())
    }
}

/// What a selection never takes, so that a folder of another program's notes is not walked.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || (name.starts_with('_') && !name.contains('='))
}

fn since_epoch(time: SystemTime) -> i128 {
    let nanos = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(before) => -nanos(before.duration()),
    }
}

/// Modification time, change time, inode and device.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(i128, i128, u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let modified = nanos(metadata.mtime(), metadata.mtime_nsec());
    let changed = nanos(metadata.ctime(), metadata.ctime_nsec());
    Some((modified, changed, metadata.ino(), metadata.dev()))
}

/// Modification time and creation time: a file put in the place of another one has a new one of those.
#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> Option<(i128, i128, u64, u64)> {
    let modified = since_epoch(metadata.modified().ok()?);
    Some((modified, metadata.created().map_or(modified, since_epoch), 0, 0))
}
