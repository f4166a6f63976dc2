//! Where a path of `qtool.yaml` leads.

use super::cache::Budget;
use super::read_only::ReadOnly;
use super::store::Confined;
use super::unchanged::UnchangedStore;
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

impl Place {
    /// The place, whose file is remembered for as long as it does not change, where it is one of a web server.
    pub(super) fn remembering(self, budget: &Arc<Budget>) -> Place {
        if self.confined.is_some() || self.embedded.is_some() || self.shape != Shape::File {
            return self;
        }
        Place { store: Arc::new(ReadOnly(UnchangedStore::new(Arc::clone(&self.store), budget))), ..self }
    }
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
