//! What is asked of a disk so that a file is there whole or not at all, and stays: each step apart, so that a test sees them in order.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The steps of a durable write.
pub trait Disk {
    /// Makes a file with these bytes.
    ///
    /// Errors: it cannot be made, or there is no room.
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()>;
    /// Adds bytes to a file, and makes it where there is none.
    ///
    /// Errors: it cannot be opened, or there is no room.
    fn append(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()>;
    /// Waits until the bytes of a file are where nothing takes them away.
    ///
    /// Errors: the disk fails.
    fn sync(&self, path: &Path) -> std::io::Result<()>;
    /// Puts one file in the place of another.
    ///
    /// Errors: it cannot be done; then the other is as it was.
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()>;
    /// Waits until the names of a folder are where nothing takes them away.
    ///
    /// Errors: the disk fails.
    fn sync_folder(&self, folder: &Path) -> std::io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnDisk;

impl Disk for OwnDisk {
    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
    }

    fn sync(&self, path: &Path) -> std::io::Result<()> {
        // What was written by another handle is of the file all the same.
        OpenOptions::new().append(true).open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        std::fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> std::io::Result<()> {
        match cfg!(unix) {
            true => File::open(folder)?.sync_all(),
            // There, a folder is no file.
            false => Ok(()),
        }
    }
}
