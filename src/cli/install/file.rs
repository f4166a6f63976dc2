//! The file of a client: read as it is, and replaced whole with the permissions that it has.

use crate::cli::replaced_file::{CHANGED, replace_file};
use crate::load::{io_reason, write_atomically};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read. Clients keep more than servers in theirs, but not more than this.
const MAX_SIZE: u64 = 64 << 20;

/// A file as it was read.
pub(super) struct ConfigFile {
    /// The file itself, where the path is a link to it.
    target: PathBuf,
    /// What is in it; `None` where there is no file yet.
    text: Option<String>,
}

impl ConfigFile {
    /// Reads the file, if there is one. Errors say why it cannot be.
    pub(super) fn open(path: &Path) -> Result<ConfigFile, String> {
        let target = match path.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => path.to_path_buf(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err("it is a link to a file that is not there".to_owned());
            }
            Err(error) => return Err(io_reason(&error)),
        };
        let text = read(&target)?;
        Ok(ConfigFile { target, text })
    }

    /// What is in it; nothing where there is no file yet.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Replaces it, if it is still as it was read. It is there whole or not at all.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        if read(&self.target)? != self.text {
            return Err(CHANGED.to_owned());
        }
        if self.text.is_none() {
            return write_atomically(&self.target, text.as_bytes()).map_err(|error| io_reason(&error));
        }
        replace_file(&self.target, text)
    }
}

fn read(path: &Path) -> Result<Option<String>, String> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_reason(&error)),
    };
    let mut bytes = Vec::new();
    let size = file.take(MAX_SIZE + 1).read_to_end(&mut bytes).map_err(|error| io_reason(&error))?;
    if u64::try_from(size).is_ok_and(|size| size > MAX_SIZE) {
        return Err(format!("it is larger than {} MiB", MAX_SIZE >> 20));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_is_made_with_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.json");
        let file = ConfigFile::open(&path).unwrap();
        assert_eq!(file.text(), "");
        file.write("{}").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
        file.write("[]").unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}", "it has come in the meantime");
    }

    #[test]
    fn a_file_that_changed_or_is_no_text_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.json");
        std::fs::write(&path, "{}").unwrap();
        let file = ConfigFile::open(&path).unwrap();
        std::fs::write(&path, "{ }").unwrap();
        assert_eq!(file.write("[]").unwrap_err(), "it has changed in the meantime");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ }");
        std::fs::write(&path, b"\xff\xfe{\0}\0").unwrap();
        assert_eq!(ConfigFile::open(&path).err().unwrap(), "it is not UTF-8");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
        std::fs::write(&real, "{}").unwrap();
        std::fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        symlink("real.json", &link).unwrap();
        ConfigFile::open(&link).unwrap().write("{ }").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "{ }");
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside them");
        std::fs::remove_file(&real).unwrap();
        assert_eq!(ConfigFile::open(&link).err().unwrap(), "it is a link to a file that is not there");
    }
}
