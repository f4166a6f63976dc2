//! Files as they lie in a folder.

use super::files::{Entry, FileError, Files, Folder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The environment that was chosen for this process.
static ENVIRONMENT: OnceLock<String> = OnceLock::new();

/// Chooses the environment whose overrides hold in every project that this process loads. The first choice holds.
pub fn choose_environment(name: &str) {
    // Nobody chooses twice.
    let _ = ENVIRONMENT.set(name.to_owned());
}

/// The environment that was chosen.
pub fn chosen_environment() -> Option<&'static str> {
    ENVIRONMENT.get().map(String::as_str)
}

/// The files in a folder of this machine.
#[derive(Debug, Clone)]
pub struct Disk {
    dir: PathBuf,
}

impl Disk {
    /// The files of the project in that folder.
    pub fn new(dir: impl Into<PathBuf>) -> Disk {
        Disk { dir: dir.into() }
    }
}

impl Files for Disk {
    fn list(&self, folder: &Path) -> io::Result<Option<Folder>> {
        let path = self.dir.join(folder);
        // A link that leads nowhere is there.
        if std::fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let entry = |entry: io::Result<std::fs::DirEntry>| {
            let entry = entry?;
            Ok(Entry { name: entry.file_name(), is_folder: entry.path().is_dir() })
        };
        let entries = std::fs::read_dir(&path)?.map(entry).collect::<io::Result<_>>()?;
        let identity = path.canonicalize().unwrap_or(path);
        Ok(Some(Folder { identity, entries }))
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        let path = self.dir.join(path);
        match std::fs::metadata(&path) {
            Ok(found) if !found.is_file() => Err(FileError::NotAFile),
            Ok(found) if found.len() > most => Err(FileError::TooLarge),
            _ => std::fs::read(&path).map_err(FileError::Unreadable),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn environment(&self) -> Option<String> {
        chosen_environment().map(str::to_owned)
    }
}
