//! Where a path of `qtool.yaml` leads.

use super::store::Confined;
use super::{TableError, glob};
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

/// The pattern of a path, ready to match.
pub(super) fn compile(pattern: &str) -> Result<Regex, TableError> {
    let invalid = || TableError::option("path", format!("`{pattern}` is not a valid pattern"));
    glob::compile(pattern).ok_or_else(invalid)
}
