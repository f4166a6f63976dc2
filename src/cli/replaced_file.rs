//! Files that somebody else has written, and that are replaced: whole, with the permissions that they have.

use crate::load::io_reason;
use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::path::Path;

/// Why a file is not replaced that has no longer the text that was read.
pub(super) const CHANGED: &str = "it has changed in the meantime";

/// Replaces a file that may be written; the error says why it was not.
pub(super) fn replace_file(target: &Path, text: &str) -> Result<(), String> {
    let reason = |error: std::io::Error| io_reason(&error);
    let permissions = std::fs::metadata(target).map_err(reason)?.permissions();
    if permissions.readonly() {
        return Err("it is read-only".to_owned());
    }
    replace(target, text, permissions).map_err(reason)
}

/// Writes beside the file and renames, so that it is never half there. Files of clients hold tokens: nobody else may read
/// the one beside it either.
fn replace(target: &Path, text: &str, permissions: Permissions) -> std::io::Result<()> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    let moved = written
        .and_then(|()| std::fs::set_permissions(&beside, permissions))
        .and_then(|()| std::fs::rename(&beside, target));
    if moved.is_err() {
        // The error to tell is the first one.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}
