//! One writer at a time: the lock of a folder of records, which Folio takes too.
//!
//! Folio removes the file when it is done. So a lock may be one of a file that is no longer there: it counts for nothing, and is taken
//! anew.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long is waited between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    _file: File,
}

/// Takes the lock, and waits for others until then; `None` where they take longer.
///
/// Errors: the file cannot be opened, or there are no locks there.
pub(super) fn take(path: &Path, until: Instant) -> std::io::Result<Option<Held>> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) if is_still_there(&file, path) => return Ok(Some(Held { _file: file })),
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata().map(|own| (own.dev(), own.ino()));
    let there = std::fs::metadata(path).map(|there| (there.dev(), there.ino()));
    matches!((own, there), (Ok(own), Ok(there)) if own == there)
}

#[cfg(not(unix))]
fn is_still_there(_file: &File, path: &Path) -> bool {
    // A file that is open is not removed there.
    path.exists()
}
