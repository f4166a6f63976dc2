//! Files that are there whole or not at all: written under another name, and renamed.

use std::fs::File;
use std::io::Write;
use std::path::Path;

/// What stands between the name of a file and the number of the process that writes it.
const STAGED: &str = "tmp";

/// Writes a file so that it is there whole or not at all.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let beside = path.with_extension(format!("{STAGED}{}", std::process::id()));
    let mut file = File::create(&beside)?;
    // Where there are no locks, nothing is removed.
    let _ = file.try_lock();
    file.write_all(bytes)?;
    drop(file);
    std::fs::rename(&beside, path)
}

/// Whether a file at a path below a folder would lie elsewhere, behind a link: also where a part of the path is not there yet.
pub fn leads_out(folder: &Path, path: &Path) -> bool {
    let whole = folder.join(path);
    let parent = whole.ancestors().skip(1).find_map(|parent| parent.canonicalize().ok());
    match folder.canonicalize() {
        Ok(folder) => !parent.is_some_and(|parent| parent.starts_with(folder)),
        // In a folder that is to be made there are no links.
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Removes what processes have left that were killed while they wrote a file: those beside it whose names begin so, and
/// go on with the number of a process. One that is being written is locked, and stays.
pub fn remove_left_over(path: &Path, begins: &str) {
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(begins));
        let is_staged =
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
        if is_staged && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // Who may not remove it leaves it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_out() {
        let (project, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(project.path().join("queries")).unwrap();
        std::os::unix::fs::symlink(other.path(), project.path().join("queries/link")).unwrap();
        std::os::unix::fs::symlink("queries", project.path().join("inside")).unwrap();
        let leads_out = |path: &str| leads_out(project.path(), Path::new(path));
        assert!(leads_out("queries/link/a.sql") && leads_out("queries/link/b/a.sql"));
        assert!(!super::leads_out(&project.path().join("new"), Path::new("queries/a.sql")));
        assert!(!leads_out("queries/a.sql") && !leads_out("queries/b/c/a.sql") && !leads_out("inside/a.sql"));
    }
}
