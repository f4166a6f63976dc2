//! Where records are written: in their folder, or in a copy that is made for a call of a test.

use crate::records::change::Record;
use crate::records::folder::{CONTRACT, Folder, HISTORY, RECORDS};
use crate::records::lines::lines_of_records;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Where records are written.
#[derive(Debug, Clone)]
pub(super) enum RecordsPlace {
    /// Their folder.
    Own(PathBuf),
    /// A copy of it for each call, with these records where there are some.
    Copied(PathBuf, Option<Arc<Vec<Record>>>),
}

/// A folder that is written into, for as long as this is there.
pub(super) struct OpenPlace {
    pub(super) folder: Folder,
    /// What is gone with it.
    _copy: Option<TempDir>,
}

impl RecordsPlace {
    /// The same as a copy.
    pub(super) fn copied(self, records: Option<Arc<Vec<Record>>>) -> RecordsPlace {
        let (RecordsPlace::Own(path) | RecordsPlace::Copied(path, _)) = self;
        RecordsPlace::Copied(path, records)
    }

    /// The folder.
    ///
    /// Errors: there can be no copy of it.
    pub(super) fn open(&self) -> std::io::Result<OpenPlace> {
        match self {
            RecordsPlace::Own(path) => Ok(OpenPlace { folder: Folder::new(path), _copy: None }),
            RecordsPlace::Copied(path, records) => {
                // Its owner alone may look into it.
                let copy = tempfile::Builder::new().prefix("qtool-records-").tempdir()?;
                match records {
                    Some(records) => std::fs::write(copy.path().join(RECORDS), lines_of_records(records))?,
                    None => copy_file(path, copy.path(), RECORDS)?,
                }
                copy_file(path, copy.path(), HISTORY)?;
                copy_file(path, copy.path(), CONTRACT)?;
                Ok(OpenPlace { folder: Folder::new(copy.path()), _copy: Some(copy) })
            }
        }
    }
}

/// Copies a file that may not be there.
fn copy_file(from: &Path, to: &Path, name: &str) -> std::io::Result<()> {
    match std::fs::copy(from.join(name), to.join(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        copied => copied.map(drop),
    }
}
