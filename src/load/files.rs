//! Where a project's files are read from. Loading knows this trait and nothing of the file system, so that a text which
//! nobody has saved is loaded as one that lies on a disk.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A project's files. All paths are relative to the project's folder, which is the empty path itself.
pub trait Files: Send + Sync {
    /// What lies in a folder, in no order; `None` where there is no such folder.
    ///
    /// Errors: it cannot be listed, or is none.
    fn list(&self, folder: &Path) -> io::Result<Option<Folder>>;

    /// The bytes of a file of `most` bytes at the most.
    ///
    /// Errors: it cannot be read; a larger one is not.
    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError>;

    /// The value of a variable of the environment.
    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    /// The environment whose overrides hold.
    fn environment(&self) -> Option<String> {
        None
    }
}

/// What lies in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// What all paths have in common that lead to this folder.
    pub identity: PathBuf,
    /// The files and folders in it.
    pub entries: Vec<Entry>,
}

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name.
    pub name: OsString,
    /// Whether it is a folder, or a link to one.
    pub is_folder: bool,
}

/// Why a file is not read.
#[derive(Debug)]
pub enum FileError {
    /// It is a folder, a device, a pipe.
    NotAFile,
    /// It is larger than asked for.
    TooLarge,
    /// It cannot be read.
    Unreadable(io::Error),
}
