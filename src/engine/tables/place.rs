//! Where a path of `qtool.yaml` leads.

use super::store::Confined;
use super::{Roots, TableError, glob, remote};
use object_store::ObjectStore;
use object_store::path::Path;
use regex::Regex;
use std::sync::Arc;

/// A place in a store.
#[derive(Debug)]
pub(super) struct Place {
    /// The store that holds the place.
    pub(super) store: Arc<dyn ObjectStore>,
    /// For local files: what keeps them inside the roots.
    pub(super) confined: Option<Confined>,
    /// The file, or the folder that everything lies below.
    pub(super) start: Path,
    /// For a file that is embedded in the executable: its length in bytes.
    pub(super) embedded: Option<u64>,
    /// The pattern that files below the folder match.
    pub(super) pattern: Option<Regex>,
    /// What lies at `start`.
    pub(super) shape: Shape,
    /// The path for messages: as written, without the query of a URL.
    pub(super) shown: String,
}

/// What lies at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One file.
    File,
    /// A folder.
    Folder,
    /// The store has to be asked.
    Unknown,
}

impl Place {
    /// Resolves a path as written.
    pub(super) fn of(roots: &Roots, written: &str) -> Result<Place, TableError> {
        if written.trim().is_empty() || written.contains(char::is_control) {
            return Err(TableError::option("path", "the path is empty or holds a control character"));
        }
        if written.contains("://") { remote::place(written) } else { roots.place(written) }
    }
}

/// The pattern of a path, ready to match.
pub(super) fn compile(pattern: &str) -> Result<Regex, TableError> {
    let invalid = || TableError::option("path", format!("`{pattern}` is not a valid pattern"));
    glob::compile(pattern).ok_or_else(invalid)
}
