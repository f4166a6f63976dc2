//! The executable of `dist/`: written under another name, and in its place when all else is there. A server that runs
//! from the old one is not disturbed, and nobody sees half a file.

use super::failed;
use crate::bundle::BundleError;
use crate::cli::Outcome;
use crate::load::{self, io_reason};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// An executable that is written, and not yet in its place.
pub(super) struct Executable {
    staged: PathBuf,
    path: PathBuf,
    /// Held as long as it is not there: so a later build tells it from what a killed one has left.
    lock: Option<File>,
}

impl Executable {
    /// Writes it; why that cannot be is printed.
    pub(super) fn write(
        path: &Path,
        content: &dyn Fn(&mut dyn Write) -> Result<(), BundleError>,
    ) -> Result<Executable, Outcome> {
        let told = |error: &std::io::Error| failed(&format!("cannot write `{}`: {}", path.display(), io_reason(error)));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| told(&error))?;
        }
        // Not as files beside it are written, which differ from it in nothing but their endings.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        load::remove_left_over(path, &format!(".{name}."));
        let staged = path.with_file_name(format!(".{name}.{}", std::process::id()));
        let mut file = File::create(&staged).map_err(|error| told(&error))?;
        // Where there are no locks, nothing is removed.
        let _ = file.try_lock();
        // Dropped in any case, it takes the file with it.
        let lock = file.try_clone().ok();
        let executable = Executable { staged, path: path.to_owned(), lock };
        content(&mut file).map_err(|error| failed(&format!("the executable cannot be made: {error}")))?;
        runnable(&file).map_err(|error| told(&error))?;
        Ok(executable)
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Outcome> {
        std::fs::read(&self.staged)
            .map_err(|error| failed(&format!("cannot read the executable: {}", io_reason(&error))))
    }

    /// Puts it in its place; how many bytes it has.
    pub(super) fn publish(mut self) -> Result<u64, Outcome> {
        let size = self.staged.metadata().map_or(0, |metadata| metadata.len());
        // Who runs it at once must not find it open for writing.
        self.lock = None;
        std::fs::rename(&self.staged, &self.path)
            .map_err(|error| failed(&format!("cannot write `{}`: {}", self.path.display(), io_reason(&error))))?;
        Ok(size)
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // It is gone where it was published.
        let _ = std::fs::remove_file(&self.staged);
    }
}

#[cfg(unix)]
fn runnable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn runnable(_: &File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_build_has_left_is_removed_and_what_another_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".shop.4000001", ".shop.4000002", ".shop.old", ".shopping.1", "shop", "server.tmp4000001"] {
            std::fs::write(at(name), name).unwrap();
        }
        let busy = File::open(at(".shop.4000002")).unwrap();
        busy.lock().unwrap();
        let write =
            |file: &mut dyn Write| file.write_all(b"new").map_err(|error| BundleError::Executable(error.to_string()));
        let executable = Executable::write(&at("shop"), &write).unwrap_or_else(|_| panic!("it is written"));
        assert_eq!(executable.publish().unwrap_or_default(), 3);
        load::write_atomically(&at("server.json"), b"{}").unwrap();
        load::remove_left_over(&at("server.json"), "server.tmp");
        let mut left: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, [".shop.4000002", ".shop.old", ".shopping.1", "server.json", "shop"]);
        assert_eq!(std::fs::read(at("shop")).unwrap(), b"new");
    }
}
