//! The folder that each call of a program has of its own. All of those of a server lie in one, which tells by a lock
//! whether the server still runs.

use super::remove::remove_folder;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What the names of such folders begin with.
const NAME: &str = "qtool-programs-";

/// One that is younger may be one that is not locked yet.
const YOUNG: Duration = Duration::from_secs(2);

/// The folder of a server.
struct Home {
    path: PathBuf,
    /// Held as long as the server runs.
    _lock: File,
}

static HOME: Mutex<Option<Home>> = Mutex::new(None);

/// The folder of a call. It is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new one, which is empty.
    ///
    /// Errors: the folder for temporary files cannot be written in.
    pub(super) fn new() -> io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let path = home()?.join(COUNT.fetch_add(1, Ordering::Relaxed).to_string());
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Scratch { path })
    }

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left is removed when a server starts the next time.
        let _ = remove_folder(&self.path);
    }
}

/// The folder of this server, which is made where it is not there. What servers have left that run no more is removed
/// then.
///
/// Errors: the folder for temporary files cannot be written in.
pub(super) fn home() -> io::Result<PathBuf> {
    let mut home = HOME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(home) = home.as_ref().filter(|home| home.path.is_dir()) {
        return Ok(home.path.clone());
    }
    let base = std::env::temp_dir().canonicalize()?;
    remove_left(&base);
    let made = tempfile::Builder::new().prefix(NAME).tempdir_in(&base)?.keep();
    let lock = File::open(&made)?;
    lock.lock()?;
    *home = Some(Home { path: made.clone(), _lock: lock });
    Ok(made)
}

/// Removes the folder of a server that runs no more.
pub(super) fn remove_home(path: &Path) {
    if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME)) {
        // It is tried again when a server starts the next time.
        let _ = remove_folder(path);
    }
}

fn remove_left(base: &Path) {
    let Ok(entries) = base.read_dir() else { return };
    let us = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(NAME);
        let is_ours = || entry.metadata().is_ok_and(|facts| facts.is_dir() && facts.uid() == us);
        if is_one && is_ours() && is_left(&entry.path()) {
            remove_home(&entry.path());
        }
    }
}

#[allow(clippy::disallowed_methods)]
fn is_left(path: &Path) -> bool {
    let is_old = |made: SystemTime| made.elapsed().is_ok_and(|age| age > YOUNG);
    let is_old = path.metadata().and_then(|facts| facts.modified()).is_ok_and(is_old);
    is_old && File::open(path).is_ok_and(|folder| folder.try_lock().is_ok())
}
